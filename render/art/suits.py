"""Dots, bamboo, characters, honours."""

from __future__ import annotations

import math

from PIL import ImageFont

from render.art.canvas import BLUE, GOLD, GREEN, INK, IVORY, RED, Canvas, Point, curve, leaf, turned

Font = ImageFont.FreeTypeFont

DOTS: tuple[tuple[tuple[float, float, float, str], ...], ...] = (
    (),
    ((256, 167, 124, GREEN), (256, 467, 124, BLUE)),
    ((116, 118, 96, BLUE), (256, 317, 96, RED), (396, 516, 96, GREEN)),
    ((134, 164, 108, BLUE), (378, 164, 108, GREEN), (134, 470, 108, GREEN), (378, 470, 108, BLUE)),
    ((116, 117, 94, BLUE), (396, 117, 94, GREEN), (256, 317, 94, RED), (116, 517, 94, GREEN), (396, 517, 94, BLUE)),
    (
        (148, 110, 88, GREEN), (364, 110, 88, GREEN),
        (148, 340, 88, RED), (364, 340, 88, RED), (148, 524, 88, RED), (364, 524, 88, RED),
    ),
    (
        (98, 88, 68, GREEN), (256, 146, 68, GREEN), (414, 204, 68, GREEN),
        (158, 378, 76, RED), (354, 378, 76, RED), (158, 538, 76, RED), (354, 538, 76, RED),
    ),
    tuple((x, y, 73, BLUE) for y in (91, 242, 392, 543) for x in (160, 352)),
    tuple((x, y, 77, colour) for y, colour in ((104, BLUE), (317, RED), (530, GREEN)) for x in (94, 256, 418)),
)  # fmt: skip
_ACCENT = {BLUE: RED, GREEN: RED, RED: GREEN}


def dots(canvas: Canvas, rank: int) -> None:
    """1–9 筒."""
    if rank == 1:
        _great_dot(canvas, 256, 317, 234)
    for x, y, radius, colour in DOTS[rank - 1]:
        _dot(canvas, x, y, radius, colour)


def _dot(canvas: Canvas, x: float, y: float, r: float, colour: str) -> None:
    canvas.disc(x, y, r, colour)
    canvas.disc(x, y, r * 0.855, IVORY)
    canvas.disc(x, y, r * 0.755, colour)
    for petal in range(6):
        shape = turned(leaf(r * 0.62, r * 0.33, 0.6), petal * 60, by=(x, y))
        canvas.shape(shape, IVORY)
    canvas.disc(x, y, r * 0.235, colour)
    canvas.disc(x, y, r * 0.15, IVORY)
    canvas.disc(x, y, r * 0.105, _ACCENT[colour])


def _great_dot(canvas: Canvas, x: float, y: float, r: float) -> None:
    canvas.disc(x, y, r, GREEN)
    canvas.disc(x, y, r * 0.93, IVORY)
    canvas.disc(x, y, r * 0.885, BLUE)
    for bead in range(18):
        canvas.shape(turned(leaf(r * 0.2, r * 0.115, 0.55), bead * 20, by=_polar(x, y, r * 0.64, bead * 20)), IVORY)
    canvas.disc(x, y, r * 0.6, IVORY)
    canvas.disc(x, y, r * 0.55, RED)
    for petal in range(8):
        canvas.shape(turned(leaf(r * 0.5, r * 0.235, 0.62), petal * 45, by=(x, y)), IVORY)
        canvas.shape(turned(leaf(r * 0.4, r * 0.1, 0.68), petal * 45, by=(x, y)), RED)
    canvas.disc(x, y, r * 0.165, IVORY)
    canvas.disc(x, y, r * 0.125, GREEN)
    canvas.disc(x, y, r * 0.05, IVORY)


def _polar(x: float, y: float, r: float, degrees: float) -> Point:
    return x + r * math.sin(math.radians(degrees)), y - r * math.cos(math.radians(degrees))


def _stick(canvas: Canvas, x: float, y: float, length: float, width: float, colour: str, degrees: float = 0) -> None:
    """A stick of bamboo: flared at both ends and at the joint, a thin slit of light in each half."""

    def half_width(t: float) -> float:
        near = min(abs(t), abs(t - 0.5) * 1.15, abs(t - 1))
        flare = max(0.0, 1 - near / 0.17)
        return width / 2 * (0.60 + 0.40 * flare * flare * (3 - 2 * flare))

    ts = [step / 80 for step in range(81)]
    soft = width * 0.09
    side = [(half_width(t) - (soft if t in (0, 1) else 0), (t - 0.5) * length) for t in ts]
    outline = [*side, *((-px, py) for px, py in reversed(side))]
    canvas.shape(turned(outline, degrees, by=(x, y)), colour)
    for part in (-1, 1):
        slit = [(part * 0, part * length * 0.125), (0, part * length * 0.375)]
        canvas.stroke(turned(slit, degrees, by=(x, y)), width * 0.15, IVORY)
        line = [(-width * 0.44, part * length * 0.032), (width * 0.44, part * length * 0.032)]
        canvas.stroke(turned(line, degrees, by=(x, y)), length * 0.019, IVORY)


_UP, _DOWN = 165, 469
_ROWS = (115, 317, 519)
BAMBOO: tuple[tuple[tuple[float, float, float, float, str, float], ...], ...] = (
    (),
    ((256, _UP, 286, 104, GREEN, 0), (256, _DOWN, 286, 104, BLUE, 0)),
    ((256, _UP, 286, 100, BLUE, 0), (140, _DOWN, 286, 100, GREEN, 0), (372, _DOWN, 286, 100, GREEN, 0)),
    (
        (136, _UP, 286, 100, GREEN, 0), (376, _UP, 286, 100, BLUE, 0),
        (136, _DOWN, 286, 100, BLUE, 0), (376, _DOWN, 286, 100, GREEN, 0),
    ),
    (
        (92, _UP, 286, 96, GREEN, 0), (420, _UP, 286, 96, BLUE, 0), (256, 317, 286, 96, RED, 0),
        (92, _DOWN, 286, 96, BLUE, 0), (420, _DOWN, 286, 96, GREEN, 0),
    ),
    tuple((x, y, 286, 96, colour, 0) for y, colour in ((_UP, GREEN), (_DOWN, BLUE)) for x in (92, 256, 420)),
    (
        (256, _ROWS[0], 192, 92, RED, 0),
        *((x, y, 192, 92, BLUE if x == 256 else GREEN, 0) for y in _ROWS[1:] for x in (92, 256, 420)),
    ),
    (
        (66, _UP, 286, 78, GREEN, 0), (446, _UP, 286, 78, GREEN, 0),
        (178, 158, 250, 78, GREEN, 33), (334, 158, 250, 78, GREEN, -33),
        (66, _DOWN, 286, 78, BLUE, 0), (446, _DOWN, 286, 78, BLUE, 0),
        (178, 476, 250, 78, BLUE, -33), (334, 476, 250, 78, BLUE, 33),
    ),
    tuple((x, y, 192, 92, RED if x == 256 else (GREEN if x < 256 else BLUE), 0) for y in _ROWS for x in (92, 256, 420)),
)  # fmt: skip


def bamboo(canvas: Canvas, rank: int) -> None:
    """1–9 索; the first is a peacock."""
    if rank == 1:
        peacock(canvas)
    for stick in BAMBOO[rank - 1]:
        _stick(canvas, *stick)


def peacock(canvas: Canvas) -> None:
    """A peacock in profile, its train raised."""
    root = (300, 440)
    dark = "#055c40"
    # Outer feathers first, then the inner ones over them.
    train = [(-7, 446), (7, 452), (20, 420), (34, 318), (51, 240), (72, 196)]
    for degrees, length in train:
        canvas.shape(turned(leaf(length, 100, 0.76), degrees, by=root), GREEN)
        canvas.stroke(turned([(0, 0), (0, -length * 0.8)], degrees, by=root), 5, IVORY)
    for degrees, length in train:
        ex, ey = _polar(*root, length * 0.82, degrees)
        canvas.disc(ex, ey, 39, IVORY)
        canvas.disc(ex, ey, 33, RED)
        canvas.disc(ex, ey, 22, "#f4b93a")
        canvas.disc(ex, ey, 12, BLUE)
    for degrees, length in ((0, 296), (14, 290), (28, 236), (45, 178), (64, 138)):
        canvas.shape(turned(leaf(length, 62, 0.78), degrees, by=root), IVORY)
        canvas.shape(turned(leaf(length - 7, 48, 0.78), degrees, by=root), dark)
        ex, ey = _polar(*root, length * 0.80, degrees)
        canvas.disc(ex, ey, 13, "#f4b93a")
    # Legs.
    for x in (196, 262):
        canvas.stroke([(x, 530), (x - 6, 596)], 13, RED)
        for toe in ((-42, 610), (-4, 613), (26, 608)):
            canvas.stroke([(x - 6, 594), (x + toe[0], toe[1])], 10, RED)
    # Body with neck and head in one line.
    body = curve(
        (84, 118), (84, 60), (176, 52), (184, 122),
        (190, 190), (196, 250), (240, 300),
        (300, 350), (400, 368), (440, 452),
        (408, 470), (400, 476), (392, 480),
        (360, 556), (190, 582), (122, 492),
        (66, 416), (108, 300), (100, 190),
        (96, 160), (84, 150), (84, 118),
    )  # fmt: skip
    canvas.stroke([*body, body[0]], 12, IVORY)
    canvas.shape(body, "#1d62bf", "#0f3f86")
    # Beak, cheek, eye, crest.
    canvas.shape([(92, 92), (26, 128), (90, 140)], GOLD)
    canvas.disc(128, 108, 25, IVORY)
    canvas.disc(124, 108, 14, INK)
    canvas.disc(119, 103, 5, IVORY)
    for tip in ((104, 26), (140, 20), (176, 28)):
        canvas.stroke([(138, 76), tip], 7, BLUE)
        canvas.disc(*tip, 15, RED)
    # Neck scales.
    for row, (left, right, y) in enumerate(((112, 172, 214), (116, 186, 256), (116, 206, 298))):
        count = 2 + (row > 0)
        for scale in range(count):
            mid = left + (right - left) * (scale + 0.5) / count
            canvas.stroke(curve((mid - 13, y), (mid - 9, y + 16), (mid + 9, y + 16), (mid + 13, y)), 6, "#8fc0f2")
    # Wing.
    wing = curve((150, 420), (190, 340), (300, 376), (372, 456), (300, 520), (180, 520), (150, 420))
    canvas.stroke(wing, 12, IVORY)
    canvas.shape(wing, "#dd3a34", "#b01d1d")
    for at in (0, 1, 2):
        bar = 196 + 46 * at
        canvas.stroke(curve((bar, 404 + at * 10), (bar + 30, 430), (bar + 30, 470), (bar + 4, 494 - at * 6)), 9, IVORY)
    canvas.shrink(0.97, 256, 420)


NUMERALS = "一二三四五六七八九"
# Boxes keep the proportions of the characters: a flat 一 must not be blown up.
NUMERAL_BOXES: tuple[tuple[float, float, float, float], ...] = (
    (92, 128, 420, 184), (100, 66, 412, 250), (94, 40, 418, 268), (106, 36, 406, 270), (84, 34, 428, 274),
    (92, 30, 420, 274), (88, 30, 426, 276), (72, 44, 440, 268), (78, 28, 436, 278),
)  # fmt: skip


def characters(canvas: Canvas, rank: int, font: Font) -> None:
    """1–9 萬."""
    box = NUMERAL_BOXES[rank - 1]
    canvas.glyph(NUMERALS[rank - 1], font, box, INK, 6)
    canvas.glyph("萬", font, (88, 296, 424, 612), RED, 3.5)


HONOURS = (("東", INK), ("南", INK), ("西", INK), ("北", INK), ("", BLUE), ("發", GREEN), ("中", RED))
HONOUR_BOXES: dict[str, tuple[float, float, float, float]] = {
    "東": (62, 56, 450, 584), "南": (66, 50, 446, 584), "西": (58, 92, 454, 550), "北": (52, 70, 460, 566),
    "發": (56, 48, 456, 590), "中": (92, 40, 420, 600),
}  # fmt: skip


def honours(canvas: Canvas, rank: int, font: Font) -> None:
    """東 南 西 北 白 發 中."""
    char, colour = HONOURS[rank - 1]
    if char:
        canvas.glyph(char, font, HONOUR_BOXES[char], colour, 4 if char == "發" else 5.5)
        return
    _frame(canvas, 66, 66, 446, 568, 30, 22, BLUE)
    _frame(canvas, 108, 108, 404, 526, 14, 9, BLUE)
    for x in (108, 404):
        for y in (108, 526):
            canvas.disc(x, y, 27, IVORY)
            canvas.disc(x, y, 21, BLUE)
            canvas.disc(x, y, 8, IVORY)


def _frame(
    canvas: Canvas, left: float, top: float, right: float, bottom: float, corner: float, line: float, colour: str
) -> None:
    points: list[Point] = []
    for cx, cy, start in (
        (right - corner, top + corner, 0), (right - corner, bottom - corner, 90),
        (left + corner, bottom - corner, 180), (left + corner, top + corner, 270),
    ):  # fmt: skip
        points += [_polar(cx, cy, corner, start + step * 9) for step in range(11)]
    canvas.stroke([*points, points[0]], line, colour)
