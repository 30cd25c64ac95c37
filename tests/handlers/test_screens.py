"""What a player reads: prices with their sign, offers that can be told apart, sheets that fit."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pytest

from data.texts import Texts
from handlers.screens.group import table_message
from handlers.screens.hand import FEW, MOST_LEVELS, Look, folded_levels, hand_message, offers
from handlers.screens.pictures import table_words
from handlers.screens.sheet import sheet_words, visible
from handlers.table_state import Seat, TableState
from mahjong.hand import Hand, Setup
from mahjong.moves import Move, Option, Question
from mahjong.rulesets import RULESETS
from mahjong.tiles import NAMES, parse_tile
from mahjong.views import view
from mahjong.wall import shuffle
from render.pool import Renderer
from render.scenes import hand_scene
from render.tiles import TileSet
from tests.render.samples import SHEET
from tests.render.samples import TURN as SAMPLE

TEXTS = Texts.load(strict=True)
WORDS = TEXTS.get("zh_Hans")


def state() -> TableState:
    table = TableState(table=1, group=1, host=1, phase="playing", hand=1)
    table.seats = [Seat(person=number, name=f"P{number}") for number in (1, 2, 3, 4)]
    return table


@pytest.mark.parametrize("language", TEXTS.languages)
@pytest.mark.parametrize(("gain", "shown"), [(80, "+80"), (-30, "-30"), (0, "+0"), (12_345, "+12,345")])
def test_a_win_shows_what_it_comes_to_with_its_sign(language: str, gain: int, shown: str) -> None:
    question = Question(1, 0, "claim", (Option(Move(0, "hu"), "discard", gain=gain), Option(Move(0, "pass"))), 3, 1)
    rows = offers(state(), question, TEXTS.get(language), SAMPLE)
    assert rows[0][0].text.endswith(shown)
    assert not re.search(r"\+\+|\+-|-\+", rows[0][0].text)


def test_many_discards_into_single_you_share_one_line_and_few_have_buttons() -> None:
    words = TEXTS.get("zh_Hans")

    def question(tiles: str) -> Question:
        faces = [parse_tile(tiles[i : i + 2]) for i in range(0, len(tiles), 2)]
        levels = [Option(Move(0, "discard", (face,)), "single_you", 1, 160) for face in faces]
        return Question(1, 0, "turn", (Option(Move(0, "hu"), "self_draw", gain=80), *levels))

    few = question("1m2m")
    assert not folded_levels(few)
    assert len(offers(state(), few, words, SAMPLE)) == 3
    many = question("1m2m3m4m5m")
    assert len(folded_levels(many)) > MOST_LEVELS
    assert len(offers(state(), many, words, SAMPLE)) == 1


@pytest.mark.parametrize("language", TEXTS.languages)
@pytest.mark.parametrize("group", [None, "周末麻将"])
def test_a_full_hand_has_so_few_lines_and_rows_that_its_tiles_stay_in_sight(language: str, group: str | None) -> None:
    rules = RULESETS["zhangzhou"]
    deal = shuffle(bytes(32), (3, 4), rules)
    hand = Hand.deal(Setup(rules, wall=deal.wall, gold_dice=deal.gold_dice))
    while hand.in_window:
        for seat in list(hand.questions):
            while seat in hand.questions:
                hand.apply(hand.default_move(seat))
        hand.close()
    (asked,) = hand.questions.values()
    table = replace(state(), hinting=True, answer_by="2026-01-01T00:01:00+00:00", asked_at="2026-01-01T00:00:20+00:00")
    seen = view(hand, asked.seat)
    words = TEXTS.get(language)
    message = hand_message(Renderer(), 1, table, seen, words, group=group)
    assert len(message.text.splitlines()) <= 3
    assert words("hand.caption_gold", tiles=words(f"tile.{NAMES[seen.gold[0]]}")) in message.text
    # The tiles, what holds for the hand, and what there is to look at: in one row where its words are as short as that.
    looked_at = message.keyboard[3 + 1 :]
    short = all(len(button.text) <= FEW for row in looked_at for button in row)
    assert [len(row) for row in looked_at] == ([FEW] if short else [2, 2])
    assert short == (language != "en")


def test_in_the_narrow_middle_of_the_table_a_computer_is_called_without_its_level() -> None:
    table = state()
    table.seats[1] = Seat(computer="hard")
    rules = RULESETS["zhangzhou"]
    deal = shuffle(bytes(32), (3, 4), rules)
    shown = table_words(table, view(Hand.deal(Setup(rules, wall=deal.wall, gold_dice=deal.gold_dice)), None), WORDS)
    assert shown.names[1].startswith(shown.in_short[1])
    assert len(shown.in_short[1]) < len(shown.names[1])
    assert shown.in_short[0] == shown.names[0]


def test_each_reader_is_shown_the_tiles_they_chose() -> None:
    rules = RULESETS["zhangzhou"]
    deal = shuffle(bytes(32), (3, 4), rules)
    hand = Hand.deal(Setup(rules, wall=deal.wall, gold_dice=deal.gold_dice))
    words, table, renderer = TEXTS.get("zh_Hans"), state(), Renderer()

    def digests(tiles: TileSet) -> list[str]:
        looks = [
            hand_message(renderer, 1, table, view(hand, 1), words, looking=looking, tiles=tiles).picture
            for looking in get_args(Look)
        ]
        looks.append(table_message(renderer, 1, table, view(hand, None), words, "link", tiles).picture)
        return [shown.digest for shown in looks if shown is not None]

    plain, contrast, large = digests("plain"), digests("contrast"), digests("large")
    assert len(plain) == 4
    assert len({*plain, *contrast, *large}) == 3 * len(set(plain))


def test_the_guess_of_a_hidden_kong_offers_not_to_do_it_first() -> None:
    options = (Option(Move(0, "rob"), "rob_kong", gain=80, loss=100), Option(Move(0, "pass")))
    rows = offers(state(), Question(1, 0, "rob", options, None, 2), TEXTS.get("zh_Hans"), SAMPLE)
    assert rows[0][0].text == "不抢"
    assert rows[1][0].style == "danger"


def test_a_text_is_measured_as_telegram_counts_it() -> None:
    assert visible('<b>&amp;&lt;</b><tg-time unix="1" format="r">秒</tg-time>') == 3
    assert visible("🀄") == 2


def test_a_white_in_a_chow_stands_where_the_gold_would() -> None:
    # The gold is 三筒: 白 四筒 五筒 is a run.
    white, four, six, five = (parse_tile(name) for name in ("5z", "4p", "6p", "5p"))
    chows = (Option(Move(0, "chow", (four, white))), Option(Move(0, "chow", (four, six))), Option(Move(0, "pass")))
    question = Question(0, 0, "claim", chows, five, 3)
    asked = replace(SAMPLE, reader=0, gold=(parse_tile("3p"),), question=question)
    first, second = hand_scene(asked).offers
    assert (first.tiles, first.run) == ((white, four), (white, four, five))
    assert (second.tiles, second.run) == ((four, six), (four, five, six))
    buttons = [button.text for row in offers(state(), question, TEXTS.get("zh_Hans"), asked) for button in row]
    assert buttons[:2] == ["吃 白 四筒", "吃 四筒 六筒"]


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        ([(0, 0), (0, 1), (0, 3)], "Wei Ling Tan, also for B, D"),
        ([(0, 1), (0, 3)], "Wei Ling Tan for B, D"),
        ([(0, None), (1, None), (3, None)], "Wei Ling Tan, B, D"),
    ],
)
def test_on_the_sheet_whoever_pays_for_others_is_named_once(shares: list[tuple[int, int | None]], said: str) -> None:
    win = replace(SHEET.lines[0], payee=2, item="win", factor=1, due=30, paid=30)
    lines = tuple(replace(win, payer=payer, share=share) for payer, share in shares)
    sheet = replace(SHEET, view=replace(SHEET.view, dealer=2), lines=lines, tally=((),) * 4)
    words = sheet_words(TableState(), sheet, ("Wei Ling Tan", "B", "C", "D"), Texts.load().get("en"))
    assert words.sums[0].who == said
