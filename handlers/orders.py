"""What a player has decided before being asked: toggles and standing orders of one hand (telegram.md, *Less passing*).

Orders are short names, kept with the seat until the next deal:

- ``no_chow``: 不吃, ``no_meld``: 不碰杠 (不杠 where there is no 碰): such claims are passed
- ``hu``: 能胡就胡: every certain win is taken, the dearest where there are several
- ``pong:TILE``, ``kong:TILE``, ``hu:TILE``: 见中就碰, 见三万就胡: taken as soon as that tile is thrown

An order answers as its owner would by pressing; a win is never passed by one, and a guess never made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from mahjong.analyse import waits_of
from mahjong.moves import Move, Option, Question
from mahjong.rulesets import RULESETS
from mahjong.tiles import FACES, NAMES, Tile
from mahjong.views import View

TOGGLES = ("no_chow", "no_meld", "hu")
MELDS = ("pong", "kong")


def toggles_for(rules: str) -> tuple[str, ...]:
    """The toggles that mean something in a game: without claims on discards there is nothing to decline."""
    claims = RULESETS[rules].claims
    offered = {"no_chow": "chow" in claims, "no_meld": not claims.isdisjoint(MELDS), "hu": True}
    return tuple(toggle for toggle in TOGGLES if offered[toggle])


def toggle_name(toggle: str, rules: str) -> str:
    """What a toggle is called: ``no_meld`` is ``no_kong`` where there is nothing to pong."""
    return "no_kong" if toggle == "no_meld" and "pong" not in RULESETS[rules].claims else toggle


def tile_order(verb: str, tile: Tile) -> str:
    """The order to take one tile when it is thrown. ``verb``: ``pong``, ``kong`` or ``hu``."""
    return f"{verb}:{NAMES[tile]}"


def known_order(order: str, rules: str) -> bool:
    """Whether this is an order that a hand of this game can have."""
    verb, _, tile = order.partition(":")
    if not tile:
        return order in toggles_for(rules)
    return verb in ("pong", "kong", "hu") and verb in RULESETS[rules].claims and tile in NAMES[:FACES]


def offered(view: View) -> list[str]:
    """The standing orders that make sense for the reader's hand, as it is between turns: its pairs, triplets, waits."""
    assert view.reader is not None
    held = Counter(view.seats[view.reader].concealed or ())
    claims = RULESETS[view.rules].claims
    plain = sorted(tile for tile, count in held.items() if count >= 2 and tile not in view.gold)
    orders = [tile_order("pong", tile) for tile in plain if "pong" in claims]
    orders += [tile_order("kong", tile) for tile in plain if "kong" in claims and held[tile] >= 3]
    return orders + [tile_order("hu", tile) for tile in waits_of(view) if "hu" in claims]


def answer_of(orders: Collection[str], question: Question) -> Move | None:
    """The answer that the orders give to a question; None: its owner is asked."""
    if not orders:
        return None
    wins = [option for option in question.options if _certain_win(option, question)]
    if wins:
        best = max(wins, key=lambda option: option.gain or 0)
        wanted = "hu" in orders or (question.tile is not None and tile_order("hu", question.tile) in orders)
        return best.move if wanted else None
    if question.ask != "claim":
        return None
    verbs = {option.move.verb: option.move for option in question.options}
    if question.tile is not None:
        for verb in reversed(MELDS):
            if verb in verbs and tile_order(verb, question.tile) in orders:
                return verbs[verb]
    declined = {"pass"}
    if "no_chow" in orders:
        declined.add("chow")
    if "no_meld" in orders:
        declined.update(MELDS)
    return verbs["pass"] if declined.issuperset(verbs) else None


def _certain_win(option: Option, question: Question) -> bool:
    verb = option.move.verb
    return verb == "hu" or (verb == "rob" and question.tile is not None)
