"""The pictures, as pure functions of a view and its words: the same arguments give the same JPEG bytes."""

from __future__ import annotations

from mahjong.views import SheetView, View
from render.scenes import Kind, Scene, hand_scene, sheet_scene, table_scene
from render.words import HandWords, SheetWords, TableWords, Words


def hand_picture(view: View, words: HandWords) -> bytes:
    """The reader's own hand for a private chat: JPEG, 960 wide.

    The tiles stand in rows of six, golds first, the drawn tile last at the right end of its row, as the keyboard's
    buttons do. On a turn: what the others did since the reader's last one. When asked for a claim: the tile and what
    can be done with it. Otherwise nothing that changes while the reader waits. Raises ``ValueError`` without a reader.
    """
    return draw("hand", hand_scene(view), words)


def table_picture(view: View, words: TableWords) -> bytes:
    """The table: JPEG, 960 × 1280. A reader's own seat is below; for the group (reader None) seat 0 is.

    Play goes from below to the right, above, left. Where discards are hidden only their number is drawn.
    """
    return draw("table", table_scene(view), words)


def sheet_picture(sheet: SheetView, words: SheetWords) -> bytes:
    """The score sheet of an ended hand: JPEG, 960 wide and about 1300 high."""
    return draw("sheet", sheet_scene(sheet), words)


def draw(kind: Kind, scene: Scene, words: Words) -> bytes:
    """Draw a scene made by ``render.scenes``. Raises ``ValueError`` if scene and words are of different kinds."""
    raise ValueError(f"scene and words do not make a {kind} picture")


def warm() -> None:
    """Load tiles, fonts and frames, so that the first picture takes no longer than the others."""
