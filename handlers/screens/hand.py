"""The living message of one player's private chat: hand, question, buttons that mirror the picture."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from html import escape
from math import ceil
from typing import Literal

from data.texts import Html, Words
from handlers.absence import CHOICES
from handlers.names import shown_name
from handlers.orders import toggle_name, toggles_for
from handlers.outbox import Button, Keyboard, Message
from handlers.preferences import HeardIn
from handlers.presses import BLANK, move_data, order_data, table_data
from handlers.screens.coach import coach_text, pointed
from handlers.screens.hints import waits_at_all
from handlers.screens.orders import may_order, orders_keyboard
from handlers.screens.pictures import YOU_LEVELS, hand_words, picture, seen_words, table_words
from handlers.screens.seating import lines, seat_names
from handlers.table_state import HOUR, Seat, TableState
from handlers.wording import last_action, since_my_turn, tile_word, tile_words, win_word
from mahjong.moves import Option, Question
from mahjong.rulesets import RULESETS
from mahjong.tiles import NAMES, in_run
from mahjong.views import View
from render.pool import Renderer
from render.tiles import TileSet
from render.words import FourWords

ROW = 6
"""Buttons a row: the picture's grid, cell for cell (render.md)."""
FEW = 4
"""So many buttons still stand side by side on a phone, of so many characters (a picture, a space, two of Chinese): a
row less leaves more of the hand in sight."""
MOST_LEVELS = 3
"""Discards into 单游 that have a button of their own; of more a line tells the price."""
EMPTY = "\u2800"
"""The text of a blank button; Telegram wants at least one character."""


Look = Literal["table", "seen", "orders"]
"""What a reader may look at: the whole table, own seat below; the copies of each tile seen; standing orders below the
hand."""


def hand_message(
    renderer: Renderer,
    chat_id: int,
    state: TableState,
    view: View,
    words: Words,
    *,
    looking: Look | None = None,
    urging: str | None = None,
    tiles: TileSet = "plain",
    group: str | None = None,
    said: Html | None = None,
    voice: HeardIn = "off",
) -> Message:
    """The private message of the view's reader while a hand runs.

    ``looking``: at what, instead of the hand; what is asked can be answered there, too. ``urging``: a catalogue key of
    a line that presses for an answer. ``tiles``: the set that the reader has chosen. ``group``: the title of the
    table's, since a person may sit at several. ``said``: the last call in words. ``voice``: in which tongue the
    reader hears calls.
    """
    if state.seats[view.reader or 0].auto:  # type: ignore[union-attr]
        # A computer answers; buttons that flash by would only tempt to press too late.
        view = replace(view, question=None)
    rows: Keyboard
    text = caption(state, view, words, urging, group, said)
    if looking == "table":
        shown = picture(renderer, looking, view, table_words(state, view, words), tiles)
    elif looking == "seen":
        shown = picture(renderer, looking, view, seen_words(view, words), tiles)
    else:
        shown = picture(renderer, "hand", view, hand_words(state, view, words, title(view, words, state)), tiles)
    if looking is None:
        rows = keyboard(state, view, words, voice)
    elif looking == "orders":
        orders = orders_keyboard(state, view, words)
        text = lines(text, words.html("orders.hint" if orders else "orders.none"))
        rows = (
            *orders,
            *looks(state, view, words, looking, voice),
            *moves(state, view, words),
            *decisions(state, view, words),
        )
    else:
        # The way back first, then all that must not be lost by looking.
        rows = (
            *looks(state, view, words, looking, voice),
            *moves(state, view, words),
            *decisions(state, view, words),
        )
    return Message(chat_id, text, rows, shown, silent=True, protect=True)


def title(view: View, words: Words, state: TableState) -> str:
    """What is wanted of the reader; the same from move to move while nothing is."""
    question = view.question
    if question is None:
        return words("hand.opening_wait") if view.phase == "opening" else words("hand.wait")
    if question.ask == "turn":
        return words("hand.lock_won" if view.lock == view.reader else "hand.your_turn")
    return words(f"hand.{question.ask}")


def caption(
    state: TableState,
    view: View,
    words: Words,
    urging: str | None = None,
    group: str | None = None,
    said: Html | None = None,
) -> str:
    """The message's words: all that one needs without the picture. ``urging``, ``group``, ``said``: as in
    ``hand_message``."""
    assert view.reader is not None
    names = seat_names(state.seats, words)
    if state.lesson is not None:
        return lesson_caption(state, view, words, names)
    question = view.question
    head = heading(state, view, words, group)
    if question is None:
        owner = state.seats[view.reader]
        assert owner is not None
        if owner.auto:
            what = words.html("hand.leaving" if owner.leaving else "hand.auto")
        else:
            what = Html(title(view, words, state))
        return lines(what, said, standing(view, words, names), absent_line(state, words), head)
    heard = since_my_turn(words, view) if question.ask == "turn" else last_action(words, view, names) or ""
    # Few lines, so that a phone shows the whole hand above its keys, and the gold, which stands at the very top.
    return lines(
        beside(words, Html(f"<b>{title(view, words, state)}</b>"), countdown(state, words, question)),
        words.html(urging) if urging is not None else None,
        stakes(question, words, names) or Html(escape(heard, quote=False)),
        said,
        standing(view, words, names),
        absent_line(state, words),
        head,
    )


def heading(state: TableState, view: View, words: Words, group: str | None) -> Html:
    """Which hand it is, where, and what is gold; the game's own name where the group's does not tell."""
    if group is not None:
        head = words.html("hand.caption_title_in", group=shown_name(group), n=state.hand)
    else:
        head = words.html("hand.caption_title", game=words(f"game.{state.rules}"), n=state.hand)
    return beside(words, head, gold_line(view, words))


def gold_line(view: View, words: Words) -> Html:
    """The faces that are wild, and nothing before they are turned up."""
    return words.html("hand.caption_gold", tiles=tile_words(words, view.gold)) if view.gold else Html("")


def beside(words: Words, *parts: Html) -> Html:
    """What there is of them, on one line."""
    return Html(words("list.sep").join(part for part in parts if part))


def lesson_caption(state: TableState, view: View, words: Words, names: FourWords) -> Html:
    """The words under a learner's hand: what is asked, what the others did, and what the coach says."""
    question = view.question
    heard = ""
    # One thing at a time: the picture shows what the others did.
    if question is not None and (question.ask != "turn" or state.teaching is None):
        heard = since_my_turn(words, view) if question.ask == "turn" else last_action(words, view, names) or ""
    return lines(
        beside(words, Html(f"<b>{title(view, words, state)}</b>"), gold_line(view, words)),
        stakes(question, words, names) if question is not None else None,
        Html(escape(heard, quote=False)),
        standing(view, words, names),
        coach_text(state, view, words),
    )


def absent_line(state: TableState, words: Words) -> Html:
    """Who has missed two turns of a ``days`` game, and that the others decide."""
    if state.absent is None:
        return Html("")
    return words.html("absent.line", name=seat_names(state.seats, words)[state.absent])


def standing(view: View, words: Words, names: FourWords) -> Html:
    """What holds for the rest of the hand: one's own 游金, the lock, forced wins at the end of the wall."""
    assert view.reader is not None
    notes = []
    level = view.seats[view.reader].level
    if level == 1:
        notes.append(words.html("hand.you_in"))
    if view.question is not None and (many := folded_levels(view.question)):
        win = win_word(words, view.rules, YOU_LEVELS[1])
        notes.append(words.html("hand.you_any", win=win, gain=f"{many[0].gain or 0:+,}"))
    if view.lock is not None and not (view.lock == view.reader and view.turn == view.reader):
        mine = view.lock == view.reader
        notes.append(words.html("hand.lock_mine") if mine else words.html("hand.lock_other", name=names[view.lock]))
    if view.last_four:
        notes.append(words.html("hand.last_four"))
    return lines(*notes)


def stakes(question: Question, words: Words, names: FourWords) -> Html:
    """What robbing a kong comes to: a guess at a hidden one has its price (rules-zhangzhou 9)."""
    if question.ask != "rob" or question.source is None:
        return Html("")
    option = next(option for option in question.options if option.move.verb == "rob")
    fields = {"name": names[question.source], "gain": f"{option.gain or 0:+,}"}
    if question.tile is None:
        return words.html("hand.guess", loss=f"{-(option.loss or 0):+,}", **fields)
    return words.html("hand.rob_added", tile=tile_word(words, question.tile), **fields)


def countdown(state: TableState, words: Words, question: Question) -> Html:
    """The time left, counted by the reader's own client: no edit is needed (Bot API: date_time entity)."""
    seconds = state.pace.turn if question.ask == "turn" else state.pace.claim
    if state.answer_by is None or seconds is None:
        return Html("")
    return words.html("hand.countdown", when=time_left(state.answer_by, state.asked_at, seconds, words))


def time_left(due: str, since: str | None, seconds: int, words: Words) -> Html:
    """As ``relative_time``, the words telling the time from when it was asked (``since``): nights and a restart
    make it another than the ``seconds`` that the timer gives."""
    if since is not None:
        seconds = round((datetime.fromisoformat(due) - datetime.fromisoformat(since)).total_seconds())
    return relative_time(due, seconds, words)


def relative_time(due: str, seconds: int, words: Words) -> Html:
    """A ``tg-time`` tag for an ISO instant; clients that do not know it show its inner words."""
    unix = int(datetime.fromisoformat(due).timestamp())
    hours = seconds >= HOUR
    given = words("hand.countdown_hours", n=ceil(seconds / HOUR)) if hours else words("hand.countdown_words", n=seconds)
    return Html(f'<tg-time unix="{unix}" format="r">{given}</tg-time>')


def keyboard(state: TableState, view: View, words: Words, voice: HeardIn = "off") -> Keyboard:
    """Offers above, then the hand's tiles in the picture's grid, then what one can decide and look at."""
    owner = state.seats[view.reader or 0]
    rows = moves(state, view, words)
    if state.lesson is not None:
        return pointed(state, view, (*rows, *looks(state, view, words, None, voice)))
    if owner is not None and not owner.auto:
        rows.append(toggles(state, owner, words))
    return (*rows, *decisions(state, view, words), *looks(state, view, words, None, voice))


def moves(state: TableState, view: View, words: Words) -> list[tuple[Button, ...]]:
    """What can be answered to the open question."""
    question = view.question
    if question is None:
        return []
    rows = offers(state, question, words, view)
    if question.ask == "turn" and view.lock is None:
        rows += grid(state, view, question, words)
    return rows


def decisions(state: TableState, view: View, words: Words) -> list[tuple[Button, ...]]:
    """To be back or to stay after all, and what shall be done about one who is absent."""
    owner = state.seats[view.reader or 0]
    rows: list[tuple[Button, ...]] = []
    if owner is not None and owner.auto and not (owner.leaving and owner.person in state.kicked):
        text = words("button.stay" if owner.leaving else "button.back")
        rows.append((Button(text, table_data(state.table, "back"), style="success"),))
    if state.absent is not None and state.absent != view.reader:
        rows.append(absent_buttons(state, words))
    return rows


def looks(
    state: TableState, view: View, words: Words, looking: Look | None, voice: HeardIn = "off"
) -> tuple[tuple[Button, ...], ...]:
    """What else there is to look at, hints where they are given, for who waits a nudge to the others, and the sound."""
    names = [
        what
        for what in ("hand", "table", "seen", "orders")
        if (what != "orders" or may_order(state)) and what != (looking or "hand")
    ]
    if state.lesson is not None:
        names = [what for what in names if what != "orders"]
    elif state.hints_given:
        names[:0] = ["hint", "waits"] if waits_at_all(view) else ["hint"]
    found = [Button(words(f"button.{what}"), table_data(state.table, what, state.hand)) for what in names]
    if view.question is None and not state.alone:
        found.append(nudge_button(state, words))
    if state.lesson is not None:
        found.append(Button(words("button.leave_lesson"), table_data(state.table, "leave")))
    else:
        # In which tongue, the press tells.
        sound = words("button.sound.off" if voice == "off" else "button.sound.on")
        found.append(Button(sound, table_data(state.table, "sound", state.hand)))
    if len(found) in (2, FEW):
        return tuple(_in_rows(found, FEW if all(len(button.text) <= FEW for button in found) else 2))
    return tuple(_in_rows(found, 3))


def nudge_button(state: TableState, words: Words) -> Button:
    """Calls whoever is asked; there whether anybody is or not."""
    return Button(words("button.nudge"), table_data(state.table, "nudge", state.hand))


def toggles(state: TableState, owner: Seat, words: Words) -> tuple[Button, ...]:
    """What one can decide beforehand for the whole hand (telegram.md, *Less passing*)."""
    buttons = []
    for toggle in toggles_for(state.rules):
        text = words(f"button.order.{toggle_name(toggle, state.rules)}")
        holds = toggle in owner.orders
        shown = words("button.chosen", text=text) if holds else text
        buttons.append(Button(shown, order_data(state.table, state.hand, toggle)))
    return tuple(buttons)


def absent_buttons(state: TableState, words: Words) -> tuple[Button, ...]:
    """What the others are asked about one who has missed two turns of a ``days`` game."""
    return tuple(
        Button(words(f"button.absent.{choice}"), table_data(state.table, f"absent_{choice}", state.hand))
        for choice in CHOICES
    )


def offers(state: TableState, question: Question, words: Words, view: View) -> list[tuple[Button, ...]]:
    """The buttons for everything but a plain discard, best first; a pass comes last."""
    rules, folded = view.rules, folded_levels(question)
    chows = [option for option in question.options if option.move.verb == "chow"]
    strong: list[Button] = []
    others: list[Button] = []
    passes: list[Button] = []
    for option in question.options:
        named = bool(option.level)
        data = move_data(state.table, state.hand, question.number, option.move, question.step, declared=named)
        verb = option.move.verb
        if verb == "hu":
            strong.append(
                Button(
                    _with_gain(words, "button.hu", option, win=win_word(words, rules, option.by)), data, style="success"
                )
            )
        elif verb == "rob":
            others.append(Button(words("button.rob"), data, style="danger"))
        elif verb == "pass":
            passes.append(Button(words("button.dont" if question.ask == "rob" else "button.pass"), data))
        elif verb == "kong":
            text = (
                words("button.kong", tile=tile_word(words, option.move.tiles[0]))
                if option.move.tiles
                else words("button.kong_claim")
            )
            others.append(Button(text, data, style="primary"))
        elif verb == "pong":
            others.append(Button(words("button.pong"), data, style="primary"))
        elif verb == "chow":
            text = (
                words("button.chow")
                if len(chows) == 1
                else words("button.chow_with", tiles=_chow_word(words, option, view))
            )
            others.append(Button(text, data, style="primary"))
        elif option.level and option not in folded:
            win = win_word(words, rules, YOU_LEVELS[option.level])
            tile = tile_word(words, option.move.tiles[0])
            strong.append(Button(_with_gain(words, "button.you", option, tile=tile, win=win), data, style="primary"))
    # The guess of a hidden kong is dear: not to do it comes first (telegram.md).
    if question.ask == "rob" and question.tile is None:
        return [tuple(passes), *_in_rows(others, 3)]
    return [*((button,) for button in strong), *_in_rows(others, 3), *([tuple(passes)] if passes else [])]


def folded_levels(question: Question) -> list[Option]:
    """Discards into 游金 too many for a button each: with a pair of gold nearly every tile gives 单游 at one price."""
    found = [option for option in question.options if option.level == 1]
    return found if len(found) > MOST_LEVELS else []


def _with_gain(words: Words, key: str, option: Option, **fields: str) -> str:
    if option.gain is None:
        return words(key, **fields)
    return words(f"{key}_gain", gain=f"{option.gain:+,}", **fields)


def _chow_word(words: Words, option: Option, view: View) -> str:
    stands = RULESETS[view.rules].stands_for(view.gold)
    return tile_words(words, in_run(option.move.tiles, stands))


def _in_rows(buttons: list[Button], wide: int) -> list[tuple[Button, ...]]:
    return [tuple(buttons[i : i + wide]) for i in range(0, len(buttons), wide)]


def grid(state: TableState, view: View, question: Question, words: Words) -> list[tuple[Button, ...]]:
    """The tiles in hand as buttons, in the picture's cells; what cannot be thrown is blank."""
    assert view.reader is not None
    me = view.seats[view.reader]
    throwable = {option.move.tiles[0]: option.move for option in question.options if option.move.verb == "discard"}

    def button(tile: int | None) -> Button:
        move = throwable.get(tile) if tile is not None else None
        if tile is None or move is None:
            return Button(EMPTY, BLANK)
        return Button(words(f"button.tile.{NAMES[tile]}"), move_data(state.table, state.hand, question.number, move))

    cells: list[int | None] = list(me.concealed or ())
    if me.drawn is not None:
        cells += [None] * ((ROW - 1 - len(cells)) % ROW) + [me.drawn]
    else:
        cells += [None] * (-len(cells) % ROW)
    return [tuple(button(tile) for tile in cells[i : i + ROW]) for i in range(0, len(cells), ROW)]
