"""Contact sheets of the sample pictures at the widths a phone shows, to be looked at.

    python -m tests.render.contact [--all] [FOLDER]

Writes ``phone-270.jpg``, ``phone-360.jpg``, ``tiles.jpg``, into docs/pictures unless a folder is named. ``--all``: all
samples, not one of each kind.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image

from render.tiles import TILE_SETS
from tests.render.gallery import SAMPLES, faces

SHOWN = (
    "hand turn", "hand claim", "hand all claims", "hand youjin", "hand gold stays", "hand English claims", "hand large",
    "table opening", "table group", "table full", "table lock", "table dark", "table dark opening", "table contrast",
    "seen full", "sheet win", "sheet Putian", "sheet draw", "sheet false win", "lobby lobby", "ranking ranking",
    "profile profile", "diagram sets", "diagram claims", "diagram gold", "pays Zhangzhou", "replay turn", "replay full",
)  # fmt: skip
WIDTHS = (270, 360)
COLUMNS = 6
GAP = 12
GROUND = (198, 216, 178)


def contact(images: list[Image.Image], wide: int) -> Image.Image:
    """The pictures scaled to ``wide`` pixels, in columns on the ground of a chat, each below the shortest."""
    small = [image.resize((wide, image.height * wide // image.width), Image.Resampling.LANCZOS) for image in images]
    ends = [GAP] * COLUMNS
    places = []
    for image in small:
        column = ends.index(min(ends))
        places.append((GAP + column * (wide + GAP), ends[column]))
        ends[column] += image.height + GAP
    out = Image.new("RGB", (COLUMNS * (wide + GAP) + GAP, max(ends)), GROUND)
    for image, place in zip(small, places, strict=True):
        out.paste(image, place)
    return out


def all_faces() -> Image.Image:
    """Every face of every set at 80 and at 40 pixels, the sets one below the other."""
    rows = [(faces(tile_set, 80), faces(tile_set, 40)) for tile_set in TILE_SETS]
    wide = max(large.width + small.width for large, small in rows) + GAP
    out = Image.new("RGB", (wide, sum(large.height + GAP for large, _ in rows) - GAP), GROUND)
    y = 0
    for large, small in rows:
        out.paste(large, (0, y))
        out.paste(small, (large.width + GAP, y))
        y += large.height + GAP
    return out


def main() -> None:
    """Write the sheets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("docs/pictures"), metavar="FOLDER")
    parser.add_argument("--all", action="store_true", help="every sample")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    images = [SAMPLES[name].image() for name in (SAMPLES if options.all else SHOWN)]
    for wide in WIDTHS:
        contact(images, wide).save(options.folder / f"phone-{wide}.jpg", quality=78, optimize=True)
    all_faces().save(options.folder / "tiles.jpg", quality=80, optimize=True)


if __name__ == "__main__":
    main()
