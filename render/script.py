"""Headlines in brush script: characters that ``render.art.bake`` has drawn, since no such font is there at run time."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw

from render.text import Text

PATH: Final = Path(__file__).with_name("atlas") / "script.png"
CELL: Final = 112
"""Pixels of a character's side in the atlas; it stands on the baseline ``BASELINE`` below the cell's top."""
BASELINE: Final = 96
COLUMNS: Final = 16
CHARACTERS: Final = (
    "自摸点炮胡單单雙双三游金倒抢搶杠槓天臭庄莊诈詐大小超級级炸彈弹爆點开開"
    "漳州莆田麻将將暗明排行榜战戰绩績我的规規则則今日本群玩家高光成就吃碰花牌算分番法教学學"
    "一二四五六七八九万萬筒索东東南西北中发發白板春夏秋冬梅兰蘭竹菊"
)
"""The names of wins, games and tiles, in both forms, and what else stands in headlines. Each but once."""
SPACES: Final = {" ": 0.32, "、": 0.4, "·": 0.4, "！": 0.5}
"""What may stand between characters, and how wide it is."""


@cache
def _atlas() -> Image.Image:
    with Image.open(PATH) as image:
        return image.convert("L")


@lru_cache(maxsize=32)
def script_mask(text: str, size: int, most: int) -> Text | None:
    """The text in ``size`` pixels, smaller if it would be wider than ``most``; None if a character is missing, or it
    would have to shrink by more than two fifths."""
    if not any(char in CHARACTERS for char in text) or not all(char in CHARACTERS or char in SPACES for char in text):
        return None
    ems = sum(SPACES.get(char, 1.0) for char in text)
    fitting = min(size, int(most / ems))
    if fitting < size * 0.6:
        return None
    mask = Image.new("L", (round(ems * fitting) + 2, round(fitting * 1.1)), 0)
    x = 0.0
    for char in text:
        if char in SPACES:
            if char not in " ":
                _dot(mask, x + SPACES[char] * fitting / 2, fitting)
            x += SPACES[char] * fitting
            continue
        at = CHARACTERS.index(char)
        left, top = at % COLUMNS * CELL, at // COLUMNS * CELL
        glyph = _atlas().resize((fitting, fitting), Image.Resampling.LANCZOS, (left, top, left + CELL, top + CELL))
        mask.paste(255, (round(x), 0), glyph)
        x += fitting
    return Text(mask, round(fitting * BASELINE / CELL), round(ems * fitting), fitting)


def _dot(mask: Image.Image, x: float, size: int) -> None:
    radius, y = size * 0.08, size * 0.5
    ImageDraw.Draw(mask).ellipse([x - radius, y - radius, x + radius, y + radius], fill=255)
