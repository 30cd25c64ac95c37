"""Rule perft: from fixed walls, how many sequences of moves there are, by kind of the last one.

Golden counts: a change of the rules or of what is offered shows here first. Made by this file (``python -m
tests.mahjong.test_perft`` prints them), and worth a look at the difference whenever they change.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from mahjong.hand import Hand
from tests.mahjong.walls import setup

YOU = "123789m123456p111z"
POSITIONS: Final = {
    # The dealer may win, kong, make 游金; others may rob the gold, claim the 9p in three ways, guess at the kong.
    "zhangzhou": (
        setup(
            hands={
                0: YOU + "5m9p",
                1: "111123456789s78p77z",
                2: "46m88899p222233345z",
                3: "12247m25p369s466655z",
            },
            draws="1z9p5m1f4m",
            tail="9s5z",
        ),
        4,
    ),
    # 双游 at once, another who is of the shape, a kong to guess at.
    "zhangzhou-lock": (
        setup(hands={0: YOU + "55m", 1: "456p123456789s222z5m", 3: "147m258p369s3333446z"}),
        4,
    ),
    # A kong, a small bomb and a 抢金 in the dark.
    "putian-an": (
        setup("putian-an", hands={0: "1111m55m66s123456789p", 1: "5m123789p123446789s"}, gold="5m6s"),
        4,
    ),
    # A discard to win on, to kong, or to let go.
    "putian-ming": (
        setup(
            "putian-ming",
            hands={
                0: "123789m1234567p7899s",
                1: "123789m12777p6666s5z",
                2: "12355m14569p222234s",
            },
            gold="5m",
        ),
        4,
    ),
}
GOLDEN: Final = {
    "zhangzhou 1": {"hu": 2, "pass": 1},
    "zhangzhou 2": {"discard": 15},
    "zhangzhou 3": {"chow": 2, "discard": 156, "hu": 2, "kong": 12, "pass": 3, "pong": 2},
    "zhangzhou 4": {"chow": 12, "discard": 1037, "hu": 5, "kong": 149, "pass": 48, "pong": 24, "rob": 12},
    "zhangzhou-lock 1": {"hu": 2, "pass": 1},
    "zhangzhou-lock 2": {"discard": 14},
    "zhangzhou-lock 3": {"chow": 4, "discard": 135, "hu": 10, "pass": 5},
    "zhangzhou-lock 4": {"chow": 45, "discard": 1728, "hu": 5, "pass": 27},
    "putian-an 1": {"hu": 2, "pass": 1},
    "putian-an 2": {"discard": 10, "hu": 1, "kong": 1},
    "putian-an 3": {"discard": 150, "hu": 11},
    "putian-an 4": {"discard": 1960, "hu": 10},
    "putian-ming 1": {"hu": 3, "pass": 1},
    "putian-ming 2": {"discard": 16},
    "putian-ming 3": {"discard": 132, "hu": 5, "kong": 13, "pass": 4},
    "putian-ming 4": {"discard": 1313, "hu": 39, "kong": 100, "pass": 37},
}


def count(hand: Hand, depth: int) -> Counter[str]:
    """Sequences of ``depth`` effective moves, by verb of the last; a window closed without an answer is a ``pass``."""
    if hand.result is not None:
        return Counter()
    found: Counter[str] = Counter()
    for seat in hand.questions:
        for option in hand.questions[seat].options:
            if hand.in_window and option.move.verb == "pass":
                continue
            after = hand.copy()
            after.apply(option.move)
            if after.in_window and hand.in_window:
                after.close()
            found += Counter({option.move.verb: 1}) if depth == 1 else count(after, depth - 1)
    if hand.in_window:
        after = hand.copy()
        after.close()
        found += Counter({"pass": 1}) if depth == 1 and hand.questions else count(after, depth - bool(hand.questions))
    return found


@pytest.mark.parametrize("name", POSITIONS)
def test_perft(name: str) -> None:
    made, depth = POSITIONS[name]
    hand = Hand.deal(made)
    for at in range(1, depth + 1):
        assert dict(count(hand, at)) == GOLDEN[f"{name} {at}"]


if __name__ == "__main__":
    for name, (made, depth) in POSITIONS.items():
        for at in range(1, depth + 1):
            print(f'    "{name} {at}": {dict(sorted(count(Hand.deal(made), at).items()))},')
