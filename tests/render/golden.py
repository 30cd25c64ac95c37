"""Golden pictures: samples at half size, kept in ``tests/render/golden``, against which new ones are compared.

    python -m tests.render.golden          make them anew (``make golden``), after the new ones have been looked at

Text is drawn without shaping where no name needs it, so that the same libraries give the same pixels everywhere. Golden
pictures have few colours, so that they are small; what is compared with them is reduced to the same ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from render.tiles import TILE_SETS
from tests.render.gallery import SAMPLES, faces

FOLDER: Final = Path(__file__).with_name("golden")
OUT: Final = Path("var/golden")
NAMES: Final = (
    "hand turn", "hand claim", "hand youjin", "hand own kongs", "hand gold stays",
    "hand English claims", "hand contrast", "hand large",
    "table group", "table full", "table lock", "table dark", "table opening", "table dark opening",
    "seen full", "sheet win", "sheet Putian", "sheet draw", "sheet false win",
    "lobby lobby", "ranking ranking", "ranking own row below", "ranking nothing today", "profile profile",
    "diagram sets", "diagram claims", "pays Zhangzhou", "pays English",
    "replay turn", "replay full", "review turn", "review melds", "review English",
)  # fmt: skip
TILES: Final = tuple(f"tiles {name}" for name in TILE_SETS)
COLOURS: Final = 256
BLOCK: Final = 8
TOLERANCE: Final = 16
"""By how much a block of ``BLOCK`` × ``BLOCK`` pixels may differ in the mean of a channel, of 255."""


def golden_path(name: str) -> Path:
    """Where a golden picture is kept."""
    return FOLDER / f"{name.replace(' ', '-')}.png"


def drawn(name: str) -> Image.Image:
    """The picture as it is drawn now, at half size."""
    if name.startswith("tiles "):
        return faces(name.removeprefix("tiles "), 44)  # type: ignore[arg-type]
    return SAMPLES[name].image().reduce(2)


def difference(expected: Image.Image, got: Image.Image) -> float:
    """The largest difference of a block, in the mean of a channel; 255 for pictures of other sizes."""
    if expected.size != got.size:
        return 255.0
    whole = ImageChops.difference(expected.convert("RGB"), got.convert("RGB"))
    return float(max(high for _, high in whole.reduce(BLOCK).getextrema()))


def side_by_side(name: str, expected: Image.Image, got: Image.Image) -> Image.Image:
    """Expected, got, and where they differ, each under its heading; blocks that differ too much are framed."""
    size = (max(expected.width, got.width), max(expected.height, got.height))
    parts = []
    for image in (expected, got):
        part = Image.new("RGB", size, (255, 255, 255))
        part.paste(image.convert("RGB"))
        parts.append(part)
    change = ImageChops.difference(*parts)
    seen = parts[1].convert("L").convert("RGB").point(lambda value: 128 + value // 2)
    seen.paste((220, 0, 40), mask=change.convert("L").point(lambda value: min(255, value * 6)))
    draw = ImageDraw.Draw(seen)
    blocks = change.reduce(BLOCK)
    for y in range(blocks.height):
        for x in range(blocks.width):
            colour = blocks.getpixel((x, y))
            if isinstance(colour, tuple) and max(colour) > TOLERANCE:
                draw.rectangle(
                    [x * BLOCK - 2, y * BLOCK - 2, x * BLOCK + BLOCK + 1, y * BLOCK + BLOCK + 1], outline=(0, 60, 255)
                )
    head = 26
    out = Image.new("RGB", (3 * size[0] + 40, size[1] + head), (255, 255, 255))
    draw = ImageDraw.Draw(out)
    for at, (title, part) in enumerate(zip((f"{name}: expected", "got", "difference"), (*parts, seen), strict=True)):
        draw.text((at * (size[0] + 20) + 4, 6), title, fill=(0, 0, 0), font_size=14)
        out.paste(part, (at * (size[0] + 20), head))
    return out


def compare(name: str) -> str | None:
    """None if a picture is as it was; else what is wrong, with the path of a sheet that shows it."""
    path, got = golden_path(name), drawn(name)
    if not path.exists():
        return f"{name}: there is no golden picture; make golden"
    with Image.open(path) as kept:
        expected = kept.convert("RGB")
        got = got.quantize(palette=kept, dither=Image.Dither.NONE).convert("RGB")
    found = difference(expected, got)
    if found <= TOLERANCE:
        return None
    OUT.mkdir(parents=True, exist_ok=True)
    sheet = OUT / path.name
    side_by_side(name, expected, got).save(sheet)
    return (
        f"{name} is not as it was (by {found:.0f}, tolerated {TOLERANCE}): look at {sheet.resolve()}, then make golden"
    )


def main() -> None:
    """Make all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.png"):
        path.unlink()
    for name in (*NAMES, *TILES):
        image = drawn(name)
        # Reduced as it is when it is compared: to the nearest colours of a palette that is given.
        palette = image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        image.quantize(palette=palette, dither=Image.Dither.NONE).save(golden_path(name), optimize=True)


if __name__ == "__main__":
    main()
