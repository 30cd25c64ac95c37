"""The words that stand in pictures, translated before they come here.

All are frozen values of plain strings and tuples, so that they can be hashed, compared and sent to another process.
Every ``tuple`` of four is indexed by seat 0–3. An empty string leaves the thing out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mahjong.tiles import Tile
from render.fonts import Script
from render.tiles import TileSet

FourWords = tuple[str, str, str, str]
Tone = Literal["win", "you", "plain"]


@dataclass(frozen=True, slots=True)
class Signs:
    """The words of one language that never change; make one per language and keep it.

    The short ones stand on badges: one or two Chinese characters, or up to four Latin letters (``Gold``).
    ``tiles``: the names of the 42 faces in the order of ``mahjong.tiles`` (「一万」 … 「冬」).
    """

    dealer: str
    """庄, on the dealer's chip."""
    dealer_short: str
    """庄 where a word has no room: on the table's plates and beside names on the score sheet (D)."""
    gold: str
    """金, on every gold tile and beside the turned-up one."""
    left: str
    """剩, before the number of drawable tiles."""
    base: str
    """底, before the stake."""
    flowers: str
    """花; in Putian 白板 (make a second ``Signs``)."""
    drawn: str
    """摸, under the tile drawn."""
    discard: str
    """打"""
    chow: str
    """吃"""
    pong: str
    """碰"""
    kong: str
    """杠, of any kind; also the badge on a kong."""
    hu: str
    """胡"""
    rob: str
    """抢: guess of a hidden kong, or robbing one."""
    you: str
    """游, under a tile whose discard gives 游金."""
    hidden_discard: str
    """打了一张: a discard that nobody may see (Putian dark)."""
    tiles: tuple[str, ...]
    units: str = "K M B T P E"
    """What large amounts are counted in, parted by spaces: each 1,000 times the one before, or 万 亿 10,000 times."""
    script: Script = "hans"
    """Whose forms of the characters: the mainland's, or Taiwan's (``hant``)."""
    tile_set: TileSet = "plain"
    """Which tiles are drawn: the plain ones, those of high contrast, or those for old eyes (``large``)."""


@dataclass(frozen=True, slots=True)
class PriceWords:
    """A box that says what an offer comes to (游金, a win, a guess), in place of what the others did.

    Drawn as: ``title`` (with ``tile`` small before it), then ``amount`` large (「+160」), then ``note`` small.
    ``tone``: ``win`` green, ``you`` purple, ``plain`` neutral.
    """

    title: str
    amount: str = ""
    note: str = ""
    tone: Tone = "win"
    tile: Tile | None = None


@dataclass(frozen=True, slots=True)
class HandWords:
    """Words of the private picture of a hand.

    ``title``: what is wanted of the reader (「轮到你出牌」, 「吃、碰，还是过？」). While the reader waits,
    keep it the same from move to move: then the picture is the same too, and need not be sent again.
    ``places``: how the reader calls each seat (「下家」 …); its own entry is not shown.
    ``called``: place and name in one (「下家 阿珍」); empty: the one after the other.
    ``streak``: 「连2」, empty in the first hand of a dealer. ``base``: 「10」. ``coins``: the reader's own, 「1,280」.
    ``prices``: at most three; if there are any they stand in place of the strip and of the claim's panel.
    ``notice``: one more line, over the footer's melds (「单游中：下一张必胡」).
    """

    signs: Signs
    title: str
    names: FourWords
    places: FourWords
    streak: str = ""
    base: str = ""
    coins: str = ""
    prices: tuple[PriceWords, ...] = ()
    notice: str = ""
    called: FourWords = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class OpeningWords:
    """Words of the table before the first discard.

    ``title``: 「开金 六索」. ``dice``: the two dice that broke the wall, empty if none were thrown, with ``dice_label``
    「开门 7 点」 below. ``gold_label``: 「金骰 9 点」. ``dealer``: who deals, 「阿明 坐庄」.
    """

    title: str
    dice: tuple[int, ...] = ()
    dice_label: str = ""
    gold_label: str = ""
    dealer: str = ""


@dataclass(frozen=True, slots=True)
class TableWords:
    """Words of the table, for the group or with the reader's own seat below.

    ``title``: whose turn it is, or what is going on (「轮到 阿明」; with a lock 「阿珍 双游！」).
    ``streak``: 「连2」. ``base``: 「10」. ``coins``: by seat.
    ``river_counts``: 「打 6 张」 by seat, drawn only where discards are hidden.
    ``draws``: by seat, what each does in a lock (「摸了没胡」, 「正在摸」 …); drawn only when ``view.lock`` is set.
    ``notices``: chips under the header, at most two (「分饼 1」, 「最后四张」).
    ``opening``: drawn only before the first discard; None leaves the middle as it is in the game.
    ``in_short``: the names without how strong a computer is, for the middle, which is narrow; empty ones as ``names``.
    """

    signs: Signs
    title: str
    names: FourWords
    coins: FourWords = ("", "", "", "")
    streak: str = ""
    base: str = ""
    river_counts: FourWords = ("", "", "", "")
    draws: FourWords = ("", "", "", "")
    notices: tuple[str, ...] = ()
    opening: OpeningWords | None = None
    in_short: FourWords = ("", "", "", "")


@dataclass(frozen=True, slots=True)
class SeenWords:
    """Words of the picture of copies in sight.

    ``title``: 「还有几张」. ``unseen``, ``own``, ``out``: of the legend (「还没见」「我手里」「桌上」).
    ``note``: one line below, drawn only where discards are hidden.
    """

    signs: Signs
    title: str
    unseen: str
    own: str
    out: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReviewSide:
    """One of two moves set against each other: 「打了」 and the tile, None for a win.

    ``what``: in its place, where there is no tile (「胡！」). ``note``: what it led to (「还差 1 张听牌」).
    ``draws``: the tiles that then help, each with the copies that may still come.
    """

    label: str
    tile: Tile | None
    note: str
    draws: tuple[tuple[Tile, int], ...] = ()
    what: str = ""


@dataclass(frozen=True, slots=True)
class ReviewWords:
    """Words of a discard looked at again: ``title`` (「第 8 巡」), what was thrown, what would have been better."""

    signs: Signs
    title: str
    thrown: ReviewSide
    better: ReviewSide


@dataclass(frozen=True, slots=True)
class ItemWords:
    """A box of the settlement: what counted, and its multiplier or sum (「单游」 「×4」)."""

    label: str
    value: str


@dataclass(frozen=True, slots=True)
class SumWords:
    """A line that works out one due: 「阿明」 「庄 12番」 「10 × 4 × 3 + 10」 「= 130」; all but the first optional."""

    who: str
    tag: str = ""
    sum: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class SheetWords:
    """Words of the score sheet.

    ``winner`` and ``kind`` are the headline (「阿珍」 「单游」; a drawn hand has only ``kind``, a false win the
    caller and 「诈胡」). ``subtitle``: 「闲家胡 · 阿明 坐庄 连2 · 底 10」. ``streak``: of the dealer of this hand.
    ``won``: at the winning tile, 「摸到」 or 「老林 点炮」.
    ``items``: at most seven. ``sums``: at most twelve lines.
    ``pay_to``, ``total``, ``now``: heads of the matrix (「付给」 「合计」 「现有」; ``now`` empty: no coins).
    ``receives``: 「收」 before an amount received. ``short``: 「欠」 before what could not be paid.
    ``heads``: for each ``ScoreLine.item`` the column's head, as pairs (``("win", "胡牌")``).
    ``next_label``, ``next_dealer``, ``next_streak``, ``next_base``: 「下一局」 「老林 坐庄」 「连2」 「底 10」.
    """

    signs: Signs
    kind: str
    names: FourWords
    winner: str = ""
    subtitle: str = ""
    streak: str = ""
    won: str = ""
    items: tuple[ItemWords, ...] = ()
    sums: tuple[SumWords, ...] = ()
    pay_to: str = ""
    total: str = ""
    now: str = ""
    receives: str = ""
    short: str = ""
    heads: tuple[tuple[str, str], ...] = ()
    next_label: str = ""
    next_dealer: str = ""
    next_streak: str = ""
    next_base: str = ""


@dataclass(frozen=True, slots=True)
class LobbySeatWords:
    """A person who sits: 「阿明」, a chip such as 「桌主」 or 「电脑」, coins 「1,280」.

    ``badge``: stands on the round badge; empty: what the name has for that.
    """

    name: str
    chip: str = ""
    coins: str = ""
    badge: str = ""


@dataclass(frozen=True, slots=True)
class LobbyWords:
    """Words of the lobby card: a table that is being filled.

    ``title``: 「漳州麻将」. ``count``: 「已坐 2 / 4」. ``seats``: None for an empty one, in which ``empty`` stands.
    ``facts``: at most four (base, least coins, reserve, time). ``note``: one line below.
    """

    signs: Signs
    title: str
    count: str
    seats: tuple[LobbySeatWords | None, ...]
    empty: str
    facts: tuple[ItemWords, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class RankingRow:
    """One person's row; ``today`` and ``total`` in coins, ``today`` None if not played."""

    place: int
    name: str
    hands: int
    today: int | None
    total: int
    me: bool = False


@dataclass(frozen=True, slots=True)
class RankingWords:
    """Words of a group's ranking.

    ``heads``: of the columns name, hands, today, in all; the third empty: that column is left out. ``me``: the chip at
    the reader's own row. ``rows``: at most eleven, a page and one's own. ``note``: in their place if there are none.
    ``mine``, ``coins_label``, ``coins``: the footer (「我：第 5 名」 「我的币」 「1,190」).
    """

    signs: Signs
    title: str
    group: str
    subtitle: str
    heads: tuple[str, str, str, str]
    rows: tuple[RankingRow, ...]
    me: str = ""
    mine: str = ""
    coins_label: str = ""
    coins: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Win:
    """A kind of win and how many there were: 「自摸」 12."""

    label: str
    count: int


@dataclass(frozen=True, slots=True)
class ProfileWords:
    """Words of a person's own card.

    ``name`` and ``subtitle`` (「漳州老乡麻将群 · 第 5 名」) are the head, beside ``coins`` and ``coins_label``.
    ``facts``: at most six boxes (hands, win rate, deal-in rate, longest streak …), three in a row.
    ``wins_title``, ``wins``: by kind, the most frequent first, at most seven drawn; ``no_wins`` in their place.
    ``ranks``: places from first to last, 1 the best, two or more (the latest 60 drawn). ``rank_title``: 「本群名次」;
    ``rank_from``, ``rank_to``: below its ends (「11月2日」 「今天」); ``no_ranks`` in its place.
    ``best_title``, ``best_note``: over the best hand (「最大一把」 「三游 +2,560」); ``won``: at its last tile.
    """

    signs: Signs
    name: str
    subtitle: str = ""
    coins_label: str = ""
    coins: str = ""
    facts: tuple[ItemWords, ...] = ()
    wins_title: str = ""
    wins: tuple[Win, ...] = ()
    no_wins: str = ""
    rank_title: str = ""
    ranks: tuple[int, ...] = ()
    rank_from: str = ""
    rank_to: str = ""
    no_ranks: str = ""
    best_title: str = ""
    best_note: str = ""
    won: str = ""


@dataclass(frozen=True, slots=True)
class TileGroup:
    """Tiles side by side in a diagram; None is a back.

    ``label``: below (「顺子」). ``stands``: instead of it, below each tile what it stands for, None where for itself.
    ``mark``: index of the tile in a frame: the one claimed, drawn or thrown.
    """

    tiles: tuple[Tile | None, ...]
    label: str = ""
    stands: tuple[Tile | None, ...] = ()
    mark: int | None = None


@dataclass(frozen=True, slots=True)
class DiagramRow:
    """A row of a diagram: groups of tiles, and between them words or 「→」, which is drawn as an arrow.

    ``label``: above the tiles. ``result``: at its right end (「×4」). ``tone``: ``good`` and ``bad`` for what may be
    and what may not; say it in words as well. ``widest``: of its tiles; 0: as wide as there is room for.
    """

    parts: tuple[TileGroup | str, ...]
    label: str = ""
    result: str = ""
    tone: Literal["plain", "good", "bad"] = "plain"
    widest: int = 0


@dataclass(frozen=True, slots=True)
class DiagramWords:
    """A picture for a page of the rules: at most eight rows. ``gold``: the faces that are gold in it."""

    signs: Signs
    title: str
    rows: tuple[DiagramRow, ...]
    gold: tuple[Tile, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class PayRow:
    """One way to win: 「三金倒」, 「手里三张金」, ``value`` 「×2」, what each payer pays by column of the table.

    ``tiles``: what it is known by, at most six, drawn small. ``hot``: one that people dream of.
    """

    name: str
    note: str
    value: str
    cells: tuple[str, ...]
    tiles: tuple[Tile, ...] = ()
    hot: bool = False


@dataclass(frozen=True, slots=True)
class PayTableWords:
    """Words of the table of what pays what: at most ten rows.

    ``side``: beside the title, at the right. ``heads``: of the columns, of a name first, of the value second.
    ``note``: below. ``gold``: the faces that are gold in it.
    """

    signs: Signs
    title: str
    side: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[PayRow, ...]
    gold: tuple[Tile, ...] = ()
    note: str = ""


Words = (
    HandWords
    | TableWords
    | SeenWords
    | ReviewWords
    | SheetWords
    | LobbyWords
    | RankingWords
    | ProfileWords
    | DiagramWords
    | PayTableWords
)
