"""The rules to read: every page in every language and by all options, each figure as it is worked out by hand."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from data.texts import Texts
from handlers.outbox import Message
from handlers.presses import PagePress, read_press
from handlers.screens.rules import index_text, page
from handlers.screens.rules_pages import PAGES, Topic, paid, pays, title
from handlers.screens.rules_terms import GAMES, INDEX, OPEN, Terms, read_terms, rules_data
from handlers.screens.sheet import visible
from mahjong.examples import EXAMPLES, YOU, record, worked
from mahjong.records import Record, play, replay
from mahjong.rulesets import RULESETS, OptionSpec, of_game
from mahjong.rulesets.putian import FLAT
from mahjong.rulesets.zhangzhou import VALUES
from mahjong.settlement import Ending
from render.pool import Renderer
from render.words import PayTableWords

TEXTS = Texts.load(strict=True)
RENDERER = Renderer(0)
CAPTION = 1024
BYTES = 210_000
EVERY = [(game, name) for game in GAMES for name in (INDEX, *of_game(PAGES, game))]


def ways_to_play(game: str) -> Iterator[dict[str, Any]]:
    """All combinations of a game's options."""
    specs = RULESETS[game].table_options
    for values in itertools.product(*(spec.values for spec in specs)):
        yield {spec.name: value for spec, value in zip(specs, values, strict=True)}


@cache
def text_of(language: str, game: str, name: str, code: str) -> str:
    terms = read_terms(code)
    assert terms is not None
    return page(RENDERER, 1, game, name, terms, TEXTS.get(language)).text


def check(message: Message, game: str) -> None:
    """Telegram's limits (Bot API), and buttons that lead to pages that there are."""
    assert 30 < visible(message.text) <= CAPTION
    assert not re.search(r"[{}]", message.text)
    assert message.picture is not None
    for row in message.keyboard:
        assert 1 <= len(row) <= 4
        for button in row:
            assert button.text.strip()
            pressed = read_press(button.data or "")
            assert isinstance(pressed, PagePress)
            name, number, code = pressed.fields
            assert name == INDEX or name in of_game(PAGES, GAMES[int(number)])
            assert read_terms(code) is not None


@pytest.mark.parametrize("language", TEXTS.languages)
@pytest.mark.parametrize("game", GAMES)
def test_every_page_by_all_options_keeps_within_the_limits(language: str, game: str) -> None:
    for options in ways_to_play(game):
        for base in (10, 10_000, 10**15):
            for name in (INDEX, *of_game(PAGES, game)):
                check(page(RENDERER, 1, game, name, Terms({game: options}, base), TEXTS.get(language)), game)


@pytest.mark.parametrize("language", TEXTS.languages)
@pytest.mark.parametrize(("game", "name"), EVERY)
def test_every_picture_is_drawn_and_small_enough(language: str, game: str, name: str) -> None:
    message = page(RENDERER, 1, game, name, Terms({}, 1_000), TEXTS.get(language))
    assert message.picture is not None
    assert len(asyncio.run(message.picture.draw())) <= BYTES


@pytest.mark.parametrize("language", TEXTS.languages)
def test_titles_are_short_enough_for_three_in_a_row(language: str) -> None:
    for game, names in PAGES.items():
        titles = [title(TEXTS.get(language), game, name) for name in names]
        assert len(set(titles)) == len(titles)
        assert max(map(len, titles)) <= 13


def test_no_text_of_the_rules_is_left_over() -> None:
    """Each text of the catalogue stands on a page of some game, by some options."""
    asked: set[str] = set()
    words = TEXTS.get("zh_Hans")
    real = words._fill

    def fill(key: str, n: int | None, fields: Mapping[str, Any]) -> str:
        asked.add(key)
        return real(key, n, fields)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "_fill", fill)
        for game in GAMES:
            for options in ways_to_play(game):
                for name in (INDEX, *of_game(PAGES, game)):
                    page(RENDERER, 1, game, name, Terms({game: options}), words)
    known = {key for messages in words._chain for key in messages if key.startswith("rules.")}
    assert known - asked == {"rules.in_private"}


@pytest.mark.parametrize("game", GAMES)
def test_leafing_on_comes_by_every_page_and_back(game: str) -> None:
    words = TEXTS.get("en")
    for step in (0, 2):
        name, seen = next(iter(of_game(PAGES, game))), []
        while name not in seen:
            seen.append(name)
            message = page(RENDERER, 1, game, name, Terms({}), words)
            pressed = read_press(message.keyboard[-1][step].data or "") if name != INDEX else None
            if name == INDEX:
                # The contents lead to each page, and their neighbours to them.
                name = list(of_game(PAGES, game))[-1 if step == 0 else 0]
            else:
                assert isinstance(pressed, PagePress)
                name = pressed.fields[0]
        assert set(seen) == {INDEX, *of_game(PAGES, game)}


# Terms


def test_terms_are_read_as_they_were_written() -> None:
    for game in GAMES:
        for options in ways_to_play(game):
            for base in (10, 100, 10**12):
                read = read_terms(Terms({game: options}, base).code())
                assert read is not None
                assert (read.of(game), read.base) == (options, base)


def test_terms_without_marks_as_they_were_once_sent_are_read() -> None:
    read = read_terms("10010117")
    assert read == read_terms("100-1-01-17")
    assert read is not None
    assert (read.base, read.of("putian-an")) != (10, Terms({}).of("putian-an"))


def test_terms_of_before_an_option_was_added_are_read_with_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    told = {game: list(ways_to_play(game))[-1] for game in GAMES}
    code = Terms(told, 100).code()
    for game in GAMES:
        rules = RULESETS[game]
        more = OptionSpec("more", (2, 1))
        varied = type("Varied", (type(rules),), {"options": (*rules.options, more)})()
        with monkeypatch.context() as patch:
            patch.setitem(RULESETS, game, varied)
            read = read_terms(code)
            assert read is not None
            assert read.base == 100
            assert {each: read.of(each) for each in GAMES} == {**told, game: {**told[game], "more": 2}}
    for game in GAMES[1:]:
        fewer = read_terms("-".join((*code.split("-")[: GAMES.index(game)], "2")))
        assert fewer is not None, "a game that was added"
        assert fewer.of(game) == Terms({}).of(game)
        assert fewer.of(GAMES[0]) == told[GAMES[0]]


DEFAULT = Terms({}).code()


@pytest.mark.parametrize(
    "code",
    [
        "", "0", "-", "x", DEFAULT[:-1], f"{DEFAULT}x", f"x{DEFAULT}", f"{DEFAULT}8", f"9{DEFAULT[1:]}", f"0{DEFAULT}",
        f"-{DEFAULT}", f"{DEFAULT}-1", f"２{DEFAULT[1:]}", f"{DEFAULT}\n",
    ],
)  # fmt: skip
def test_forged_terms_are_none(code: str) -> None:
    assert read_terms(code) is None


def test_the_longest_data_keeps_within_its_bytes() -> None:
    """Callback data has 64 bytes, a deep link's payload 64 characters (Bot API)."""
    longest = max((name for names in PAGES.values() for name in names), key=len)
    assert len(rules_data(longest, "zhangzhou", Terms({}, 10**16)).encode()) <= 64
    assert len(f"rules_0_{Terms({}, 10**16).code()}") <= 64
    assert OPEN not in {name for names in PAGES.values() for name in names}


# Examples


@pytest.mark.parametrize("game", GAMES)
def test_an_example_of_each_kind_of_win_is_one(game: str) -> None:
    kinds = set(RULESETS[game].outcomes) - {"draw", "false_win"}
    assert kinds <= set(of_game(EXAMPLES, game))
    for options in ways_to_play(game):
        for kind in kinds:
            sheet = worked(game, kind, options, 10)
            assert (sheet.by, sheet.winner) == (kind, YOU)
            assert (sheet.view.dealer == YOU) == (kind == "heavenly"), "else an idle player wins, with a dealer to pay"


@pytest.mark.parametrize("game", GAMES)
def test_examples_are_whole_hands_that_anybody_can_play_again(game: str) -> None:
    for options in ways_to_play(game):
        for name, example in of_game(EXAMPLES, game).items():
            for base in (10, 100):
                made = record(replace(example, rules=game), options, base)
                again = play(Record.from_json(made.to_json()))
                assert again["outcome"] in ("win", "false_win")
                assert not any("shortfall" in payment for payment in again["payments"])
                assert again["net"] == list(worked(game, name, options, base).net)


# Figures, worked out by hand from the rule pages


def figures(text: str) -> list[int]:
    """What is paid, as it stands at the end of each line of an example."""
    return [int(found.replace(",", "")) for found in re.findall(r"→.*?<b>([\d,]+)</b>", text)]


WORKED = {
    # 10.2: 10×2×1 from an idle player and 10×2×2 from the dealer; five flowers are 2 points, 20 more from each.
    ("zhangzhou", "pay"): [40, 40, 60],
    # 10.4: kong 2, four flowers 1, nothing 0: differences 1, 1, 2.
    ("zhangzhou", "points"): [10, 10, 20],
    # 8.3: a discard win, 10 and 10 and 20 for the dealer, all from one.
    ("zhangzhou", "last"): [10, 10, 20],
    # 10.5: one base to each of the three.
    ("zhangzhou", "draw"): [10, 10, 10],
    # 10.6: as by self-draw, the dealer's with 2 points for the kong that was called.
    ("zhangzhou", "rob"): [20, 20, 60],
    # 6.2: (1 + gold 1 + white 1) × 2, with the dealer (2 + 2) × 2.
    ("putian-an", "pay"): [6, 6, 8],
    # 6.4: kong 2 and gold 1 against 2 and 2.
    ("putian-an", "between"): [1, 1],
    # 6.3: gold 1, white 1, exposed kong 1: (1 + 3) × 2, (2 + 3) × 2; on the dealer's discard (2 + 2) × 2.
    ("putian-ming", "pay"): [8, 8, 10, 8],
    ("putian-ming", "between"): [1, 1],
}


@pytest.mark.parametrize("language", TEXTS.languages)
@pytest.mark.parametrize(("game", "name"), WORKED)
@pytest.mark.parametrize("times", [1, 10])
def test_each_example_pays_what_is_worked_out_by_hand(language: str, game: str, name: str, times: int) -> None:
    got = figures(text_of(language, game, name, Terms({}, 10 * times).code()))
    assert got == [figure * times for figure in WORKED[game, name]]


def test_all_pages_with_an_example_are_worked_out_by_hand() -> None:
    with_figures = {at for at in EVERY if at[0] in PAGES and figures(text_of("zh_Hans", *at, Terms({}).code()))}
    assert with_figures == set(WORKED)


def shown(game: str, options: Mapping[str, Any], base: int = 10) -> PayTableWords:
    return pays(Topic(game, options, base, TEXTS.get("zh_Hans")))


def test_the_table_of_zhangzhou_has_base_times_value_and_twice_that_with_the_dealer() -> None:
    """10.1, 10.2."""
    words = TEXTS.get("zh_Hans")
    rows = {row.name: row for row in shown("zhangzhou", {}, 100).rows}
    assert len(rows) == len(VALUES)
    for kind, value in VALUES.items():
        row = rows[words(f"win.{kind}")]
        assert row.value == f"×{value}"
        idle = "–" if kind == "heavenly" else f"{100 * value:,}"
        assert row.cells == (idle, f"{200 * value:,}")


@pytest.mark.parametrize("game", ["putian-an", "putian-ming"])
def test_the_tables_of_putian_have_the_least_that_a_win_can_cost(game: str) -> None:
    """6.2, 6.3: (1 + points) × 2 and (2 + points) × 2, where the gold that makes the win is a point each."""
    golds = {"rob_gold": 1, "two_gold": 2, "small_bomb": 3, "three_gold": 3}
    for kind in set(RULESETS[game].outcomes) - {"draw"}:
        sheet = worked(game, kind, {}, 10)
        points = golds.get(kind, 0)
        idle, dealer = FLAT.get(kind, (1 + points) * 2), FLAT.get(kind, (2 + points) * 2)
        assert paid(sheet, dealer=True) == dealer
        only_the_dealer = kind == "heavenly" or (kind == "discard" and game == "putian-ming")
        assert paid(sheet, dealer=False) == (0 if only_the_dealer else idle)


def test_the_points_on_the_page_are_those_that_are_counted() -> None:
    """10.3 against the tally of hands that have these things."""
    hand = replay(record(EXAMPLES["zhangzhou"]["points"], {}, 10))
    dealer, lower = (hand.rules.points(hand, seat, Ending("draw")) for seat in (3, 1))
    words = TEXTS.get("en")
    message = PAGES["zhangzhou"]["points"](Topic("zhangzhou", Terms({}).of("zhangzhou"), 10, words))
    results = [row.result for row in message.picture.rows]  # type: ignore[union-attr]
    assert results[1:3] == [TEXTS.get("en").n("rules.points", points) for points in (dealer, lower)]
    assert results == ["1 pt", "2 pts", "1 pt", "5 pts"]


# Options


def changed(game: str, **options: Any) -> set[str]:
    """The pages that read or look otherwise than by the defaults."""
    words = TEXTS.get("zh_Hans")
    found = set()
    for name in (INDEX, *of_game(PAGES, game)):
        usual, other = (page(RENDERER, 1, game, name, Terms(terms), words) for terms in ({}, {game: options}))
        assert usual.picture is not None
        assert other.picture is not None
        if usual.text != other.text or usual.picture.digest != other.picture.digest:
            found.add(name)
    return found - {INDEX, "options"}


@pytest.mark.parametrize(
    ("game", "options", "pages"),
    [
        ("zhangzhou", {"dead_wall_stacks": 13}, {"last"}),
        ("zhangzhou", {"rob_added_kong": False}, {"rob"}),
        ("zhangzhou", {"draw_pays_points": True}, {"draw"}),
        ("putian-an", {"count_single_whites_between_losers": False}, {"between"}),
        ("putian-ming", {"count_single_whites_between_losers": False}, {"between"}),
        ("putian-ming", {"discard_win_multiplier": 1}, {"pay"}),
    ],
)
def test_an_option_changes_the_pages_that_tell_of_it(game: str, options: dict[str, Any], pages: set[str]) -> None:
    assert pages <= changed(game, **options)
    words = TEXTS.get("zh_Hans")
    topic = Topic(game, Terms({game: options}).of(game), 10, words)
    (item,) = options.items()
    assert words(f"option.{item[0]}.{str(item[1]).lower()}") in index_text(topic)


def test_figures_change_with_the_options() -> None:
    code = Terms({"putian-ming": {"discard_win_multiplier": 1}}).code()
    assert figures(text_of("en", "putian-ming", "pay", code)) == [8, 8, 10, 4], "(2 + 2) × 1 on a discard"
    assert shown("putian-ming", {"discard_win_multiplier": 1}).rows[0].cells == ("–", "2")
    for game in ("putian-an", "putian-ming"):
        code = Terms({game: {"count_single_whites_between_losers": False}}).code()
        assert sorted(figures(text_of("en", game, "between", code))) == [1, 2, 3], "0, 1 and 3 points"
    assert "26" in text_of("en", "zhangzhou", "last", Terms({"zhangzhou": {"dead_wall_stacks": 13}}).code())
