"""The living table message of the group: it shows what everybody may know, and nothing of who was asked."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from data.texts import Html, Words
from handlers.names import shown_name
from handlers.outbox import Button, Keyboard, Message
from handlers.presses import table_data
from handlers.screens.hand import absent_buttons, absent_line, nudge_button, time_left
from handlers.screens.lobby import queue_button
from handlers.screens.pictures import lock_draws, picture, table_title, table_words
from handlers.screens.seating import joined, lines, operator_line, seat_names
from handlers.table_state import TableState
from handlers.wording import last_action
from mahjong.views import View
from render.pool import Renderer
from render.tiles import TileSet
from render.words import FourWords

GUESS_WIDE = 8
"""Grapheme clusters of a name on a button, three of which share a phone's width."""


def table_message(
    renderer: Renderer,
    chat_id: int,
    state: TableState,
    view: View,
    words: Words,
    link: str,
    tiles: TileSet = "plain",
    operators: Sequence[str] = (),
    said: Html | None = None,
) -> Message:
    """The group's message while a hand runs; ``view`` is the group's (reader None), ``tiles`` the group's set.

    ``link``: opens the bot for players to whom it cannot write. ``operators``: names of those of its operators who
    play here. ``said``: the last call in words.
    """
    names = seat_names(state.seats, words)
    seated = [(name, seat) for name, seat in zip(names, state.seats, strict=True) if seat is not None]
    lost = [name for name, seat in seated if seat.unreachable]
    away = [name for name, seat in seated if seat.auto and not seat.unreachable]
    heard = last_action(words, view, names)
    due = None
    playing = state.seats[view.turn] if view.turn is not None else None
    by_hand = playing is not None and not playing.played_by_computer
    if by_hand and state.answer_by is not None and state.pace.turn is not None:
        due = words.html("hand.countdown", when=time_left(state.answer_by, state.asked_at, state.pace.turn, words))
    text = lines(
        words.html("table.title", game=words(f"game.{state.rules}"), n=state.hand),
        words.html("list.pair", first=table_title(view, words, names), second=heard)
        if heard
        else Html(escape(table_title(view, words, names), quote=False)),
        said,
        *lock_lines(view, words, names),
        words.html("table.last_four_note") if view.last_four else None,
        due,
        words.html("table.auto", name=joined(words, away)) if away else None,
        absent_line(state, words),
        words.html("table.unreachable", name=joined(words, lost)) if lost else None,
        words.html("table.stopping") if state.stopping else None,
        words.html("table.voiding") if state.voiding else None,
        words.html("table.no_void") if state.stopping and state.computers_stake else None,
        words.html("guess.n", n=len(state.guesses)) if state.guesses and not state.guessing else None,
        operator_line(operators, words),
    )
    buttons = (
        Button(words("button.hand"), table_data(state.table, "hand", state.hand)),
        Button(words("button.down"), table_data(state.table, "down")),
        *(() if state.alone else (nudge_button(state, words),)),
    )
    rows: Keyboard = (buttons, *_guess_buttons(state, words))
    if lost:
        rows = (*rows, (Button(words("button.open_bot"), url=link),))
    if state.voiding:
        votes = len(state.void_votes)
        text_of_vote = words("button.void", n=votes, of=len(state.persons))
        vote = Button(text_of_vote, table_data(state.table, f"void_{votes}", state.hand), style="danger")
        rows = (*rows, (vote,))
    if state.absent is not None:
        rows = (absent_buttons(state, words), *rows)
    shown = picture(renderer, "table", view, table_words(state, view, words), tiles)
    return Message(chat_id, text, rows, shown, silent=True, protect=True, thread_id=state.thread)


def _guess_buttons(state: TableState, words: Words) -> Keyboard:
    """The queue, and in the first round who will win: by name, once somebody wants to guess."""
    queue = queue_button(state, words)
    if not state.guessing:
        return ((queue,),)
    if not state.guess_menu:
        return ((queue, Button(words("button.guess"), table_data(state.table, "guesses", state.hand))),)
    names = seat_names(state.seats, words, plain=True)
    short = [shown_name(name, longest=GUESS_WIDE) for name in names]
    # What tells two of one name apart stands at the end.
    texts = (*(short if len(set(short)) == len(short) else names), words("button.guess_draw"))
    row = [Button(text, table_data(state.table, f"guess_{choice}", state.hand)) for choice, text in enumerate(texts)]
    return ((queue,), tuple(row[:2]), tuple(row[2:]))


def lock_lines(view: View, words: Words, names: FourWords) -> list[Html]:
    """In a lock, a line a draw: who has drawn and not won, in the order of play."""
    if view.lock is None:
        return []
    draws = lock_draws(view, words)
    order = [(view.lock + step) % 4 for step in (1, 2, 3, 4)]
    return [words.html("event.by", name=names[seat], what=draws[seat]) for seat in order]


def commitment_message(chat_id: int, state: TableState, digest: str, words: Words) -> Message:
    """What is shown before the dice: the seed's SHA-256 (telegram.md, *Fair deals*)."""
    text = words.html("table.commitment", n=state.hand, hash=digest)
    return Message(chat_id, text, silent=True, thread_id=state.thread)
