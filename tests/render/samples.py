"""Views and words to draw: hands as they come up, and hands as bad as they can be."""

from __future__ import annotations

from dataclasses import replace

from mahjong.moves import Ask, Event, Move, Option, Question
from mahjong.tiles import parse_tile, parse_tiles
from mahjong.views import DiscardView, MeldView, ScoreLine, SeatView, SheetView, View
from render.words import (
    HandWords,
    ItemWords,
    OpeningWords,
    PriceWords,
    SeenWords,
    SheetWords,
    Signs,
    SumWords,
    TableWords,
)

TILES = (
    *(f"{n}万" for n in "一二三四五六七八九"),
    *(f"{n}筒" for n in "一二三四五六七八九"),
    *(f"{n}索" for n in "一二三四五六七八九"),
    *"东南西北白发中",
    *"梅兰竹菊春夏秋冬",
)
SIGNS = Signs(
    dealer="庄", dealer_short="庄", gold="金", left="剩", base="底", flowers="花", drawn="摸", discard="打", chow="吃",
    pong="碰", kong="杠", hu="胡", rob="抢", you="游", hidden_discard="打了一张", tiles=TILES,
)  # fmt: skip
ENGLISH = Signs(
    dealer="Dealer", dealer_short="D", gold="Gold", left="Left", base="Base", flowers="Flowers", drawn="new",
    discard="throws", chow="Chow", pong="Pong", kong="Kong", hu="Hu", rob="Rob", you="Youjin",
    hidden_discard="threw one",
    tiles=(
        *(f"{rank} {suit}" for suit in ("wan", "dot", "bam") for rank in range(1, 10)), "East", "South", "West",
        "North", "White", "Green", "Red", "Plum", "Orchid", "Bamboo", "Mum", "Spring", "Summer", "Autumn", "Winter",
    ),
)  # fmt: skip
NAMES = ("阿明", "Xiaohong", "阿珍", "老林")
LONG_NAMES = ("阿明", "Alexandrina_Worthington", "一个很长很长的名字还没有完", "老林")
PLACES = ("", "下家", "对家", "上家")


def tiles(text: str) -> tuple[int, ...]:
    """Tiles of MPSZ."""
    return tuple(parse_tiles(text))


def chow(text: str) -> MeldView:
    """A chow whose first tile was claimed from the upper house."""
    return MeldView("chow", tiles(text), 0, 3)


def pong(text: str) -> MeldView:
    """A pong of one face, claimed from seat 2."""
    return MeldView("pong", (parse_tile(text),) * 3, 0, 2)


def kong(text: str) -> MeldView:
    """An exposed kong."""
    return MeldView("kong", (parse_tile(text),) * 4, 0, 2)


def hidden_kong(text: str | None = None) -> MeldView:
    """A concealed kong; without a face, as others see it."""
    return MeldView("concealed_kong", (parse_tile(text) if text else None,) * 4)


def seat(
    number: int, concealed: str | None = None, count: int = 16, drawn: str | None = None,
    melds: tuple[MeldView, ...] = (), flowers: str = "", river: str = "", dark: int = 0,
) -> SeatView:  # fmt: skip
    """A seat; ``dark``: that many hidden discards."""
    own = tiles(concealed) if concealed is not None else None
    lying = tuple(DiscardView(tile) for tile in tiles(river)) or (DiscardView(None),) * dark
    return SeatView(
        number, len(own) + (drawn is not None) if own is not None else count, own, parse_tile(drawn) if drawn else None,
        melds, tiles(flowers), lying,
    )  # fmt: skip


def discards(text: str) -> tuple[Option, ...]:
    """A plain discard of each of these faces."""
    return tuple(Option(Move(0, "discard", (tile,))) for tile in tiles(text))


def view(seats: tuple[SeatView, ...], reader: int | None = None, **other: object) -> View:
    """A view in a turn of seat 0, gold 6s."""
    base = View(
        rules="zhangzhou", reader=reader, phase="turn", number=7, dealer=0, streak=2, base=10, gold=(parse_tile("6s"),),
        drawable=38, turn=0, seats=seats, last_discard=None, question=None, answered=False, lock=None, last_four=False,
        fenbing=0, events=(),
    )  # fmt: skip
    return replace(base, **other)  # type: ignore[arg-type]


def others(**by_seat: SeatView) -> tuple[SeatView, ...]:
    """Seats 1 to 3 with nothing laid out."""
    return tuple(by_seat.get(f"s{number}", seat(number)) for number in (1, 2, 3))


def question(ask: Ask, options: tuple[Option, ...], tile: str | None = None, source: int | None = None) -> Question:
    """What seat 0 is asked."""
    return Question(7, 0, ask, options, parse_tile(tile) if tile else None, source)


def option(verb: str, text: str = "", **other: object) -> Option:
    """An option of seat 0."""
    return Option(Move(0, verb, tiles(text)), **other)  # type: ignore[arg-type]


TURN = view(
    (seat(0, "66s2378m45" + "69p234s66z7z", drawn="5m", flowers="5f3f4f"), *others()),
    0,
    events=(
        Event("discarded", 0, tiles("9m")),
        Event("discarded", 1, tiles("2z")),
        Event("pong", 2, tiles("222z"), 1),
        Event("discarded", 2, tiles("4z")),
        Event("discarded", 3, tiles("3m")),
    ),
    last_discard=(3, parse_tile("3m")),
)
CLAIM = view(
    (seat(0, "66s23m4556p34s", melds=(pong("6z"), chow("789m")), flowers="5f3f4f"), *others()),
    0,
    phase="claim",
    turn=None,
    drawable=27,
    last_discard=(3, parse_tile("5p")),
    question=question("claim", (option("chow", "46p"), option("pong"), option("pass")), "5p", 3),
)
WIDE_CLAIM = view(
    (seat(0, "66s23m345556677p", melds=(pong("6z"),), flowers="5f3f4f"), *others()),
    0,
    phase="claim",
    turn=None,
    drawable=27,
    last_discard=(3, parse_tile("5p")),
    question=question(
        "claim",
        (
            option("hu", gain=120), option("kong"), option("pong"), option("chow", "34p"), option("chow", "46p"),
            option("chow", "67p"), option("pass"),
        ),
        "5p",
        3,
    ),
)  # fmt: skip
YOUJIN = view(
    (seat(0, "6s5789m33356p", drawn="7p", melds=(chow("123s"), pong("3z")), flowers="6f1f"), *others()),
    0,
    dealer=1,
    drawable=21,
    question=question(
        "turn",
        (
            option("hu", by="self_draw", gain=80),
            option("discard", "5m", level=1, gain=160),
            *discards("6s789m3567p"),
        ),
    ),
)
GOLD_STAYS = view(
    (seat(0, "66s2378m4569p234s66z7z", flowers="5z", drawn="5m"), *others()), 0, rules="putian-ming",
    question=question("turn", discards("23578m4569p234s67z")),
)  # fmt: skip
WAITING = view((seat(0, "66s2378m4569p234s66z7z", flowers="5f"), *others()), 0, turn=1, dealer=3)
OWN_KONGS = view(
    (
        seat(
            0, "1199m", drawn="5m", melds=(hidden_kong("2m"), kong("5z"), pong("6p"), chow("123s")), flowers="12345678f"
        ),
        *others(),
    ),
    0,
    question=question("turn", (option("kong", "6p"), *discards("159m"))),
)
OPENING = replace(
    WAITING,
    phase="opening",
    turn=None,
    question=question("opening", (option("hu", by="rob_gold", gain=60), option("pass"))),
)
GUESS = replace(
    WAITING,
    phase="rob",
    turn=None,
    question=question("rob", (option("rob", by="rob_kong", gain=80, loss=100), option("pass")), None, 2),
)
HAND = HandWords(SIGNS, "轮到你出牌", NAMES, PLACES, "连2", "10", "1,280")
CLAIM_WORDS = replace(HAND, title="要不要？")
YOUJIN_WORDS = replace(
    HAND,
    title="能胡！要不要游金？",
    coins="860",
    prices=(
        PriceWords("自摸", "+80", "现在就胡", "win"),
        PriceWords("五万 · 单游", "+160", "下一张必胡 · 就怕别人先胡", "you", parse_tile("5m")),
    ),
)
TABLE = view(
    (
        seat(0, count=14, melds=(chow("345p"),), flowers="5f3f4f", river="3z9m1s2p9p6z"),
        seat(1, count=10, melds=(pong("7z"), chow("234m")), flowers="6f", river="9s1p4z5z5s8m1z"),
        seat(2, count=10, melds=(chow("789s"), kong("2z")), flowers="7f1f", river="1z9p2s1p4z7m"),
        seat(3, count=13, melds=(hidden_kong(),), river="6z1m9s3z6m3m"),
    ),
    turn=0,
    drawable=24,
    last_discard=(3, parse_tile("3m")),
)
FULL = view(
    (
        seat(0, count=1, melds=(chow("345p"), pong("7z"), chow("345s"), pong("1z"), pong("2m")), flowers="5f",
             river="4z1m7p8m5z5s2p9p4s4z4m9s9s8m"),
        seat(1, count=7, melds=(kong("5m"), chow("234p"), chow("123s")), river="3m7p6p1p5p8s5s4p9m4s9m6s"),
        seat(2, count=7, melds=(chow("789s"), kong("2z"), chow("567p")), flowers="1f", river="7m1p6p9p9m6p1m5z4m6m"),
        seat(3, count=2, melds=(hidden_kong(), chow("678m"), pong("6z"), chow("789s"), chow("345p")),
             flowers="2f4f6f8f", river="4s1z7z6m8m3z2s"),
    ),
    dealer=1,
    streak=12,
    base=1000,
    turn=3,
    drawable=1,
    last_discard=(2, parse_tile("6m")),
)  # fmt: skip
LOCK = replace(
    TABLE,
    seats=(
        *TABLE.seats[:2],
        replace(TABLE.seats[2], river=(*TABLE.seats[2].river, DiscardView(parse_tile("6s")))),
        TABLE.seats[3],
    ),
    lock=2,
    last_discard=(2, parse_tile("6s")),
    drawable=13,
)
DARK = view(
    (
        seat(0, count=16, flowers="5z", dark=6), seat(1, count=13, melds=(hidden_kong(),), dark=6),
        seat(2, count=16, flowers="55z", dark=6), seat(3, count=17, dark=6),
    ),
    rules="putian-an",
    dealer=3,
    gold=tiles("3m7p"),
    turn=3,
    drawable=17,
    last_discard=(2, None),
    hidden=True,
)  # fmt: skip
DEALT = view(
    (seat(0, flowers="5f3f4f", count=17), seat(1, flowers="6f"), seat(2, flowers="12f"), seat(3)),
    turn=None, phase="opening", drawable=62,
)  # fmt: skip
DARK_DEALT = view(
    (seat(0, flowers="5z", count=17), seat(1), seat(2, flowers="55z"), seat(3)),
    rules="putian-an", gold=tiles("3m7p"), drawable=62, hidden=True,
)  # fmt: skip
EXTREME_DEALT = view(
    tuple(seat(number, flowers="12345678f", count=17) for number in range(4)), gold=tiles("6s7s"), streak=999,
    drawable=144, turn=3,
)  # fmt: skip
TABLE_WORDS = TableWords(SIGNS, "轮到 阿明", LONG_NAMES, ("1,280", "860", "1,015", "845"), "连2", "10")
FULL_WORDS = TableWords(
    SIGNS, "轮到 老林", LONG_NAMES, ("21,280", "1,234,560", "101,500", "18,450"), "连12", "1,000", notices=("最后四张",)
)
OPENING_WORDS = replace(
    TABLE_WORDS, title="开局…", names=NAMES,
    opening=OpeningWords("开金 六索", (3, 4), "开门 7 点", "金骰 9 点", "阿明 坐庄"),
)  # fmt: skip
LOCK_WORDS = replace(TABLE_WORDS, title="阿珍 双游！", names=NAMES, draws=("正在摸", "还没摸", "最后摸", "摸了没胡"))
DARK_WORDS = replace(
    TABLE_WORDS, title="轮到 老林", names=NAMES, signs=replace(SIGNS, flowers="白板"), river_counts=("打 6 张",) * 4
)
DARK_OPENING_WORDS = replace(
    DARK_WORDS,
    title="轮到 阿明",
    opening=OpeningWords("开金 三万、七筒", (6, 1), "开门 7 点", "金骰 5 点", "阿明 坐庄"),
)
SEEN_FULL = replace(
    TABLE, reader=0, seats=(replace(TABLE.seats[0], concealed=tiles("66s2378m69p14s67z")), *TABLE.seats[1:])
)
SEEN_DARK = replace(
    DARK,
    reader=0,
    seats=(
        replace(DARK.seats[0], concealed=tiles("3m7p118m4569p"), river=seat(0, river="1s9s2m").river),
        *DARK.seats[1:],
    ),
)
SEEN_WORDS = SeenWords(SIGNS, "还有几张没见", "还没见", "我手里", "桌上", "暗胡看不到别人打的牌，没算进去")
ENGLISH_SEEN = SeenWords(
    ENGLISH, "Copies not seen yet, in all", "not seen", "in my hand", "on the table", "Hidden discards are not counted"
)
SHEET = SheetView(
    view=view(
        (
            seat(0, "567m44456p1234488s", melds=(pong("7z"),), flowers="58134f"),
            seat(1, "34478m156p11s8s66z", melds=(chow("789s"),)),
            seat(2, "66s234m557s78p5z", drawn="8m", melds=(kong("2z"), chow("123p")), flowers="67f"),
            seat(3, "11569m24667788p34s11z", flowers="2f"),
        ),
        phase="ended",
        turn=None,
    ),
    outcome="win",
    winner=2,
    by="single_you",
    source=None,
    tile=parse_tile("8m"),
    sets=tuple(
        tuple((parse_tile(a), parse_tile(b)) for a, b in group)
        for group in (
            (("2m", "2m"), ("3m", "3m"), ("4m", "4m")),
            (("5s", "5s"), ("5z", "6s"), ("7s", "7s")),
            (("7p", "7p"), ("8p", "8p"), ("6s", "9p")),
            (("6s", "8m"), ("8m", "8m")),
        )
    ),
    points=(2, 0, 1, 0),
    fenbing=0,
    lines=(
        ScoreLine(3, 2, "win", 4, 2, 1, 90, 90),
        ScoreLine(0, 2, "win", 4, 3, 1, 130, 130),
        ScoreLine(1, 2, "win", 4, 2, 1, 90, 90),
        ScoreLine(3, 0, "points", 1, 1, 2, 20, 20),
        ScoreLine(1, 0, "points", 1, 1, 2, 20, 20),
    ),
    net=(-90, -110, 310, -110),
    coins=(1190, 750, 1325, 735),
    next_dealer=1,
    next_streak=1,
)
SHEET_WORDS = SheetWords(
    SIGNS, "单游", NAMES, "阿珍", "闲家胡 · 阿明 坐庄 连2 · 底 10", "连2", "摸到",
    items=(
        ItemWords("底分", "10"), ItemWords("单游", "×4"), ItemWords("连庄 第2庄", "闲×2 庄×3"),
        ItemWords("明杠 1 分", "+10"),
    ),
    sums=(
        SumWords("阿明", "庄 12番", "10 × 4 × 3 + 10", "= 130"),
        SumWords("老林、Xiaohong", "闲 8番", "10 × 4 × 2 + 10", "= 90"),
        SumWords("花杠互算", "", "阿明 五花 2 分，闲家各付 2×10", "= 20"),
    ),
    pay_to="付给 →", total="合计", now="现有", receives="收", short="欠",
    heads=(("win", "胡牌"), ("points", "花杠"), ("fenbing", "分饼"), ("suanhua", "算花"), ("false_win", "诈胡")),
    next_label="下一局", next_dealer="Xiaohong 坐庄", next_base="底 10",
)  # fmt: skip
PUTIAN_SHEET = SheetView(
    view=view(
        (
            seat(0, "37m1245m2333p88p112s", melds=(), flowers="55z"),
            seat(1, "456p78m7p222s3m9p", melds=(hidden_kong("5s"), chow("678s")), flowers="5z", drawn="8s"),
            seat(2, "7p11567m11233p34667s"),
            seat(3, "24669m9m13468p1123s8s"),
        ),
        rules="putian-an", phase="ended", turn=None, gold=tiles("3m7p"), drawable=9, hidden=True,
    ),
    outcome="win", winner=1, by="self_draw", source=None, tile=parse_tile("8m"),
    sets=tuple(
        tuple((parse_tile(a), parse_tile(b)) for a, b in group)
        for group in (
            (("4p", "4p"), ("5p", "5p"), ("6p", "6p")),
            (("7m", "7m"), ("8m", "8m"), ("7p", "9m")),
            (("2s", "2s"), ("2s", "2s"), ("2s", "2s")),
            (("3m", "9p"), ("9p", "9p")),
        )
    ),
    points=(2, 5, 1, 0), fenbing=0,
    lines=(
        ScoreLine(0, 1, "win", 2, 1, 5, 16, 16),
        ScoreLine(2, 1, "win", 2, 1, 5, 12, 12),
        ScoreLine(3, 1, "win", 2, 1, 5, 12, 12),
        ScoreLine(2, 0, "suanhua", 1, 1, 1, 1, 1),
        ScoreLine(3, 0, "suanhua", 1, 1, 2, 2, 2),
        ScoreLine(3, 2, "suanhua", 1, 1, 1, 1, 1),
    ),
    net=(-13, 40, -12, -15), coins=(3940, 2710, 2990, 1700), next_dealer=1, next_streak=1,
)  # fmt: skip
PUTIAN_WORDS = SheetWords(
    replace(SIGNS, flowers="白板"), "自摸", NAMES, "Xiaohong", "闲家胡 · 阿明 坐庄 连2 · 底 100", "连2", "摸到",
    items=(
        ItemWords("底", "闲1 庄3"), ItemWords("金 2 张", "+2"), ItemWords("白板 1 张", "+1"), ItemWords("暗杠 1", "+2"),
        ItemWords("翻倍", "×2"),
    ),
    sums=(
        SumWords("阿明", "庄", "(3+2+1+2)×2 分", "= 16"),
        SumWords("阿珍、老林", "闲", "(1+2+1+2)×2 分", "= 12"),
        SumWords("算花", "不翻倍", "阿明 2，阿珍 1，老林 0"),
    ),
    pay_to="付给 →", total="合计", now="现有", receives="收", short="欠",
    heads=(("win", "胡牌"), ("suanhua", "算花")),
    next_label="下一局", next_dealer="Xiaohong 坐庄", next_base="底 100",
)  # fmt: skip
HUGE = "999,999,999,999,999"
AWKWARD_NAMES = ("阿" * 10_000, "عبد الرحمن محمد الطويل جدا", "👨‍👩‍👧‍👦" * 40, "W" * 64)
SCRIPTS = (
    "阿明", "Xiaohong", "สวัสดีครับ", "नमस्ते दुनिया", "שלום עולם 123", "عبد الرحمن", "한국어", "Ελλάδα", "Россия",
    "ខ្មែរ", "မြန်မာ", "தமிழ்", "አማርኛ", "ქართული", "e\u0301a\u0323 phòng kǹg tsia\u030dh",
    "Z" + "\u0335\u0302\u0321" * 200,
    "\u200b\u200d\ufeff", "\u202eevil\u2066", "𝕬𝖑𝖊𝖝 ꧁༺阿༻꧂", "𓀀𒀀ߊ", "👍🏽🇨🇳🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "\ud83d", "\x00\x07\n", "", "️", "<b>&amp;</b>", "𠮷野家",
)  # fmt: skip
FIVE_KONGS = (kong("1m"), hidden_kong("2p"), kong("3s"), kong("1z"), kong("9m"))
RIVER_40 = "123456789m123456789p123456789s1234567z123456m"
EXTREME_HAND = view(
    (seat(0, "1m", drawn="5m", melds=FIVE_KONGS, flowers="12345678f"), *others()),
    0,
    streak=999,
    gold=tiles("6s7s"),
    drawable=144,
    events=tuple(
        Event(kind, number, tiles("1m"))
        for number in (1, 2, 3)
        for kind in ("discarded", "pong", "discarded", "concealed_kong", "discarded")
    ),
    question=question(
        "turn", (option("hu", gain=10**15), option("kong", "1m"), option("discard", "5m", level=1), *discards("1m"))
    ),
)
EXTREME_HAND_WORDS = HandWords(
    SIGNS, "很长的题目" * 20, AWKWARD_NAMES, PLACES, "连999", HUGE, HUGE, notice="单游中：下一张必胡，不能胡点炮" * 3
)
EXTREME_TABLE = view(
    tuple(
        seat(number, count=17, melds=(*FIVE_KONGS[:4], hidden_kong()), flowers="12345678f", river=RIVER_40)
        for number in range(4)
    ),
    gold=tiles("6s7s"),
    streak=999,
    drawable=144,
    turn=1,
    last_discard=(1, parse_tile("6m")),
)
EMPTY_TABLE = view(tuple(seat(number) for number in range(4)), turn=None, gold=(), streak=1)
EXTREME_TABLE_WORDS = TableWords(
    SIGNS, "轮到一个很长很长的名字" * 5, AWKWARD_NAMES, (HUGE,) * 4, "连999", HUGE, ("打 40 张",) * 4, ("正在摸",) * 4,
    ("分饼 第3轮", "最后四张", "第三条不画"),
)  # fmt: skip
EXTREME_SHEET = replace(
    SHEET,
    view=replace(
        SHEET.view,
        seats=tuple(
            seat(number, "5m5m", melds=FIVE_KONGS, flowers="12345678f") for number in range(4)
        ),
    ),
    sets=((*((parse_tile("6s"), parse_tile("9p")),) * 3,) * 5, ((parse_tile("6s"), parse_tile("8m")),) * 2),  # type: ignore[arg-type]
    lines=tuple(
        ScoreLine(payer, payee, item, 16, 9, 9, 10**15, 10**14)
        for payer in range(4)
        for payee in range(4)
        for item in ("win", "points", "fenbing")
        if payer != payee
    ),
    net=(10**15, -(10**15), 10**15, -(10**15)),
    coins=(10**15 - 1,) * 4,
)  # fmt: skip
EXTREME_SHEET_WORDS = replace(
    SHEET_WORDS,
    kind="三金倒" * 4,
    names=AWKWARD_NAMES,
    winner=AWKWARD_NAMES[0],
    subtitle="闲家胡" * 40,
    streak="连999",
    won="一个很长的名字 点炮",
    items=(ItemWords("连庄 第999庄", "闲×999 庄×1000"),) * 9,
    sums=(SumWords(AWKWARD_NAMES[3], "庄 15984番", "999,999,999 × 16 × 1000 + 999,999,999", "= " + HUGE),) * 9,
    next_dealer=AWKWARD_NAMES[2],
    next_streak="连1000",
    next_base="底 " + HUGE,
)
EXTREME_OPENING_WORDS = replace(
    EXTREME_TABLE_WORDS,
    opening=OpeningWords("开金 " * 40, (1, 6), "开门 7 点" * 9, "金骰 9 点" * 9, AWKWARD_NAMES[0] + " 坐庄"),
)
DRAWN_SHEET = replace(
    SHEET, outcome="draw", winner=None, by=None, tile=None, sets=(),
    lines=(ScoreLine(0, 1, "fenbing", 1, 1, 0, 10, 10),),
    net=(-10, 10, 0, 0), next_dealer=0, next_streak=3,
)  # fmt: skip
DRAWN_SHEET_WORDS = replace(
    SHEET_WORDS, kind="臭庄", winner="", subtitle="没有牌可摸了 · 阿明 连庄", items=(),
    sums=(SumWords("阿明", "庄", "分饼 10", "= 10"),),
    next_dealer="阿明 坐庄", next_streak="连3",
)  # fmt: skip
FALSE_SHEET = replace(
    SHEET, outcome="false_win", winner=None, by=None, source=1, tile=None, sets=(),
    lines=tuple(ScoreLine(1, payee, "false_win", 2, 2, 0, 40, 40 if payee != 0 else 25) for payee in (2, 3, 0)),
    net=(25, -105, 40, 40),
)  # fmt: skip
FALSE_SHEET_WORDS = replace(
    SHEET_WORDS, kind="诈胡", winner="Xiaohong", subtitle="猜错暗杠 · 赔三家", items=(), sums=()
)
ENGLISH_HAND = replace(
    HAND, signs=ENGLISH, title="Your turn: throw a tile", places=("", "right", "opposite", "left"), streak="streak 2"
)
ENGLISH_CLAIM = replace(
    ENGLISH_HAND, title="Hu, Kong, Pong, Chow?", called=("", "Xiaohong, right", "阿珍, opposite", "老林, left")
)
ENGLISH_TABLE = replace(
    TABLE_WORDS, signs=ENGLISH, title="Turn: Xiaohong", names=NAMES, streak="streak 2", notices=("Last four",)
)
ENGLISH_DARK = replace(ENGLISH_TABLE, notices=(), river_counts=("6 thrown",) * 4, names=NAMES)
ENGLISH_YOUJIN = replace(
    ENGLISH_HAND,
    title="You can win",
    prices=(
        PriceWords("Self-draw", "+80"),
        PriceWords("Throw 5 wan · Single Youjin", "+160", tone="you", tile=parse_tile("5m")),
    ),
)
ENGLISH_OPENING = replace(
    ENGLISH_TABLE, title="The gold is turned up", notices=(),
    opening=OpeningWords("Gold: 6 bamboo", (5, 2), "Wall opened at 7", "Gold dice: 11", "Alexandrina W. deals"),
)  # fmt: skip
MIXED_NAMES = ("Xiaohong Chen", "\u2068عبد الرحمن محمد\u2069", "🐼 Panda", "W" * 15 + "…")
"""Names as they come from the screens: long ones cut to 16 letters, right-to-left ones kept apart."""
MIXED_SHEET = replace(
    SHEET, by="discard", source=0, tile=parse_tile("2m"),
    lines=(
        *SHEET.lines[:3],
        *(ScoreLine(payer, payee, "points", 1, 1, 2, 20, 20) for payer in (1, 3) for payee in (0, 2)),
    ),
)  # fmt: skip
MIXED_WORDS = replace(
    SHEET_WORDS, signs=ENGLISH, kind="Hu on a discard", names=MIXED_NAMES,
    winner=MIXED_NAMES[2], subtitle=f"An idle player wins · {MIXED_NAMES[0]} deals · streak 3 · base 10",
    streak="streak 3", won=f"{MIXED_NAMES[0]} threw it",
    items=(
        ItemWords("Base", "10"), ItemWords("Single Youjin", "×4"), ItemWords("Streak: hand 3", "idle ×3 dealer ×4"),
        ItemWords("4 flowers", "+10"),
    ),
    sums=(
        SumWords(", ".join(MIXED_NAMES[at] for at in (0, 1, 3)), "idle ×12", "10×4×3 + 10", "= 130"),
        SumWords(f"{MIXED_NAMES[1]} for {MIXED_NAMES[3]}", "dealer ×16", "10×4×4 + 10", "= 170"),
        SumWords(MIXED_NAMES[3], "points", f"to {MIXED_NAMES[1]} 1×10", "= 10"),
    ),
    pay_to="Pays →", total="Total", now="Coins", receives="+", short="owes",
    heads=(("win", "win"), ("points", "points")), next_label="Next hand", next_dealer=f"{MIXED_NAMES[3]} deals",
    next_base="base 10",
)  # fmt: skip
