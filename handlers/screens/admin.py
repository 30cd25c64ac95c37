"""The operator's pages: load, open tables, an announced restart, who is kept off. No tile is on any of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Final

from data.model import Person
from data.texts import Html, Words
from handlers.outbox import Button, Keyboard, Message
from handlers.presses import page_data
from handlers.screens.history import when
from handlers.screens.ranking import turning
from handlers.screens.seating import lines, person_name
from handlers.table import Table
from handlers.upkeep import name_of
from handlers.vitals import Vitals

KIND: Final = "a"
TABLES: Final = 8
"""Tables, and banned people, on one page."""
MINUTES: Final = (5, 10, 15, 30, 60)
"""In how many minutes a restart can be announced."""
PHASES: Final = ("playing", "dice", "between", "countdown", "lobby", "paused")


@dataclass(frozen=True, slots=True)
class Load:
    """What the first page tells. ``oldest``: seconds that the longest waiting message has waited."""

    version: str
    up: timedelta
    tables: Sequence[Table]
    pending: int
    oldest: float
    floods: int
    calls: int
    drawings: int
    vitals: Vitals
    upkeep: str | None
    hold: bool
    banned: int


def main_page(chat_id: int, load: Load, words: Words) -> Message:
    """The load, and where to go from here."""
    phases = Counter(table.state.phase for table in load.tables)
    persons = {person for table in load.tables for person in table.state.persons}
    minutes = int(load.up.total_seconds()) // 60
    said = words("list.comma").join(
        words("admin.phase_count", phase=words(f"admin.phase.{phase}"), n=phases[phase])
        for phase in PHASES
        if phases[phase]
    )
    text = lines(
        words.html("admin.title", version=load.version),
        words.html("admin.up", days=minutes // 1440, clock=f"{minutes // 60 % 24}:{minutes % 60:02}"),
        words.html("admin.tables", n=len(load.tables), phases=f" · {said}" if said else ""),
        words.html("admin.players", n=len(persons)),
        words.html("admin.outbox", n=load.pending, seconds=f"{load.oldest:.1f}", drawings=load.drawings),
        words.html("admin.calls", n=f"{load.calls:,}", floods=load.floods),
        words.html(
            "admin.machine",
            memory=f"{load.vitals.memory:.0f}",
            database=f"{load.vitals.database:.1f}",
            free=f"{load.vitals.free:,.0f}",
        ),
        words.html("admin.upkeep_hold" if load.hold else "admin.upkeep_at", at=load.upkeep) if load.upkeep else None,
    )
    keyboard: Keyboard = (
        (Button(words("admin.to_tables", n=len(load.tables)), page_data(KIND, "tables", 0)),),
        (Button(words("admin.to_upkeep"), page_data(KIND, "upkeep", 1)),),
        (Button(words("admin.to_bans", n=load.banned), page_data(KIND, "bans", 0)),),
        (Button(words("admin.again"), page_data(KIND, "main")),),
    )
    return Message(chat_id, text, keyboard, silent=True)


def tables_page(
    chat_id: int, tables: Sequence[Table], moved: Mapping[int, datetime], number: int, now: datetime, zone: tzinfo,
    words: Words,
) -> Message:  # fmt: skip
    """Open tables, those where something happened last first. ``moved``: when that was, by table."""
    ordered = sorted(tables, key=lambda table: moved.get(table.id, now), reverse=True)
    shown = ordered[number * TABLES :][:TABLES]
    text = lines(
        words.html("admin.tables_title", n=len(tables)),
        *(_row(table, moved.get(table.id, now), now, zone, words) for table in shown),
    )
    keyboard: Keyboard = (
        *((Button(f"{table.id} · {name_of(table, words)}", page_data(KIND, "table", table.id)),) for table in shown),
        *turning(number, -(-len(tables) // TABLES), words, KIND, "tables"),
        (_back(words, "main"),),
    )
    return Message(chat_id, text, keyboard, silent=True)


def _row(table: Table, moved: datetime, now: datetime, zone: tzinfo, words: Words) -> Html:
    return words.html(
        "admin.table_row",
        table=table.id,
        name=name_of(table, words),
        phase=words(f"admin.phase.{table.state.phase}"),
        n=table.state.hand,
        at=when(moved, now, zone),
    )


def table_page(chat_id: int, table: Table, moved: datetime, now: datetime, zone: tzinfo, words: Words) -> Message:
    """One table: who sits there, and what can be done about it."""
    seated = [seat for seat in table.state.taken if seat.person is not None]
    names = words("list.comma").join(person_name(seat.name, words) for seat in seated)
    text = lines(
        _row(table, moved, now, zone, words),
        words.html("admin.seated", names=names) if seated else None,
    )
    keyboard: Keyboard = (
        (Button(words("admin.close"), page_data(KIND, "close", table.id), style="danger"),),
        *(
            (Button(words("admin.ban", name=person_name(seat.name, words)), page_data(KIND, "ban", seat.person)),)
            for seat in seated
            if seat.person is not None
        ),
        (_back(words, "tables", 0),),
    )
    return Message(chat_id, text, keyboard, silent=True)


def close_page(chat_id: int, table: Table, words: Words) -> Message:
    """Whether the table shall really be closed."""
    running = table.state.phase in ("dice", "playing")
    text = words.html("admin.close_running" if running else "admin.close_idle", name=name_of(table, words))
    sure = Button(words("admin.close_now"), page_data(KIND, "close", table.id, table.state.hand), style="danger")
    return Message(chat_id, text, ((sure,), (_back(words, "table", table.id),)), silent=True)


def ban_page(chat_id: int, person: Person, words: Words) -> Message:
    """Whether somebody shall really be kept off."""
    text = words.html("admin.ban_ask", name=person_name(person.name, words))
    sure = Button(words("admin.ban_now"), page_data(KIND, "ban", person.id, "now"), style="danger")
    return Message(chat_id, text, ((sure,), (_back(words, "main"),)), silent=True)


def bans_page(
    chat_id: int, banned: Mapping[int, datetime], known: Mapping[int, Person], number: int, now: datetime,
    zone: tzinfo, words: Words,
) -> Message:  # fmt: skip
    """Who is kept off, the latest first; a press lets them sit again. ``known``: by Telegram's id."""
    shown = list(banned.items())[number * TABLES :][:TABLES]
    text = lines(words.html("admin.bans_title", n=len(banned)), words.html("admin.bans_how"))
    rows = [
        Button(
            words(
                "admin.unban",
                name=person_name(known[telegram_id].name, words) if telegram_id in known else words("name.forgotten"),
                at=when(at, now, zone),
            ),
            page_data(KIND, "unban", telegram_id),
        )
        for telegram_id, at in shown
    ]
    keyboard: Keyboard = (
        *((button,) for button in rows),
        *turning(number, -(-len(banned) // TABLES), words, KIND, "bans"),
        (_back(words, "main"),),
    )
    return Message(chat_id, text, keyboard, silent=True)


def upkeep_page(chat_id: int, at: str | None, holds: bool, hold: bool, words: Words) -> Message:
    """Announce a restart. ``at``, ``holds``: of the one announced; ``hold``: what is chosen for the next."""
    now = None
    if at is not None:
        now = words.html("admin.upkeep_hold" if holds else "admin.upkeep_at", at=at)
    choose = Button(words("admin.hold_on" if hold else "admin.hold_off"), page_data(KIND, "upkeep", int(not hold)))
    cancel = Button(words("admin.upkeep_cancel"), page_data(KIND, "cancel"), style="danger")
    keyboard: Keyboard = (
        (choose,),
        tuple(Button(words("admin.in", n=each), page_data(KIND, "announce", each, int(hold))) for each in MINUTES),
        *(((cancel,),) if at is not None else ()),
        (_back(words, "main"),),
    )
    return Message(chat_id, lines(words.html("admin.upkeep_title"), now), keyboard, silent=True)


def _back(words: Words, *fields: str | int) -> Button:
    return Button(words("admin.back"), page_data(KIND, *fields))
