"""Strong plain forms, for the sets that are made to be read rather than admired: pips, canes, a bird, frames."""

from __future__ import annotations

import math
from collections.abc import Sequence

from render.art.canvas import Canvas, Colour, Point, curve, turned

WHITE = "#ffffff"
INK = "#000000"
RED = "#9b0000"
GREEN = "#005630"
BLUE = "#003cb4"

Pip = tuple[float, float, float, Colour]
Cane = tuple[float, float, float, float, Colour, float]


def luminance(colour: Colour) -> float:
    """Relative luminance of ``#rrggbb``, 0 to 1 (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def strong(colour: Colour) -> Colour:
    """The colour made so dark that it has 7:1 on white and on gold; or white, if it is a pale one."""
    parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    # Pinks are pale long before oranges are.
    if luminance(colour) > (0.24 if parts[2] > 0x60 else 0.4):
        return WHITE
    while luminance(colour) > 0.07:
        parts = [part * 24 // 25 for part in parts]
        colour = "#" + "".join(f"{part:02x}" for part in parts)
    return colour


def pips(canvas: Canvas, group: Sequence[Pip], ring: float, core: float) -> None:
    """Discs with one white ring: from ``ring`` to ``core`` of their radius."""
    for x, y, radius, colour in group:
        canvas.disc(x, y, radius, colour)
        canvas.disc(x, y, radius * ring, WHITE)
        canvas.disc(x, y, radius * core, colour)


def great_pip(canvas: Canvas, x: float, y: float, radius: float) -> None:
    """One pip as large as the tile."""
    for share, colour in ((1, BLUE), (0.84, WHITE), (0.68, RED), (0.36, WHITE), (0.2, BLUE)):
        canvas.disc(x, y, radius * share, colour)


def cane(canvas: Canvas, x: float, y: float, length: float, width: float, colour: Colour, degrees: float) -> None:
    """A cane in one piece: round ends, and a notch at each side of its joint."""
    half, soft = width / 2, min(width / 2, length / 2) * 0.7
    corner = [
        (half - soft + soft * math.sin(t), soft - soft * math.cos(t)) for t in (math.pi / 24 * n for n in range(13))
    ]
    notch = [(half, -0.30 * width), (half * 0.5, -0.07 * width), (half * 0.5, 0.07 * width), (half, 0.30 * width)]
    side = [
        *((px, py - length / 2) for px, py in corner), *notch, *((px, length / 2 - py) for px, py in reversed(corner)),
    ]  # fmt: skip
    canvas.shape(turned([*side, *((-px, py) for px, py in reversed(side))], degrees, by=(x, y)), colour)


def canes(canvas: Canvas, group: Sequence[Cane]) -> None:
    """Several canes: x, y of the middle, length, width, colour, degrees."""
    for one in group:
        cane(canvas, *one)


def bird(canvas: Canvas) -> None:
    """1 索: a bird, its tail raised."""
    root = (306, 430)
    for degrees, length, colour in ((-8, 392, GREEN), (22, 350, RED), (56, 214, GREEN)):
        feather = curve(
            (0, 0), (-66, -length * 0.5), (-76, -length), (0, -length), (76, -length), (66, -length * 0.5), (0, 0)
        )
        canvas.stroke(turned(feather, degrees, by=root), 22, WHITE)
        canvas.shape(turned(feather, degrees, by=root), colour)
        canvas.disc(*turned([(0, -length * 0.78)], degrees, by=root)[0], 26, WHITE)
    for x in (212, 288):
        canvas.stroke([(x, 520), (x, 592)], 24, RED)
        canvas.stroke([(x - 40, 604), (x + 30, 604)], 22, RED)
    body = curve(
        (70, 150), (70, 46), (220, 46), (220, 160), (220, 240), (262, 290), (330, 318), (440, 362), (440, 548),
        (262, 556), (108, 562), (60, 430), (96, 300), (108, 250), (70, 214), (70, 150),
    )  # fmt: skip
    canvas.stroke(body, 24, WHITE)
    canvas.shape(body, BLUE)
    canvas.shape([(84, 118), (8, 158), (84, 196)], RED)
    canvas.disc(136, 140, 32, WHITE)
    canvas.disc(132, 140, 16, INK)
    canvas.stroke(curve((190, 400), (220, 492), (330, 492), (360, 410)), 26, WHITE)


def frame(canvas: Canvas, box: tuple[float, float, float, float], corner: float, line: float, colour: Colour) -> None:
    """A rounded frame; ``box`` runs along the middle of its line."""
    left, top, right, bottom = box
    points: list[Point] = []
    for cx, cy, start in (
        (right - corner, top + corner, 0), (right - corner, bottom - corner, 90),
        (left + corner, bottom - corner, 180), (left + corner, top + corner, 270),
    ):  # fmt: skip
        for step in range(11):
            angle = math.radians(start + step * 9)
            points.append((cx + corner * math.sin(angle), cy - corner * math.cos(angle)))
    canvas.stroke([*points, points[0]], line, colour)
