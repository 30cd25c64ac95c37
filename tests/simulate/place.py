"""Where a simulation happens: groups made by a seed, whose bot can die at any step and whose disk can fail."""

from __future__ import annotations

import asyncio
import logging
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from contextvars import copy_context
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar, get_args

from sqlalchemy import create_engine, event
from telegram.error import TelegramError

from data import changes, database
from data.errors import StoreError, StoreUnwritable
from data.model import Change
from data.store import Store
from handlers.computers import LEVELS
from handlers.preferences import Hints
from handlers.table import Table
from handlers.table_state import PACES
from mahjong.rulesets import RULESETS
from playground.chats import Chat, Press
from tests.simulate.wrong import Wrong
from tests.support.town import FencedDatabase, Town
from tests.support.virtual import Life, living

T = TypeVar("T")

NAMES = (
    ("阿明", ""),
    ("阿珍", ""),
    ("老林", ""),
    ("Xiaohong", "Chen"),
    ('<b>Bob</b> & "Co"', "</b>"),
    ("عبد الله", "محمد"),
    ("👨‍👩‍👧‍👦🀄", ""),
    ("e" + "\u0301" * 60, ""),
    ("名" * 64, "字" * 64),
    ("\u202eevil\u202c", ""),
    ("\u200b", "\u3164"),
    ("{name} %s %(x)s", "{0}"),
    ("a|b|c", "-"),
    ("नमस्ते", "दोस्त"),
    ("ภาษาไทย", ""),
    ("W" * 64, "W" * 64),
    ("🇨🇳🇸🇬", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
    ("null", "None"),
    ("🤖 电脑甲", ""),
)
LANGUAGES = ("zh-hans", "zh-hans", "zh-hant", "en", "zh-TW", "zh", "ms", None, "en-GB", "zh-hk")
TITLES = ("周末麻将", "<i>莆田</i> & 漳州", "Family 🀄🀄", "مجموعة", "牌" * 128, "a | b", "\u202edrow")
TIMERS = tuple(PACES)


@cache
def _migrated() -> bytes:
    """An empty database whose schema is up to date, made once a process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.sqlite3"
        database._upgrade(path, 5.0)
        return path.read_bytes()


class Disk:
    """What becomes of the transactions of the bot. `kind`: None, `full` (nothing can be written), `broken` (nor read),
    `doubt` (written, but said not to be)."""

    def __init__(self) -> None:
        self.kind: str | None = None
        self.troubles = 0

    def before(self, writes: bool) -> None:
        if self.kind == "broken" or (writes and self.kind == "full"):
            self.troubles += 1
            raise StoreUnwritable("the disk is full")

    def after(self, writes: bool) -> None:
        if writes and self.kind == "doubt":
            self.troubles += 1
            raise StoreUnwritable("nobody knows whether it was written")


class FailingDatabase(FencedDatabase):
    """The database of one life on a disk that may fail. `committed` is told of every change of a table."""

    def __init__(self, inner: Any, life: Life, disk: Disk, committed: Callable[[Change], None]) -> None:
        super().__init__(inner, life)
        self._disk = disk
        self._committed = committed

    async def read(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        self._disk.before(False)
        return await super().read(work, *args, **kwargs)

    async def write(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        self._disk.before(True)
        result = await super().write(work, *args, **kwargs)
        if work is changes.commit and result:
            self._committed(args[0])
        self._disk.after(True)
        return result


class Ears(logging.Handler):
    """Hears what the program complains of; what cannot be excused is wrong."""

    def __init__(self, place: Place) -> None:
        super().__init__(logging.ERROR)
        self._place = place

    def emit(self, record: logging.LogRecord) -> None:
        life = living()
        if life is not None and life.dead:
            return
        error = record.exc_info[1] if record.exc_info else None
        if (
            isinstance(error, StoreUnwritable)
            or "nobody knows" in record.getMessage()
            or "the disk is full" in record.getMessage()
        ):
            excused = self._place.disk.troubles > 0
        elif isinstance(error, TelegramError):
            excused = self._place.disturbed
        else:
            excused = self._place.disk.troubles > 0 and "the store has gone on without it" in record.getMessage()
        if not excused:
            self._place.fail(f"logged: {logging.Formatter().format(record)}")


class Place(Town):
    """A town of `tables` groups. Everything in it follows from the seed."""

    def __init__(self, folder: Path, seed: int, tables: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "mahjong.sqlite3"
        path.write_bytes(_migrated())
        super().__init__(path, seed, populate=False)
        self.chance = Random(f"place {seed}")
        self.seed = seed
        self.disk = Disk()
        self.wrong: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.kills = 0
        self.ended = self.begun = 0
        """Hands."""
        self.troubled_at = -1e9
        """When last anything was done to the bot after which it cannot know what has arrived."""
        self.down_for: Callable[[], float] = lambda: 0.0
        """How long the bot stays down after a kill."""
        self.pressed: set[tuple[int, int]] = set()
        """Messages under which somebody has pressed, by chat and number."""
        self.deleted: set[tuple[int, int]] = set()
        """Messages that people have deleted, of which no bot is told."""
        self.asked: Counter[int] = Counter()
        """How often people have spoken or pressed in a chat since the bot was last heard there."""
        self.on_commit: list[Callable[[Change], None]] = []
        self.on_press_end: list[Callable[[Press], None]] = []
        self.on_death: Callable[[], object] = lambda: None
        self.on_birth: Callable[[], object] = lambda: None
        self.floods: dict[int, float] = {}
        """When who last sent so much at once that they wait for themselves."""
        self.up = False
        self.enough = False
        """No more hands are begun than have been."""
        self.winding_up = False
        """What has begun is brought to its end."""
        self.outside = copy_context()
        """Where the bot's life does not reach."""
        self.groups: list[int] = []
        self._born = asyncio.Event()
        self._populate(tables)
        self.menu = self.chance.random() < 0.5
        self.admins = frozenset(self.chance.sample(self.people, 1) if self.chance.random() < 0.5 else ())
        self.world.press_ended = self._press_ended
        self.engine = create_engine(f"sqlite:///{path}")
        """The simulation's own look at the database."""
        self._keeper: asyncio.Task[None] | None = None
        self._ears = Ears(self)
        asyncio.get_running_loop().set_exception_handler(self._unhandled)

    # Made by the seed

    def _populate(self, tables: int) -> None:
        chance, crowd = self.chance, self.world.crowd
        names = chance.sample(NAMES, len(NAMES))
        for number in range(tables):
            members = []
            for _ in range(chance.choice((4, 4, 5, 6))):
                first, last = names.pop() if names else (f"P{len(self.world.people)}", "")
                members.append(crowd.add_person(first, last, language_code=chance.choice(LANGUAGES)).id)
            if number and chance.random() < 0.5:
                members.append(chance.choice(self.people))
            kind = chance.choices(("supergroup", "group", "forum"), (5, 3, 2))[0]
            title = chance.choice(TITLES)
            group = crowd.add_group(
                title, members, "group" if kind == "group" else "supergroup", is_forum=kind == "forum"
            )
            if kind == "forum":
                crowd.add_topic(group.id, "麻将")
            if chance.random() < 0.3:
                crowd.set_status(group.id, self.world.bot.id, "administrator")
            self.groups.append(group.id)
            self.people = list(self.world.people)

    async def settle(self) -> None:
        """Give each group settings of its own, and let most people have met the bot before."""
        chance = self.chance
        store = await Store.open(self.database, inline=True)
        for chat_id in self.groups:
            chat = self.world.chats[chat_id]
            group = await store.group_by_telegram(
                chat_id, chat.title, chat.is_forum, self.clock.now(), chance.choice(("zh_Hans", "zh_Hant", "en"))
            )
            settings = {
                "game": chance.choice(tuple(RULESETS)),
                "timer": chance.choices(TIMERS, [6 if timer == "normal" else 2 for timer in TIMERS])[0],
                "cover": chance.choice(("full", "full", "beat", "off")),
                "computers_for_coins": chance.random() < 0.3,
                "sound": chance.random() < 0.8,
                "level": chance.choice(LEVELS),
                "hints": chance.choice(get_args(Hints)),
            }
            await store.set_group_settings(group.id, settings)
        await store.close()
        for person in self.people:
            if chance.random() < 0.8:
                self.world.crowd.start(person)

    # What is wrong

    def fail(self, why: str) -> None:
        """Something is wrong: the simulation ends with it."""
        if not self.wrong.done():
            self.wrong.set_exception(Wrong(why))

    def _unhandled(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        life = living()
        if life is not None and life.dead:
            return
        error = context.get("exception")
        if error is None or not (isinstance(error, StoreUnwritable) and self.disk.troubles):
            self.fail(f"{context.get('message')}: {''.join(traceback.format_exception(error))}")

    @property
    def disturbed(self) -> bool:
        """Whether of late anything was done to the bot after which it cannot know what has arrived."""
        return self.clock.time() - self.troubled_at < 900

    def trouble(self) -> None:
        """Something was done to the bot after which it cannot know what has arrived."""
        self.troubled_at = self.clock.time()

    # The bot's lives

    def start(self) -> None:
        """Keep the bot running from now on, whatever kills it."""
        logging.getLogger().addHandler(self._ears)
        self._keeper = self.background(self._keep())

    async def stop(self) -> None:
        """End the bot as its operator would, and let go of everything."""
        assert self._keeper is not None
        self._keeper.cancel()
        await asyncio.gather(self._keeper, return_exceptions=True)
        await self.close()
        self.let_go()

    def let_go(self) -> None:
        """No more listening."""
        logging.getLogger().removeHandler(self._ears)
        self.engine.dispose()

    async def running(self) -> None:
        """Wait until the bot is up."""
        while not self.up:
            self._born.clear()
            await self._born.wait()

    async def _keep(self) -> None:
        while True:
            died = asyncio.Event()
            await self._live(died)
            self.up = False
            self.kills += 1
            self.trouble()
            await self.life.unwound()
            await self._put_away()
            await asyncio.sleep(self.down_for())

    async def _live(self, died: asyncio.Event) -> None:
        """Run the bot until it dies."""
        self._opened: Store | None = None
        self.trouble()
        self.life = life = Life()

        def dies() -> None:
            self.on_death()
            died.set()

        life.on_death = dies
        opening = life.begin(self._open(life))
        await asyncio.wait([opening])
        if not opening.cancelled() and (error := opening.exception()) is not None:
            if not isinstance(error, (StoreError, TelegramError)) or not (self.disk.troubles or self.disturbed):
                self.fail(f"the bot cannot start: {error!r}")
            # As an operator's supervisor would, it is started again a little later.
            life.kill()
            await asyncio.sleep(5)
            return
        if not life.dead:
            self.up = True
            self.trouble()
            self.on_birth()
            self._born.set()
        await died.wait()

    async def _put_away(self) -> None:
        if self._opened is not None:
            await self._opened._database.close()

    async def open_store(self, life: Life) -> Store:
        store = await super().open_store(life)
        self._opened = store
        inner = store._database._database  # type: ignore[attr-defined]
        # A kill is no power cut: what was written stays written.
        event.listen(inner._reader, "connect", lambda connection, _: connection.execute("PRAGMA synchronous = OFF"))
        inner._reader.dispose()
        store._database = FailingDatabase(inner, life, self.disk, self._committed)
        return store

    def _committed(self, change: Change) -> None:
        self.begun += change.open_hand is not None
        self.ended += change.settle is not None or change.void is not None
        for hear in self.on_commit:
            hear(change)

    def _press_ended(self, press_id: str) -> None:
        press = self.world.presses.get(press_id)
        if press is not None:
            for hear in self.on_press_end:
                hear(press)

    # Looking in

    def tables(self) -> list[Table]:
        """The open tables as the bot has them, by id."""
        return sorted(self.house._tables.values(), key=lambda table: table.id) if self.up else []

    def look(self, work: Callable[..., T], *args: Any) -> T:
        """Read the database beside the bot, as of the last commit."""
        with self.engine.connect() as connection:
            return work(connection, *args)

    def home(self, chat: Chat) -> bool:
        """Whether the bot can be met in a chat."""
        return chat.started and not chat.blocked and not chat.gone if chat.private else chat.present(self.world.bot.id)
