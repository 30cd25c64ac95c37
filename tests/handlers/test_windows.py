"""How long a window lasts tells nothing of whether anybody was asked (telegram.md, *Claims tell nothing*)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

from handlers.dealing import setup_of
from handlers.draft import BEAT, Draft
from handlers.table_state import Seat, TableState

DISCARDS = 2000


def windows(seed: int) -> list[tuple[bool, float]]:
    """The claim windows of a hand of four people: whether anybody was asked, and how long it lasted."""
    chance = Random(seed)
    state = TableState(table=1, group=1, host=1)
    state.seats = [Seat(person=number, name=f"P{number}", wallet=1500) for number in (1, 2, 3, 4)]
    draft = Draft(state, None, datetime(2026, 5, 1, tzinfo=UTC), UTC, chance, 0, setup_of)
    found: list[tuple[bool, float]] = []
    lengths: list[float] = []
    for hand in range(1, 10**6):
        draft.seal(hand, chance.randbytes(32), (1500,) * 4, {})
        draft.deal((), (1500,) * 4)
        while draft.hand is not None and draft.hand.result is None:
            asked = dict(draft.hand.questions)
            if draft.hand.phase == "turn":
                draft.now += timedelta(seconds=chance.uniform(1, 10))
                draft.computer_plays(next(iter(asked)))
                continue
            claim, began, number = draft.hand.phase == "claim", draft.now, draft.hand.number
            # People look a while before they answer; now and then one is away.
            answers = sorted((began + timedelta(seconds=min(15, chance.lognormvariate(1.3, 0.6))), s) for s in asked)
            for at, seat in answers:
                due = draft.state.due("window")
                if due is not None and due < at:
                    break
                draft.now = at
                if draft.hand.number == number and seat in draft.hand.questions:
                    draft.computer_plays(seat)
            due = draft.state.due("window")
            assert due is not None
            draft.now = max(draft.now, due)
            lengths.append((draft.now - began).total_seconds())
            if claim:
                found.append((bool(asked), lengths[-1]))
            draft.close_window()
        draft.entries.clear()
        if len(found) >= DISCARDS:
            return found
    raise AssertionError


def test_a_claimable_discard_cannot_be_told_by_its_delay() -> None:
    found = windows(1)
    asked = [length for somebody, length in found if somebody]
    idle = [length for somebody, length in found if not somebody]
    assert min(asked + idle) >= BEAT
    assert len(asked) > 200
    assert len(idle) > 200
    wins = sum((a > b) + 0.5 * (a == b) for a in asked for b in idle)
    assert wins / (len(asked) * len(idle)) <= 0.6
