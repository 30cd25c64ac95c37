"""All sample pictures by name, in one place: for tests, contact sheets and golden pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from PIL import Image

from mahjong.views import SheetView, View
from render import paint, tiles
from render.pictures import compose, draw
from render.scenes import Kind, scene_of
from render.tiles import TILE_SETS, TileSet
from render.words import (
    DiagramWords,
    HandWords,
    LobbyWords,
    ProfileWords,
    RankingWords,
    SeenWords,
    SheetWords,
    TableWords,
    Words,
)
from tests.render import card_samples as cards
from tests.render import samples as s
from tests.render.payments import PAYS
from tests.render.replays import REPLAYS
from tests.render.reviews import ONE, REVIEWS


@dataclass(frozen=True, slots=True)
class Sample:
    """A picture to draw; ``view`` as for ``Renderer.picture``."""

    kind: Kind
    view: View | SheetView | None
    words: Words

    def image(self) -> Image.Image:
        """The picture before it is made a JPEG."""
        return compose(self.kind, scene_of(self.kind, self.view), self.words)

    def jpeg(self) -> bytes:
        """The picture as it is sent."""
        return draw(self.kind, scene_of(self.kind, self.view), self.words)


def in_set(words: Words, tile_set: TileSet) -> Words:
    """The words of a picture drawn with another set of tiles."""
    return replace(words, signs=replace(words.signs, tile_set=tile_set))


HANDS: Final[dict[str, tuple[View, HandWords]]] = {
    "turn": (s.TURN, s.HAND),
    "claim": (s.CLAIM, s.CLAIM_WORDS),
    "all claims": (s.WIDE_CLAIM, s.CLAIM_WORDS),
    "youjin": (s.YOUJIN, s.YOUJIN_WORDS),
    "English youjin": (s.YOUJIN, s.ENGLISH_YOUJIN),
    "waiting": (s.WAITING, s.HAND),
    "gold stays": (s.GOLD_STAYS, replace(s.HAND, signs=replace(s.SIGNS, flowers="白板"))),
    "own kongs": (s.OWN_KONGS, s.HAND),
    "English": (s.TURN, s.ENGLISH_HAND),
    "English claims": (s.WIDE_CLAIM, s.ENGLISH_CLAIM),
    "extreme": (s.EXTREME_HAND, s.EXTREME_HAND_WORDS),
    "mixed names": (s.CLAIM, replace(s.CLAIM_WORDS, names=(*s.MIXED_NAMES[:3], s.MIXED_NAMES[1]))),
    "opening": (s.OPENING, s.CLAIM_WORDS),
    "hidden kong": (s.GUESS, s.CLAIM_WORDS),
    "nothing in hand": (s.view((s.seat(0, ""), *s.others()), 0), s.HAND),
}
TABLES: Final[dict[str, tuple[View, TableWords]]] = {
    "group": (s.TABLE, s.TABLE_WORDS),
    "full": (s.FULL, s.FULL_WORDS),
    "lock": (s.LOCK, s.LOCK_WORDS),
    "dark": (s.DARK, s.DARK_WORDS),
    "opening": (s.DEALT, s.OPENING_WORDS),
    "English dark": (s.DARK, s.ENGLISH_DARK),
    "dark opening": (s.DARK_DEALT, s.DARK_OPENING_WORDS),
    "English opening": (s.DEALT, s.ENGLISH_OPENING),
    "extreme opening": (s.EXTREME_DEALT, s.EXTREME_OPENING_WORDS),
    "private": (replace(s.TABLE, reader=2), s.TABLE_WORDS),
    "empty": (s.EMPTY_TABLE, s.TABLE_WORDS),
    "English": (s.FULL, s.ENGLISH_TABLE),
    "extreme": (s.EXTREME_TABLE, s.EXTREME_TABLE_WORDS),
    "mixed names": (s.FULL, replace(s.ENGLISH_TABLE, names=s.MIXED_NAMES, title=f"Turn: {s.MIXED_NAMES[3]}")),
    "extreme lock": (replace(s.EXTREME_TABLE, lock=1), s.EXTREME_TABLE_WORDS),
}
SEEN: Final[dict[str, tuple[View, SeenWords]]] = {
    "full": (s.SEEN_FULL, s.SEEN_WORDS),
    "dark": (s.SEEN_DARK, s.SEEN_WORDS),
    "English": (s.SEEN_FULL, s.ENGLISH_SEEN),
    "at the deal": (s.TURN, s.SEEN_WORDS),
}
SHEETS: Final[dict[str, tuple[SheetView, SheetWords]]] = {
    "win": (s.SHEET, s.SHEET_WORDS),
    "Putian": (s.PUTIAN_SHEET, s.PUTIAN_WORDS),
    "draw": (s.DRAWN_SHEET, s.DRAWN_SHEET_WORDS),
    "false win": (s.FALSE_SHEET, s.FALSE_SHEET_WORDS),
    "mixed names": (s.MIXED_SHEET, s.MIXED_WORDS),
    "extreme": (s.EXTREME_SHEET, s.EXTREME_SHEET_WORDS),
    "no coins": (s.SHEET, replace(s.SHEET_WORDS, now="")),
    "nobody pays": (replace(s.DRAWN_SHEET, lines=(), net=(0, 0, 0, 0)), replace(s.DRAWN_SHEET_WORDS, sums=())),
}
LOBBIES: Final[dict[str, LobbyWords]] = {"lobby": cards.LOBBY, "extreme": cards.EXTREME_LOBBY}
RANKINGS: Final[dict[str, RankingWords]] = {
    "ranking": cards.RANKING,
    "own row below": cards.OWN_ROW_BELOW,
    "nothing today": cards.NOTHING_TODAY,
    "extreme": cards.EXTREME_RANKING,
}
PROFILES: Final[dict[str, tuple[SheetView | None, ProfileWords]]] = {
    "profile": (s.SHEET, cards.PROFILE),
    "no complete hand": (replace(s.SHEET, sets=()), cards.PROFILE),
    "English": (s.PUTIAN_SHEET, cards.ENGLISH_PROFILE),
    "new": (None, cards.NEW_PROFILE),
    "draw": (s.DRAWN_SHEET, cards.PROFILE),
    "extreme": (s.EXTREME_SHEET, cards.EXTREME_PROFILE),
}
DIAGRAMS: Final[dict[str, DiagramWords]] = {
    "sets": cards.RULES_SETS,
    "claims": cards.RULES_CLAIMS,
    "gold": cards.RULES_GOLD,
    "youjin": cards.RULES_YOUJIN,
    "extreme": cards.EXTREME_DIAGRAM,
}


def _samples() -> dict[str, Sample]:
    found: dict[str, Sample] = {}
    for kind, of_kind in (
        ("hand", HANDS),
        ("table", TABLES),
        ("seen", SEEN),
        ("sheet", SHEETS),
        ("profile", PROFILES),
        ("replay", REPLAYS),
        ("review", REVIEWS),
    ):
        found |= {f"{kind} {name}": Sample(kind, view, words) for name, (view, words) in of_kind.items()}  # type: ignore[attr-defined, arg-type]
    for kind, of_kind in (("lobby", LOBBIES), ("ranking", RANKINGS), ("diagram", DIAGRAMS), ("pays", PAYS)):
        found |= {f"{kind} {name}": Sample(kind, None, words) for name, words in of_kind.items()}  # type: ignore[attr-defined, arg-type]
    for tile_set in TILE_SETS[1:]:
        found[f"hand {tile_set}"] = Sample("hand", s.TURN, in_set(s.HAND, tile_set))
        found[f"table {tile_set}"] = Sample("table", s.FULL, in_set(s.FULL_WORDS, tile_set))
        found[f"review {tile_set}"] = Sample("review", s.TURN, in_set(ONE, tile_set))
        found[f"seen {tile_set}"] = Sample("seen", s.SEEN_FULL, in_set(s.SEEN_WORDS, tile_set))
    return found


SAMPLES: Final = _samples()
"""Every sample: kind and name, as in ``hand turn``."""


def faces(tile_set: TileSet, wide: int) -> Image.Image:
    """All faces of a set in rows of nine, the back, and two gold ones; tiles are ``wide`` pixels."""
    tiles.use(tile_set)
    try:
        shown: list[tuple[int | None, tiles.Body]] = [(face, "ivory") for face in range(34)]
        shown += [(None, "back"), (23, "gold"), *((face, "ivory") for face in range(34, 42)), (4, "gold")]
        gap = max(3, wide // 12)
        across, down = wide + gap, tiles.height_of(wide) + gap
        image = paint.felt(9 * across + gap, -(-len(shown) // 9) * down + gap).copy()
        for at, (face, body) in enumerate(shown):
            tiles.sprite(face, wide, body).paste(image, gap + at % 9 * across, gap + at // 9 * down)
        return image
    finally:
        tiles.use("plain")
