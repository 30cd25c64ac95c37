"""Steps of a hand under way: a press under a hand's picture becomes a move, a warning, or a short refusal."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from handlers.answers import Answer, Key, other_hand
from handlers.draft import Draft
from handlers.orders import known_order, toggle_name
from handlers.presses import MovePress, OrderPress
from mahjong.moves import Move, Option, Question
from mahjong.tiles import NAMES

TOO_SOON = 0.7
"""Seconds after a warning in which a second press does not count, so that a double tap throws nothing away."""


@dataclass(slots=True)
class Warnings:
    """Who was warned of what, and when; forgotten at a restart, when a warning simply comes again."""

    given: dict[int, tuple[int, Move, datetime]] = field(default_factory=dict)

    def heeded(self, number: int, move: Move, now: datetime) -> bool:
        """Whether this press follows its own warning at a decent interval; else the warning is noted."""
        known = self.given.get(move.seat)
        if known is None or known[:2] != (number, move):
            self.given[move.seat] = (number, move, now)
            return False
        return (now - known[2]).total_seconds() >= TOO_SOON


def order(draft: Draft, person: int, pressed: OrderPress) -> Answer:
    """A toggle or standing order was pressed: it holds, or no longer, until the hand is over.

    What it answers of an open question is answered at once.
    """
    state, hand = draft.state, draft.hand
    seat = state.seat_of(person)
    if seat is None:
        return Answer("toast.not_seated")
    if state.phase != "playing" or hand is None or pressed.hand != state.hand:
        return other_hand(pressed.hand, state.hand)
    if not known_order(pressed.order, state.rules):
        return Answer("toast.forged")
    draft.came_back(seat)
    orders = draft.owner(seat).orders
    holds = pressed.order not in orders
    (orders.append if holds else orders.remove)(pressed.order)
    draft.note("order", seat, order=pressed.order, holds=holds)
    draft.orders_changed(seat)
    verb, _, tile = pressed.order.partition(":")
    switched = "on" if holds else "off"
    if tile:
        return Answer(f"toast.order.{verb}_tile.{switched}", {"tile": Key(f"tile.{tile}")})
    return Answer(f"toast.order.{toggle_name(verb, state.rules)}.{switched}")


def press(draft: Draft, person: int, pressed: MovePress, warnings: Warnings, *, confirm: bool = False) -> Answer:
    """A move button was pressed. What is pressed is played, if it is asked of that person now.

    ``confirm``: the person wants to press every discard twice.
    """
    state, hand = draft.state, draft.hand
    seat = state.seat_of(person)
    if seat is None:
        return Answer("toast.not_seated")
    if state.phase != "playing" or hand is None or pressed.hand != state.hand:
        return other_hand(pressed.hand, state.hand)
    back = draft.came_back(seat)
    if back:
        draft.note("back", seat)
    question = hand.questions.get(seat)
    if pressed.number != hand.number or (question is not None and pressed.step != question.step):
        return Answer("toast.back" if back else "toast.stale")
    if question is None:
        return Answer("toast.answered" if hand.in_window else "toast.not_yours")
    move = Move(seat, pressed.move.verb, pressed.move.tiles)
    option = next((option for option in question.options if option.move == move), None)
    if option is None:
        return Answer("toast.illegal")
    warning = None if pressed.declared else warning_for(question, option, draft)
    if warning is None and confirm and move.verb == "discard":
        warning = "toast.warn_discard"
    if warning is not None and not warnings.heeded(hand.number, move, draft.now):
        return Answer(warning, {"tile": Key(f"tile.{NAMES[move.tiles[0]]}")} if move.tiles else {})
    warnings.given.pop(seat, None)
    draft.play(move)
    return toast_for(question, option)


def warning_for(question: Question, option: Option, draft: Draft) -> str | None:
    """What a first press of this only warns of (telegram.md, *At the table*)."""
    move = option.move
    if move.verb == "rob" and question.tile is None:
        return "toast.rob_again"
    if move.verb != "discard":
        return None
    if any(other.move.verb == "hu" for other in question.options):
        return "toast.warn_win"
    if option.level:
        return None
    assert draft.hand is not None
    if move.tiles[0] in draft.hand.gold:
        return "toast.warn_gold"
    return None


def toast_for(question: Question, option: Option) -> Answer:
    """What the presser sees at once; in a window the same for every answer, but for a win that is passed."""
    move = option.move
    if question.ask != "turn":
        passed_win = question.ask == "claim" and any(other.move.verb == "hu" for other in question.options)
        if move.verb == "pass" and passed_win:
            return Answer("toast.pass_win", alert=True)
        return Answer("toast.answered")
    if move.verb == "hu":
        return Answer("toast.hu")
    return Answer(f"toast.{move.verb}", {"tile": Key(f"tile.{NAMES[move.tiles[0]]}")})
