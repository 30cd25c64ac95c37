"""Faults to order: what goes wrong with which calls, and how often. For tests of what the bot does then."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

Kind = Literal["retry_after", "error", "drop", "lose", "late", "duplicate", "reorder"]
KINDS: tuple[str, ...] = get_args(Kind)


@dataclass(slots=True)
class Fault:
    """What happens to the next calls that fit ``method`` and ``chat_id`` (None fits all).

    ``retry_after``: 429 with ``seconds``. ``error``: ``code`` and ``description``, nothing is done. ``drop``: nothing
    is done and nothing answered. ``lose``: done, but the answer is lost. ``late``: done, answered after ``seconds``.
    ``duplicate``, ``reorder``: of getUpdates' next answer. ``skip`` fitting calls pass before ``times`` are hit.
    """

    kind: Kind
    method: str | None = None
    chat_id: int | None = None
    seconds: float = 1.0
    code: int = 500
    description: str = "Internal Server Error"
    times: int = 1
    skip: int = 0
    id: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}")
        if self.kind in ("duplicate", "reorder"):
            self.method = "getUpdates"


class Faults:
    """The faults still to come, in the order in which they were asked for."""

    def __init__(self) -> None:
        self.waiting: list[Fault] = []
        self._last = 0

    def add(self, fault: Fault) -> Fault:
        """From now on it strikes; returned with its number."""
        self._last += 1
        added = replace(fault, id=self._last)
        self.waiting.append(added)
        return added

    def clear(self, number: int | None = None) -> None:
        """It strikes no more; None: none does."""
        self.waiting = [fault for fault in self.waiting if number is not None and fault.id != number]

    def hit(self, method: str, chat_id: int | None) -> Fault | None:
        """The fault that strikes this call, used up by one; None if it goes well."""
        for fault in self.waiting:
            if fault.method is not None and fault.method.lower() != method.lower():
                continue
            if fault.chat_id is not None and fault.chat_id != chat_id:
                continue
            # A long poll is not meant when all calls are.
            if fault.method is None and method == "getUpdates":
                continue
            if fault.skip > 0:
                fault.skip -= 1
                continue
            fault.times -= 1
            if fault.times <= 0:
                self.waiting.remove(fault)
            return fault
        return None

    def document(self) -> list[dict[str, Any]]:
        """Those that are still to strike."""
        return [asdict(fault) for fault in self.waiting]
