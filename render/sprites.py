"""Pictures kept ready to be pasted, cut so that as little as possible has to be blended.

Pasting through a mask costs ten times a plain copy. So a sprite is cut into pieces: the opaque middle is copied, what
is empty is left out, and only the soft edges are blended.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

Box = tuple[int, int, int, int]

SMALL = 2_600
"""Pixels up to which a paste costs more by the call than by the pixel."""


Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A part of a sprite at ``left``, ``top`` of it; without ``mask`` it is opaque."""

    colours: Image.Image
    mask: Image.Image | None
    left: int
    top: int


@dataclass(frozen=True, slots=True, eq=False)
class Fill:
    """An opaque part of one colour: it costs no memory, and less to paste."""

    colour: Colour
    box: Box


class Sprite:
    """Pieces to paste; all positions are in pixels from the point it is pasted at."""

    __slots__ = ("_parts", "fill", "pieces")

    def __init__(self, pieces: tuple[Piece, ...], fill: Fill | None = None) -> None:
        self.pieces = pieces
        self.fill = fill
        self._parts = tuple(
            (piece.colours.im, piece.mask and piece.mask.im, piece.left, piece.top,
             piece.left + piece.colours.width, piece.top + piece.colours.height)
            for piece in pieces
        )  # fmt: skip

    def paste(self, onto: Image.Image, x: int, y: int) -> None:
        """Paste at x, y of an RGB picture that was made in memory."""
        # ``Image.paste`` spends twice as long on looking at its arguments as on the pixels of a small piece.
        paste = onto.im.paste
        if self.fill is not None:
            left, top, right, bottom = self.fill.box
            paste(self.fill.colour, (x + left, y + top, x + right, y + bottom))
        for colours, mask, left, top, right, bottom in self._parts:
            if mask is None:
                paste(colours, (x + left, y + top, x + right, y + bottom))
            else:
                paste(colours, (x + left, y + top, x + right, y + bottom), mask)


def lay(onto: Image.Image, opaque: Image.Image, left: int, top: int) -> None:
    """Copy an RGB picture onto another that was made in memory."""
    onto.im.paste(opaque.im, (left, top, left + opaque.width, top + opaque.height))


def tint(onto: Image.Image, mask: Image.Image, colour: Colour, left: int, top: int) -> None:
    """Paint a colour through a mask, its corner at ``left``, ``top``, onto an RGB picture that was made in memory."""
    wide, high = mask.size
    source = _solid(colour)
    if wide > source.width or high > source.height:
        onto.im.paste(colour, (left, top, left + wide, top + high), mask.im)
        return
    # From a picture of that colour it takes a third of the time that it takes from the colour.
    onto.im.paste(source.crop((0, 0, wide, high)).im, (left, top, left + wide, top + high), mask.im)


@lru_cache(maxsize=12)
def _solid(colour: Colour) -> Image.Image:
    return Image.new("RGB", (480, 60), colour)


def cut(colours: Image.Image, mask: Image.Image, left: int, top: int, core: Box | None = None) -> Sprite:
    """A sprite whose corner is at ``left``, ``top``; ``core``: the box within it that is all opaque or all empty."""
    wide, high = colours.size
    # A small sprite is pasted sooner in one piece than in five.
    if core is None or wide * high < SMALL or core[2] <= core[0] or core[3] <= core[1]:
        boxes = [(0, 0, wide, high)]
    else:
        x0, y0, x1, y1 = core
        boxes = [(0, 0, wide, y0), (0, y1, wide, high), (0, y0, x0, y1), (x1, y0, wide, y1), core]
    pieces = []
    for box in boxes:
        if box[2] <= box[0] or box[3] <= box[1]:
            continue
        part = mask.crop(box)
        least, most = part.getextrema()
        if most == 0:
            continue
        opaque = least == 255
        pieces.append(Piece(colours.crop(box), None if opaque else part, left + box[0], top + box[1]))
    return Sprite(tuple(pieces))
