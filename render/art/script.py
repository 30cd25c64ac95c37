"""The characters of headlines: regular script made heavy, as if a broad brush had written it."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from render.script import CELL, CHARACTERS, COLUMNS

_OVER = 4


def script(font: ImageFont.FreeTypeFont) -> Image.Image:
    """The atlas of ``render.script``: masks, ``COLUMNS`` in a row."""
    rows = -(-len(CHARACTERS) // COLUMNS)
    atlas = Image.new("L", (COLUMNS * CELL, rows * CELL), 0)
    for at, char in enumerate(CHARACTERS):
        atlas.paste(_character(char, font), (at % COLUMNS * CELL, at // COLUMNS * CELL))
    return atlas


def _character(char: str, font: ImageFont.FreeTypeFont) -> Image.Image:
    side = CELL * _OVER
    mask = Image.new("L", (side, side), 0)
    left, top, right, bottom = font.getbbox(char)
    glyph = Image.new("L", (round(right - left), round(bottom - top)), 0)
    ImageDraw.Draw(glyph).text((-left, -top), char, font=font, fill=255)
    # The em square of the font fills the cell but for the brush's own breadth.
    scale = side * 0.93 / font.size
    size = (max(1, round(glyph.width * scale)), max(1, round(glyph.height * scale)))
    glyph = glyph.resize(size, Image.Resampling.LANCZOS)
    ascent = font.getmetrics()[0]
    em_top = (ascent - font.size * 0.88) if ascent > font.size * 0.88 else 0
    mask.paste(glyph, (round((side - size[0]) / 2), round((top - em_top) * scale + side * 0.035)))
    # Fewer strokes bear a broader brush.
    ink = sum(value * count for value, count in enumerate(mask.histogram())) / 255 / side**2
    for _ in range(round(10 - 22 * min(ink, 0.28))):
        mask = ImageChops.lighter(mask, mask.filter(ImageFilter.MaxFilter(3)))
    mask = mask.filter(ImageFilter.GaussianBlur(3)).point(lambda value: min(255, max(0, (value - 96) * 4)))
    return mask.resize((CELL, CELL), Image.Resampling.LANCZOS)
