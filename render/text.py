"""Text of any script as masks: cut by grapheme cluster, each cluster in the first font that has it, or a box.

A name may be anything a person can type: emoji, right-to-left, zero width, marks piled up, 10,000 characters.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import regex
from PIL import Image, ImageDraw

from render.fonts import Font, Script, candidates, main_font, shaping

REGULAR: Final = 500
BOLD: Final = 700
BLACK: Final = 900
LONGEST: Final = 256
"""Code points looked at: more than any picture has room for."""
MOST_IN_CLUSTER: Final = 14
"""Code points of a cluster that are drawn: a family with skin tones has eleven, piled-up marks have hundreds."""
ELLIPSIS: Final = "…"

ISOLATE: Final = "\u2068"
"""Begins a part (a name) whose direction is its own; ``ISOLATE_END`` ends it."""
ISOLATE_END: Final = "\u2069"

Fit = Literal["cut", "name", "shrink", "number"]
"""``name``: hardly smaller, then cut; ``shrink``: first smaller, then cut; ``number``: much smaller, since a sum with
its end cut off is a wrong sum."""
SMALLEST: Final[dict[Fit, float]] = {"cut": 1, "name": 0.85, "shrink": 0.6, "number": 0.3}
"""The share of its size to which a text shrinks before it is cut."""
_script: Script = "hans"
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
# Soft and zero-width spaces, and all that sets a direction but what keeps a name apart.
_DROPPED = frozenset("\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067")


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A drawn text: ``mask`` with its baseline ``baseline`` pixels below the top; ``advance`` is how far it reaches."""

    mask: Image.Image
    baseline: int
    advance: int
    size: int


@dataclass(frozen=True, slots=True)
class _Run:
    font: Font | None
    text: str
    rtl: bool = False


def clean(text: str) -> str:
    """Without control characters, line breaks and marks that turn the direction; at most ``LONGEST`` code points."""
    kept = []
    for char in text[: 4 * LONGEST]:
        category = unicodedata.category(char)
        if char in "\t\n\r\u2028\u2029":
            kept.append(" ")
        elif category not in ("Cc", "Cs", "Co") and char not in _DROPPED:
            kept.append(char)
    return "".join(kept[:LONGEST]).strip()


def use(script: Script) -> None:
    """From now on draw Chinese characters in the forms of ``script``; a picture is drawn without a break between."""
    global _script
    _script = script


@lru_cache(maxsize=4096)
def _font_for(cluster: str, script: Script) -> Font | None:
    wanted = [char for char in cluster if not _ignorable(char)]
    for font in candidates(script):
        if all(font.covers(char) for char in wanted):
            return font
    # No font has all of it: one that has the letter, and the marks fall away.
    for font in candidates(script):
        if wanted and font.covers(wanted[0]):
            return font
    return None


def _ignorable(char: str) -> bool:
    return unicodedata.category(char) == "Cf" or "\ufe00" <= char <= "\ufe0f" or "\U000e0000" <= char <= "\U000e007f"


def _visible(cluster: str) -> bool:
    return any(not _ignorable(char) for char in cluster)


def _clusters(text: str) -> list[str]:
    found = (str(cluster)[:MOST_IN_CLUSTER] for cluster in regex.findall(r"\X", clean(text)))
    kept = [cluster for cluster in found if _visible(cluster) or cluster in (ISOLATE, ISOLATE_END)]
    # A name of zero-width characters alone is still somebody.
    return kept if any(_visible(cluster) for cluster in kept) else ["□"] if text else []


def _units(clusters: list[str]) -> list[str | list[str]]:
    """Clusters, and lists of the clusters of an isolated part."""
    units: list[str | list[str]] = []
    inside: list[str] | None = None
    for cluster in clusters:
        if cluster == ISOLATE:
            inside = [] if inside is None else inside
        elif cluster == ISOLATE_END:
            if inside:
                units.append(inside)
            inside = None
        elif inside is not None:
            inside.append(cluster)
        else:
            units.append(cluster)
    return [*units, inside] if inside else units


def _strong(unit: str | list[str]) -> bool | None:
    """Whether a unit runs from right to left; None if it takes its neighbours' direction."""
    if isinstance(unit, str):
        for char in unit:
            direction = unicodedata.bidirectional(char)
            if direction in _RIGHT_TO_LEFT:
                return True
            if direction == "L":
                return False
    return None


def _directions(units: list[str | list[str]]) -> tuple[bool, list[bool]]:
    """Whether the line, and whether each unit, runs from right to left: the bidirectional algorithm in short.

    An ellipsis belongs to what it cuts, digits to the letters before them.
    """
    strong = [_strong(unit) for unit in units]
    base = next((side for side in strong if side is not None), False)
    before: bool | None = None
    for at, unit in enumerate(units):
        if isinstance(unit, list):
            before = None
        elif strong[at] is not None:
            before = strong[at]
        elif unit == ELLIPSIS or unit[0].isdigit():
            strong[at] = before
    sides: list[bool] = []
    for at, side in enumerate(strong):
        if side is None:
            last = next((known for known in reversed(strong[:at]) if known is not None), base)
            following = next((known for known in strong[at:] if known is not None), base)
            side = last if last == following else base
        sides.append(side)
    return base, sides


def _runs(clusters: list[str]) -> list[_Run]:
    """The parts to draw from left to right, each in one font."""
    units = _units(clusters)
    if len(units) == 1 and isinstance(units[0], list):
        units = list(units[0])
    base, sides = _directions(units)
    segments: list[tuple[bool, list[list[_Run]]]] = []
    for unit, rtl in zip(units, sides, strict=True):
        if not segments or segments[-1][0] != rtl:
            segments.append((rtl, []))
        blocks = segments[-1][1]
        if isinstance(unit, list):
            blocks.append(_runs(unit))
            blocks.append([])
            continue
        last = blocks[-1][0] if blocks and blocks[-1] else None
        common = unit.isascii() and not unit.isalpha()
        # The space of a font of pictures is as wide as a picture.
        stay = common and last is not None and last.font is not None and last.font.spaces_words()
        font = last.font if last and last.font and stay and all(map(last.font.covers, unit)) else None
        font = font or _font_for(unit, _script)
        if last is not None and last.font == font:
            blocks[-1] = [_Run(font, last.text + unit, rtl)]
        else:
            blocks.append([_Run(font, unit, rtl)])
    runs: list[_Run] = []
    for rtl, blocks in segments[::-1] if base else segments:
        for block in blocks[::-1] if rtl else blocks:
            runs += block
    return runs


def _simple(run: _Run) -> bool:
    return run.font == main_font(_script) and all(unicodedata.combining(char) == 0 for char in run.text)


def _direction(run: _Run) -> str | None:
    """For raqm; without it a font may not be told."""
    return "rtl" if run.rtl and shaping() and not _simple(run) else None


def _length(run: _Run, size: int, weight: int) -> float:
    if run.font is None:
        return len(_boxes(run)) * size * 0.7
    return run.font.at(size, weight, not _simple(run)).getlength(run.text, direction=_direction(run))


def _boxes(run: _Run) -> list[str]:
    return [str(cluster) for cluster in regex.findall(r"\X", run.text)]


def width(text: str, size: int, weight: int = BOLD) -> int:
    """How far the text reaches in pixels if it is neither cut nor shrunk."""
    return _width(tuple(_clusters(text)), size, weight)


@lru_cache(maxsize=8192)
def _width(clusters: tuple[str, ...], size: int, weight: int) -> int:
    return round(sum(_length(run, size, weight) for run in _runs(list(clusters))))


def _cut(clusters: tuple[str, ...], size: int, weight: int, most: int) -> tuple[str, ...]:
    """The most clusters from the start that fit with an ellipsis."""
    low, high = 0, len(clusters)
    while low < high:
        middle = (low + high + 1) // 2
        if _width((*clusters[:middle], ELLIPSIS), size, weight) <= most:
            low = middle
        else:
            high = middle - 1
    while low and (clusters[low - 1].isspace() or clusters[low - 1] == ISOLATE_END):
        low -= 1
    return (*clusters[:low], ELLIPSIS)


def shorten(text: str, names: tuple[str, ...], size: int, weight: int, most: int) -> str:
    """The text with the longest of ``names`` in it cut, so that it fits ``most`` pixels and still says all the rest."""
    return _shorten(text, names, size, weight, most, _script)


@lru_cache(maxsize=1024)
def _shorten(text: str, names: tuple[str, ...], size: int, weight: int, most: int, script: Script) -> str:
    known = sorted({name for name in names if name}, key=len, reverse=True)
    if not known or width(text, size, weight) <= most:
        return text
    # Every other part is a name.
    parts = regex.split(f"({'|'.join(regex.escape(name) for name in known)})", text)
    wides = sorted(width(name, size, weight) for name in parts[1::2])
    # A pixel for each part, since each is rounded.
    room = most - sum(width(part, size, weight) + 1 for part in parts[0::2] if part) - len(wides)
    for at, wide in enumerate(wides):
        cap = max(0, room) // (len(wides) - at)
        if wide > cap:
            break
        room -= wide
    else:
        return text
    for at in range(1, len(parts), 2):
        clusters = tuple(_clusters(parts[at]))
        if _width(clusters, size, weight) > cap:
            parts[at] = "".join(_cut(clusters, size, weight, cap))
            if clusters[0] == ISOLATE:
                parts[at] += ISOLATE_END
    return "".join(parts)


def two_lines(text: str, size: int, weight: int, most: int) -> tuple[str, str]:
    """The text in two lines: broken at a space if both are then hardly wider than ``most`` pixels, else where it is."""
    clusters = _clusters(text)
    if _width(tuple(clusters), size, weight) <= most:
        return text, ""

    def wider(at: int) -> int:
        return max(_width(tuple(clusters[:at]), size, weight), _width(tuple(clusters[at + 1 :]), size, weight))

    at = min((at for at, cluster in enumerate(clusters) if cluster.isspace()), key=wider, default=0)
    if not at or wider(at) * SMALLEST["name"] > most:
        at = len(clusters)
        while at > 1 and _width(tuple(clusters[:at]), size, weight) > most:
            at -= 1
        # In running text the last space before that.
        at = next((space for space in range(at, at * 2 // 3, -1) if clusters[space - 1].isspace()), at)
    first, *rest = _parted(clusters, at)
    return first, "".join(rest)


def name_lines(name: str, size: int, least: int, weight: int, most: int) -> tuple[int, tuple[str, ...]]:
    """A name in one line or in two, whichever can be larger, and the size in which it then fits ``most`` pixels.

    Two lines must be clearly larger than one. It is broken at a space, and inside a word only where it would have to be
    smaller than ``least`` otherwise.
    """
    clusters = tuple(_clusters(name))

    def broken(at: int, skipped: int) -> tuple[int, int]:
        wide = max(_width(clusters[:at], size, weight), _width(clusters[at + skipped :], size, weight))
        return min(size, size * most // max(1, wide)), at

    best = broken(len(clusters), 0)
    in_two = max((broken(at, 1) for at, cluster in enumerate(clusters) if cluster.isspace()), default=best)
    if best[0] < in_two[0] * 0.8:
        best = in_two
    if best[0] < least:
        best = max((broken(at, 0) for at in range(1, len(clusters))), default=best)
    return max(least, best[0]), _parted(list(clusters), best[1])


def _parted(clusters: list[str], at: int) -> tuple[str, ...]:
    """The clusters as two lines, or as one if nothing is left for a second; an isolated part is so in both."""
    first, rest = clusters[:at], clusters[at:]
    while rest and rest[0].isspace():
        rest = rest[1:]
    if clusters[0] == ISOLATE and rest:
        first, rest = [*first, ISOLATE_END], [ISOLATE, *rest]
    return tuple(line for line in ("".join(first).strip(), "".join(rest).strip()) if line)


def initial(name: str) -> str:
    """What stands for a person on a small badge: the end of a Chinese name, else its first letter."""
    letters = [cluster for cluster in _clusters(name) if _visible(cluster)]
    if not letters:
        return ""
    return letters[-1] if "\u4e00" <= letters[-1] <= "\u9fff" else letters[0]


def text_mask(text: str, size: int, weight: int = BOLD, most: int | None = None, fit: Fit = "cut") -> Text:
    """The text in ``size`` pixels, at most ``most`` pixels wide: cut with an ellipsis, or first shrunk."""
    return _text_mask(text, size, weight, most, fit, _script)


@lru_cache(maxsize=900)
def _text_mask(text: str, size: int, weight: int, most: int | None, fit: Fit, script: Script) -> Text:
    clusters = tuple(_clusters(text))
    if most is not None and _width(clusters, size, weight) > most:
        smallest = max(8, round(size * SMALLEST[fit]))
        # Near to the size that fits, or a font would be opened for every size between.
        size = min(size, max(smallest, int(size * most / _width(clusters, size, weight)) + 1))
        while size > smallest and _width(clusters, size, weight) > most:
            size -= 1
        if _width(clusters, size, weight) > most:
            clusters = _cut(clusters, size, weight, most)
    runs = _runs(list(clusters))
    advance = max(1, round(sum(_length(run, size, weight) for run in runs)))
    # Marks may rise above and hang below the line so far and no farther.
    rise, hang, side = round(size * 1.08), round(size * 0.38), max(2, round(size * 0.12))
    mask = Image.new("L", (advance + 2 * side, rise + hang), 0)
    x = float(side)
    for run in runs:
        _draw_run(mask, run, x, rise, size, weight)
        x += _length(run, size, weight)
    if most is not None and mask.width > most + 2 * side:
        mask = mask.crop((0, 0, most + 2 * side, mask.height))
    # Pasting costs by the pixel: the empty rows fall away.
    box = mask.getbbox()
    top, bottom = (box[1], box[3]) if box else (rise, rise + 1)
    return Text(mask.crop((side, top, mask.width, bottom)), rise - top, advance, size)


def _draw_run(mask: Image.Image, run: _Run, x: float, baseline: int, size: int, weight: int) -> None:
    draw = ImageDraw.Draw(mask)
    if run.font is None:
        for box in range(len(_boxes(run))):
            left = x + size * (0.7 * box + 0.08)
            shape = [left, baseline - size * 0.72, left + size * 0.54, baseline]
            draw.rectangle(shape, outline=255, width=max(1, size // 16))
        return
    shaped = not _simple(run)
    # Overlapping glyphs must not cut into each other: a layer of its own where letters join.
    layer = Image.new("L", mask.size, 0) if shaped else mask
    font = run.font.at(size, weight, shaped)
    ImageDraw.Draw(layer).text((x, baseline), run.text, 255, font=font, anchor="ls", direction=_direction(run))
    if shaped:
        mask.paste(layer, (0, 0), layer)
