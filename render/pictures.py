"""The pictures, as pure functions of a view and its words: the same arguments give the same JPEG bytes."""

from __future__ import annotations

from functools import cache
from typing import Final

from PIL import Image

from mahjong.views import SheetView, View
from render import paint, text, tiles
from render.cards import draw_lobby, draw_ranking
from render.diagrams import draw_diagram
from render.hand import TILE, draw_hand
from render.profile import draw_profile
from render.replay import draw_replay
from render.review import draw_review
from render.rules import draw_pays
from render.scenes import (
    CardScene,
    HandScene,
    Kind,
    ProfileScene,
    ReplayScene,
    ReviewScene,
    Scene,
    SeenScene,
    SheetScene,
    TableScene,
    hand_scene,
    scene_of,
    seen_scene,
    sheet_scene,
    table_scene,
)
from render.seen import draw_seen
from render.sheet import SET_TILE, draw_sheet
from render.table import MELD, RIVER, draw_table
from render.tiles import inlay, sprite
from render.words import (
    DiagramWords,
    HandWords,
    LobbyWords,
    PayTableWords,
    ProfileWords,
    RankingWords,
    ReviewWords,
    SeenWords,
    SheetWords,
    TableWords,
    Words,
)

HAND_QUALITY: Final = 76
TALL: Final = 1000
"""Pixels of height."""
TABLE_QUALITY: Final = 78
SEEN_QUALITY: Final = 72
SHEET_QUALITY: Final = 80
HAND_BYTES: Final = 150_000
TABLE_BYTES: Final = 200_000
SHEET_BYTES: Final = 250_000
BYTES: Final[dict[Kind, tuple[int, int]]] = {
    "hand": (HAND_QUALITY, HAND_BYTES),
    "table": (TABLE_QUALITY, TABLE_BYTES),
    "replay": (TABLE_QUALITY, TABLE_BYTES),
    "seen": (SEEN_QUALITY, HAND_BYTES),
    "review": (SEEN_QUALITY, HAND_BYTES),
}
"""JPEG quality and most bytes of the pictures that are sent all the time; of the others those of a score sheet."""
COMMON_WIDTHS: Final = (RIVER, MELD, SET_TILE, 56, 54, 50, 35)
"""Tile widths, in units, that almost every picture needs."""


def hand_picture(view: View, words: HandWords) -> bytes:
    """The reader's own hand for a private chat: JPEG, 800 wide and about 910 high.

    The tiles stand in rows of six, golds first, the drawn tile last at the right end of its row, as the keyboard's
    buttons do (``render.grid``). On a turn: what the others did since the reader's last one. When asked for a claim:
    the tile and what can be done with it. Otherwise nothing that changes while the reader waits. Raises ``ValueError``
    without a reader.
    """
    return draw("hand", hand_scene(view), words)


def table_picture(view: View, words: TableWords) -> bytes:
    """The table: JPEG, 800 × 1067. A reader's own seat is below; for the group (reader None) seat 0 is.

    Play goes from below to the right, above, left. Where discards are hidden only their number is drawn, on 800 × 833.
    """
    return draw("table", table_scene(view), words)


def seen_picture(view: View, words: SeenWords) -> bytes:
    """How many copies of each face the view's reader has in sight: JPEG, 800 wide and about 850 high."""
    return draw("seen", seen_scene(view), words)


def sheet_picture(sheet: SheetView, words: SheetWords) -> bytes:
    """The score sheet of an ended hand: JPEG, 800 wide and about 1,100 high."""
    return draw("sheet", sheet_scene(sheet), words)


def lobby_picture(words: LobbyWords) -> bytes:
    """The lobby of a table that is being filled: JPEG, 800 wide and about 500 high."""
    return draw("lobby", CardScene(), words)


def ranking_picture(words: RankingWords) -> bytes:
    """A group's ranking: JPEG, 800 wide and up to 1,070 high."""
    return draw("ranking", CardScene(), words)


def compose(kind: Kind, scene: Scene, words: Words) -> Image.Image:
    """The picture of a scene made by ``render.scenes``, 800 pixels wide.

    Raises ``ValueError`` if kind, scene and words do not go together.
    """
    text.use(words.signs.script)
    tiles.use(words.signs.tile_set)
    match kind, scene, words:
        case "hand", HandScene(), HandWords():
            return draw_hand(scene, words)
        case "table", TableScene(), TableWords():
            return draw_table(scene, words)
        case "replay", ReplayScene(), TableWords():
            return draw_replay(scene, words)
        case "review", ReviewScene(), ReviewWords():
            return draw_review(scene, words)
        case "seen", SeenScene(), SeenWords():
            return draw_seen(scene, words)
        case "sheet", SheetScene(), SheetWords():
            return draw_sheet(scene, words)
        case "lobby", CardScene(), LobbyWords():
            return draw_lobby(words)
        case "ranking", CardScene(), RankingWords():
            return draw_ranking(words)
        case "diagram", CardScene(), DiagramWords():
            return draw_diagram(words)
        case "pays", CardScene(), PayTableWords():
            return draw_pays(words)
        case "profile", ProfileScene(), ProfileWords():
            return draw_profile(scene, words)
    raise ValueError(f"{type(scene).__name__} and {type(words).__name__} do not make a {kind} picture")


def diagram_picture(words: DiagramWords) -> bytes:
    """A diagram for a page of the rules: JPEG, 800 wide, as high as its rows need."""
    return draw("diagram", CardScene(), words)


def pays_picture(words: PayTableWords) -> bytes:
    """The table of what pays what: JPEG, 800 wide and up to 1,100 high."""
    return draw("pays", CardScene(), words)


def profile_picture(best: SheetView | None, words: ProfileWords) -> bytes:
    """A person's own card, with the score sheet of their best hand: JPEG, 800 wide and up to 1,070 high."""
    return draw("profile", scene_of("profile", best), words)


def draw(kind: Kind, scene: Scene, words: Words) -> bytes:
    """The same as JPEG, within the bytes of its kind."""
    image = compose(kind, scene, words)
    quality, most = BYTES.get(kind, (SHEET_QUALITY, SHEET_BYTES))
    if kind == "hand" and image.height > TALL:
        # A picture of four rows would hardly keep within the bytes: trying costs more than drawing it.
        quality -= 9
    return paint.jpeg(image, quality, most)


@cache
def warm() -> None:
    """Load tiles, fonts and frames, so that the first picture takes no longer than the others; once."""
    for wide in COMMON_WIDTHS:
        for face in range(42):
            sprite(face, paint.px(wide))
        sprite(None, paint.px(wide))
    for face in range(42):
        inlay(face, paint.px(TILE))
    for size in (34, 36, 38, 46, 50):
        paint.width("庄0A", size)
    paint.blank(960, 1092)
    paint.wood(960, 1280)
