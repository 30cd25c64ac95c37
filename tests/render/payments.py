"""Tables of what pays what to draw: of each kind of game, and as full as they can be."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from render.words import PayRow, PayTableWords
from tests.render.samples import ENGLISH, SIGNS, tiles

ROWS: Final = (
    PayRow("点炮胡", "别人打出来的", "×1", ("10", "20")),
    PayRow("自摸", "自己摸到", "×2", ("20", "40")),
    PayRow("抢金", "差一张，拿翻出的金", "×2", ("20", "40")),
    PayRow("三金倒", "手里三张金", "×2", ("20", "40"), tiles("555m")),
    PayRow("单游", "五组齐，剩一张金", "×4", ("40", "80")),
    PayRow("天胡", "庄家发到就成", "×4", ("–", "80"), hot=True),
    PayRow("三游", "双游又摸到金", "×16", ("160", "320"), hot=True),
)
PLAIN: Final = PayTableWords(
    SIGNS, "什么付多少", ("漳州麻将", "底 10 · 头一庄"), ("怎么胡", "番", "闲对闲", "跟庄家"), ROWS, tiles("5m"),
    "三家都付。跟庄家：庄胡，或庄付",
)  # fmt: skip
LONG: Final = "A kind of win with a name that goes on and on"
PAYS: Final[dict[str, PayTableWords]] = {
    "Zhangzhou": PLAIN,
    "English": replace(
        PLAIN,
        signs=ENGLISH,
        title="What pays what",
        side=("Putian dark", "base 10, first hand"),
        heads=("Win", "", "idle", "dealer"),
        rows=(
            PayRow("Self-draw", "a tile drawn", "", ("2", "4")),
            PayRow("Small bomb", "three alike, or four", "", ("8", "10"), tiles("555m")),
            PayRow("Super bomb", "six golds, flat", "", ("100", "100"), tiles("555777m"), hot=True),
        ),
        gold=tiles("57m"),
        note="All three pay. Dealer: who wins or pays",
    ),
    "no notes": replace(
        PLAIN, side=(), heads=("", "", "暗胡", "明胡"), rows=(PayRow("金", "", "", ("两种", "一种")),) * 5, note=""
    ),
    "extreme": replace(
        PLAIN,
        title=LONG,
        side=(LONG, LONG),
        heads=(LONG, LONG, LONG, LONG),
        rows=(PayRow(LONG, LONG, "×1,000,000", ("160,000,000,000", "320,000,000,000"), tiles("555777m")),) * 12,
        note=LONG * 3,
    ),
}
