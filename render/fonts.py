"""Font files, and which of them can show a text.

First the pip packages ``manimgx-fonts-cjk`` and ``manimgx-fonts`` (Noto, SIL Open Font License), then what the system
has, searched only when a text needs it.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal

from PIL import ImageFont, features

Script = Literal["hans", "hant"]
FORMS: Final[dict[Script, int]] = {"hans": 2, "hant": 3}
"""Index in the CJK collection of the mainland's and of Taiwan's forms of the characters."""
SYSTEM_FOLDERS: Final = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path("/System/Library/Fonts"))
MOST_SYSTEM_FONTS: Final = 400


@cache
def shaping() -> bool:
    """Whether complex scripts are shaped: raqm is there and finds libfribidi, without which it turns itself off."""
    return bool(features.check("raqm") and features.check("fribidi"))


@dataclass(frozen=True, slots=True)
class Font:
    """A font file; ``index`` within a collection."""

    path: Path
    index: int = 0

    def at(self, size: int, weight: int, shaped: bool = False) -> ImageFont.FreeTypeFont:
        """The font in ``size`` pixels; ``weight`` 100–900 counts where the file is variable."""
        return _open(self.path, self.index, size, weight, shaped and shaping())

    def covers(self, char: str) -> bool:
        """Whether the file has a glyph for the character."""
        starts, ends = _coverage(self.path, self.index)
        at = bisect_right(starts, ord(char)) - 1
        return at >= 0 and ord(char) <= ends[at]

    def spaces_words(self) -> bool:
        """Whether the font's space is one between words; in a font of pictures it is as wide as a picture."""
        return _space(self.path, self.index) <= 50


# An open font takes half a megabyte, and to open it again a third of a millisecond.
@lru_cache(maxsize=6)
def _open(path: Path, index: int, size: int, weight: int, shaped: bool) -> ImageFont.FreeTypeFont:
    engine = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    font = ImageFont.truetype(str(path), size, index=index, layout_engine=engine)
    try:
        axes = font.get_variation_axes()
    except OSError:
        return font
    values = []
    for axis in axes:
        # Pillow gives names as bytes; only a weight is ours to choose.
        wanted = weight if axis["name"] in (b"Weight", "Weight") else axis["default"]
        values.append(float(min(max(wanted or 0, axis["minimum"] or 0), axis["maximum"] or 0)))
    font.set_variation_by_axes(values)
    return font


@cache
def _space(path: Path, index: int) -> float:
    """The advance of the space, in hundredths of the size."""
    return _open(path, index, 100, 400, False).getlength(" ")


@cache
def _coverage(path: Path, index: int) -> tuple[list[int], list[int]]:
    """First and last of each range of characters in a font's cmap (OpenType, formats 4 and 12); none if unreadable."""
    try:
        with path.open("rb") as file:
            base = 0
            if file.read(4) == b"ttcf":
                file.seek(12 + 4 * index)
                base = struct.unpack(">I", file.read(4))[0]
            file.seek(base + 4)
            tables = struct.unpack(">H", file.read(2))[0]
            file.seek(base + 12)
            records = [struct.unpack(">4sIII", file.read(16)) for _ in range(tables)]
            _, _, offset, length = next(record for record in records if record[0] == b"cmap")
            file.seek(offset)
            return _ranges(file.read(length))
    except (OSError, struct.error, StopIteration, IndexError):
        return [], []


def _ranges(cmap: bytes) -> tuple[list[int], list[int]]:
    best: tuple[int, int] = (0, 0)
    for record in range(struct.unpack_from(">H", cmap, 2)[0]):
        platform, encoding, offset = struct.unpack_from(">HHI", cmap, 4 + 8 * record)
        kind = struct.unpack_from(">H", cmap, offset)[0]
        if kind in (4, 12) and (platform == 0 or (platform == 3 and encoding in (1, 10))):
            best = max(best, (kind, offset))
    kind, offset = best
    if kind == 12:
        count = struct.unpack_from(">I", cmap, offset + 12)[0]
        flat = struct.unpack_from(f">{3 * count}I", cmap, offset + 16)
        return list(flat[0::3]), list(flat[1::3])
    if kind == 4:
        count = struct.unpack_from(">H", cmap, offset + 6)[0] // 2
        ends = struct.unpack_from(f">{count}H", cmap, offset + 14)
        starts = struct.unpack_from(f">{count}H", cmap, offset + 16 + 2 * count)
        pairs = [pair for pair in zip(starts, ends, strict=True) if pair[0] != 0xFFFF]
        return [start for start, _ in pairs], [end for _, end in pairs]
    return [], []


@cache
def _package(name: str) -> tuple[Path, ...]:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return ()
    return tuple(sorted(path for path in Path(spec.origin).parent.iterdir() if path.suffix in (".ttf", ".otf", ".ttc")))


@cache
def main_font(script: Script = "hans") -> Font | None:
    """The face all labels are set in: Chinese and Latin. None if there is none at all."""
    for path in _package("manimgx_fonts_cjk"):
        return Font(path, FORMS[script])
    for font in _system_fonts():
        if font.covers("庄") and font.covers("A"):
            return font
    return None


@cache
def _packaged(script: Script) -> tuple[Font, ...]:
    first = main_font(script)
    others = [Font(path) for path in _package("manimgx_fonts") if "Italic" not in path.name]
    # Plain Noto Sans before the others: it has the most marks and Latin letters.
    others.sort(key=lambda font: (not font.path.name.startswith("NotoSans["), font.path.name))
    return (*((first,) if first else ()), *others)


@cache
def _system_fonts() -> tuple[Font, ...]:
    found: list[Path] = []
    for folder in SYSTEM_FOLDERS:
        if folder.is_dir():
            found += [path for path in folder.rglob("*") if path.suffix.lower() in (".ttf", ".otf", ".ttc")]
    return tuple(Font(path) for path in sorted(found)[:MOST_SYSTEM_FONTS])


def candidates(script: Script = "hans") -> Iterator[Font]:
    """Fonts in the order in which they are tried."""
    yield from _packaged(script)
    yield from _system_fonts()
