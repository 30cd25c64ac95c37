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

from render.fonts import Font, Script, candidates, main_font

REGULAR: Final = 500
BOLD: Final = 700
BLACK: Final = 900
LONGEST: Final = 256
"""Code points looked at: more than any picture has room for."""
MOST_IN_CLUSTER: Final = 14
"""Code points of a cluster that are drawn: a family with skin tones has eleven, piled-up marks have hundreds."""
ELLIPSIS: Final = "…"

Fit = Literal["cut", "shrink", "number"]
"""``shrink``: first smaller, then cut; ``number``: much smaller, since a sum with its end cut off is a wrong sum."""
SMALLEST: Final[dict[Fit, float]] = {"cut": 1, "shrink": 0.6, "number": 0.3}
"""The share of its size to which a text shrinks before it is cut."""
_script: Script = "hans"
_RIGHT_TO_LEFT = frozenset({"R", "AL"})
# Soft and zero-width spaces, and all that sets a direction: embeddings, overrides, isolates.
_DROPPED = frozenset("\u00ad\u061c\u200b\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


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
    visible = [cluster for cluster in found if _visible(cluster)]
    # A name of zero-width characters alone is still somebody.
    return visible or (["□"] if text else [])


def _runs(clusters: list[str]) -> list[_Run]:
    runs: list[_Run] = []
    for cluster in clusters:
        last = runs[-1].font if runs else None
        common = cluster.isascii() and not cluster.isalpha()
        stay = common and last is not None and all(last.covers(char) for char in cluster)
        font = last if stay else _font_for(cluster, _script)
        if runs and runs[-1].font == font:
            runs[-1] = _Run(font, runs[-1].text + cluster)
        else:
            runs.append(_Run(font, cluster))
    for run in runs:
        for char in run.text:
            direction = unicodedata.bidirectional(char)
            if direction in _RIGHT_TO_LEFT:
                return runs[::-1]
            if direction == "L":
                return runs
    return runs


def _simple(run: _Run) -> bool:
    return run.font == main_font(_script) and all(unicodedata.combining(char) == 0 for char in run.text)


def _length(run: _Run, size: int, weight: int) -> float:
    if run.font is None:
        return len(_boxes(run)) * size * 0.7
    return run.font.at(size, weight, not _simple(run)).getlength(run.text)


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
    return (*clusters[:low], ELLIPSIS)


def text_mask(text: str, size: int, weight: int = BOLD, most: int | None = None, fit: Fit = "cut") -> Text:
    """The text in ``size`` pixels, at most ``most`` pixels wide: cut with an ellipsis, or first shrunk."""
    return _text_mask(text, size, weight, most, fit, _script)


@lru_cache(maxsize=3000)
def _text_mask(text: str, size: int, weight: int, most: int | None, fit: Fit, script: Script) -> Text:
    clusters = tuple(_clusters(text))
    if most is not None and _width(clusters, size, weight) > most:
        smallest = max(8, round(size * SMALLEST[fit]))
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
    return Text(mask.crop((side, 0, mask.width, mask.height)), rise, advance, size)


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
    ImageDraw.Draw(layer).text((x, baseline), run.text, 255, font=run.font.at(size, weight, shaped), anchor="ls")
    if shaped:
        mask.paste(layer, (0, 0), layer)
