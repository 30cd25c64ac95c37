"""What stands on the pages of the rules: words from the catalogues, tiles of worked examples, figures of the engine.

No figure of a payment is written anywhere: each is taken from a hand of ``mahjong.examples`` that is settled under the
table's options and stake, or from the constants that settle it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from data.ledger import START_COINS
from data.texts import Html, Words
from handlers.screens.seating import joined, lines, tier_words
from handlers.screens.sheet import due_line
from handlers.wording import option_key, own_key, place_words, signs, tile_word, win_word
from mahjong.examples import ACROSS, EXAMPLES, LOWER, UPPER, YOU, worked
from mahjong.match import SEAT_MINIMUM
from mahjong.moves import Seat
from mahjong.rulesets import RULESETS, Ruleset, of_game
from mahjong.rulesets.putian import FOUR_WHITES, WHITE_GOLD
from mahjong.rulesets.zhangzhou import FREE_FLOWERS, KONG_POINTS
from mahjong.tiles import FLOWERS, WHITE, Tile, parse_tiles
from mahjong.views import SheetView
from render.scenes import Kind
from render.words import DiagramRow, DiagramWords, FourWords, PayRow, PayTableWords, TileGroup
from render.words import Words as PictureWords

STREAKS: Final = (1, 2, 3, 4)
"""Hands in a row that the page on the streak tells of."""
TIERS: Final = (10, 100, 1000)
"""Stakes that it tells of."""
DREAMT: Final = frozenset({"heavenly", "double_you", "triple_you", "big_bomb", "super_bomb"})
KONG: Final = "8888s"
HIDDEN_KONG: Final = TileGroup((None, *parse_tiles("88s"), None))
WIDEST: Final = 80
"""Width of tiles that stand with their points."""
SMALL: Final = 66
"""Width of tiles that are there to be known, not to be played."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a page is about: a game, its options with their values, the stake; ``words`` of its reader."""

    rules: str
    options: Mapping[str, int | bool]
    base: int
    words: Words

    def text(self, key: str, /, **fields: object) -> Html:
        """A text of the rules, the game's own if there is one."""
        return self.words.html(self._key(key), **fields)

    def word(self, key: str, /, **fields: object) -> str:
        """The same as plain text."""
        return self.words(self._key(key), **fields)

    def points(self, n: int) -> str:
        """So many points."""
        return self.words.n("rules.points", n)

    def _key(self, key: str) -> str:
        return own_key(self.words, key, self.rules)

    def sheet(self, name: str, streak: int = 1) -> SheetView:
        """An example, settled."""
        return worked(self.rules, name, self.options, self.base, streak)

    @property
    def ruleset(self) -> Ruleset:
        """The game itself, to ask what it is like."""
        return RULESETS[self.rules]

    @property
    def names(self) -> FourWords:
        """The four as the reader calls them."""
        _, lower, across, upper = place_words(self.words, YOU)
        return (self.words("rules.name"), lower, across, upper)


@dataclass(frozen=True, slots=True)
class Content:
    """A page: its text below the title, and its picture as ``handlers.screens.pictures.picture`` takes it."""

    text: Html
    kind: Kind
    view: SheetView | None
    picture: PictureWords


def title(words: Words, rules: str, name: str) -> str:
    """The short name of a page."""
    return words(own_key(words, f"rules.{name}.title", rules))


# What pays what


def pays(topic: Topic) -> PayTableWords:
    """The table of what pays what: what an idle player and what the dealer pays, at least."""
    rules = topic.ruleset
    rows = []
    gold: tuple[Tile, ...] = ()
    for by in rules.outcomes:
        if by in ("draw", "false_win"):
            continue
        sheet = topic.sheet(by)
        gold = gold or sheet.view.gold
        rows.append(
            PayRow(
                name=win_word(topic.words, topic.rules, by),
                note=topic.word(f"rules.pays.{by}"),
                value=topic.word("rules.pays.times", n=rules.values[by]) if rules.values else "",
                cells=tuple(
                    f"{due:,}" if due else "–" for due in (paid(sheet, dealer=False), paid(sheet, dealer=True))
                ),
                tiles=_known_by(by, sheet),
                hot=by in DREAMT,
            )
        )
    return PayTableWords(
        signs=signs(topic.words, topic.rules),
        title=topic.word("rules.pays.title"),
        side=(topic.words(f"game.{topic.rules}"), topic.word("rules.pays.side", base=f"{topic.base:,}")),
        heads=(
            topic.word("rules.pays.head"),
            topic.word("rules.pays.times_head") if rules.values else "",
            topic.word("rules.pays.idle"),
            topic.word("rules.pays.dealer"),
        ),
        rows=tuple(sorted(rows, key=lambda row: row.hot)),
        gold=gold,
        note=topic.word("rules.pays.note"),
    )


def paid(sheet: SheetView, *, dealer: bool) -> int:
    """What one of the losers of a win pays where the dealer wins or pays, or where not; 0 if there is none."""
    for line in sheet.lines:
        if line.item == "win" and dealer == (sheet.view.dealer in (line.payer, line.payee)):
            return line.due
    return 0


def _known_by(by: str, sheet: SheetView) -> tuple[Tile, ...]:
    """The gold that makes a win without a complete hand."""
    if sheet.sets:
        return ()
    own = sheet.view.seats[YOU].concealed or ()
    return tuple(tile for tile in own if tile in sheet.view.gold)


# Parts of diagrams


def _group(text: str, label: str = "", mark: int | None = None) -> TileGroup:
    return TileGroup(tuple(parse_tiles(text)), label, (), mark)


def _diagram(topic: Topic, name: str, rows: Sequence[DiagramRow], gold: tuple[Tile, ...] = ()) -> DiagramWords:
    return DiagramWords(signs(topic.words, topic.rules), title(topic.words, topic.rules, name), tuple(rows), gold)


def _sets(sheet: SheetView, *, marked: bool = True) -> tuple[TileGroup | str, ...]:
    """A winning hand, set by set, with what gold stands for; the tile that it was won on in a frame."""
    parts = []
    left = sheet.tile if marked else None
    for each in sheet.sets:
        tiles = tuple(tile for tile, _ in each)
        stands = tuple(face if face != tile else None for tile, face in each)
        mark = tiles.index(left) if left is not None and left in tiles else None
        left = None if mark is not None else left
        parts.append(TileGroup(tiles, "", stands if any(face is not None for face in stands) else (), mark))
    return tuple(parts)


def _win_row(topic: Topic, by: str, result: str) -> DiagramRow:
    """A special win: the whole hand, or the gold alone where the rest does not matter."""
    sheet = topic.sheet(by)
    parts: tuple[TileGroup | str, ...] = _sets(sheet)
    if not parts:
        golds = _known_by(by, sheet)
        kinds = [TileGroup(tuple(tile for tile in golds if tile == face)) for face in dict.fromkeys(golds)]
        parts = (*kinds, "+", topic.word("rules.any"))
    return DiagramRow(parts, topic.word(f"rules.row.{by}"), result)


def _results(topic: Topic, *kinds: str) -> dict[str, str]:
    """For each kind of win what stands at the end of its row: 「×4」, 「50 分」, 「4 分起」."""
    return {by: _result(topic, by) for by in kinds}


def _result(topic: Topic, by: str) -> str:
    rules = topic.ruleset
    if by in rules.values:
        return topic.word("rules.pays.times", n=rules.values[by])
    if by in rules.flat:
        return topic.points(rules.flat[by])
    least = min(line.due for line in topic.sheet(by).lines if line.item == "win") * 10 // topic.base
    return topic.word("rules.points_from", n=least)


def _dues(topic: Topic, sheet: SheetView, *, item: str | None = None) -> Html:
    """What each pays in an example, worked out, a line each; ``item``: only of this kind."""
    dues = [line for line in sheet.lines if item is None or line.item == item]
    return lines(*(due_line(sheet, line, topic.names, topic.words) for line in dues))


def _net(topic: Topic, sheet: SheetView) -> Html:
    return topic.text("rules.net", net=f"{sheet.net[YOU]:+,}")


def _apart(text: Html) -> Html:
    """A paragraph of its own."""
    return Html("\n" + text)


def _earning(topic: Topic, sheet: SheetView, seat: Seat) -> tuple[TileGroup, ...]:
    """What a seat has points for in an example, each with how many."""
    own = sheet.view.seats[seat]
    kongs = {meld.kind: meld.tiles for meld in own.melds}
    golds = tuple(tile for tile in own.concealed or () if tile in sheet.view.gold)
    hidden = kongs.get("concealed_kong")
    tiles: dict[str, tuple[Tile | None, ...]] = {
        "flowers": own.flowers,
        "whites": own.flowers,
        "gold": golds,
        "concealed_kong": (None, *hidden[1:3], None) if hidden else (),
        "exposed_kong": kongs.get("kong", ()),
    }
    counted = sheet.tally[seat]
    return tuple(TileGroup(tiles[one.item], topic.points(one.points)) for one in counted)


def _earning_row(topic: Topic, sheet: SheetView, seat: Seat, label: str) -> DiagramRow:
    """The same as a row, with the points in all."""
    points = sum(one.points for one in sheet.tally[seat])
    return DiagramRow(_earning(topic, sheet, seat), label, topic.points(points), widest=WIDEST)


def _won_row(topic: Topic, sheet: SheetView, label: str) -> DiagramRow:
    """The hand that was won in an example, with what it brought."""
    kongs = tuple(TileGroup(meld.tiles) for meld in sheet.view.seats[YOU].melds)
    return DiagramRow((*_sets(sheet), *kongs), label, f"{sheet.net[YOU]:+,}", "good")


def _page(topic: Topic, name: str, text: Html, rows: Sequence[DiagramRow], gold: tuple[Tile, ...] = ()) -> Content:
    return Content(text, "diagram", None, _diagram(topic, name, rows, gold))


# The pages


def _goal(topic: Topic) -> Content:
    sheet = topic.sheet("discard" if "discard" in of_game(EXAMPLES, topic.rules) else "self_draw")
    *sets, pair = _sets(sheet, marked=False)
    rows = [
        DiagramRow((*sets, "+", pair), topic.word("rules.row.goal"), tone="good"),
        DiagramRow(tuple(_group(f"123456789{suit}") for suit in "mps"), topic.word("rules.row.suits"), widest=SMALL),
    ]
    tiles = topic.ruleset.tiles
    if set(parse_tiles("1234z")) <= set(tiles):
        rows.append(DiagramRow((_group("1234z"), _group("765z")), topic.words("learn.tiles.z"), widest=SMALL))
    if set(FLOWERS) <= set(tiles):
        rows.append(DiagramRow((_group("12345678f"),), topic.word("rules.row.flowers"), widest=SMALL))
    else:
        rows.append(DiagramRow((_group("5555z"),), topic.word("rules.row.whites")))
    return _page(topic, "goal", topic.text("rules.goal.text", tiles=len(tiles)), rows)


def _deal(topic: Topic) -> Content:
    sheet = topic.sheet("rob_gold")
    gold = sheet.view.gold
    turned = joined(topic.words, [tile_word(topic.words, face) for face in gold])
    rows = [
        DiagramRow(tuple(TileGroup((face,)) for face in gold), topic.word("rules.row.turned", tiles=turned)),
        DiagramRow(
            (TileGroup((parse_tiles("7s")[0], gold[0], parse_tiles("9s")[0]), "", (None, parse_tiles("8s")[0], None)),
             TileGroup((*parse_tiles("2m"), gold[-1]), "", (None, parse_tiles("2m")[0]))),
            topic.word("rules.row.wild"),
        ),
    ]  # fmt: skip
    if topic.ruleset.stands_for(gold)[WHITE] in gold:
        run = (*parse_tiles("4m"), WHITE, *parse_tiles("6m"))
        rows.append(DiagramRow((TileGroup(run, "", (None, gold[0], None)),), topic.word("rules.row.white")))
    else:
        rows.append(DiagramRow((_group("5z"), "→", topic.word("rules.row.white_out")), topic.word("rules.row.white")))
    return _page(topic, "deal", topic.text("rules.deal.text"), rows, gold)


def _turn(topic: Topic) -> Content:
    hidden = DiagramRow((HIDDEN_KONG,), topic.word("rules.row.concealed_kong"))
    exposed = DiagramRow(
        (_group("888s"), "+", _group("8s", mark=0), "→", _group(KONG, mark=3)), topic.word("rules.row.exposed_kong")
    )
    win = DiagramRow((_group("67s"), "+", _group("8s", mark=0)), topic.word("rules.row.claimed_win"), tone="good")
    pong = DiagramRow(
        (_group("66z"), "+", _group("6z", mark=0), "→", _group("666z", mark=2)), topic.words("learn.claims.pong")
    )
    chow = DiagramRow(
        (_group("46p"), "+", _group("5p", mark=0), "→", _group("456p", mark=1)), topic.words("learn.claims.chow")
    )
    claims = {"hu": win, "pong": pong, "kong": exposed, "chow": chow}
    rows = [row for claim, row in claims.items() if claim in topic.ruleset.claims]
    if topic.ruleset.hidden_discards:
        rows.append(DiagramRow((TileGroup((None,) * 6),), topic.word("rules.row.face_down")))
    return _page(topic, "turn", topic.text("rules.turn.text"), [*rows, hidden])


def _you(topic: Topic) -> Content:
    sheet = topic.sheet("single_you")
    gold = sheet.view.gold
    sets = _sets(sheet, marked=False)[:-1]
    lone, marked, two = TileGroup(gold), TileGroup(gold, "", (), 0), TileGroup(gold * 2, "", (), 1)
    results = _results(topic, "single_you", "double_you", "triple_you")
    rows = (
        DiagramRow((*sets, marked), topic.word("rules.row.single_you"), results["single_you"]),
        DiagramRow((*sets, lone, "→", marked), topic.word("rules.row.double_you"), results["double_you"]),
        DiagramRow((*sets, two), topic.word("rules.row.triple_you"), results["triple_you"]),
    )
    return _page(topic, "you", topic.text("rules.you.text", **results), rows, gold)


def _opening(topic: Topic) -> Content:
    kinds = [by for by in ("heavenly", "three_gold", "two_gold", "rob_gold") if by in topic.ruleset.outcomes]
    results = _results(topic, *kinds)
    rows = [_win_row(topic, by, results[by]) for by in kinds]
    return _page(topic, "opening", topic.text("rules.opening.text", **results), rows, topic.sheet("rob_gold").view.gold)


def _bombs(topic: Topic) -> Content:
    kinds = ("small_bomb", "big_bomb", "super_bomb")
    results = _results(topic, *kinds)
    rows = [_win_row(topic, by, results[by]) for by in kinds]
    return _page(topic, "bombs", topic.text("rules.bombs.text", **results), rows, topic.sheet("big_bomb").view.gold)


def _rob(topic: Topic) -> Content:
    right, wrong = topic.sheet("rob_kong"), topic.sheet("false_win")
    added = option_key(topic.options["rob_added_kong"])
    rows = (
        DiagramRow((TileGroup((None,) * 4),), topic.word("rules.row.hidden_kong")),
        DiagramRow(_sets(right), topic.word("rules.row.rob_kong"), f"{right.net[YOU]:+,}", "good"),
        DiagramRow((_group("9999m"),), topic.word("rules.row.false_win"), f"{wrong.net[YOU]:+,}", "bad"),
    )
    text = lines(
        topic.text("rules.rob.text", added=topic.word(f"rules.rob.added.{added}")),
        _apart(
            topic.text(
                "rules.rob.right",
                value=_result(topic, "rob_kong"),
                net=f"{right.net[YOU]:+,}",
            )
        ),
        topic.text("rules.rob.wrong", net=f"{wrong.net[YOU]:+,}"),
        _dues(topic, wrong),
    )
    return _page(topic, "rob", text, rows, right.view.gold)


def _points(topic: Topic) -> Content:
    """Flowers and kongs, in Zhangzhou."""
    rows = [
        _points_row(topic, (_group(KONG),), "rules.row.exposed", KONG_POINTS["kong"]),
        _points_row(topic, (HIDDEN_KONG,), "rules.row.concealed", KONG_POINTS["concealed_kong"]),
        _points_row(topic, (_group("1234f"),), "rules.row.four_flowers", 4 - FREE_FLOWERS),
        _points_row(topic, (_group("12345678f"),), "rules.row.all_flowers", len(FLOWERS) - FREE_FLOWERS),
    ]
    text = lines(
        topic.text("rules.points.text", base=f"{topic.base:,}"),
        _apart(topic.text("rules.points.example")),
        _dues(topic, topic.sheet("points"), item="points"),
    )
    return _page(topic, "points", text, rows)


def _points_of_gold(topic: Topic) -> Content:
    """Gold, whites and kongs, in Putian."""
    dark = topic.sheet("suanhua")
    gold = topic.sheet("rob_gold").view.gold
    rows = [
        _points_row(topic, (TileGroup(gold[:1]),), "rules.row.gold", _counted(dark, ACROSS, "gold")),
        _points_row(topic, (_group("5z"),), "rules.row.single_white", _counted(topic.sheet("pay"), YOU, "whites")),
        _points_row(topic, (_group("5555z"),), "rules.row.four_whites", FOUR_WHITES),
        _points_row(topic, (HIDDEN_KONG,), "rules.row.concealed", _counted(dark, UPPER, "concealed_kong")),
    ]
    if "kong" in topic.ruleset.claims:
        points = _counted(topic.sheet("pay"), YOU, "exposed_kong")
        rows.append(_points_row(topic, (_group(KONG),), "rules.row.exposed", points))
    text = topic.text("rules.points.text", unit=f"{topic.base // 10:,}", white_gold=WHITE_GOLD)
    return _page(topic, "points", text, rows, gold)


def _counted(sheet: SheetView, seat: Seat, item: str) -> int:
    """Points that a seat has for something in an example."""
    return sum(tally.points for tally in sheet.tally[seat] if tally.item == item)


def _points_row(topic: Topic, parts: tuple[TileGroup | str, ...], key: str, points: int) -> DiagramRow:
    return DiagramRow(parts, topic.word(key), topic.points(points))


def _pay(topic: Topic) -> Content:
    sheet = topic.sheet("pay")
    parts = [
        topic.text("rules.pay.text", unit=f"{topic.base // 10:,}", **_multipliers(topic)),
        _apart(topic.text("rules.pay.example")),
        _dues(topic, sheet),
        _net(topic, sheet),
    ]
    if "pay_discard" in of_game(EXAMPLES, topic.rules):
        parts += [_apart(topic.text("rules.pay.discard")), _dues(topic, topic.sheet("pay_discard"))]
    rows = (
        _won_row(topic, sheet, win_word(topic.words, topic.rules, sheet.by)),
        _earning_row(topic, sheet, YOU, topic.word("rules.row.your_points")),
    )
    return _page(topic, "pay", lines(*parts), rows, sheet.view.gold)


def _multipliers(topic: Topic) -> dict[str, int]:
    """By what a win is multiplied, drawn and, where there is that, thrown by another."""
    names = {"drawn": "self_draw", "thrown": "discard" if "discard" in of_game(EXAMPLES, topic.rules) else "self_draw"}
    return {name: topic.sheet(by).lines[0].value for name, by in names.items()}


def _between(topic: Topic) -> Content:
    """算花, in Putian."""
    sheet = topic.sheet("suanhua")
    single = topic.word(f"rules.between.single.{option_key(topic.options['count_single_whites_between_losers'])}")
    text = lines(
        topic.text("rules.between.text", single=single),
        _apart(topic.text("rules.between.example")),
        _dues(topic, sheet, item="suanhua"),
    )
    rows = [_earning_row(topic, sheet, seat, topic.names[seat]) for seat in (UPPER, ACROSS, LOWER)]
    return _page(topic, "between", text, rows, sheet.view.gold)


def _streak(topic: Topic) -> Content:
    rows = []
    for streak in STREAKS:
        sheet = topic.sheet("self_draw", streak)
        cells = (paid(sheet, dealer=False), paid(sheet, dealer=True))
        name = topic.word("rules.streak.first" if streak == 1 else "rules.streak.name", n=streak)
        rows.append(PayRow(name, "", "", tuple(f"{due:,}" for due in cells)))
    picture = PayTableWords(
        signs=signs(topic.words, topic.rules),
        title=title(topic.words, topic.rules, "streak"),
        side=(win_word(topic.words, topic.rules, "self_draw"), topic.word("rules.pays.base", base=f"{topic.base:,}")),
        heads=(topic.word("rules.streak.head"), "", topic.word("rules.pays.idle"), topic.word("rules.pays.dealer")),
        rows=tuple(rows),
    )
    tiers = (topic.text("rules.streak.tier", **tier_words(base)) for base in TIERS)
    text = lines(
        topic.text("rules.streak.text"),
        _apart(topic.text("rules.streak.stake", least=f"{SEAT_MINIMUM:,}")),
        *tiers,
        topic.text("rules.streak.coins", start=f"{START_COINS:,}"),
    )
    return Content(text, "pays", None, picture)


def _last(topic: Topic) -> Content:
    sheet = topic.sheet("liability")
    stacks = int(topic.options["dead_wall_stacks"])
    text = lines(
        topic.text("rules.last.text", stacks=stacks, tiles=2 * stacks),
        _apart(topic.text("rules.last.example")),
        _dues(topic, sheet),
    )
    rows = (_won_row(topic, sheet, topic.word("rules.row.liability")),)
    return _page(topic, "last", text, rows, sheet.view.gold)


def _draw(topic: Topic) -> Content:
    """A drawn hand, with 分饼, in Zhangzhou."""
    sheet = topic.sheet("fenbing")
    due = next(line for line in sheet.lines if line.item == "fenbing").due
    four = tuple(_group("1z", name) for name in _from_dealer(topic, sheet))
    rows = (DiagramRow(four, topic.word("rules.row.fenbing"), f"{due:,}"),)
    text = lines(
        topic.text(
            "rules.draw.text", points=topic.word(f"rules.draw.points.{option_key(topic.options['draw_pays_points'])}")
        ),
        _apart(topic.text("rules.draw.fenbing", base=f"{topic.base:,}")),
        _apart(topic.text("rules.draw.example")),
        _dues(topic, sheet, item="fenbing"),
    )
    return _page(topic, "draw", text, rows)


def _draw_for_nothing(topic: Topic) -> Content:
    """A drawn hand, in Putian."""
    rows = (DiagramRow((TileGroup((None,) * 2), "→", topic.word("rules.none")), topic.word("rules.row.wall_end")),)
    return _page(topic, "draw", topic.text("rules.draw.text"), rows)


def _from_dealer(topic: Topic, sheet: SheetView) -> tuple[str, ...]:
    """The four from the dealer on, as the reader calls them."""
    return tuple(topic.names[(sheet.view.dealer + at) % 4] for at in range(4))


def _modes(topic: Topic) -> Content:
    """Dark and open, side by side."""
    games = ("putian-an", "putian-ming")
    rows = tuple(
        PayRow(
            topic.words(f"rules.modes.{item}"),
            "",
            "",
            tuple(topic.words(f"rules.modes.{item}.{game.removeprefix('putian-')}") for game in games),
        )
        for item in ("gold", "discards", "discard_win", "kong", "bombs")
    )
    picture = PayTableWords(
        signs=signs(topic.words, topic.rules),
        title=title(topic.words, topic.rules, "modes"),
        side=(),
        heads=("", "", topic.words("rules.modes.an"), topic.words("rules.modes.ming")),
        rows=rows,
    )
    return Content(topic.text("rules.modes.text"), "pays", None, picture)


def _options(topic: Topic) -> Content:
    rows = []
    for name, value in topic.options.items():
        key, tiles = option_key(value), {"tiles": 2 * value} if name == "dead_wall_stacks" else {}
        said = topic.words(f"rules.option.{name}.{key}", **tiles)
        rows.append(DiagramRow((), said, topic.words(f"rules.option.{name}.short.{key}", n=value)))
    return _page(topic, "options", topic.text("rules.options.text", base=f"{topic.base:,}"), rows)


Pages = Mapping[str, Callable[[Topic], Content]]

PAGES: Final[Mapping[str, Pages]] = {
    "zhangzhou": {
        "goal": _goal, "deal": _deal, "turn": _turn, "you": _you, "opening": _opening, "rob": _rob,
        "points": _points, "pay": _pay, "streak": _streak, "last": _last, "draw": _draw, "options": _options,
    },
    "putian-an": {
        "goal": _goal, "deal": _deal, "turn": _turn, "opening": _opening, "bombs": _bombs, "points": _points_of_gold,
        "pay": _pay, "between": _between, "streak": _streak, "draw": _draw_for_nothing, "modes": _modes,
        "options": _options,
    },
    "putian-ming": {
        "goal": _goal, "deal": _deal, "turn": _turn, "opening": _opening, "points": _points_of_gold, "pay": _pay,
        "between": _between, "streak": _streak, "draw": _draw_for_nothing, "modes": _modes, "options": _options,
    },
}  # fmt: skip
"""By game and name, in the order in which they are leafed through."""
