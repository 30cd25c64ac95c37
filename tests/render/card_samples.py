"""Words of cards to draw: lobbies, rankings, profiles, diagrams, also as bad as they can be."""

from __future__ import annotations

from dataclasses import replace

from mahjong.tiles import parse_tile
from render.words import (
    DiagramRow,
    DiagramWords,
    ItemWords,
    LobbySeatWords,
    LobbyWords,
    ProfileWords,
    RankingRow,
    RankingWords,
    TileGroup,
    Win,
)
from tests.render.samples import AWKWARD_NAMES, ENGLISH, HUGE, SCRIPTS, SIGNS, tiles

LOBBY = LobbyWords(
    SIGNS, "漳州麻将", "已坐 2 / 4",
    (LobbySeatWords("阿明", "桌主", "1,280"), LobbySeatWords("阿珍", "", "1,015"), None, None),
    "空位 · 来坐",
    (ItemWords("底分", "10"), ItemWords("桌上最少", "1,015"), ItemWords("留墩", "8 墩"), ItemWords("出牌", "40 秒")),
    "按桌上最少的一家定底：160–1,599 打 10，1,600 起打 100",
)  # fmt: skip
EXTREME_LOBBY = replace(
    LOBBY, title="很长的名字" * 9, count="已坐" * 20, note="很长" * 99, empty="空位" * 30,
    seats=(*(LobbySeatWords(name, "很长的桌主的牌子", HUGE) for name in AWKWARD_NAMES[:3]), None),
    facts=(ItemWords("很长的说明" * 4, HUGE),) * 9,
)  # fmt: skip
RANKING = RankingWords(
    SIGNS, "排行榜", "漳州老乡麻将群", "本群战绩 · 11月29日", ("玩家", "局数", "今天", "本群输赢"),
    (
        RankingRow(1, "老林", 96, 120, 1460), RankingRow(2, "阿珍", 88, 310, 1120),
        RankingRow(3, "Alexandrina_Worthington", 41, -60, 640), RankingRow(4, "秀兰", 35, None, 180),
        RankingRow(5, "阿明", 102, -90, -130, True), RankingRow(6, "一个很长很长的名字还没完", 27, 50, -560),
        RankingRow(7, "Xiaohong", 79, -220, -980), RankingRow(8, "阿财", 60, -110, -1730),
    ),
    "我", "我：第 5 名", "我的币", "1,190",
)  # fmt: skip
OWN_ROW_BELOW = replace(
    RANKING, coins_label="", coins="", mine="我：第 37 名 / 共 41 人",
    rows=(
        *(replace(row, me=False) for row in RANKING.rows), RankingRow(9, "阿芳", 12, None, -2000),
        RankingRow(10, "小林", 3, -20, -2100), RankingRow(37, "秀琴", 7, -20, -2480, True),
    ),
)  # fmt: skip
NOTHING_TODAY = replace(
    RANKING, subtitle="今天 · 11月29日", heads=("玩家", "局数", "", "今天输赢"), rows=(), note="今天还没有打完的局。",
    mine="", coins_label="", coins="",
)  # fmt: skip
EXTREME_RANKING = replace(
    RANKING, title="很长" * 30, group=AWKWARD_NAMES[0], subtitle="很长" * 99, coins=HUGE, mine="很长" * 99,
    rows=tuple(RankingRow(place, name, 10**9, -(10**15), 10**15, True) for place, name in enumerate(SCRIPTS, 98)),
)  # fmt: skip
PROFILE = ProfileWords(
    SIGNS, "阿明", "漳州老乡麻将群 · 第 5 名", "我的币", "1,280",
    facts=(
        ItemWords("打了", "102 局"), ItemWords("胡牌率", "31%"), ItemWords("点炮率", "12%"),
        ItemWords("最长连庄", "连5"), ItemWords("游金", "7 次"), ItemWords("最长连胜", "4 局"),
    ),
    wins_title="胡了 32 局", wins=(
        Win("自摸", 14), Win("点炮胡", 9), Win("单游", 5), Win("双游", 2), Win("抢金", 1), Win("三金倒", 1),
    ),
    no_wins="还没胡过", rank_title="本群名次", ranks=(9, 9, 8, 7, 8, 8, 6, 4, 4, 3, 4, 5, 6, 6, 5, 3, 3, 2, 4, 5),
    rank_from="11月2日", rank_to="今天", no_ranks="打满两天就有曲线",
    best_title="最大一局", best_note="单游 +310 · 11月21日", won="摸到",
)  # fmt: skip
ENGLISH_PROFILE = replace(
    PROFILE, signs=ENGLISH, name="Alexandrina Worthington", subtitle="Zhangzhou friends · place 5", coins_label="coins",
    facts=(
        ItemWords("Hands played", "102"), ItemWords("Hands won", "31%"), ItemWords("Dealt in", "12%"),
        ItemWords("Longest streak as dealer", "5"), ItemWords("Youjin", "7"), ItemWords("Wins in a row", "4"),
    ),
    wins_title="32 hands won", wins=(Win("Self-draw", 14), Win("Off a discard", 9), Win("Single youjin", 5)),
    rank_title="Place in the group", rank_from="2 Nov", rank_to="today", best_title="Best hand",
    best_note="Single youjin +310", won="drawn",
)  # fmt: skip
NEW_PROFILE = replace(PROFILE, subtitle="", wins=(), ranks=(3,), facts=PROFILE.facts[:3])
EXTREME_PROFILE = replace(
    PROFILE, name=AWKWARD_NAMES[0], subtitle="很长" * 99, coins=HUGE, coins_label="很长" * 20,
    facts=(ItemWords("很长的说明" * 4, HUGE),) * 9, wins_title="很长" * 20,
    wins=(Win("很长的说明" * 4, 10**15), *(Win("自摸", 0),) * 9), rank_title="很长" * 20,
    ranks=tuple(10**9 * (at % 7) + 1 for at in range(500)), rank_from="很长" * 20, rank_to="很长" * 20,
    best_title="很长" * 20, best_note="很长" * 20, won="很长" * 20,
)  # fmt: skip


def group(text: str, label: str = "", mark: int | None = None, stands: str = "") -> TileGroup:
    """Tiles of MPSZ, ``?`` a back; ``stands``: faces or ``-`` parted by spaces."""
    faces: tuple[int | None, ...] = (None,) * len(text) if set(text) == {"?"} else tiles(text)
    return TileGroup(faces, label, tuple(None if one == "-" else parse_tile(one) for one in stands.split()), mark)


RULES_SETS = DiagramWords(
    SIGNS, "什么叫胡",
    (
        DiagramRow(
            (group("345m", "顺子"), group("777p", "刻子"), group("2222z", "杠子"), group("55s", "对子")), "面子和对子"
        ),
        DiagramRow(
            (group("123m"), "+", group("456p"), "+", group("777s"), "+", group("234s"), "+", group("111z"), "+",
             group("88m")),
            "五副面子加一对：胡", "胡！", "good",
        ),
        DiagramRow((group("891m"), group("123z")), "八九一不相连，东南西北也不成顺子", "不行", "bad"),
    ),
    note="十六张牌，第十七张凑齐就胡",
)  # fmt: skip
RULES_CLAIMS = DiagramWords(
    SIGNS, "吃碰杠",
    (
        DiagramRow((group("46p"), "+", group("5p", mark=0), "→", group("456p", mark=1)), "吃：只能吃上家的"),
        DiagramRow((group("66z"), "+", group("6z", mark=0), "→", group("666z", mark=2)), "碰：谁打的都行"),
        DiagramRow((group("888s"), "+", group("8s", mark=0), "→", group("8888s", mark=3)), "明杠", "1 分"),
        DiagramRow((group("3333m"), "→", group("????")), "暗杠：盖着，打完才翻", "2 分"),
    ),
)  # fmt: skip
RULES_GOLD = DiagramWords(
    SIGNS, "金",
    (
        DiagramRow((group("6s"),), "翻出六索：其余三张都是金，当什么都行"),
        DiagramRow((group("6s57m", stands="6m - -"), group("66s9p", stands="9p 9p -")), "金当缺的那张"),
        DiagramRow((group("5z46s", stands="5s - -"),), "白板当金那张牌的原样"),
    ),
    tiles("6s"),
)  # fmt: skip
RULES_YOUJIN = DiagramWords(
    SIGNS, "游金",
    (
        DiagramRow((group("123m"), group("456p"), group("777s"), group("234s"), group("111z"), group("6s")),
                   "单游：手里五副齐，金单吊", "×4", "good"),
        DiagramRow((group("6s", mark=0), "→", group("6s")), "双游：打出一张金，再摸一张金", "×8", "good"),
    ),
    tiles("6s"), "金单吊：摸什么都胡",
)  # fmt: skip
EXTREME_DIAGRAM = DiagramWords(
    SIGNS, "很长的题目" * 20,
    tuple(
        DiagramRow((group("123456789m12345678p", "很长" * 20), "很长的词" * 3, group("666s", stands="1m 2m 3m")),
                   "很长的说明" * 20, "很长的结果" * 4, tone)
        for tone in ("plain", "good", "bad") * 3
    ),
    tiles("6s7s"), "很长的注" * 40,
)  # fmt: skip
