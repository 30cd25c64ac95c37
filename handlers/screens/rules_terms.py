"""What a page of the rules is about, in the data of its buttons: the game, the options of all games, the stake.

A page says the same for as long as it stands, whatever becomes of the table that it was opened for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from handlers.presses import page_data
from mahjong.rulesets import RULESETS, OptionSpec

INDEX: Final = "index"
OPEN: Final = "open"
"""Instead of a page: open the rules in private."""
GAMES: Final = tuple(RULESETS)
SMALLEST: Final = 10
"""The lowest stake (rules-zhangzhou 11)."""


_OLD: Final = re.compile(r"^([0-9]{3})([0-9])([0-9]{2})([1-9]|1[0-7])$", re.ASCII)
"""Terms as they were written when there were three games with six options, without a mark between them."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table plays by: options by game, those left out at their defaults; the stake, a power of ten."""

    options: Mapping[str, Mapping[str, Any]]
    base: int = SMALLEST

    def of(self, rules: str) -> dict[str, int | bool]:
        """The options that a table of this game can set, with their values."""
        kept = self.options.get(rules, {})
        return {spec.name: kept.get(spec.name, spec.default) for spec in RULESETS[rules].table_options}

    def code(self) -> str:
        """Short, for callback data and links: for each game a digit for each option, its value's place among those
        that it may have, then how many zeros the stake has; parted by ``-``."""
        places = ("".join(str(spec.values.index(value)) for spec, value in self._chosen(rules)) for rules in GAMES)
        return "-".join((*places, str(len(str(self.base)) - 1)))

    def _chosen(self, rules: str) -> Iterable[tuple[OptionSpec, int | bool]]:
        return zip(RULESETS[rules].table_options, self.of(rules).values(), strict=True)


def read_terms(code: str) -> Terms | None:
    """What ``Terms.code`` wrote; None for anything else.

    A code of before a game or an option was there is read, what it does not say being at its default: so that pages and
    links that were sent stay good, games, options and their values are added behind those that there are.
    """
    code = _OLD.sub(r"\1-\2-\3-\4", code)
    found = re.fullmatch(r"((?:[0-9]*-)*)([1-9]|1[0-7])", code, re.ASCII)
    if found is None:
        return None
    options: dict[str, dict[str, Any]] = {rules: {} for rules in GAMES}
    groups = found[1].split("-")[:-1]
    if len(groups) > len(GAMES):
        return None
    for rules, places in zip(GAMES, groups, strict=False):
        specs = RULESETS[rules].table_options
        if len(places) > len(specs):
            return None
        for spec, place in zip(specs, map(int, places), strict=False):
            if place >= len(spec.values):
                return None
            options[rules][spec.name] = spec.values[place]
    return Terms(options, 10 ** int(found[2]))


def rules_data(page: str, rules: str, terms: Terms) -> str:
    """Callback data of a page of a game, or of ``OPEN``."""
    return page_data("u", page, GAMES.index(rules), terms.code())
