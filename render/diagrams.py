"""Diagrams for the rules: rows of tiles with labels, what stands for what, arrows from one to the next."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from PIL import Image

from render import paint
from render.grounds import Colour
from render.hand import HEADER_BOTTOM, HEADER_TOP
from render.headline import embossed
from render.paint import AMBER, CREAM, MUTED
from render.text import BLACK, REGULAR
from render.tiles import height_of
from render.words import DiagramRow, DiagramWords, TileGroup

WIDTH: Final = 960
EDGE: Final = 34
TITLE: Final = 112
LARGEST: Final = 104
SMALLEST: Final = 16
LABEL: Final = 54
UNDER: Final = 60
"""Height for what stands under tiles."""
NOTE: Final = 46
GAP: Final = 26
ARROW: Final = "→"
TONES: Final[dict[str, tuple[Colour, Colour]]] = {
    "plain": (paint.PANEL, paint.LINE),
    "good": ((12, 74, 54), paint.WIN),
    "bad": ((86, 18, 24), paint.LOSS),
}


def draw_diagram(words: DiagramWords) -> Image.Image:
    """The picture: title, rows, a note below."""
    rows = [_Row.of(row) for row in words.rows[:8]]
    most = WIDTH - 2 * EDGE
    note = paint.lines(words.note, 34, most, REGULAR)
    high = TITLE + 18 + sum(row.high + 16 for row in rows) + (len(note) * NOTE + 10 if note else 0) + 6
    image = paint.blank(WIDTH, high)
    paint.band(image, (0, 0, WIDTH, TITLE), HEADER_TOP, HEADER_BOTTOM)
    paint.fill(image, (0, TITLE - 5, WIDTH, TITLE), AMBER)
    embossed(image, EDGE, TITLE // 2 - 4, words.title, 66, (255, 240, 170), (255, 188, 46), most, BLACK, True)
    y = TITLE + 18
    for row in rows:
        row.draw(image, y, words)
        y += row.high + 16
    for at, line in enumerate(note):
        paint.write(image, WIDTH // 2, y + 22 + at * NOTE, line, 34, CREAM, REGULAR, "m", most, "shrink")
    return image


Part = TileGroup | str


def _gap(wide: int) -> int:
    return max(10, round(GAP * wide / LARGEST))


def _part_width(part: Part, wide: int) -> int:
    if isinstance(part, TileGroup):
        return len(part.tiles) * (wide + 1)
    if part == ARROW:
        return round(wide * 0.5)
    # Measured at one size, or a font would be opened for each that is tried.
    return min(200, math.ceil(paint.width(part, LARGEST // 2) * wide / LARGEST) + 1)


def _line_width(line: tuple[Part, ...], wide: int) -> int:
    return sum(_part_width(part, wide) for part in line) + _gap(wide) * max(0, len(line) - 1)


def _broken(parts: tuple[Part, ...], wide: int, room: int) -> list[tuple[Part, ...]]:
    """Parts in lines no wider than ``room``, if each part alone is not; a word stays at the end of its line."""
    lines: list[tuple[Part, ...]] = []
    for part in parts:
        if lines and _line_width((*lines[-1], part), wide) <= room:
            lines[-1] = (*lines[-1], part)
        else:
            lines.append((part,))
    return lines


@dataclass(frozen=True, slots=True)
class _Row:
    """A row laid out, its tiles ``wide``, its parts in lines."""

    row: DiagramRow
    wide: int
    lines: tuple[tuple[Part, ...], ...]
    label: tuple[str, ...]

    @property
    def high(self) -> int:
        return 18 + len(self.label) * LABEL + len(self.lines) * self._pitch() + 12

    def _pitch(self) -> int:
        """Height of a line: badges above gold tiles, tiles, what stands below, a gap."""
        under = any(isinstance(part, TileGroup) and (part.label or part.stands) for part in self.row.parts)
        return round(self.wide * 0.2) + height_of(self.wide) + (UNDER if under else 0) + 10

    @classmethod
    def of(cls, row: DiagramRow) -> _Row:
        room = WIDTH - 2 * EDGE - 44
        label = paint.lines(row.label, 38, room - (230 if row.result else 0))
        # Fewer lines if the tiles can be read, else larger tiles.
        for most_lines, least in ((1, 70), (2, 60), (3, SMALLEST)):
            wide = min(LARGEST, row.widest or LARGEST)
            while True:
                lines = _broken(row.parts, wide, room)
                fits = len(lines) <= most_lines and all(_line_width(line, wide) <= room for line in lines)
                if fits or wide <= least:
                    break
                wide -= 2
            if fits:
                break
        return cls(row, wide, tuple(lines), label)

    def draw(self, image: Image.Image, y: int, words: DiagramWords) -> None:
        """Draw it from ``y`` on."""
        ground, line_colour = TONES[self.row.tone]
        paint.panel(image, (EDGE - 4, y, WIDTH - EDGE + 4, y + self.high), ground, line_colour, 20, 3)
        top = y + 18
        left, right = EDGE + 22, WIDTH - EDGE - 18
        used = 0
        if self.row.result:
            result = self.row.result
            used = 24 + paint.write(image, right, top + 22, result, 44, AMBER, anchor="r", most=210, fit="shrink")
        for at, text in enumerate(self.label):
            most = right - left - (used if at == 0 else 0)
            paint.write(image, left, top + 22 + at * LABEL, text, 38, CREAM, most=most, fit="shrink")
        top += len(self.label) * LABEL + round(self.wide * 0.2)
        for line in self.lines:
            x = left
            for part in line:
                self._part(image, x, top, part, words)
                x += _part_width(part, self.wide) + _gap(self.wide)
            top += self._pitch()

    def _part(self, image: Image.Image, left: int, top: int, part: Part, words: DiagramWords) -> None:
        middle = top + height_of(self.wide) // 2
        if isinstance(part, TileGroup):
            self._group(image, left, top, part, words)
        elif part == ARROW:
            size = round(self.wide * 0.46)
            paint.put(image, paint.arrow(paint.px(size), 90, AMBER), left + size // 2, middle)
        else:
            paint.write(image, left, middle, part, round(self.wide * 0.5), MUTED, most=200, fit="shrink")

    def _group(self, image: Image.Image, left: int, top: int, group: TileGroup, words: DiagramWords) -> None:
        wide, high = self.wide, height_of(self.wide)
        for at, face in enumerate(group.tiles):
            paint.tile(image, left + at * (wide + 1), top, face, wide, words.gold, words.signs.gold)
        if group.mark is not None:
            x = left + group.mark * (wide + 1)
            paint.frame(image, (x - 5, top - 5, x + wide + 5, top + high + 5), AMBER, 5, 16, 8)
        middle, most = left + len(group.tiles) * (wide + 1) // 2, len(group.tiles) * (wide + 1) + _gap(wide) - 20
        if group.stands:
            size = min(30, round(wide * 0.36))
            for at, stands in enumerate(group.stands[: len(group.tiles)]):
                if stands is not None:
                    x = left + at * (wide + 1) + wide // 2
                    text = f"={words.signs.tiles[stands]}"
                    paint.pill(image, x, top + high + 30, text, size, AMBER, paint.UMBER, most=max(30, wide - 12))
        elif group.label:
            paint.write(image, middle, top + high + 32, group.label, 34, AMBER, anchor="m", most=most, fit="shrink")
