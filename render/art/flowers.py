"""The eight flowers 花牌: character and number on top, one bold emblem below, no two of one outline."""

from __future__ import annotations

import itertools
import math

from PIL import ImageFont

from render.art.canvas import BLUE, GREEN, IVORY, RED, Canvas, curve, leaf, petal, turned

NAMES = "梅蘭竹菊春夏秋冬"
DARK_GREEN = "#065a3e"


def flower(canvas: Canvas, number: int, font: ImageFont.FreeTypeFont) -> None:
    """Flower 1–8: 梅 蘭 竹 菊 春 夏 秋 冬."""
    colour = BLUE if number <= 4 else RED
    (plum, orchid, bamboo, chrysanthemum, swallow, lotus, maple, snow)[number - 1](canvas)
    # The more strokes, the thinner, or they would run together.
    canvas.glyph(NAMES[number - 1], font, (30, 24, 204, 200), colour, 1 if number == 2 else 2.5)
    digit = str((number - 1) % 4 + 1)
    box = (402, 34, 440, 150) if digit == "1" else (382, 34, 466, 150)
    canvas.glyph(digit, font, box, colour, 4)


def _blossom(canvas: Canvas, x: float, y: float, r: float, turn: float, petal: str, edge: str) -> None:
    for part in range(5):
        angle = math.radians(turn + part * 72)
        px, py = x + math.sin(angle) * r * 0.58, y - math.cos(angle) * r * 0.58
        canvas.disc(px, py, r * 0.47, edge)
    for part in range(5):
        angle = math.radians(turn + part * 72)
        px, py = x + math.sin(angle) * r * 0.58, y - math.cos(angle) * r * 0.58
        canvas.disc(px, py, r * 0.40, petal)
    canvas.disc(x, y, r * 0.30, edge)
    for part in range(10):
        angle = math.radians(turn + part * 36)
        tip = (x + math.sin(angle) * r * 0.46, y - math.cos(angle) * r * 0.46)
        canvas.stroke([(x, y), tip], r * 0.05, "#ffe9a8")
        canvas.disc(*tip, r * 0.055, "#f7c544")
    canvas.disc(x, y, r * 0.15, "#f7c544")


def plum(canvas: Canvas) -> None:
    """梅: an old crooked branch, two blossoms and buds."""
    bark = "#5a3522"
    canvas.stroke(
        curve((60, 612), (150, 560), (190, 520), (250, 440), (300, 370), (330, 330), (452, 232)), 34, bark, 12
    )
    canvas.stroke(curve((214, 486), (300, 500), (360, 520), (452, 500)), 20, bark, 9)
    canvas.stroke(curve((170, 540), (130, 470), (120, 420), (128, 330)), 18, bark, 8)
    for x, y, r in ((452, 232, 28), (456, 500, 27), (126, 322, 28)):
        canvas.disc(x, y, r, "#b3244f")
        canvas.disc(x - 5, y - 5, r * 0.62, "#ef6a94")
    _blossom(canvas, 268, 352, 128, 8, "#f0608d", "#a81a47")
    _blossom(canvas, 366, 480, 100, 30, "#f78fb0", "#b3244f")


def orchid(canvas: Canvas) -> None:
    """蘭: leaves that arch to both sides, three flowers over them."""
    for (mx, my), (tx, ty), colour in (
        ((120, 420), (22, 560), GREEN), ((170, 330), (44, 400), DARK_GREEN), ((392, 420), (490, 566), GREEN),
        ((350, 330), (472, 404), DARK_GREEN), ((226, 330), (150, 262), GREEN), ((300, 330), (352, 290), GREEN),
    ):  # fmt: skip
        blade = curve((256, 614), (256, 520), (mx, my), (tx, ty), steps=40)
        canvas.stroke(blade, 46, IVORY, 16)
        canvas.stroke(blade, 38, colour, 7)
    canvas.stroke(curve((256, 600), (250, 500), (262, 420), (256, 330)), 11, "#5f9b32", 8)
    _orchid_flower(canvas, 256, 318, 1.0)


def _orchid_flower(canvas: Canvas, x: float, y: float, size: float) -> None:
    dark, light = "#5b2a91", "#9a5bd0"
    for degrees, length, width in ((0, 136, 84), (122, 132, 80), (238, 132, 80)):
        canvas.shape(turned(petal((length + 8) * size, (width + 14) * size), degrees, by=(x, y)), IVORY)
        canvas.shape(turned(petal(length * size, width * size), degrees, by=(x, y)), dark)
    for degrees in (66, 294):
        canvas.shape(turned(petal(158 * size, 132 * size), degrees, by=(x, y)), IVORY)
        canvas.shape(turned(petal(149 * size, 117 * size), degrees, by=(x, y)), light)
        for vein in (-15, 0, 15):
            canvas.stroke(turned([(0, -44 * size), (0, -116 * size)], degrees + vein, by=(x, y)), 5 * size, dark, 2)
    lip = curve((-20, -10), (-78, 36), (-48, 100), (0, 108), (48, 100), (78, 36), (20, -10))
    canvas.shape([(x + px * size * 1.12, y + py * size * 1.08) for px, py in lip], IVORY)
    canvas.shape([(x + px * size, y + py * size) for px, py in lip], "#c8235f")
    canvas.oval(x, y + 34 * size, 24 * size, 34 * size, 0, "#f7c544")
    canvas.disc(x, y + 2 * size, 22 * size, IVORY)
    canvas.disc(x, y + 2 * size, 14 * size, "#f7c544")


def bamboo(canvas: Canvas) -> None:
    """竹: two stems with joints, pointed leaves in threes."""
    for x, top, width in ((190, 214, 54), (316, 262, 44)):
        joints = [top, top + (612 - top) * 0.34, top + (612 - top) * 0.68, 612]
        for upper, lower in itertools.pairwise(joints):
            half = width / 2
            canvas.shape(
                curve(
                    (x - half, upper + 5), (x - half * 0.72, upper + 40), (x - half * 0.72, lower - 44),
                    (x - half, lower - 5),
                    (x - half, lower - 4), (x + half, lower - 4), (x + half, lower - 5),
                    (x + half * 0.72, lower - 44), (x + half * 0.72, upper + 40), (x + half, upper + 5),
                ),
                GREEN,
            )  # fmt: skip
            canvas.stroke([(x - half * 0.3, upper + 28), (x - half * 0.3, lower - 30)], width * 0.13, "#8fd3ae")
    for x, y, side in ((190, 352, -1), (316, 366, 1), (316, 496, 1), (190, 484, -1), (206, 214, 1)):
        for degrees, length in ((62, 148), (96, 158), (130, 124)):
            blade = turned(leaf(length, 40, 0.42), degrees * side, by=(x + side * 14, y))
            canvas.stroke([*blade], 6, IVORY)
            canvas.shape(blade, DARK_GREEN if degrees == 96 else GREEN)


def chrysanthemum(canvas: Canvas) -> None:
    """菊: a full round head of narrow petals on a leafy stem."""
    x, y = 268, 372
    canvas.stroke([(x, y + 100), (x - 4, 614)], 20, GREEN)
    for side, at in ((-1, 600), (1, 570)):
        shape = turned(leaf(176, 84, 0.55), 64 * side, by=(x, at + 8))
        canvas.shape(shape, GREEN)
        canvas.stroke(turned([(0, -10), (0, -140)], 64 * side, by=(x, at + 8)), 6, "#8fd3ae")
    for ring, (length, width, count, colour) in enumerate(
        ((178, 46, 20, "#b96a00"), (166, 34, 20, "#f0a51c"), (134, 40, 16, "#b96a00"), (124, 30, 16, "#f8bd35"),
         (92, 34, 12, "#b96a00"), (83, 25, 12, "#ffd45e"))
    ):  # fmt: skip
        for at in range(count):
            canvas.shape(turned(leaf(length, width, 0.72), (at + (ring // 2) * 0.5) * 360 / count, by=(x, y)), colour)
    canvas.disc(x, y, 34, "#8a4b00")
    for dot in range(6):
        angle = math.radians(dot * 60)
        canvas.disc(x + 19 * math.sin(angle), y - 19 * math.cos(angle), 7, "#ffd45e")
    canvas.disc(x, y, 7, "#ffd45e")


def swallow(canvas: Canvas) -> None:
    """春: a swallow that comes back, over a sprig of peach."""
    navy = "#1c2f5e"
    # Far wing, tail, body, near wing.
    canvas.shape(
        curve(
            (262, 372),
            (300, 300),
            (380, 220),
            (484, 214),
            (430, 270),
            (380, 350),
            (318, 414),
            (300, 420),
            (280, 400),
            (262, 372),
        ),
        "#33508f",
    )
    for tip, mid in (((494, 584), (420, 470)), ((420, 612), (372, 500))):
        canvas.shape(
            curve((300, 420), mid, (mid[0] + 20, mid[1] + 40), tip, (mid[0] - 20, mid[1] + 30), (320, 480), (262, 450)),
            navy,
        )
    body = curve(
        (52, 398),
        (70, 352),
        (120, 328),
        (172, 338),
        (240, 350),
        (310, 390),
        (344, 444),
        (300, 476),
        (200, 486),
        (130, 462),
        (96, 448),
        (74, 424),
        (52, 398),
    )
    canvas.stroke(body, 10, IVORY)
    canvas.shape(body, navy)
    belly = curve((116, 440), (160, 420), (240, 430), (330, 446), (280, 482), (180, 484), (116, 440))
    canvas.shape(belly, "#fff3d6")
    canvas.shape(curve((64, 404), (90, 396), (120, 410), (150, 440), (130, 458), (96, 446), (64, 404)), RED)
    canvas.shape([(66, 380), (14, 398), (66, 406)], "#e8a317")
    canvas.disc(106, 378, 14, IVORY)
    canvas.disc(104, 378, 8, navy)
    wing = curve(
        (170, 352),
        (150, 270),
        (176, 232),
        (226, 196),
        (250, 250),
        (300, 330),
        (306, 410),
        (260, 430),
        (190, 410),
        (170, 352),
    )
    canvas.stroke(wing, 10, IVORY)
    canvas.shape(wing, "#27427f")
    for at in (0, 1, 2):
        canvas.stroke(
            curve(
                (206 + at * 26, 262 + at * 34),
                (210 + at * 26, 320 + at * 14),
                (222 + at * 20, 360),
                (236 + at * 16, 392),
            ),
            7,
            "#7fa0dc",
        )
    canvas.stroke(curve((20, 560), (110, 600), (200, 590), (286, 566)), 14, "#5a3522", 8)
    for x, y, r in ((98, 560, 50), (212, 556, 44)):
        _blossom(canvas, x, y, r, 20, "#f78fb0", "#c2305f")


def lotus(canvas: Canvas) -> None:
    """夏: a lotus wide open over its leaf, the seed pod in its heart."""
    x, y = 256, 520
    # The leaf lies on the water, its veins run from under the flower to its rim.
    canvas.oval(256, 558, 230, 56, 0, DARK_GREEN)
    canvas.oval(256, 550, 218, 47, 0, GREEN)
    for degrees in (-62, -33, 0, 33, 62):
        sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
        canvas.stroke([(256, 540), (256 + 196 * sin, 552 + 36 * cos)], 6, "#8fd3ae", 3)
    edge = "#a3154a"
    outer = ((-80, 232, 92), (80, 232, 92), (-55, 270, 112), (55, 270, 112))
    inner = ((-29, 300, 120), (29, 300, 120), (0, 318, 128))
    for degrees, length, width in (*outer, *inner):
        canvas.shape(turned(leaf(length, width, 0.56), degrees, by=(x, y)), edge)
        lit = turned(leaf(length - 16, width - 17, 0.56), degrees, by=(x, y - 4))
        canvas.shape(lit, "#ee4f88" if abs(degrees) > 50 else "#f26a9b", "#fbc3d6")
        canvas.stroke(turned([(0, -length * 0.5), (0, -length * 0.86)], degrees, by=(x, y)), 5, "#d83a76", 2)
    # The pod stands between the petals behind and those in front.
    canvas.oval(256, 378, 58, 26, 0, "#7a5a08")
    canvas.oval(256, 374, 52, 21, 0, "#f2c53d")
    for dx, dy in ((-30, 0), (-10, -8), (-10, 8), (12, -7), (12, 8), (32, 0)):
        canvas.disc(256 + dx, 374 + dy, 6, "#7a5a08")
    for degrees, length, width in ((-62, 196, 96), (62, 196, 96), (-25, 160, 104), (25, 160, 104)):
        canvas.shape(turned(leaf(length, width, 0.58), degrees, by=(x, y)), edge)
        lit = turned(leaf(length - 15, width - 16, 0.58), degrees, by=(x, y - 4))
        canvas.shape(lit, "#ffe3ec", "#fff8f4")


def maple(canvas: Canvas) -> None:
    """秋: a maple leaf."""
    # One half from the tip down, mirrored.
    half = [
        (0, -226), (34, -150), (66, -166), (62, -92), (150, -160), (146, -122), (212, -118), (184, -72), (206, -44),
        (132, -2), (150, 30), (70, 38), (84, 78), (14, 62),
    ]  # fmt: skip
    outline = [*half, *((-px, py) for px, py in reversed(half))]
    cx, cy = 256, 468
    canvas.stroke(curve((256, 480), (256, 540), (262, 580), (290, 614)), 17, "#7a2a0c")
    points = [(cx + px * 1.06, cy + py * 1.08) for px, py in outline]
    canvas.stroke([*points, points[0]], 12, "#a8330b")
    canvas.shape(points, "#f2892b", "#d9480f")
    for tip in ((0, -190), (128, -126), (-128, -126), (150, -48), (-150, -48), (56, 40), (-56, 40)):
        canvas.stroke([(cx, cy + 56), (cx + tip[0], cy + tip[1])], 10, "#8f2a08", 4)


def snow(canvas: Canvas) -> None:
    """冬: a snow crystal."""
    x, y, r = 256, 412, 202
    colour = "#1f74c4"
    for arm in range(6):
        degrees = arm * 60
        canvas.stroke(turned([(0, 0), (0, -r)], degrees, by=(x, y)), 24, colour)
        for at, size in ((0.46, 62), (0.74, 50)):
            for side in (-1, 1):
                twig = [(0, -r * at), (side * size * 0.86, -r * at - size * 0.6)]
                canvas.stroke(turned(twig, degrees, by=(x, y)), 17, colour)
        canvas.disc(x + math.sin(math.radians(degrees)) * r, y - math.cos(math.radians(degrees)) * r, 17, "#6fb4ee")
    hexagon = [(x + 56 * math.sin(math.radians(a)), y - 56 * math.cos(math.radians(a))) for a in range(30, 390, 60)]
    canvas.shape(hexagon, colour)
    hexagon = [(x + 33 * math.sin(math.radians(a)), y - 33 * math.cos(math.radians(a))) for a in range(30, 390, 60)]
    canvas.shape(hexagon, "#d9efff")
