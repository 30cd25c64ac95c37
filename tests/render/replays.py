"""Moments of finished hands to draw: as they come up, and as bad as they can be."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mahjong.tiles import parse_tile
from mahjong.views import DiscardView, View
from render.words import TableWords
from tests.render import samples as s

TURN: Final = s.view(
    (
        s.seat(0, "66s1239m459p2378s67z1z", flowers="5f", river="4z1m7p8m"),
        s.seat(1, "234p1356m", melds=(s.pong("5m"), s.chow("123s"), s.kong("2z")), river="3m7p6p1p5p"),
        s.seat(2, "1123579m24p3499s356z", drawn="8p", melds=(), flowers="12f", river="7m1p6p9p"),
        s.seat(3, "6s144m5p77p899s", melds=(s.hidden_kong("3p"), s.pong("6z")), flowers="4f", river="4s1z7z6m8m"),
    ),
    turn=2,
    last_discard=(1, parse_tile("5p")),
)
FULL: Final = replace(
    s.FULL,
    seats=tuple(
        replace(seat, concealed=s.tiles(held), drawn=parse_tile("9s") if seat.seat == 3 else None)
        for seat, held in zip(s.FULL.seats, ("6s", "23789m1p6s", "2256778m", "9m"), strict=True)
    ),
)
EXTREME: Final = s.view(
    tuple(
        replace(
            s.seat(number, melds=s.FIVE_KONGS, flowers="12345678f"),
            concealed=s.tiles("1m"),
            drawn=parse_tile("5m"),
            river=tuple(DiscardView(tile) for tile in s.tiles(s.RIVER_40)),
        )
        for number in range(4)
    ),
    streak=999,
    base=1000,
    gold=s.tiles("6s7s"),
    turn=1,
    lock=1,
    drawable=144,
    last_discard=(0, parse_tile("6s")),
)
CONCEALED: Final = replace(
    EXTREME,
    seats=tuple(replace(seat, melds=(), concealed=s.tiles("66s123456789m55z11p")[:16]) for seat in EXTREME.seats),
)
WORDS: Final = replace(s.TABLE_WORDS, title="阿珍 摸八筒", names=s.NAMES)
REPLAYS: Final[dict[str, tuple[View, TableWords]]] = {
    "turn": (TURN, WORDS),
    "seat two": (replace(TURN, reader=2), WORDS),
    "full": (FULL, replace(s.FULL_WORDS, title="老林 摸九索", names=s.NAMES)),
    "English": (FULL, replace(s.ENGLISH_TABLE, title="Xiaohong pongs 5 wan")),
    "extreme": (EXTREME, s.EXTREME_TABLE_WORDS),
    "nothing laid out": (CONCEALED, s.EXTREME_TABLE_WORDS),
}
