"""The tiles: all 42 told apart by shape alone, at the sizes of a phone."""

from __future__ import annotations

import itertools

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat

from mahjong.tiles import NAMES
from render.tiles import face, height_of, sprite

# Linear-light matrices of Viénot, Brettel and Mollon (1999) for the two common kinds of red-green blindness.
SIGHTS = {
    "greyscale": (0.299, 0.587, 0.114, 0, 0.299, 0.587, 0.114, 0, 0.299, 0.587, 0.114, 0),
    "deuteranopia": (0.293, 0.707, 0, 0, 0.293, 0.707, 0, 0, -0.022, 0.022, 1, 0),
    "protanopia": (0.112, 0.888, 0, 0, 0.112, 0.888, 0, 0, 0.004, -0.004, 1, 0),
}
WIDTH = 40


def seen(tile: int, matrix: tuple[float, ...]) -> Image.Image:
    image = Image.new("RGB", (WIDTH, height_of(WIDTH)), (24, 118, 84))
    picture = face(tile, WIDTH)
    image.paste(picture, (0, 0), picture)
    # A little blur: what a phone and an eye make of it.
    return image.convert("RGB", matrix).filter(ImageFilter.GaussianBlur(0.8))


@pytest.mark.parametrize("sight", SIGHTS)
def test_all_faces_differ(sight: str) -> None:
    pictures = [seen(tile, SIGHTS[sight]) for tile in range(42)]
    for (a, one), (b, other) in itertools.combinations(enumerate(pictures), 2):
        difference = ImageStat.Stat(ImageChops.difference(one, other))
        strength = sum(difference.rms) / 3
        assert strength > 14, (NAMES[a], NAMES[b], strength)


def test_gold_and_back_differ_from_plain_tiles_in_greyscale() -> None:
    plain = face(23, 60).convert("L")
    for other in (face(23, 60, "gold"), face(None, 60)):
        assert ImageStat.Stat(ImageChops.difference(plain, other.convert("L"))).rms[0] > 20


@pytest.mark.parametrize("width", [16, 35, 62, 143, 300])
def test_any_size(width: int) -> None:
    for tile in (0, 9, 18, 31, 41, None):
        assert face(tile, width).size == (width, height_of(width))
        image = Image.new("RGB", (width * 2, height_of(width) * 2))
        sprite(tile, width, "gold").paste(image, width // 2, width // 2)
        assert image.getbbox() is not None
