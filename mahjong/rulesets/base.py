"""What a game of the family is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mahjong.tiles import Tile


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """A table option: its name in records, the values it may take, the first of them the default."""

    name: str
    values: tuple[int | bool, ...]

    @property
    def default(self) -> int | bool:
        """The value where a table or record says nothing."""
        return self.values[0]


class Ruleset:
    """One game: ``name`` as in records, ``tiles`` of its wall in ascending order, ``options`` that a table may set."""

    name: str
    tiles: tuple[Tile, ...]
    options: tuple[OptionSpec, ...] = ()
    hidden_discards: bool = False
    """Discards lie face down: nobody but their owner ever sees them."""

    def complete_options(self, options: Mapping[str, object]) -> dict[str, int | bool]:
        """All options with their values, defaults filled in. Raises ``IllegalRecord`` for unknown names or values."""
        raise NotImplementedError
