"""People's names as they may be shown: any script, nothing that breaks a line, never a raw id (telegram.md)."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex

SHOWN = 16
"""Grapheme clusters of a name that are shown in texts."""

CHARACTERS = 40
"""Code points of a name that are shown: four names of combining marks must not fill a caption."""

_RIGHT_TO_LEFT = regex.compile(r"[\p{Bidi_Class=R}\p{Bidi_Class=AL}]")


@lru_cache(maxsize=4096)
def shown_name(raw: str, fallback: str = "?", longest: int = SHOWN) -> str:
    """A name without control, formatting and filler characters, cut to ``longest`` grapheme clusters.

    Joiners inside emoji and Indic words stay. A right-to-left name is isolated, so that it turns nothing around it.
    ``fallback``: for a name of which nothing visible is left.
    """
    kept = "".join(
        char
        for char in raw
        if char in "\u200d\ufe0f"
        or "\U000e0020" <= char <= "\U000e007f"
        or not (
            unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
            or char in "\u115f\u1160\u3164\uffa0\u2800"
        )
    )
    clusters = regex.findall(r"\X", " ".join(kept.split()))
    # A heap of combining marks on one letter would paint over its neighbours.
    clusters = [cluster if len(cluster) <= 12 else cluster[:12] for cluster in clusters]
    shown = ""
    for cluster in clusters[:longest]:
        if len(shown) + len(cluster) > CHARACTERS:
            break
        shown += cluster
    name = shown.strip() + ("…" if len(shown) < sum(map(len, clusters)) else "")
    if not any(unicodedata.category(char)[0] in "LNSP" for char in name):
        return fallback
    return f"\u2068{name}\u2069" if _RIGHT_TO_LEFT.search(name) else name
