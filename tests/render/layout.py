"""Where a picture has its texts and its tiles, found by watching it being drawn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from PIL import Image

from render import headline, paint
from render.text import BOLD, Text, text_mask
from render.text import width as text_width
from render.tiles import height_of
from tests.render.gallery import Sample

Kind = Literal["text", "tile", "sign"]


@dataclass(frozen=True, slots=True)
class Item:
    """A text, a tile, or a sign with its text (pill, badge), in pixels; of a text the ink alone.

    ``wide``: of a tile its width in units. ``cut``: of a text or a sign, that it is not whole.
    """

    kind: Kind
    what: str
    left: int
    top: int
    right: int
    bottom: int
    wide: int = 0
    cut: bool = False

    def over(self, other: Item, slack: int = 0) -> bool:
        """Whether two cover each other by more than ``slack`` pixels both ways."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > slack and down > slack


@dataclass(frozen=True, slots=True)
class Layout:
    """What a picture holds, and its size in pixels."""

    items: tuple[Item, ...]
    width: int
    height: int

    def of(self, *kinds: Kind) -> list[Item]:
        """Items of these kinds."""
        return [item for item in self.items if item.kind in kinds]


def layout(sample: Sample) -> Layout:
    """Draw a sample and note what is put where."""
    items: list[Item] = []
    with _watched(items):
        image = sample.image()
    return Layout(tuple(items), image.width, image.height)


@contextmanager
def _watched(items: list[Item]) -> Iterator[None]:
    def ink(what: str, drawn: Text, weight: int, left: int, top: int) -> None:
        box = drawn.mask.point(lambda value: 255 if value > 100 else 0).getbbox()
        if box is not None:
            place = (left + box[0], top + box[1], left + box[2], top + box[3])
            items.append(Item("text", what, *place, cut=cut(what, drawn, weight)))

    def cut(what: str, drawn: Text, weight: int = BOLD) -> bool:
        return text_width(what, drawn.size, weight) > drawn.advance * 1.02

    def write(
        image: Image.Image, x: int, y: int, text: str, size: int, colour: paint.Colour = paint.CREAM,
        weight: int = BOLD, anchor: paint.Anchor = "l", most: int | None = None, fit: Any = "cut", on: Any = None,
    ) -> int:  # fmt: skip
        wide = real["write"](image, x, y, text, size, colour, weight, anchor, most, fit, on)
        if text:
            drawn = text_mask(text, paint.px(size), weight, None if most is None else paint.px(max(most, 1)), fit)
            left = paint.px(x) - (0 if anchor == "l" else drawn.advance // 2 if anchor == "m" else drawn.advance)
            ink(text, drawn, weight, left, round(paint.px(y) + drawn.size * 0.37) - drawn.baseline)
        return wide

    def tile(image: Image.Image, x: int, y: int, face: int | None, wide: int, *rest: Any) -> None:
        high = height_of(paint.px(wide))
        box = (paint.px(x), paint.px(y), paint.px(x) + paint.px(wide), paint.px(y) + high)
        items.append(Item("tile", str(face), *box, wide))
        real["tile"](image, x, y, face, wide, *rest)

    def face_on_bare(image: Image.Image, x: int, y: int, face: int, wide: int, body: Any) -> None:
        high = height_of(paint.px(wide))
        items.append(
            Item("tile", str(face), paint.px(x), paint.px(y), paint.px(x) + paint.px(wide), paint.px(y) + high, wide)
        )
        real["face_on_bare"](image, x, y, face, wide, body)

    def tray(image: Image.Image, x: int, y: int, faces: tuple[int | None, ...], wide: int, *rest: Any) -> None:
        real["tray"](image, x, y, faces, wide, *rest)
        high = height_of(paint.px(wide))
        for at, face in enumerate(faces):
            left, top = paint.px(x + at * (wide + 1)), paint.px(y)
            items.append(Item("tile", str(face), left, top, left + paint.px(wide), top + high, wide))

    def plaque(image: Image.Image, box: paint.Box, text: str, size: int, ground: Any, line: Any, thick: int,
               colour: Any, most: int | None = None) -> None:  # fmt: skip
        real["plaque"](image, box, text, size, ground, line, thick, colour, most)
        drawn = text_mask(text, paint.px(size), BOLD, None if most is None else paint.px(max(most, 1)), "shrink")
        items.append(Item("sign", text, *(paint.px(value) for value in box), cut=cut(text, drawn)))

    def embossed(image: Image.Image, x: int, y: int, text: str, size: int, top: Any, bottom: Any, most: int, *rest: Any,
                 **named: Any) -> None:  # fmt: skip
        real_embossed(image, x, y, text, size, top, bottom, most, *rest, **named)
        if text:
            weight = rest[0] if rest else named.get("weight", 700)
            shrink = rest[1] if len(rest) > 1 else named.get("shrink", False)
            drawn = headline._letters(text, paint.px(size), weight, paint.px(most), shrink)
            ink(text, drawn, weight, paint.px(x), round(paint.px(y) + drawn.size * 0.37) - drawn.baseline)

    real = {name: getattr(paint, name) for name in ("write", "tile", "face_on_bare", "plaque", "tray")}
    real_embossed = headline.embossed
    with pytest.MonkeyPatch.context() as patch:
        for name, watched in zip(real, (write, tile, face_on_bare, plaque, tray), strict=True):
            patch.setattr(paint, name, watched)
        for module in ("cards", "sheet", "opening", "diagrams", "rules"):
            patch.setattr(f"render.{module}.embossed", embossed)
        yield
