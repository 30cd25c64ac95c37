"""What a person and a group have chosen: the documents of the store, read with their defaults.

The store keeps ``Person.prefs`` and ``Group.settings`` as plain documents; what is unknown or out of range in them (an
older or a newer version wrote it) reads as the default.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, get_args

from data.model import Group, Person
from handlers.computers import LEVELS, USUAL
from handlers.table_state import PACES
from mahjong.rulesets import RULESETS
from render.tiles import TILE_SETS, TileSet

Ring = Literal["slow", "always", "never"]
Cover = Literal["full", "beat", "off"]
Hints = Literal["off", "friendly", "all"]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's own (telegram.md, *Ringing*).

    ``ring``: when the living message is sent anew with a sound: when slow to press, at once, or never. ``confirm``:
    every discard wants a second press. ``tiles``: which set the pictures in the private chat are drawn with.
    ``game``, ``level``: what was last practised, and against how strong computers.
    """

    ring: Ring = "slow"
    confirm: bool = False
    tiles: TileSet = "plain"
    game: str = "zhangzhou"
    level: str = USUAL

    @classmethod
    def of(cls, person: Person) -> Preferences:
        """Read a person's document."""
        return cls(
            ring=_one_of(person.prefs, "ring", get_args(Ring)),
            confirm=_one_of(person.prefs, "confirm", (False, True)),
            tiles=_one_of(person.prefs, "tiles", TILE_SETS),
            game=_one_of(person.prefs, "game", tuple(RULESETS)),
            level=_one_of(person.prefs, "level", (USUAL, *LEVELS)),
        )


@dataclass(frozen=True, slots=True)
class GroupSettings:
    """A group's own, set by its admins (/settings).

    ``game``, ``options`` (by game), ``timer``: with which a table opens. ``cover``: how claims are covered: beat and
    decoys, the beat alone, or nothing. ``computers_for_coins``: a computer player plays for coins, too. ``sound``:
    whether this group's tables may sound in private chats. ``tiles``: which set the group's pictures are drawn with.
    ``level``: of the computers that sit down. ``hints``: at which tables there are hints, none, those without coins, or
    all. ``banned``: ids of persons who may not sit here.
    ``callers``: ids of persons who want to be called when a player is missing (三缺一).
    """

    game: str = "zhangzhou"
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    timer: str = "normal"
    cover: Cover = "full"
    computers_for_coins: bool = False
    sound: bool = True
    tiles: TileSet = "plain"
    level: str = USUAL
    hints: Hints = "off"
    banned: tuple[int, ...] = ()
    callers: tuple[int, ...] = ()

    @classmethod
    def of(cls, group: Group) -> GroupSettings:
        """Read a group's document."""
        kept = group.settings
        return cls(
            game=_one_of(kept, "game", tuple(RULESETS)),
            options={rules: _options(kept, rules) for rules in RULESETS},
            timer=_one_of(kept, "timer", ("normal", *PACES)),
            cover=_one_of(kept, "cover", get_args(Cover)),
            computers_for_coins=_one_of(kept, "computers_for_coins", (False, True)),
            sound=_one_of(kept, "sound", (True, False)),
            tiles=_one_of(kept, "tiles", TILE_SETS),
            level=_one_of(kept, "level", (USUAL, *LEVELS)),
            hints=_one_of(kept, "hints", get_args(Hints)),
            banned=tuple(_ids(kept.get("banned"))),
            callers=tuple(_ids(kept.get("callers"))),
        )


def _one_of(document: Mapping[str, Any], name: str, values: tuple[T, ...]) -> T:
    """The value kept if it is allowed, else the first of those allowed."""
    kept = document.get(name)
    return next((value for value in values if type(value) is type(kept) and value == kept), values[0])


def _options(document: Mapping[str, Any], rules: str) -> dict[str, Any]:
    kept = document.get("options")
    kept = kept.get(rules) if isinstance(kept, dict) else None
    if not isinstance(kept, dict):
        return {}
    return {
        spec.name: kept[spec.name]
        for spec in RULESETS[rules].table_options
        if any(type(value) is type(kept.get(spec.name)) and value == kept[spec.name] for value in spec.values)
    }


def _ids(kept: object) -> Iterable[int]:
    return [value for value in kept if type(value) is int] if isinstance(kept, list) else []


def is_banned(group: Group | None, person: Person) -> bool:
    """Whether a person may not sit at this group's tables."""
    return group is not None and person.id in GroupSettings.of(group).banned


def group_tiles(group: Group | None) -> TileSet:
    """The set of tiles in a group's pictures: what it has chosen; the plain one where there is no group."""
    return GroupSettings.of(group).tiles if group is not None else "plain"
