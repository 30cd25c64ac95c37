"""All tables together, with what they share: store, outbox, renderer, texts, clock, chance."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Collection, Coroutine
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any
from weakref import WeakValueDictionary
from zoneinfo import ZoneInfo

from telegram import Bot

from data.errors import Conflict, StoreError, StoreUnwritable
from data.model import Group, Person, TableRow
from data.store import Store
from data.texts import Texts
from data.voice import Clips
from handlers import broken, lobby, seating, stakes, waiting
from handlers.answers import SILENT, Answer
from handlers.clock import Clock
from handlers.dealing import Dealing, setup_of
from handlers.draft import Draft
from handlers.members import Members
from handlers.outbox import Outbox
from handlers.people import People
from handlers.preferences import OF_GROUP, TAKEN_UP, GroupSettings, Preferences
from handlers.retold import Retold
from handlers.table import AGAIN, Table
from handlers.table_state import TableState
from handlers.upkeep import Upkeep
from mahjong import lessons
from render.pool import Renderer

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Recorder:
    """Who is about to record which call; and voice notes (file ids) of those who have not said yet which it is."""

    choosing: dict[int, str] = field(default_factory=dict)
    waiting: dict[int, str] = field(default_factory=dict)

    def forget(self, person_id: int) -> None:
        """A person does something else."""
        self.choosing.pop(person_id, None)
        self.waiting.pop(person_id, None)


class House:
    """The open tables, by id and by group.

    ``entropy``: gives so many bytes nobody can foresee; ``chance``: for what need not be secret (thinking times …).
    ``operators``: Telegram's ids of those in ADMIN_IDS; ``on_trouble``: told in one line what they must know (disk
    full). ``version``: of the program. ``dealing``: makes the walls; only tests give another one. ``clips``: the
    sounds there are, by default those in the files.
    """

    def __init__(
        self,
        store: Store,
        bot: Bot,
        outbox: Outbox,
        renderer: Renderer,
        texts: Texts,
        clock: Clock,
        *,
        timezone: ZoneInfo,
        entropy: Callable[[int], bytes] = os.urandom,
        chance: Random | None = None,
        on_trouble: Callable[[str], object] | None = None,
        dealing: Dealing = setup_of,
        operators: Collection[int] = (),
        version: str = "",
        clips: Clips | None = None,
    ) -> None:
        self.store = store
        self.bot = bot
        self.outbox = outbox
        self.renderer = renderer
        self.texts = texts
        self.clock = clock
        self.entropy = entropy
        self.chance = chance if chance is not None else Random(os.urandom(16))
        self.people = People(store, clock)
        self.people.on_change = self._show_again
        self.people.on_group = self._group_seen
        self.clips = clips if clips is not None else Clips.load()
        self.recorder = Recorder()
        self.members = Members(bot, clock)
        self.retold = Retold()
        self.dealing = dealing
        self.operators = frozenset(operators)
        self.banned: set[int] = set()
        """Telegram's ids of those whom an operator lets sit nowhere."""
        self.upkeep = Upkeep(self)
        self.version = version
        self.since = clock.now()
        """When it was built."""
        self.username = ""
        self.timezone = timezone
        self._on_trouble = on_trouble
        self._tables: dict[int, Table] = {}
        self._tasks: set[asyncio.Task[object]] = set()
        self._seating: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        outbox.on_unreachable = lambda chat_id, reason: self.later(self.lost_chat(chat_id))
        outbox.on_migrated = lambda old, new: self.later(self.moved(old, new))
        outbox.on_thread_lost = lambda chat_id, thread: self.later(self.lost_thread(chat_id, thread))

    def day(self, now: datetime) -> str:
        """The local day of an instant, ``YYYY-MM-DD`` (setting TIMEZONE)."""
        return now.astimezone(self.timezone).date().isoformat()

    def trouble(self, line: str) -> None:
        """Something the operator must know."""
        if self._on_trouble is not None:
            self._on_trouble(line)

    def later(self, work: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine beside everything else; what goes wrong in it is logged."""
        task: asyncio.Task[object] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("something beside the tables failed", exc_info=task.exception())

    # Life

    async def start(self, username: str) -> None:
        """Take up every open table where its last committed move left it.

        All are known when this returns; each is set going when somebody first needs it, and the others one after the
        other, since a thousand hands are not played again in a moment.
        """
        self.username = username
        known = await self.store.open_ids()
        rows = await self.store.open_tables()
        for table_id in sorted(set(known) - {row.id for row in rows}):
            self.later(broken.close(self, table_id))
        for table in await self._asleep(rows):
            self._tables[table.id] = table
            log.debug("table %d is taken up: %s, hand %d", table.id, table.state.phase, table.state.hand)
        self.banned = set(await self.store.banned())
        try:
            await self.upkeep.recall()
        except StoreError:
            raise
        except Exception:
            log.exception("what was announced before the start cannot be read")
        self.later(self._wake_all())

    async def _asleep(self, rows: list[TableRow]) -> list[Table]:
        """The tables of these rows, asleep; who plays there is looked up for all of them together."""
        found: list[tuple[TableRow, TableState]] = []
        persons: set[int] = set()
        for row in rows:
            try:
                state = TableState.from_json(row.state)
                # A table that was killed before its first step does not know its number yet, nor one its group that
                # was killed when that had become part of another.
                state.table, state.group = row.id, row.group_id
                state.next_deadline()
                persons |= _told_of(row, state)
                found.append((row, state))
            except Exception:
                # One broken table must not keep the others from being played.
                log.exception("table %d cannot be taken up", row.id)
                self.later(broken.close(self, row.id))
        await self.people.load(persons)
        for seat in [seat for _, state in found if state.phase == "closed" for seat in state.named]:
            # The document of a closed table names nobody.
            person = self.people.known(seat.person) if seat.person is not None else None
            seat.name = person.name if person is not None else ""
        groups = await self.store.groups({row.group_id for row, _ in found if row.group_id is not None})
        self.people.know(groups.values())
        return [
            Table(self, state, groups.get(row.group_id) if row.group_id is not None else None, row.seq, asleep=True)
            for row, state in found
        ]

    async def _wake_all(self) -> None:
        waiting = list(self._tables.values())
        # Where a hand runs, somebody looks at buttons whose time is short.
        for table in sorted(waiting, key=lambda table: (table.state.phase not in ("playing", "dice"), table.id)):
            began = self.clock.time()
            await table.awake()
            # Half of the time is for those who press meanwhile.
            await self.clock.sleep(self.clock.time() - began)
        await self._last_words()

    async def _last_words(self, person: Person | None = None) -> None:
        """Tables that closed when a kill came, or while a person could not be reached: their last messages are brought
        about."""
        whose = f":p{person.id}:" if person is not None else ""
        keyed = {key.partition(":")[0][1:] for key in self.outbox.keys("t") if whose in key}
        for table_id in sorted(int(name) for name in keyed if name.isdigit()):
            if table_id in self._tables:
                continue
            try:
                row = await self.store.table(table_id)
                if row is None or row.closed_at is None:
                    continue
                if not row.state:
                    await broken.close(self, table_id)
                for table in await self._asleep([row] if row.state else []):
                    await table.recall()
                    table.showing.refresh(left_over=True)
            except StoreUnwritable as error:
                self.trouble(str(error))
            except Exception:
                log.exception("table %d has no last words", table_id)
                await broken.close(self, table_id)

    async def stop(self) -> None:
        """Stop all tables; nothing is lost."""
        for table in list(self._tables.values()):
            await table.stop()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def take_up_again(self, table: Table) -> None:
        """Throw away what is in memory of a table, and take it up from the store as after a restart."""
        await table.stop()
        while True:
            try:
                row = await self.store.table(table.id)
                found = await self._asleep([row] if row is not None and row.closed_at is None else [])
            except StoreUnwritable as error:
                self.trouble(str(error))
                await self.clock.sleep(AGAIN)
            except Exception:
                log.exception("table %d cannot be taken up", table.id)
                await broken.close(self, table.id)
                found = []
                break
            else:
                break
        self._tables.pop(table.id, None)
        for again in found:
            self._tables[again.id] = again
            await again.awake()

    def _show_again(self, person: Person) -> None:
        """Somebody can be written to again, or no longer, or in another language: their tables follow."""
        for table in self.tables_showing(person):
            table.showing.refresh_soon()
            if person.private_ok and any(seat.unreachable and seat.person == person.id for seat in table.state.taken):
                self.later(seating.reachable(self, table, person))
        if person.private_ok:
            self.later(self._last_words(person))

    def _group_seen(self, group: Group) -> None:
        """A group has another title, or another language: its table says so from now on."""
        table = self.table_of(group)
        if table is not None and table.group != group:
            table.group = group
            table.showing.refresh_soon()

    # Tables

    @property
    def tables(self) -> list[Table]:
        """All open tables."""
        return list(self._tables.values())

    def table(self, table_id: int) -> Table | None:
        """An open table by id."""
        return self._tables.get(table_id)

    def table_of(self, group: Group) -> Table | None:
        """The open table of a group."""
        return next((t for t in self._tables.values() if t.group is not None and t.group.id == group.id), None)

    def tables_showing(self, person: Person) -> list[Table]:
        """The open tables that have something to show to a person, who sits there, waits or is called; who has left is
        still shown the sheet of the hand that was played."""

        def shows(state: TableState) -> bool:
            seated = any(seat.person == person.id for seat in (*state.taken, *state.players))
            return seated or person.id in state.called or state.place_of(person.id) is not None

        return [table for table in self._tables.values() if shows(table.state)]

    def tables_with(self, person: Person) -> list[Table]:
        """The open tables at which a person sits."""
        return [table for table in self._tables.values() if table.state.seat_of(person.id) is not None]

    async def awake(self, person: Person | None, group: Group | None) -> None:
        """Set the tables going that have to do with a person or a group, if they sleep since the start."""
        tables = self.tables_with(person) if person is not None else []
        if group is not None and (table := self.table_of(group)) is not None:
            tables.append(table)
        for table in tables:
            await table.awake()

    def practice_of(self, person: Person) -> Table | None:
        """A person's own table against computers."""
        return next((table for table in self.tables_with(person) if table.group is None), None)

    def tables_waited_at(self, person_id: int) -> list[Table]:
        """The open tables in whose queue a person waits."""
        return [table for table in self._tables.values() if table.state.place_of(person_id) is not None]

    async def open_table(self, group: Group | None, host: Person, thread: int | None = None) -> Table:
        """Open a table; its host sits down. Raises ``data.errors.Conflict`` if the group has one.

        ``group`` None: a private table against three computer players.
        """
        async with self.seating(host):
            return await self.new_table(group, host, thread)

    def seating(self, person: Person) -> asyncio.Lock:
        """Held while a person sits down anywhere, so that nobody sits at two tables by two quick presses."""
        lock = self._seating.get(person.id)
        if lock is None:
            lock = self._seating[person.id] = asyncio.Lock()
        return lock

    async def new_table(
        self,
        group: Group | None,
        host: Person,
        thread: int | None = None,
        *,
        deal: bool = False,
        lesson: int | None = None,
    ) -> Table:
        """``open_table``, for whoever holds ``seating(host)`` already.

        ``deal``: at a private table the first hand is dealt at once, in the same step. ``lesson``: there a coach sits
        by, at this arranged hand.
        """
        if group is None and (there := self.practice_of(host)) is not None:
            return there
        now = self.clock.now()
        wallet = await self.store.wallet(host.id)
        state = TableState(
            group=group.id if group is not None else None,
            host=host.id,
            language=group.language if group is not None else host.language,
            thread=thread,
            token=self.entropy(6).hex(),
            # Whoever plays with computers alone need not hurry.
            timer="normal" if group is not None else "none",
        )
        if group is None:
            last = Preferences.of(host)
            state.rules, state.level = last.game, last.level
        if lesson is not None:
            state.rules, state.level, state.lesson = lessons.GAME, lessons.COMPUTERS, lesson
        if group is not None:
            settings = GroupSettings.of(group)
            state.rules, state.options = settings.game, dict(settings.options[settings.game])
            for name in TAKEN_UP.keys() & OF_GROUP.keys():
                setattr(state, name, getattr(settings, name))
        # From the first moment on, so that no kill can leave a lobby that never closes.
        state.deadlines["lobby"] = (now + timedelta(seconds=state.pace.lobby)).isoformat()
        row = await self.store.create_table(state.group, state.to_json(), now)
        state.table = row.id
        table = Table(self, state, group, row.seq)
        self._tables[row.id] = table
        table.start()

        def first(draft: Draft) -> Answer | Awaitable[Answer]:
            stake = stakes.stake_to_sit(wallet, days=draft.state.days)
            lobby.new_table(draft, host, stake, seating.obstacle(self, host, table, draft.state, wallet))
            if deal and draft.state.seat_of(host.id) is not None:
                lobby.fill_with_computers(draft)
                return table.open_hand(draft)
            return SILENT

        await table.do(first)
        await seating.settle(self, host, table)
        self.upkeep.tell(table)
        return table

    async def coins_are_free(self, persons: Collection[int | None]) -> None:
        """A hand has ended that held coins of these persons: deals that wait for them begin, one after the other."""
        for table in list(self._tables.values()):
            if not table.asleep and set(table.state.held) & set(persons):
                await table.deal_if_it_waits()

    async def group_changed(self, group: Group) -> None:
        """A group's settings or language have changed: its open table takes up what it can in mid-game."""
        table = self.table_of(group)
        if table is not None:
            table.group = group
            await table.do(lambda draft: _other_settings(draft, GroupSettings.of(group)))
            table.showing.refresh_soon()

    def forget(self, table: Table) -> None:
        """A table has closed, or is broken."""
        self._tables.pop(table.id, None)
        self.later(table.stop())

    async def moved(self, old_chat: int, new_chat: int) -> None:
        """A group became a supergroup: its table follows, whichever of both chats it was opened in."""
        spare = self._spare_table(old_chat, new_chat)
        if spare is not None:
            assert spare.group is not None
            why = "lobby.two_tables" if spare.group.telegram_id == new_chat else "lobby.two_tables_newer"
            await spare.do(lambda draft: _spared(draft, why))
        try:
            group = await self.store.migrate_group(old_chat, new_chat)
        except (StoreUnwritable, Conflict) as error:
            # The table too many could perhaps not be closed. Nobody tells it again.
            self.trouble(str(error))
            self.later(self._moved_again(old_chat, new_chat))
            return
        self.people.forget_group(old_chat)
        self.people.forget_group(new_chat)
        if group is None:
            return
        self.people.know([group])
        # By the chats: what was opened in the new one before this was heard belonged to a group that is no more.
        for table in self._tables_in(old_chat, new_chat):
            other = table.state.group != group.id
            table.group = group
            table.showing.refresh()
            if other:
                await table.do(lambda draft: _joined(draft, group))

    async def _moved_again(self, old_chat: int, new_chat: int) -> None:
        await self.clock.sleep(AGAIN)
        await self.moved(old_chat, new_chat)

    def _spare_table(self, old_chat: int, new_chat: int) -> Table | None:
        """The table too many, if one was opened in the supergroup before the bot heard what that had been.

        One in mid-hand stays rather than one that is not, and the older one rather than the newer.
        """
        both = self._tables_in(old_chat, new_chat)
        both.sort(key=lambda table: (table.state.phase not in ("dice", "playing"), table.id))
        return both[1] if len(both) > 1 else None

    def _tables_in(self, *chats: int) -> list[Table]:
        """The open tables in some chats."""
        return [
            table for table in self._tables.values() if table.group is not None and table.group.telegram_id in chats
        ]

    async def lost_thread(self, chat_id: int, thread: int | None) -> None:
        """A topic is gone or closed: its table goes on in the group itself, and says so (telegram.md).

        ``thread`` None: General is closed, so that there is nowhere to go on but in private, to the end of the hand.
        """
        for table in list(self._tables.values()):
            if table.group is None or table.group.telegram_id != chat_id or table.state.thread != thread:
                continue
            if thread is None:
                await table.do(_general_closed)
            else:
                await table.do(_out_of_the_topic)
                table.showing.say("table.no_thread")

    async def lost_chat(self, chat_id: int) -> None:
        """A chat cannot be written to any more: a person's, or a group's."""
        await (self.lost_private_chat(chat_id) if chat_id > 0 else self.lost_group(chat_id))

    async def lost_group(self, chat_id: int) -> None:
        """The bot was removed from a group, or lost its rights there, or the group is gone.

        Its table is closed, of a running hand nothing moves, and those who sat there are told (telegram.md).
        """
        for table in list(self._tables.values()):
            if table.group is not None and table.group.telegram_id == chat_id:
                await table.do(_group_gone)

    def rights_changed(self, chat_id: int) -> None:
        """What the bot may do in a group has changed: what came in words for want of a right comes as it should."""
        self.outbox.rights_changed(chat_id)
        for table in self._tables.values():
            if table.group is not None and table.group.telegram_id == chat_id:
                table.showing.refresh_soon()

    async def lost_private_chat(self, chat_id: int) -> None:
        """The bot may not write to a person any more (blocked, chat deleted)."""
        person = self.people.by_chat(chat_id)
        if person is None or not person.private_ok:
            return
        await self.people.set_private_ok(person, False)
        for table in self.tables_with(person):
            await table.do(lambda draft: lobby.unreachable(draft, person.id))
        for table in list(self._tables.values()):
            if table.state.place_of(person.id) is not None or person.id in table.state.called:
                await table.do(lambda draft: waiting.forget(draft, person.id))


def _told_of(row: TableRow, state: TableState) -> set[int]:
    """All persons who sit, play, wait or guess at a table."""
    persons = {*row.seated, *(int(person) for person in state.guesses)}
    persons |= {state.host, *state.called, *(waiting.person for waiting in state.queue)}
    return persons | {seat.person for seat in state.named if seat.person is not None}


def _group_gone(draft: Draft) -> Answer:
    why = "lobby.group_gone" if draft.state.phase in ("dice", "playing") else "lobby.group_closed"
    draft.state.group_lost = True
    draft.tell_all(why)
    draft.end_table(why)
    return Answer()


def _general_closed(draft: Draft) -> Answer:
    state = draft.state
    if state.phase not in ("dice", "playing"):
        return _group_gone(draft)
    if not state.group_lost:
        state.group_lost = True
        draft.note("group_lost")
        draft.tell_all("table.general_closed")
    return Answer()


def _spared(draft: Draft, why: str) -> Answer:
    draft.tell_all(why)
    draft.end_table(why)
    return Answer()


def _joined(draft: Draft, group: Group) -> Answer:
    draft.state.group = group.id
    draft.note("joined")
    return _other_settings(draft, GroupSettings.of(group))


def _out_of_the_topic(draft: Draft) -> Answer:
    draft.state.thread = None
    draft.note("no_thread")
    return Answer()


def _other_settings(draft: Draft, settings: GroupSettings) -> Answer:
    now = {name: getattr(settings, name) for name, begins in TAKEN_UP.items() if begins != "next_table"}
    if any(getattr(draft.state, name) != value for name, value in now.items()):
        for name, value in now.items():
            setattr(draft.state, name, value)
        draft.note("settings", **now)
    return Answer()
