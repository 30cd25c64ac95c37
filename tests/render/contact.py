"""Contact sheets of all sample pictures at the widths a phone shows, to be looked at.

python -m tests.render.contact [FOLDER]     writes phone-270.png and phone-360.png
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from render.cards import draw_lobby, draw_ranking
from render.hand import draw_hand
from render.scenes import hand_scene, seen_scene, sheet_scene, table_scene
from render.seen import draw_seen
from render.sheet import draw_sheet
from render.table import draw_table
from tests.render import samples
from tests.render.test_pictures import HANDS, SEEN, SHEETS, TABLES

COLUMNS = 6
GAP = 12


def pictures() -> list[Image.Image]:
    """Every sample, at full size."""
    found = [draw_hand(hand_scene(view), words) for view, words in HANDS.values()]
    found += [draw_table(table_scene(view), words) for view, words in TABLES.values()]
    found += [draw_seen(seen_scene(view), words) for view, words in SEEN.values()]
    found += [draw_lobby(samples.LOBBY), draw_ranking(samples.RANKING)]
    return found + [draw_sheet(sheet_scene(sheet), words) for sheet, words in SHEETS.values()]


def contact(images: list[Image.Image], wide: int) -> Image.Image:
    """The pictures scaled to ``wide`` pixels, in rows on the ground of a chat."""
    small = [image.resize((wide, image.height * wide // image.width), Image.Resampling.LANCZOS) for image in images]
    rows = [small[at : at + COLUMNS] for at in range(0, len(small), COLUMNS)]
    heights = [max(image.height for image in row) + GAP for row in rows]
    out = Image.new("RGB", (COLUMNS * (wide + GAP) + GAP, sum(heights) + GAP), (198, 216, 178))
    y = GAP
    for row, high in zip(rows, heights, strict=True):
        for at, image in enumerate(row):
            out.paste(image, (GAP + at * (wide + GAP), y))
        y += high
    return out


def main() -> None:
    """Write the sheets."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")
    folder.mkdir(parents=True, exist_ok=True)
    images = pictures()
    for wide in (270, 360):
        contact(images, wide).save(folder / f"phone-{wide}.png", optimize=True)


if __name__ == "__main__":
    main()
