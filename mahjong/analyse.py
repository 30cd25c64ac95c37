"""What a hand is worth knowing about it: complete, waits, shanten, the shape of 游金 (record.md, *analyse*)."""

from __future__ import annotations

from typing import Any

from mahjong import shapes
from mahjong.moves import IllegalRecord
from mahjong.rulesets import RULESETS, Ruleset
from mahjong.state import SETS, SeatState
from mahjong.tiles import FACES, NAMES, Tile, parse_tile, parse_tiles
from mahjong.views import View

_KEYS = ("rules", "gold", "concealed", "melds")


def analyse(data: object) -> dict[str, Any]:
    """Answer for one parsed JSON object. Raises ``IllegalRecord`` naming the field that is wrong.

    >>> analyse({"rules": "zhangzhou", "gold": "5m", "concealed": "46m11z", "melds": 4})["waits"]
    ['5m', '5z']
    """
    rules, gold, tiles, melds = _read(data)
    state = SeatState()
    state.set_gold(rules.stands_for(gold))
    for tile in tiles:
        state.add(tile)
    sets = SETS - melds
    one_short = len(tiles) % 3 == 1
    missing = shapes.missing_of(state.keys, state.jokers, sets)
    return {
        "win": not one_short and missing == 0,
        "waits": [NAMES[tile] for tile in _waits(rules, gold, state, sets)] if one_short else [],
        "shanten": missing - 1,
        "you": one_short and shapes.is_you_of(state.keys, state.jokers, sets),
    }


def waits_of(view: View) -> tuple[Tile, ...]:
    """The tiles that complete the reader's hand between turns, in ascending order; empty if none does.

    As in *analyse*: copies that the reader holds all of are left out; what the game lets be claimed is not asked.
    """
    if view.reader is None or view.seats[view.reader].concealed is None:
        return ()
    me = view.seats[view.reader]
    rules = RULESETS[view.rules]
    state = SeatState()
    state.set_gold(rules.stands_for(view.gold))
    for tile in (*(me.concealed or ()), *([me.drawn] if me.drawn is not None else ())):
        state.add(tile)
    sets = SETS - len(me.melds)
    if me.concealed_count != 3 * sets + 1:
        return ()
    return tuple(_waits(rules, view.gold, state, sets))


def _waits(rules: Ruleset, gold: tuple[Tile, ...], state: SeatState, sets: int) -> list[Tile]:
    if shapes.missing_of(state.keys, state.jokers, sets) != 1:
        return []
    faces = shapes.waits_of(state.keys, state.jokers, sets)
    found = []
    for tile in _faces(rules, gold):
        live = 3 if tile in gold else 4
        stands = state.stands_for[tile]
        if state.tiles[tile] < live and (stands is None or stands in faces):
            found.append(tile)
    return found


def _faces(rules: Ruleset, gold: tuple[Tile, ...]) -> list[Tile]:
    """Faces that can stand in a hand of this game: no flowers, nor whites where they are laid out like flowers."""
    flowers = rules.flowers(gold)
    return [tile for tile in range(FACES) if tile in rules.tiles and tile not in flowers]


def _read(data: object) -> tuple[Ruleset, tuple[Tile, ...], list[Tile], int]:
    if not isinstance(data, dict):
        raise IllegalRecord("a hand is a JSON object")
    for name in data:
        if name not in _KEYS:
            raise IllegalRecord(f"unknown field {ascii(name)[:60]}; known: {', '.join(_KEYS)}")
    for name in _KEYS:
        if name not in data:
            raise IllegalRecord(f"{name}: missing")
    rules = RULESETS.get(data["rules"]) if isinstance(data["rules"], str) else None
    if rules is None:
        raise IllegalRecord(f"rules: one of {', '.join(RULESETS)}")
    named = data["gold"]
    names = [] if named is None else [named] if isinstance(named, str) else named
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise IllegalRecord("gold: a tile, a list of tiles, or null")
    if len(names) > len(rules.gold_places(2)):
        raise IllegalRecord(f"gold: at most {len(rules.gold_places(2))} in {rules.name}, not {len(names)}")
    try:
        gold = tuple(dict.fromkeys(parse_tile(name) for name in names))
    except ValueError as error:
        raise IllegalRecord(f"gold: {ascii(str(error))[:80]}") from None
    if any(tile not in rules.tiles or tile >= FACES for tile in gold):
        raise IllegalRecord(f"gold: no such gold in {rules.name}")
    melds = data["melds"]
    if type(melds) is not int or not 0 <= melds <= SETS:
        raise IllegalRecord(f"melds: an integer from 0 to {SETS}")
    if not isinstance(data["concealed"], str):
        raise IllegalRecord("concealed: a text of tiles")
    try:
        tiles = parse_tiles(data["concealed"])
    except ValueError as error:
        raise IllegalRecord(f"concealed: {error}") from None
    size = 3 * (SETS - melds)
    if len(tiles) not in (size + 1, size + 2):
        raise IllegalRecord(f"concealed: {size + 1} or {size + 2} tiles with {melds} melds, not {len(tiles)}")
    faces = _faces(rules, gold)
    for tile in tiles:
        live = 3 if tile in gold else 4
        if tile not in faces:
            raise IllegalRecord(f"concealed: {NAMES[tile]} is never in hand in {rules.name}")
        if tiles.count(tile) > live:
            raise IllegalRecord(f"concealed: {tiles.count(tile)} of {NAMES[tile]}, there are {live}")
    return rules, gold, tiles, melds
