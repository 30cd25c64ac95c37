"""What a person and a group have chosen: the documents of the store, read with their defaults.

The store keeps ``Person.prefs`` and ``Group.settings`` as plain documents; what is unknown or out of range in them (an
older or a newer version wrote it) reads as the default.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, TypeVar, get_args

from data.model import Group, Person
from handlers.computers import LEVELS, USUAL
from handlers.table_state import PACES
from mahjong.calls import CALLS
from mahjong.rulesets import RULESETS
from render.tiles import TILE_SETS, TileSet

Ring = Literal["slow", "always", "never"]
Cover = Literal["full", "beat", "off"]
Hints = Literal["off", "friendly", "all"]
HeardIn = Literal["off", "mandarin", "zhangzhou"]
T = TypeVar("T")
Choices = Mapping[str, tuple[str | bool, ...]]

OWN: Final[Choices] = {
    "ring": get_args(Ring),
    "confirm": (False, True),
    "tiles": TILE_SETS,
    "voice": get_args(HeardIn),
}
"""What a person may choose, and from what, in the order of the menu. False and True: a switch."""
OF_GROUP: Final[Choices] = {
    "timer": tuple(PACES),
    "cover": get_args(Cover),
    "level": LEVELS,
    "hints": get_args(Hints),
    "computers_for_coins": (False, True),
    "sound": (False, True),
    "voices": get_args(HeardIn),
    "tiles": TILE_SETS,
}
"""What a group may choose, besides its game and that game's options, its language, and whom it keeps away."""
TAKEN_UP: Final[Mapping[str, Literal["at_once", "next_hand", "next_table"]]] = {
    "game": "next_table",
    "option": "next_table",
    "timer": "next_table",
    "level": "next_table",
    "cover": "at_once",
    "computers_for_coins": "at_once",
    "sound": "at_once",
    "hints": "next_hand",
}
"""From when on a change holds where a table is open, by item of the menu: ``TableState`` has a copy of each."""
GROUP_MENU: Final = (
    ("game", "timer"),
    ("cover", "language"),
    ("level", "hints"),
    ("computers_for_coins",),
    ("sound",),
    ("tiles", "voices"),
    ("banned",),
)
"""The buttons of a group's menu, row by row."""


def is_switch(choices: Choices, name: str) -> bool:
    """Whether a setting is on or off."""
    return True in choices.get(name, ())


def read_choice(choices: Choices, name: str, chosen: str | None) -> str | bool | None:
    """The value that a button's choice stands for, ``on`` and ``off`` for a switch; None if it may not be chosen."""
    if is_switch(choices, name):
        return {"on": True, "off": False}.get(chosen or "")
    return chosen if chosen in choices.get(name, ()) else None


@dataclass(frozen=True, slots=True)
class Preferences:
    """A person's own (telegram.md, *Ringing*).

    ``ring``: when the living message is sent anew with a sound: when slow to press, at once, or never. ``confirm``:
    every discard wants a second press. ``tiles``: which set the pictures in the private chat are drawn with.
    ``voice``: in which tongue calls are heard; ``voice_refused``: Telegram takes no voice notes for this person.
    ``recordings``: Telegram's file ids of one's own calls, by call (乡音); ``muted``: ids of persons whose recordings
    one does not want to hear. ``game``, ``level``: what was last practised, and against how strong computers.
    ``lessons``: how many hands with a coach have been begun.
    """

    ring: Ring = "slow"
    confirm: bool = False
    tiles: TileSet = "plain"
    voice: HeardIn = "off"
    voice_refused: bool = False
    recordings: Mapping[str, str] = field(default_factory=dict)
    muted: tuple[int, ...] = ()
    game: str = "zhangzhou"
    level: str = USUAL
    lessons: int = 0

    @classmethod
    def of(cls, person: Person) -> Preferences:
        """Read a person's document."""
        return cls(
            **_chosen(person.prefs, OWN, cls),
            voice_refused=_one_of(person.prefs, "voice_refused", (False, True)),
            recordings=_recordings(person.prefs.get("recordings")),
            muted=tuple(_ids(person.prefs.get("muted"))),
            game=_one_of(person.prefs, "game", tuple(RULESETS)),
            level=_one_of(person.prefs, "level", (USUAL, *LEVELS)),
            lessons=_count(person.prefs.get("lessons")),
        )


@dataclass(frozen=True, slots=True)
class GroupSettings:
    """A group's own, set by its admins (/settings).

    ``game``, ``options`` (by game), ``timer``: with which a table opens. ``cover``: how claims are covered: beat and
    decoys, the beat alone, or nothing. ``computers_for_coins``: a computer player plays for coins, too. ``sound``:
    whether this group's tables may sound in private chats. ``voices``: in which tongue calls are heard in the group
    itself. ``tiles``: which set the group's pictures are drawn with.
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
    voices: HeardIn = "off"
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
            **_chosen(kept, OF_GROUP, cls),
            banned=tuple(_ids(kept.get("banned"))),
            callers=tuple(_ids(kept.get("callers"))),
        )


def _chosen(
    document: Mapping[str, Any], choices: Choices, of: type[Preferences] | type[GroupSettings]
) -> dict[str, Any]:
    """The values kept of these settings; the default of its field where there is none that is allowed."""
    usual = {each.name: each.default for each in fields(of)}
    return {name: _one_of(document, name, (usual[name], *values)) for name, values in choices.items()}


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


def _count(kept: object) -> int:
    return kept if type(kept) is int and kept >= 0 else 0


def _recordings(kept: object) -> dict[str, str]:
    if not isinstance(kept, dict):
        return {}
    return {call: file_id for call, file_id in kept.items() if call in CALLS and isinstance(file_id, str)}


def _ids(kept: object) -> Iterable[int]:
    return [value for value in kept if type(value) is int] if isinstance(kept, list) else []


def is_banned(group: Group | None, person: Person) -> bool:
    """Whether a person may not sit at this group's tables."""
    return group is not None and person.id in GroupSettings.of(group).banned


def group_tiles(group: Group | None) -> TileSet:
    """The set of tiles in a group's pictures: what it has chosen; the plain one where there is no group."""
    return GroupSettings.of(group).tiles if group is not None else "plain"
