"""What everything else stands on: felt, and runs of colour. Sizes are in pixels."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image

from render.sprites import lay

Colour = tuple[int, int, int]
_FELT: Final = (800, 1120)


def felt(wide: int, high: int) -> Image.Image:
    """Green felt, lighter in the middle; a picture of its own each time."""
    # One large felt is kept, of which pictures of all heights are parts.
    if wide <= _FELT[0] and high <= _FELT[1]:
        whole = _felt(*_FELT)
        left, top = (whole.width - wide) // 2, (whole.height - high) // 2
        return whole.crop((left, top, left + wide, top + high))
    if wide <= _FELT[0]:
        return _taller(_felt(*_FELT), wide, high)
    return _shaded(wide, high)


def _taller(whole: Image.Image, wide: int, high: int) -> Image.Image:
    """More felt than is kept: its middle, which hardly changes, drawn out."""
    left, half = (whole.width - wide) // 2, whole.height // 2
    image = Image.new("RGB", (wide, high), None)
    lay(image, whole.crop((left, 0, left + wide, half)), 0, 0)
    middle = whole.crop((left, half, left + wide, half + 1))
    lay(image, middle.resize((wide, high - 2 * half), Image.Resampling.NEAREST), 0, half)
    lay(image, whole.crop((left, half, left + wide, 2 * half)), 0, high - half)
    return image


@lru_cache(maxsize=1)
def _felt(wide: int, high: int) -> Image.Image:
    return _shaded(wide, high)


def _shaded(wide: int, high: int) -> Image.Image:
    light = Image.radial_gradient("L").resize((wide, high), Image.Resampling.BICUBIC)
    lit, deep = Image.new("RGB", (wide, high), (24, 118, 84)), Image.new("RGB", (wide, high), (8, 66, 48))
    return Image.composite(deep, lit, light)


@lru_cache(maxsize=6)
def ramp(wide: int, high: int, top: Colour, bottom: Colour) -> Image.Image:
    """A vertical run of colour; kept, and not to be drawn on."""
    return gradient(wide, high, top, bottom)


def gradient(wide: int, high: int, top: Colour, bottom: Colour) -> Image.Image:
    """A vertical run of colour, a picture of its own."""
    mask = Image.linear_gradient("L").resize((wide, high))
    return Image.composite(Image.new("RGB", (wide, high), bottom), Image.new("RGB", (wide, high), top), mask)
