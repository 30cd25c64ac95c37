"""Calls in words, and the pages on which one's own voice is recorded (乡音)."""

from __future__ import annotations

from collections.abc import Sequence

from data.model import Person
from data.texts import Html, Words
from handlers.names import shown_name
from handlers.outbox import Button, Keyboard, Message
from handlers.preferences import Preferences
from handlers.presses import page_data
from handlers.screens.seating import lines
from mahjong.calls import CALLS

PAGE = "w"
"""The letter of these pages (``presses.PAGES``)."""
WIDE = 3
"""Calls a row."""
LONGEST = 5
"""Seconds that a recording may take."""


def called_line(words: Words, call: str, name: str | None, reading: str | None = None) -> Html:
    """A call as it is read: 「📣 阿珍：碰！phòng」. ``name``: of who calls; ``reading``: in Tâi-lô."""
    text = words(f"shout.{call}")
    if reading is not None:
        text = words("voice.read", call=text, reading=reading)
    return words.html("voice.called_by", name=name, call=text) if name else words.html("voice.called", call=text)


def recordings_page(
    chat_id: int, person: Person, words: Words, beside: Sequence[Person] = (), *, said: str | None = None
) -> Message:
    """All calls, those recorded with a mark; ``beside``: who else can be heard at one's tables, to be muted.

    ``said``: what has just happened.
    """
    mine = Preferences.of(person)
    buttons = [
        Button(
            words("button.chosen" if call in mine.recordings else "button.choice", text=words(f"shout.{call}")),
            page_data(PAGE, "call", call),
        )
        for call in CALLS
    ]
    rows: list[tuple[Button, ...]] = [tuple(buttons[at : at + WIDE]) for at in range(0, len(buttons), WIDE)]
    for other in beside:
        key = "voice.unmute" if other.id in mine.muted else "voice.mute"
        rows.append((Button(words(key, name=shown_name(other.name)), page_data(PAGE, "mute", other.id)),))
    rows.append((Button(words("button.settings_back"), page_data(PAGE, "close")),))
    text = lines(
        words.html("voice.title", n=len(mine.recordings), of=len(CALLS)),
        Html(said) if said else None,
        words.html("voice.how", longest=LONGEST),
    )
    return Message(chat_id, text, tuple(rows), silent=True)


def call_page(chat_id: int, person: Person, call: str, words: Words) -> Message:
    """One call: how to record it, and what can be done with the recording there is."""
    recorded = call in Preferences.of(person).recordings
    rows: Keyboard = ((Button(words("voice.back"), page_data(PAGE, "list")),),)
    if recorded:
        own = (
            Button(words("voice.play"), page_data(PAGE, "play", call)),
            Button(words("voice.delete"), page_data(PAGE, "delete", call), style="danger"),
        )
        rows = (own, *rows)
    key = "voice.record_again" if recorded else "voice.record"
    return Message(chat_id, words.html(key, call=words(f"shout.{call}"), longest=LONGEST), rows, silent=True)


def which_page(chat_id: int, person: Person, words: Words) -> Message:
    """A voice note came out of the blue: which call it shall be."""
    page = recordings_page(chat_id, person, words)
    return Message(chat_id, words.html("voice.which"), page.keyboard, silent=True)
