"""Pictures kept ready to be pasted, cut so that as little as possible has to be blended.

Pasting through a mask costs ten times a plain copy. So a sprite is cut into pieces: the opaque middle is copied, what
is empty is left out, and only the soft edges are blended.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

Box = tuple[int, int, int, int]

SMALL = 9_000
"""Pixels up to which a paste costs more by the call than by the pixel."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A part of a sprite at ``left``, ``top`` of it; without ``mask`` it is opaque."""

    colours: Image.Image
    mask: Image.Image | None
    left: int
    top: int


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """Pieces to paste; all positions are in pixels from the point it is pasted at."""

    pieces: tuple[Piece, ...]

    def paste(self, onto: Image.Image, x: int, y: int) -> None:
        """Paste at x, y."""
        for piece in self.pieces:
            onto.paste(piece.colours, (x + piece.left, y + piece.top), piece.mask)


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
