"""What a drawing process does; here, apart from the pool, so that it loads no more than it needs."""

from __future__ import annotations

from typing import Final

from mahjong.processes import work_for_parent
from render.memory import give_back
from render.pictures import draw, warm
from render.scenes import Kind, Scene
from render.words import Words

TRIM_EVERY: Final = 8
"""Pictures after which memory is given back."""
_drawn = 0


def work(kind: Kind, scene: Scene, words: Words) -> bytes:
    """What ``draw`` does, and every now and then what was freed goes back to the system."""
    global _drawn
    picture = draw(kind, scene, words)
    _drawn += 1
    if _drawn % TRIM_EVERY == 0:
        give_back()
    return picture


def begin() -> None:
    """What a drawing process does first."""
    work_for_parent()
    warm()
