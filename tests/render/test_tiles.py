"""The tiles: in every set all 42 told apart by shape alone at the sizes of a phone, their contrasts computed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat

from mahjong.tiles import NAMES
from render import tiles
from render.tiles import (
    ART_SIZE,
    BODY_SIZE,
    COLUMNS,
    TILE_SETS,
    TileSet,
    bodies_path,
    face,
    faces_path,
    height_of,
    sprite,
)
from tests.render.colours import SIGHTS, ratio

WIDTH = 40
FELT = (24, 118, 84)


@pytest.fixture(params=TILE_SETS)
def tile_set(request: pytest.FixtureRequest) -> Iterator[TileSet]:
    """Each of the sets, in use."""
    tiles.use(request.param)
    yield request.param
    tiles.use("plain")


def seen(tile: int | None, matrix: tuple[float, ...], body: tiles.Body = "ivory") -> Image.Image:
    image = Image.new("RGB", (WIDTH, height_of(WIDTH)), FELT)
    picture = face(tile, WIDTH, body)
    image.paste(picture, (0, 0), picture)
    # A little blur: what a phone and an eye make of it.
    return image.convert("RGB", matrix).filter(ImageFilter.GaussianBlur(0.8))


def strength(one: Image.Image, other: Image.Image) -> float:
    """How much two pictures differ: root mean square, 0 to 255."""
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).rms) / 3


@pytest.mark.parametrize("body", ["ivory", "gold"])
@pytest.mark.parametrize("sight", SIGHTS)
def test_all_faces_differ(tile_set: TileSet, sight: str, body: tiles.Body) -> None:
    pictures = [seen(tile, SIGHTS[sight], body) for tile in range(42)]
    for (a, one), (b, other) in itertools.combinations(enumerate(pictures), 2):
        assert strength(one, other) > (14 if body == "ivory" else 11), (NAMES[a], NAMES[b], strength(one, other))


@pytest.mark.parametrize("sight", SIGHTS)
def test_gold_and_back_differ_from_plain_tiles(tile_set: TileSet, sight: str) -> None:
    for tile in range(42):
        plain = seen(tile, SIGHTS[sight])
        assert strength(plain, seen(tile, SIGHTS[sight], "gold")) > 16, NAMES[tile]
        assert strength(plain, seen(None, SIGHTS[sight])) > 40, NAMES[tile]


def art_of(name: TileSet, tile: int) -> Image.Image:
    x, y = tile % COLUMNS * ART_SIZE[0], tile // COLUMNS * ART_SIZE[1]
    with Image.open(faces_path(name)) as atlas:
        return atlas.convert("RGBA").crop((x, y, x + ART_SIZE[0], y + ART_SIZE[1]))


def shares(art: Image.Image, ground: tuple[int, int, int], least: float) -> tuple[float, float]:
    """Of the opaque art the share that has the contrast, and the share that has less and yet is not light."""
    colours = art.getcolors(art.width * art.height)
    assert colours is not None
    solid = [(count, ratio(colour[:3], ground)) for count, colour in colours if colour[3] > 250]
    whole = sum(count for count, _ in solid)
    strong = sum(count for count, contrast in solid if contrast >= least)
    weak = sum(count for count, contrast in solid if 1.5 <= contrast < least)
    return strong / whole, weak / whole


def grounds_of(name: TileSet) -> list[tuple[int, int, int]]:
    """The colours of the plain and the gold face near their upper and lower edges."""
    with Image.open(bodies_path(name)) as atlas:
        bodies = atlas.convert("RGB")
    at = [(body * BODY_SIZE[0] + BODY_SIZE[0] // 2, y) for body in (0, 1) for y in (20, ART_SIZE[1] - 20)]
    return [colour for colour in map(bodies.getpixel, at) if isinstance(colour, tuple)]


@pytest.mark.parametrize(
    ("name", "least", "most_weak"), [("plain", 3.5, 0.16), ("contrast", 7.0, 0.18), ("large", 7.0, 0.06)]
)
def test_strokes_stand_out_from_their_tile(name: TileSet, least: float, most_weak: float) -> None:
    """On plain and on gold tiles; what is weaker are the soft edges of the strokes. Emblems of flowers are coloured in
    the plain set."""
    grounds = grounds_of(name)
    assert len(grounds) == 4
    for tile in range(34 if name == "plain" else 42):
        art = art_of(name, tile)
        for ground in grounds:
            strong, weak = shares(art, ground, least)
            assert strong > 0.3, (NAMES[tile], ground, strong)
            assert weak < most_weak, (NAMES[tile], ground, weak)


@pytest.mark.parametrize("tile", [tile for tile in range(42) if NAMES[tile] not in ("1m", "2m", "3m", "2s")])
def test_large_faces_fill_the_tile(tile: int) -> None:
    box = art_of("large", tile).getchannel("A").getbbox()
    assert box is not None
    assert box[3] - box[1] > 0.74 * ART_SIZE[1]
    assert box[2] - box[0] > 0.54 * ART_SIZE[0]


def test_atlases_are_small() -> None:
    sizes = [path(name).stat().st_size for name in TILE_SETS for path in (faces_path, bodies_path)]
    assert sum(sizes) < 1_600_000


@pytest.mark.parametrize("width", [16, 35, 62, 143, 300])
def test_any_size(tile_set: TileSet, width: int) -> None:
    for tile in (0, 9, 18, 31, 41, None):
        assert face(tile, width).size == (width, height_of(width))
        image = Image.new("RGB", (width * 2, height_of(width) * 2))
        sprite(tile, width, "gold").paste(image, width // 2, width // 2)
        assert image.getbbox() is not None
