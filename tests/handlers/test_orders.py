"""Toggles and standing orders: what they answer for their owner, and what they leave to be asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from data.texts import Texts
from handlers import play
from handlers.dealing import setup_of
from handlers.draft import BEAT, ORDER_SECONDS, Draft
from handlers.orders import answer_of, known_order, offered, toggles_for
from handlers.presses import OrderPress, order_data, read_press
from handlers.screens.hand import hand_message
from handlers.table_state import Seat, TableState
from mahjong.moves import Move, Option, Question
from mahjong.tiles import parse_tile
from mahjong.views import view
from render.pool import Renderer

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
RED = parse_tile("7z")
PASS, PONG, KONG, CHOW = Move(1, "pass"), Move(1, "pong"), Move(1, "kong"), Move(1, "chow", (3, 5))
HU, DEARER = Option(Move(1, "hu"), "self_draw", gain=30), Option(Move(1, "hu", (9,)), "single_you", gain=90)
ROB = Move(1, "rob")


def claim(*moves: Move | Option) -> Question:
    options = tuple(move if isinstance(move, Option) else Option(move) for move in moves)
    return Question(4, 1, "claim", options, tile=RED, source=0)


@pytest.mark.parametrize(
    ("orders", "question", "answer"),
    [
        ([], claim(PONG, PASS), None),
        (["no_chow"], claim(CHOW, PASS), PASS),
        (["no_chow"], claim(CHOW, PONG, PASS), None),
        (["no_meld"], claim(PONG, KONG, PASS), PASS),
        (["no_meld"], claim(CHOW, PONG, PASS), None),
        (["no_chow", "no_meld"], claim(CHOW, PONG, KONG, PASS), PASS),
        (["no_chow", "no_meld"], claim(PONG, HU, PASS), None),
        (["hu"], claim(PONG, HU, PASS), HU.move),
        (["hu"], claim(HU, DEARER, PASS), DEARER.move),
        (["hu"], claim(PONG, PASS), None),
        (["pong:7z"], claim(PONG, KONG, PASS), PONG),
        (["pong:7z", "kong:7z"], claim(PONG, KONG, PASS), KONG),
        (["pong:6z"], claim(PONG, PASS), None),
        (["pong:7z", "no_meld"], claim(PONG, PASS), PONG),
        (["hu:7z"], claim(PONG, HU, PASS), HU.move),
        (["hu:6z"], claim(PONG, HU, PASS), None),
        (["pong:7z"], claim(PONG, HU, PASS), None),
        (["hu"], Question(4, 1, "turn", (HU, Option(Move(1, "discard", (3,))))), HU.move),
        (["no_chow", "no_meld"], Question(4, 1, "turn", (Option(Move(1, "kong", (3,))),)), None),
        (["hu"], Question(4, 1, "rob", (Option(ROB, "rob_kong", gain=9), Option(PASS)), tile=RED, source=0), ROB),
        (["hu"], Question(4, 1, "rob", (Option(ROB, "rob_kong", gain=9), Option(PASS)), source=0), None),
    ],
)
def test_what_orders_answer(orders: list[str], question: Question, answer: Move | None) -> None:
    assert answer_of(orders, question) == answer


def test_where_discards_are_hidden_there_is_nothing_to_decline() -> None:
    assert toggles_for("zhangzhou") == ("no_chow", "no_meld", "hu")
    assert toggles_for("putian-an") == ("hu",)
    assert not known_order("no_chow", "putian-an")
    assert not known_order("pong:9z", "zhangzhou")
    assert known_order("pong:7z", "zhangzhou")
    assert not known_order("rob:7z", "zhangzhou")


def test_callback_data_of_orders() -> None:
    assert read_press(order_data(3, 2, "pong:7z")) == OrderPress(3, 2, "pong:7z")
    for forged in ("o|3|2|PONG", "o|3|2|pong:777", "o|3|x|hu", "o|3|hu", "o|3|2|pong:7z|"):
        assert read_press(forged) is None


def dealt(seed: int) -> Draft:
    state = TableState(table=1, group=1, host=1)
    state.seats = [Seat(person=number, name=f"P{number}", wallet=1500) for number in (1, 2, 3, 4)]
    draft = Draft(state, None, NOW, UTC, Random(seed), 0, setup_of)
    draft.seal(7, Random(seed).randbytes(32), (1500,) * 4, {})
    draft.deal((3, 4), (1500,) * 4)
    return draft


def play_until(draft: Draft, condition: object) -> Question:
    """Play on until a question fits; it is still open then."""
    assert callable(condition)
    for _ in range(2000):
        hand = draft.hand
        assert hand is not None
        if hand.result is not None:
            break
        for question in hand.questions.values():
            if condition(question):
                return question
        if hand.questions:
            draft.computer_plays(min(hand.questions))
        else:
            draft.close_window()
    raise LookupError


def find(condition: object) -> tuple[Draft, Question]:
    for seed in range(100):
        try:
            draft = dealt(seed)
            return draft, play_until(draft, condition)
        except LookupError:
            continue
    raise AssertionError


def verbs(question: Question) -> set[str]:
    return {option.move.verb for option in question.options}


def test_an_order_given_while_asked_answers_at_once_and_tells_nothing() -> None:
    draft, question = find(lambda q: q.ask == "claim" and verbs(q) == {"pong", "pass"})
    assert draft.hand is not None
    before = draft.state.deadlines["window"]
    answer = play.order(draft, question.seat + 1, OrderPress(1, 1, "no_meld"))
    assert answer.key == "toast.order.no_meld.on"
    assert question.seat not in draft.hand.questions
    assert draft.entries[-1].body["move"].endswith("pass")
    assert draft.state.deadlines["window"] <= before
    assert play.order(draft, question.seat + 1, OrderPress(1, 1, "no_meld")).key == "toast.order.no_meld.off"


def test_who_has_decided_beforehand_is_not_asked_and_the_window_is_as_if_nobody_were() -> None:
    draft, question = find(lambda q: q.ask == "claim" and verbs(q) == {"pong", "pass"})
    assert draft.hand is not None
    assert draft.state.somebody_asked
    draft.owner(question.seat).orders = ["no_meld"]
    draft.asked()
    assert question.seat not in draft.hand.questions
    assert draft.state.somebody_asked == bool(draft.hand.questions)
    assert draft.state.deadlines["window"] >= (draft.now + timedelta(seconds=BEAT)).isoformat()


def test_a_win_ordered_beforehand_is_taken_a_moment_after_the_draw() -> None:
    draft, question = find(lambda q: q.ask == "turn" and "hu" in verbs(q))
    assert play.order(draft, question.seat + 1, OrderPress(1, 1, "hu")).key == "toast.order.hu.on"
    due = draft.state.due(f"think:{question.seat}")
    assert due == NOW + timedelta(seconds=ORDER_SECONDS)
    assert draft.state.due("turn") is not None
    draft.thought(question.seat)
    assert draft.settle is not None
    assert draft.settle.result["winner"] == question.seat


def test_an_order_taken_back_in_time_is_not_played() -> None:
    draft, question = find(lambda q: q.ask == "turn" and "hu" in verbs(q))
    turn = draft.state.deadlines["turn"]
    play.order(draft, question.seat + 1, OrderPress(1, 1, "hu"))
    play.order(draft, question.seat + 1, OrderPress(1, 1, "hu"))
    assert draft.state.deadlines == {"turn": turn}
    draft.thought(question.seat)
    assert draft.settle is None


def test_orders_are_forgotten_with_the_next_deal() -> None:
    draft = dealt(1)
    play.order(draft, 1, OrderPress(1, 1, "no_chow"))
    assert draft.state.seats[0].orders == ["no_chow"]  # type: ignore[union-attr]
    draft.seal(8, bytes(32), (1500,) * 4, {})
    assert draft.state.seats[0].orders == []  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("person", "hand", "order", "toast"),
    [
        (9, 1, "hu", "toast.not_seated"),
        (1, 0, "hu", "toast.stale_hand"),
        (1, 2, "hu", "toast.forged"),
        (1, 1, "rob", "toast.forged"),
        (1, 1, "pong:1f", "toast.forged"),
    ],
)
def test_stale_and_forged_orders_change_nothing(person: int, hand: int, order: str, toast: str) -> None:
    draft = dealt(1)
    before = len(draft.entries)
    assert play.order(draft, person, OrderPress(1, hand, order)).key == toast
    assert len(draft.entries) == before


def test_what_is_offered_are_pairs_triplets_and_waits_but_no_gold() -> None:
    draft, question = find(lambda q: q.ask == "turn" and "hu" in verbs(q))
    assert draft.hand is not None
    for seat in range(4):
        if seat == question.seat:
            continue
        seen = view(draft.hand, seat)
        held = Counter(seen.seats[seat].concealed)
        for order in offered(seen):
            verb, _, name = order.partition(":")
            tile = parse_tile(name)
            assert known_order(order, "zhangzhou")
            assert verb == "hu" or held[tile] >= {"pong": 2, "kong": 3}[verb]
            assert verb == "hu" or tile not in draft.hand.gold
    shown = view(draft.hand, question.seat)
    assert not [order for order in offered(shown) if order.startswith("hu:")], "with a drawn tile nothing is waited for"


def test_the_page_of_orders_is_there_where_nobody_is_hurried() -> None:
    texts = Texts.load(strict=True).get("zh_Hans")
    draft = dealt(3)
    assert draft.hand is not None
    seen = replace(view(draft.hand, 1), question=None)
    for timer, there in (("normal", False), ("fast", False), ("slow", False), ("days", True), ("none", True)):
        draft.state.timer = timer
        rows = hand_message(Renderer(0), 1, draft.state, seen, texts).keyboard
        assert any(button.data == "h|1|1|orders" for row in rows for button in row) == there
    orders = offered(seen)
    play.order(draft, 2, OrderPress(1, 1, orders[0]))
    page = hand_message(Renderer(0), 1, draft.state, seen, texts, looking="orders")
    buttons = [button for row in page.keyboard for button in row]
    assert [button.data for button in buttons if button.data and button.data.startswith("o|")] == [
        order_data(1, 1, order) for order in orders
    ]
    assert buttons[0].text.startswith("✅")
    assert "📌" in page.text
