"""Feats: what the people of these games still talk about the next day, read from a hand that has ended.

``feats_of`` tells those of a single hand. Others need to know what was before it, and are told by whoever keeps that
(``data.feats``): the first win, so many hands, ten wins in a day. ``FEATS`` has them all, the rarest first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mahjong.hand import Hand
from mahjong.match import LOWEST_BASE, tier_of
from mahjong.moves import Seat

FEATS: Final = (
    "super_bomb",
    "triple_you",
    "heavenly",
    "four_kongs",
    "dealer_10",
    "fenbing",
    "eight_flowers",
    "big_bomb",
    "rob_hidden",
    "rob_added",
    "two_gold",
    "four_whites",
    "double_you",
    "three_gold",
    "blast",
    "last_four",
    "rob_gold",
    "dealer_5",
    "comeback",
    "ten_wins",
    "hands_1000",
    "hands_100",
    "first_win",
)
"""Every feat, the one that is talked about most first."""

FOR_COINS: Final = frozenset({"comeback", "dealer_5", "dealer_10", "ten_wins", "hands_1000", "hands_100", "first_win"})
"""Feats of staying power: they count in hands for coins only, since against computers they are a matter of patience.

A rare hand counts in friendly ones as well, if somebody else was there to see it.
"""

DEALER_RUNS: Final = (5, 10)
"""Wins in a row as the dealer."""
HANDS: Final = {100: "hands_100", 1_000: "hands_1000"}
WINS_A_DAY: Final = 10
RECOVERED: Final = tier_of(LOWEST_BASE)[1] + 1
"""Coins that make a comeback of it: those with which the next stake begins (rules-zhangzhou 11)."""

_WINS: Final = {
    "triple_you": "triple_you",
    "double_you": "double_you",
    "heavenly": "heavenly",
    "rob_gold": "rob_gold",
    "two_gold": "two_gold",
    "big_bomb": "big_bomb",
    "super_bomb": "super_bomb",
}
_KONGS: Final = ("kong", "added_kong", "concealed_kong")


def feats_of(hand: Hand) -> tuple[tuple[Seat, str], ...]:
    """The feats of an ended hand, each with its seat, in the order of ``FEATS``. Raises ``ValueError`` if it goes on.

    三游 and 双游 (rules-zhangzhou 7), 三金倒, 天胡, 抢金 (6), 抢杠 of an added and of a hidden kong (9), a win by own
    draw in the last four (8.2), 分饼 by the dealer (10.5), eight flowers (3); bombs, 爆炸 and 双金 (rules-putian 5.2,
    2.2) and four whites (6.1); four kongs of one seat; a dealer who wins for the fifth or tenth time in a row (10.7),
    where the caller still has to see that it is so, and the same person all along; and to end the hand with
    ``RECOVERED`` coins after beginning with fewer, where the caller has to see that relief came before.
    """
    found = set(_found(hand))
    return tuple((seat, feat) for feat in FEATS for seat in range(4) if (seat, feat) in found)


def _found(hand: Hand) -> Iterator[tuple[Seat, str]]:
    result, setup = hand.result, hand.setup
    if result is None:
        raise ValueError("the hand is not over")
    winner = result.winner
    if winner is not None and result.by is not None:
        if result.by in _WINS:
            yield winner, _WINS[result.by]
        elif result.by == "three_gold":
            yield winner, "three_gold" if "zhangzhou" in hand.rules.kin else "blast"
        elif result.by == "rob_kong":
            kong = next(event.kind for event in reversed(hand.events) if event.kind in _KONGS)
            yield winner, "rob_hidden" if kong == "concealed_kong" else "rob_added"
        if hand.last_four and result.source is None:
            yield winner, "last_four"
    if result.fenbing:
        yield setup.dealer, "fenbing"
    for seat, state in enumerate(hand.seats):
        if len(state.flowers) == 8:
            yield seat, "eight_flowers"
        elif "zhangzhou" not in hand.rules.kin and len(state.flowers) == 4:
            yield seat, "four_whites"
        if sum(meld.kind in _KONGS for meld in state.melds) >= 4:
            yield seat, "four_kongs"
        if setup.coins[seat] < RECOVERED <= result.coins[seat]:
            yield seat, "comeback"
    for run in DEALER_RUNS:
        if winner == setup.dealer and setup.streak >= run:
            yield setup.dealer, f"dealer_{run}"
