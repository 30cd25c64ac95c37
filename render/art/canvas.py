"""A canvas in tile units: 512 wide, 634 high (the ivory face), drawn at twice that and scaled down once."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

WIDTH, HEIGHT = 512, 634
SCALE = 2

Point = tuple[float, float]
Colour = str

INK = "#182030"
BLUE = "#164e9e"
GREEN = "#087852"
RED = "#cc2626"
IVORY = "#fffaea"
GOLD = "#e8a317"


def curve(*points: Point, steps: int = 24) -> list[Point]:
    """Points along cubic Béziers: a start, then three points for each piece."""
    out = [points[0]]
    for at in range(0, len(points) - 3, 3):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points[at : at + 4]
        for step in range(1, steps + 1):
            t = step / steps
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            out.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return out


def turned(points: Iterable[Point], degrees: float, about: Point = (0, 0), by: Point = (0, 0)) -> list[Point]:
    """Points turned clockwise about a point, then moved."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    ax, ay = about
    return [
        (ax + (x - ax) * cos - (y - ay) * sin + by[0], ay + (x - ax) * sin + (y - ay) * cos + by[1]) for x, y in points
    ]


def leaf(length: float, width: float, belly: float = 0.5) -> list[Point]:
    """A petal or leaf from (0, 0) up to (0, −length), widest at ``belly`` of its length."""
    w, m, n = width / 2, -length * belly, -length * (belly + 0.22)
    tip = (0.0, -length)
    return [
        *curve((0, 0), (-w * 0.75, m * 0.25), (-w, m * 0.7), (-w, m), (-w, n), (-w * 0.3, -length * 0.92), tip),
        *curve(tip, (w * 0.3, -length * 0.92), (w, n), (w, m), (w, m * 0.7), (w * 0.75, m * 0.25), (0, 0)),
    ]


def petal(length: float, width: float) -> list[Point]:
    """A petal from (0, 0) up to (0, −length) with a round tip."""
    w, tip = width / 2, (0.0, -length)
    return [
        *curve((0, 0), (-w * 0.7, -length * 0.12), (-w * 1.3, -length * 0.5), (-w * 0.92, -length * 0.76),
               (-w * 0.68, -length * 0.96), (-w * 0.3, -length), tip),
        *curve(tip, (w * 0.3, -length), (w * 0.68, -length * 0.96), (w * 0.92, -length * 0.76),
               (w * 1.3, -length * 0.5), (w * 0.7, -length * 0.12), (0, 0)),
    ]  # fmt: skip


class Canvas:
    """An RGBA picture of ``WIDTH`` × ``HEIGHT`` units; ``ink`` says what is painted in place of a colour."""

    def __init__(self, ink: Callable[[Colour], Colour] = str) -> None:
        self.image = Image.new("RGBA", (WIDTH * SCALE, HEIGHT * SCALE), (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self.image)
        self._ink = ink

    def shape(self, points: Sequence[Point], fill: Colour, below: Colour | None = None) -> None:
        """A filled polygon; with ``below`` its colour runs from ``fill`` at the top to that at the bottom."""
        scaled = [(x * SCALE, y * SCALE) for x, y in points]
        fill, below = self._ink(fill), below and self._ink(below)
        if below is None or below == fill:
            self._draw.polygon(scaled, fill=fill)
            return
        top, bottom = min(y for _, y in scaled), max(y for _, y in scaled)
        mask = Image.new("L", self.image.size, 0)
        ImageDraw.Draw(mask).polygon(scaled, fill=255)
        ramp = Image.linear_gradient("L").resize((1, max(1, round(bottom - top))))
        blend = Image.new("L", (1, self.image.height), 255)
        blend.paste(0, (0, 0, 1, max(0, round(top))))
        blend.paste(ramp, (0, round(top)))
        blend = blend.resize(self.image.size, Image.Resampling.NEAREST)
        colours = Image.composite(
            Image.new("RGBA", self.image.size, below), Image.new("RGBA", self.image.size, fill), blend
        )
        self.image.paste(colours, (0, 0), mask)

    def disc(self, x: float, y: float, radius: float, fill: Colour) -> None:
        """A filled circle."""
        box = [(x - radius) * SCALE, (y - radius) * SCALE, (x + radius) * SCALE, (y + radius) * SCALE]
        self._draw.ellipse(box, fill=self._ink(fill))

    def oval(self, x: float, y: float, across: float, along: float, degrees: float, fill: Colour) -> None:
        """A filled ellipse with half axes ``across`` and ``along``, turned clockwise."""
        steps = [math.tau * step / 72 for step in range(72)]
        points = [(x + across * math.cos(t), y + along * math.sin(t)) for t in steps]
        self.shape(turned(points, degrees, (x, y)), fill)

    def stroke(self, points: Sequence[Point], width: float, fill: Colour, end: float | None = None) -> None:
        """A brush stroke with round ends; with ``end`` its width runs from ``width`` to that."""
        last = len(points) - 1
        for at, ((x0, y0), (x1, y1)) in enumerate(itertools.pairwise(points)):
            wide = width if end is None else width + (end - width) * (at + 0.5) / last
            steps = max(1, round(math.hypot(x1 - x0, y1 - y0) / 1.5))
            for step in range(steps + 1):
                t = step / steps
                self.disc(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, wide / 2, fill)

    def glyph(
        self, char: str, font: ImageFont.FreeTypeFont, box: tuple[float, float, float, float], fill: Colour,
        weight: float = 0,
    ) -> None:  # fmt: skip
        """A character stretched to ``box`` (left, top, right, bottom) and thickened by ``weight`` units."""
        left, top, right, bottom = font.getbbox(char)
        pad = 8
        mask = Image.new("L", (round(right - left) + 2 * pad, round(bottom - top) + 2 * pad), 0)
        ImageDraw.Draw(mask).text((pad - left, pad - top), char, font=font, fill=255)
        mask = mask.crop(mask.getbbox())
        grow = round(weight * SCALE)
        size = (round((box[2] - box[0]) * SCALE) - 2 * grow, round((box[3] - box[1]) * SCALE) - 2 * grow)
        mask = mask.resize(size, Image.Resampling.LANCZOS)
        if grow:
            wide = Image.new("L", (size[0] + 4 * grow, size[1] + 4 * grow), 0)
            wide.paste(mask, (2 * grow, 2 * grow))
            # A round brush: blur spreads the edge evenly, the threshold makes it hard again, corners come out soft.
            for _ in range(grow):
                wide = ImageChops.lighter(wide, wide.filter(ImageFilter.MaxFilter(3)))
            wide = wide.filter(ImageFilter.GaussianBlur(grow * 0.8)).point(lambda v: min(255, max(0, (v - 100) * 5)))
            mask = wide.crop((grow, grow, wide.width - grow, wide.height - grow))
        self.image.paste(self._ink(fill), (round(box[0] * SCALE), round(box[1] * SCALE)), mask)

    def shrink(self, factor: float, x: float, y: float) -> None:
        """Scale all that was drawn so far, keeping the point x, y where it is."""
        size = (round(self.image.width * factor), round(self.image.height * factor))
        small = self.image.resize(size, Image.Resampling.LANCZOS)
        self.image.paste((0, 0, 0, 0), (0, 0, *self.image.size))
        self.image.paste(small, (round(x * SCALE * (1 - factor)), round(y * SCALE * (1 - factor))))
