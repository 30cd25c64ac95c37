"""A table that looks for players: in the group, and in the private chat of those who sit."""

from __future__ import annotations

from collections.abc import Sequence

from data.model import Group
from data.texts import Html, Words
from handlers.computers import LEVELS, next_number, number_of
from handlers.names import shown_name
from handlers.outbox import Button, Keyboard, Message
from handlers.presses import table_data
from handlers.screens.choices import fitting
from handlers.screens.hand import relative_time
from handlers.screens.pictures import lobby_base, lobby_words, picture
from handlers.screens.rules_terms import OPEN, Terms, rules_data
from handlers.screens.seating import (
    held_line,
    joined,
    lines,
    operator_line,
    person_name,
    relief_line,
    seat_names,
    tier_words,
)
from handlers.stakes import least_to_sit
from handlers.table_state import MINUTE, PACES, Seat, TableState
from handlers.wording import option_word
from mahjong.rulesets import RULESETS
from render.pool import Renderer

QUEUE_SHOWN = 3


def lobby_message(
    renderer: Renderer, chat_id: int, state: TableState, words: Words, link: str, operators: Sequence[str] = ()
) -> Message:
    """The group's lobby: game, stake, seats, buttons; a card with the same in words below.

    ``link``: opens the bot for whoever it cannot write to, and seats them. ``operators``: names of those of its
    operators who sit here.
    """
    card = picture(renderer, "lobby", None, lobby_words(state, words))
    rows = lobby_keyboard(state, words) if state.phase == "lobby" else ()
    if rows and state.note == "lobby.unreachable":
        rows = ((Button(words("button.open_bot"), url=link),), *rows)
    text = lines(lobby_text(state, words), operator_line(operators, words))
    return Message(chat_id, text, rows, card, silent=True, thread_id=state.thread)


def lobby_keyboard(state: TableState, words: Words) -> Keyboard:
    """What is needed most comes first; what the game and its time are like stands behind *options*."""
    free = state.open_to(0)
    sit = Button(words("button.sit"), table_data(state.table, "sit"), style="success")
    first = [sit if free else queue_button(state, words)]
    if free:
        first.append(Button(words("button.add_computer"), table_data(state.table, f"add_{len(state.taken)}")))
    if any(seat.computer for seat in state.taken):
        first.append(Button(words("button.drop_computer"), table_data(state.table, f"drop_{len(state.taken)}")))
    last = [Button(words("button.call_me"), table_data(state.table, "callme"))]
    if state.called_in != state.hand:
        last.insert(0, Button(words("button.call"), table_data(state.table, "call")))
    return (
        tuple(first),
        (
            Button(words("button.start"), table_data(state.table, "start"), style="primary"),
            Button(words("button.leave"), table_data(state.table, "leave")),
            Button(words("button.stop"), table_data(state.table, "stop")),
        ),
        *choices(state, words),
        tuple(last),
    )


def queue_button(state: TableState, words: Words) -> Button:
    """Wait for a seat, or no longer: with how many do."""
    n = len(state.queue)
    text = words("button.queue_n", n=n) if n else words("button.queue")
    return Button(text, table_data(state.table, f"queue_{n}"))


def choices(state: TableState, words: Words) -> list[tuple[Button, ...]]:
    """Buttons for the games, and for options and timer of the one chosen."""

    def choice(text: str, chosen: bool, action: str) -> Button:
        return Button(words("button.chosen" if chosen else "button.choice", text=text), table_data(state.table, action))

    rows = list(
        fitting(
            choice(words(f"game.short.{rules}"), rules == state.rules, f"game_{number}")
            for number, rules in enumerate(RULESETS)
        )
    )
    if state.kicking:
        rows += [
            (kick_button(state.table, seat, words),)
            for seat in state.taken
            if seat.person is not None and seat.person != state.host
        ]
        rows.append((Button(words("button.kick_nobody"), table_data(state.table, "kicking")),))
        return rows
    if state.choosing:
        for number, spec in enumerate(RULESETS[state.rules].table_options):
            text = option_word(words, spec.name, state.options.get(spec.name, spec.default))
            rows.append((Button(text, table_data(state.table, f"option_{number}")),))
        timers = [
            choice(words(f"timer.short.{timer}"), timer == state.timer, f"timer_{number}")
            for number, timer in enumerate(PACES)
        ]
        rows += [*fitting(timers[:3]), *fitting(timers[3:])]
        terms = Terms({state.rules: state.options}, lobby_base(state))
        last = [Button(words("button.rules"), rules_data(OPEN, state.rules, terms))]
        if len(state.persons) > 1:
            last.append(Button(words("button.kick_whom"), table_data(state.table, "kicking")))
        rows.append(tuple(last))
    options = words("button.options_shown" if state.choosing else "button.options")
    rows.append((Button(options, table_data(state.table, "options")), level_button(state, words)))
    return rows


def level_button(state: TableState, words: Words) -> Button:
    """How strong the computers of a table are; a press makes them as strong as the next level."""
    level = words("button.level", level=words(f"level.{LEVELS[number_of(state.level)]}"))
    return Button(level, table_data(state.table, f"level_{next_number(state.level)}"))


def kick_button(table: int, seat: Seat, words: Words) -> Button:
    """Send somebody away."""
    return Button(words("button.kick", name=shown_name(seat.name)), table_data(table, f"kick_{seat.person}"))


def offer_message(chat_id: int, state: TableState, due: str, group: str, words: Words) -> Message:
    """To the first of the queue: a seat is free. ``due``: until when it is kept, an ISO instant."""
    text = lines(
        words.html("offer.text", group=shown_name(group), game=words(f"game.{state.rules}")),
        words.html("offer.until", when=relative_time(due, state.pace.offer, words)),
    )
    buttons = (
        Button(words("button.sit"), table_data(state.table, "take"), style="success"),
        Button(words("button.unqueue"), table_data(state.table, "unqueue")),
    )
    return Message(chat_id, text, (buttons,))


def relief_message(chat_id: int, state: TableState, coins: int, group: str, words: Words) -> Message:
    """To somebody with too few coins for the next hand: what is due to them, and until when the deal waits."""
    text = lines(
        words.html("relief.text", group=shown_name(group), coins=f"{coins:,}"),
        words.html("relief.until", when=relative_time(state.deadlines["relief"], int(state.pace.offer), words)),
    )
    buttons = (
        Button(words("button.relief", coins=f"{coins:,}"), table_data(state.table, "relief"), style="success"),
        Button(words("button.leave"), table_data(state.table, "leave")),
    )
    return Message(chat_id, text, (buttons,))


def call_message(chat_id: int, state: TableState, group: Group, words: Words) -> Message:
    """三缺一, to somebody who wants to be called."""
    names = joined(words, [name for name in seat_names(state.seats, words) if name])
    n = state.seats.count(None)
    text = lines(
        words.html(
            "call.one" if n == 1 else "call.text", group=shown_name(group.title), game=words(f"game.{state.rules}"), n=n
        ),
        words.html("call.seated", names=names),
        words.html(f"timer.{state.timer}"),
    )
    buttons = (
        Button(words("button.sit"), table_data(state.table, "take"), style="success"),
        Button(words("button.call_off"), table_data(0, f"uncall_{group.id}")),
    )
    return Message(chat_id, text, (buttons,))


def queue_line(state: TableState, words: Words) -> Html | None:
    """Who waits for a seat; the first few by name."""
    if not state.queue:
        return None
    names = [shown_name(waiting.name) for waiting in state.queue[:QUEUE_SHOWN]]
    return words.html("lobby.queue", n=len(state.queue), names=joined(words, names))


def practice_message(chat_id: int, state: TableState, words: Words) -> Message:
    """The lobby of a private table: one press chooses the game and deals; how strong the computers are, and what was
    played last, is as it was left."""
    keyboard: Keyboard = ()
    if state.phase == "lobby":
        levels = [
            Button(
                words("button.chosen" if level == state.level else "button.choice", text=words(f"level.{level}")),
                table_data(state.table, f"level_{number}"),
            )
            for number, level in enumerate(LEVELS)
        ]
        keyboard = (
            tuple(levels),
            *(
                (
                    Button(
                        words(f"game.{rules}"),
                        table_data(state.table, f"practice_{number}"),
                        style="primary" if rules == state.rules else None,
                    ),
                )
                for number, rules in enumerate(RULESETS)
            ),
            (Button(words("button.leave"), table_data(state.table, "leave")),),
        )
    text = words.html("lobby.practice" if state.phase == "lobby" else "lobby.countdown")
    return Message(chat_id, text, keyboard, silent=True)


def private_lobby_message(chat_id: int, state: TableState, group: str, words: Words) -> Message:
    """The lobby in the private chat of one who sits: nobody has to go back to the group."""
    keyboard: Keyboard = ()
    if state.phase == "lobby":
        keyboard = (
            (
                Button(words("button.start"), table_data(state.table, "start"), style="primary"),
                Button(words("button.leave"), table_data(state.table, "leave")),
            ),
        )
    text = lines(
        words.html("lobby.private", group=shown_name(group)), lobby_text(state, words), words.html("lobby.private_hint")
    )
    return Message(chat_id, text, keyboard, silent=True)


def lobby_text(state: TableState, words: Words) -> Html:
    """The table's game, seats and stake in words; the stake is provisional."""
    names = seat_names(state.seats, words, levels=True)
    rows = []
    for index, seat in enumerate(state.seats):
        if seat is None:
            rows.append(words.html("lobby.seat_free", n=index + 1))
        else:
            key = "lobby.seat_host" if seat.person == state.host else "lobby.seat"
            rows.append(words.html(key, n=index + 1, name=names[index]))
    if state.friendly:
        stake = words.html("lobby.friendly")
    else:
        stake = words.html("lobby.base", **tier_words(lobby_base(state)))
    if state.phase == "countdown":
        hint = words.html("lobby.countdown")
        if state.held or state.relief:
            hint = held_line(state, words) if state.held else relief_line(state, words)
    else:
        hint = words.html("lobby.hint")
    changed = [
        option_word(words, spec.name, state.options[spec.name])
        for spec in RULESETS[state.rules].table_options
        if state.options.get(spec.name, spec.default) != spec.default
    ]
    return lines(
        words.html(_title(state), game=words(f"game.{state.rules}"), n=state.seats.count(None)),
        words.html("lobby.seated", n=len(state.taken)),
        *rows,
        stake,
        words.html(f"timer.{state.timer}"),
        words.html("lobby.options", options=joined(words, changed)) if changed else None,
        words.html("lobby.hints") if state.hints_next else None,
        Html(note(state, words)),
        queue_line(state, words),
        hint,
    )


def _title(state: TableState) -> str:
    """The catalogue key of what a lobby is: before the first hand open, else in want of so many."""
    free = state.seats.count(None)
    if free == 0:
        return "lobby.title_full"
    if state.hand == 0:
        return "lobby.title"
    return "lobby.title_one" if free == 1 else "lobby.title_wanted"


def note(state: TableState, words: Words) -> Html:
    """The table's standing remark, such as why a seat is free; names in it are escaped."""
    return Html("") if state.note is None else _remark(state.note, state, words)


def _remark(key: str, state: TableState, words: Words) -> Html:
    least, minutes = least_to_sit(days=state.days), state.pace.lobby // MINUTE
    return words.html(key, name=_names(state, words), least=least, minutes=minutes)


def _names(state: TableState, words: Words) -> str:
    return joined(words, [person_name(seat.name, words) for seat in state.note_of])


def closed_message(chat_id: int, state: TableState, words: Words) -> Message:
    """The last word of a table."""
    why = _remark(state.because, state, words) if state.because is not None else None
    text = note(state, words) or words.html("lobby.closed")
    return Message(
        chat_id,
        lines(words.html("list.title", text=words(f"game.{state.rules}")), why, text),
        silent=True,
        thread_id=state.thread,
    )
