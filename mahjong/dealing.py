"""What happens before the first question: tiles are dealt, flowers replaced, the gold turned up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mahjong.moves import IllegalRecord, MissingThrow, in_order
from mahjong.tiles import Tile

if TYPE_CHECKING:
    from mahjong.hand import Hand


def hand_out(hand: Hand) -> None:
    """Four rounds of four tiles to each seat from the dealer, then one more to the dealer (rules-zhangzhou 2.2)."""
    order = in_order(hand.setup.dealer)
    hands: list[list[Tile]] = [[], [], [], []]
    for _ in range(4):
        for seat in order:
            hands[seat] += [hand.wall.popleft() for _ in range(4)]
    hands[order[0]].append(hand.wall.popleft())
    for seat in order:
        for tile in hands[seat]:
            hand.seats[seat].add(tile)
        hand.emit("dealt", seat, tuple(hands[seat]))


def replace_flowers(hand: Hand) -> None:
    """Rounds of laying out flowers and drawing as many from the tail, from the dealer, until nobody holds one (3.1)."""
    found = True
    while found:
        found = False
        for seat in in_order(hand.setup.dealer):
            state = hand.seats[seat]
            flowers = tuple(tile for tile in state.held() if tile in hand.flowers)
            if not flowers:
                continue
            found = True
            state.remove(flowers)
            state.flowers += flowers
            hand.emit("flower", seat, flowers)
            drawn = tuple(hand.wall.pop() for _ in flowers)
            for tile in drawn:
                state.add(tile)
            hand.emit("replaced", seat, drawn)


def turn_gold(hand: Hand) -> None:
    """Turn up the gold by the throws of the set-up (4.1). Raises ``IllegalRecord`` if they are not the right ones."""
    throws = hand.setup.gold_dice
    for number, throw in enumerate(throws, start=1):
        if not 2 <= throw <= 12:
            raise IllegalRecord(f"gold_dice: throw {number} is {throw}, two dice give 2 to 12")
        places = hand.rules.gold_places(throw)
        turned = tuple(hand.wall[-place] for place in places)
        if not hand.rules.gold_stands(hand, turned):
            continue
        if number != len(throws):
            raise IllegalRecord(f"gold_dice: throw {number} turns up the gold; none may follow it")
        for place in sorted(places, reverse=True):
            del hand.wall[-place]
        hand.turned = turned
        hand.gold = tuple(dict.fromkeys(turned))
        hand.flowers = hand.rules.flowers(hand.gold)
        hand.stands_for = hand.rules.stands_for(hand.gold)
        for state in hand.seats:
            state.set_gold(hand.stands_for)
        hand.emit("gold", None, turned)
        return
    raise MissingThrow("gold_dice: the last throw does not stand; another must follow")
