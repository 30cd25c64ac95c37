"""Discards looked at again, to draw: with and without melds, in three languages, at the edge of what can be."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mahjong.views import View
from render.words import ReviewSide, ReviewWords
from tests.render import samples as s

Draws = tuple[tuple[int, int], ...]


def draws(text: str, *copies: int) -> Draws:
    """Tiles, each with its copies."""
    return tuple(zip(s.tiles(text), copies, strict=True))


ONE = ReviewWords(
    s.SIGNS,
    "第 8 巡",
    ReviewSide("打了", s.tiles("5m")[0], "还差 2 张听牌，进张 3 种 9 张", draws("3m6m9p", 3, 2, 4)),
    ReviewSide("更好", s.tiles("7z")[0], "还差 1 张听牌，进张 5 种 14 张", draws("3m6m9p1s6s", 3, 2, 4, 3, 2)),
)
"""Of the hand ``s.TURN``."""
MANY: Final = tuple((face, face % 5) for face in range(27))
WIN = replace(ONE, better=ReviewSide("更好", None, "能胡：自摸 +80", what="胡"))
ENGLISH = ReviewWords(
    s.ENGLISH,
    "Round 8",
    replace(ONE.thrown, label="Thrown", note="2 away from waiting, 9 tiles of 3 kinds help"),
    replace(ONE.better, label="Better", note="1 away from waiting, 14 tiles of 5 kinds help"),
)
EXTREME = ReviewWords(
    s.SIGNS,
    "很长的题目" * 20,
    ReviewSide("打了很久", s.tiles("5m")[0], "还差很多张听牌" * 20, MANY),
    ReviewSide("更好得多", s.tiles("1m")[0], "还差很多张听牌" * 20, MANY[:9], "很长"),
)
MELDED = replace(
    s.TURN,
    seats=(
        replace(s.OWN_KONGS.seats[0], concealed=s.tiles("5m7z3p4p"), drawn=s.tiles("5m")[0]),
        *s.TURN.seats[1:],
    ),
)
REVIEWS: Final[dict[str, tuple[View, ReviewWords]]] = {
    "turn": (s.TURN, ONE),
    "melds": (MELDED, replace(ONE, thrown=replace(ONE.thrown, draws=MANY))),
    "win": (s.TURN, WIN),
    "English": (s.TURN, ENGLISH),
    "extreme": (s.EXTREME_HAND, EXTREME),
}
