"""A table that pauses: who sat there, and whether to go on (telegram.md, *At the table*)."""

from __future__ import annotations

from data.texts import Words
from handlers.names import shown_name
from handlers.outbox import Button, Message
from handlers.presses import table_data
from handlers.screens.seating import joined, lines, seat_names
from handlers.table_state import TableState
from handlers.wording import streak_word


def paused_message(
    chat_id: int, state: TableState, today: str, words: Words, *, private: bool = False, group: str | None = None
) -> Message:
    """The message of a paused table, for its group or for one who sits there. ``today``: the local day; ``group``: the
    title of the table's, for a private chat."""
    names = [name for name in seat_names(state.seats, words) if name]
    later = state.paused_on is not None and state.paused_on != today
    streak = streak_word(words, state.streak)
    dealer = seat_names(state.seats, words)[state.dealer]
    text = lines(
        words.html("paused.where", group=shown_name(group)) if group is not None else None,
        words.html("paused.since_before" if later else "paused.now"),
        words.html_n("paused.table", state.hand, game=words(f"game.{state.rules}"), names=joined(words, names)),
        words.html("paused.dealer", name=dealer, streak=streak) if dealer and streak else None,
    )
    buttons = (
        Button(words("button.resume"), table_data(state.table, "resume"), style="success"),
        Button(words("button.reopen"), table_data(state.table, "reopen")),
    )
    return Message(chat_id, text, (buttons,), silent=True, thread_id=None if private else state.thread)
