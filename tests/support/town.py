"""A town in virtual time: the playground's world, the bot on it, and people who press buttons at random.

Everything follows from one seed: the same seed gives the same call log. The bot can be killed between any two steps of
the event loop and started again on the same database. Runs on ``tests.support.virtual`` only.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

from PIL import Image
from telegram.ext import ApplicationBuilder

from bot import Operator
from data.database import Database, Work
from data.model import HandRow
from data.store import Store
from data.texts import Texts
from handlers.application import ALLOWED_UPDATES, InOrder, Updates, set_menu
from handlers.clock import Clock
from handlers.dealing import Dealing, setup_of
from handlers.house import House
from handlers.outbox import Outbox
from mahjong.moves import Move
from mahjong.state import SeatState
from mahjong.tiles import NAMES
from mahjong.views import SheetView, View
from playground.chats import Chat, Message
from playground.world import Call
from render.pool import Renderer
from render.scenes import Kind
from render.words import Words
from tests.support.request import BASE_FILE_URL, BASE_URL, Line, WatchedWorld
from tests.support.virtual import Life

P = ParamSpec("P")
T = TypeVar("T")
START = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@cache
def texts() -> Texts:
    """The catalogues, read once; a missing text is an error."""
    return Texts.load(strict=True)


class LabelledRenderer(Renderer):
    """Draws a small picture that says in its comment whose eyes it is for, so that every chat's can be checked.

    ``readers``: by digest, those from whose views this very picture came.
    """

    def __init__(self) -> None:
        super().__init__(0)
        self.readers: dict[str, set[int | None]] = {}
        self.films: list[tuple[int, float]] = []
        """Of each film that was made: its frames, and how long it is."""

    async def start(self) -> None:
        """Nothing to warm."""

    def digest(self, kind: Kind, view: View | SheetView | None, words: Words) -> str:  # type: ignore[override]
        digest = super().digest(kind, view, words)
        self.readers.setdefault(digest, set()).add(view.reader if isinstance(view, View) else None)
        return digest

    async def picture(self, kind: Kind, view: View | SheetView | None, words: Words) -> bytes:
        reader = view.reader if isinstance(view, View) else None
        label = json.dumps({"kind": kind, "reader": reader, "digest": self.digest(kind, view, words)}).encode()
        # A JPEG's comment stands in a segment of its own, here the first.
        return b"\xff\xd8\xff\xfe" + (len(label) + 2).to_bytes(2, "big") + label + _tiny_jpeg()[2:]

    async def film(self, views: Sequence[View | SheetView], words: Sequence[Words], seconds: Sequence[float]) -> bytes:
        await asyncio.sleep(2)
        self.films.append((len(views), sum(seconds)))
        out = io.BytesIO()
        Image.new("P", (8, 8)).save(out, "GIF")
        return out.getvalue()


@cache
def _tiny_jpeg() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (8, 8), "green").save(out, "JPEG")
    return out.getvalue()


def label_of(jpeg: bytes) -> dict[str, Any]:
    """What ``LabelledRenderer`` wrote into a picture."""
    assert jpeg[2:4] == b"\xff\xfe"
    label: dict[str, Any] = json.loads(jpeg[6 : 4 + int.from_bytes(jpeg[4:6], "big")])
    return label


class FencedDatabase:
    """The database of one life: out of reach once that is over."""

    def __init__(self, database: Database, life: Life) -> None:
        self._database = database
        self._life = life

    async def read(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(self._database.read, work, *args, **kwargs)

    async def write(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(self._database.write, work, *args, **kwargs)

    async def _run(self, run: Any, work: Any, *args: Any, **kwargs: Any) -> Any:
        if self._life.dead:
            raise asyncio.CancelledError
        return await run(work, *args, **kwargs)

    async def erase(self) -> None:
        await self._run(lambda _: self._database.erase(), None)

    async def close(self) -> None:
        await self._database.close()


class Town:
    """A world (by default one group and four people), a database, and a bot that can be killed."""

    def __init__(
        self,
        database: Path,
        seed: int = 0,
        *,
        budgets: bool = True,
        dealing: Dealing = setup_of,
        populate: bool = True,
        version: str | None = None,
        admins: Iterable[int] = (),
    ) -> None:
        self.database = database
        self.dealing = dealing
        self.random = Random(seed)
        self.clock = Clock(START)
        self.world = WatchedWorld(
            self.clock, seed=seed, budgets=budgets, check=True, populate=populate, log_limit=0, version=version
        )
        # The bot has been in its groups for long when the story begins.
        self.world.updates.clear()
        self.line = Line(self.world, latency=(0.02, 0.2), seed=seed)
        self.calls: list[Call] = []
        self.world.on_call = self.calls.append
        self.people = list(self.world.people)
        self.group_id = next((chat.id for chat in self.world.chats.values() if not chat.private), 0)
        self.toasts: list[tuple[int, str | None]] = []
        self.admins = frozenset(admins)
        self.troubles: list[str] = []
        """What the operator was told."""
        self.renderer = LabelledRenderer()
        self.menu = False
        """Whether the next start sets the commands."""
        self.life = Life()

    # The bot's life

    async def open(self) -> None:
        """Start the bot on the database."""
        self.life = Life()
        await self.life.begin(self._open(self.life))

    async def _open(self, life: Life) -> None:
        self.store = await self.open_store(life)
        builder = ApplicationBuilder().token(self.world.token).concurrent_updates(InOrder()).job_queue(None)
        builder = builder.base_url(BASE_URL).base_file_url(BASE_FILE_URL)
        request, polls = (self.line.request(lambda: life.dead) for _ in range(2))
        self.application = builder.request(request).get_updates_request(polls).build()
        await self.application.initialize()
        bot = self.application.bot
        self.outbox = Outbox(bot, self.clock, self.store)
        self.operator = Operator(self.admins, self.outbox, self.clock)
        self.house = House(
            self.store,
            bot,
            self.outbox,
            self.renderer,
            texts(),
            self.clock,
            timezone=ZoneInfo("Asia/Shanghai"),
            entropy=self.random.randbytes,
            chance=Random(self.random.random()),
            dealing=self.dealing,
            on_trouble=self._trouble,
            operators=self.admins,
        )
        Updates(self.house).register(self.application)
        await self.outbox.start()
        await self.house.start(bot.username)
        await self.application.start()
        assert self.application.updater is not None
        await self.application.updater.start_polling(allowed_updates=ALLOWED_UPDATES, poll_interval=0, timeout=50)
        if self.menu:
            self.menu = False
            self.house.later(set_menu(self.house))

    def _trouble(self, line: str) -> None:
        self.troubles.append(line)
        self.operator.tell(line)

    async def open_store(self, life: Life) -> Store:
        """The store as one life of the bot sees it."""
        store = await Store.open(self.database, inline=True)
        with store._database._reader.connect() as connection:  # type: ignore[attr-defined]
            # The one connection of a life; no power fails in a story, so nothing need reach a disk before it goes on.
            connection.exec_driver_sql("ROLLBACK")
            connection.exec_driver_sql("PRAGMA synchronous = OFF")
        store._database = FencedDatabase(store._database, life)
        return store

    async def kill(self) -> None:
        """Stop everything the bot does, wherever it is, without a word; only the database remains."""
        self.life.kill()
        await self.life.unwound()
        await self.store.close()

    async def close(self) -> None:
        """Stop the bot as an operator would."""
        await self.life.begin(self._close())

    async def _close(self) -> None:
        assert self.application.updater is not None
        await self.application.updater.stop()
        await self.application.stop()
        await self.house.stop()
        await self.outbox.stop(5)
        await self.application.shutdown()
        await self.store.close()

    # What people see and do

    def chat(self, chat_id: int) -> Chat:
        return self.world.chats[chat_id]

    def messages(self, chat_id: int) -> list[Message]:
        """The bot's messages that stand in a chat, oldest first."""
        bot = self.world.bot.id
        return [m for m in self.chat(chat_id).messages.values() if m.sender == bot and m.service is None]

    def buttons(self, chat_id: int) -> list[tuple[Message, dict[str, Any]]]:
        """All callback buttons in a chat."""
        return [
            (message, button)
            for message in self.messages(chat_id)
            for row in message.keyboard
            for button in row
            if "callback_data" in button
        ]

    def find(self, chat_id: int, pattern: str) -> tuple[Message, dict[str, Any]] | None:
        """The newest button whose text or data matches a regular expression."""
        found = [
            (message, button)
            for message, button in self.buttons(chat_id)
            if re.search(pattern, button["text"]) or re.search(pattern, button["callback_data"])
        ]
        return found[-1] if found else None

    async def press(self, person: int, chat_id: int, pattern: str) -> str | None:
        """Press the newest button that matches; returns the toast. Raises ``LookupError`` if there is none."""
        found = self.find(chat_id, pattern)
        if found is None:
            raise LookupError(f"no button {pattern!r} in chat {chat_id}")
        message, button = found
        return await self.press_data(person, chat_id, message.id, button["callback_data"])

    async def press_data(
        self, person: int, chat_id: int, message_id: int, data: str, force: bool = False
    ) -> str | None:
        """Press a button by its data and wait for the answer."""
        press = self.world.crowd.press(person, chat_id, message_id, data, force=force)
        for _ in range(200):
            if press.status != "waiting":
                break
            await asyncio.sleep(0.1)
        self.toasts.append((person, press.text))
        return press.text

    async def seat_all(self, people: Iterable[int] | None = None, game: int = 0) -> None:
        """Everybody presses START, the first opens a table and chooses the game of that number, the others sit."""
        chosen = list(people or self.people)
        for person in chosen:
            self.world.crowd.start(person)
            # One after the other: the store numbers people in the order in which they come.
            await asyncio.sleep(1)
        await asyncio.sleep(2)
        self.world.crowd.say(chosen[0], self.group_id, "/newgame")
        await asyncio.sleep(5)
        await self.press(chosen[0], self.group_id, rf"\|game_{game}$")
        for person in chosen[1:]:
            await self.press(person, self.group_id, r"\|sit$")
        await asyncio.sleep(1)

    def background(self, work: Any) -> asyncio.Task[Any]:
        """Run something of the people's own beside the bot; a kill does not touch it."""
        return asyncio.get_running_loop().create_task(work)

    async def play_at_random(self, person: int) -> None:
        """Press something legal now and then, for ever: mostly a move, sometimes a look, ready when asked."""
        while True:
            await asyncio.sleep(self.random.uniform(0.3, 4.0))
            choices = [
                (message, button)
                for message, button in self.buttons(person)
                if re.match(r"m\||h\|.*\|(ready|table|hand)$", button["callback_data"])
            ]
            pressing = [choice for choice in choices if not choice[1]["callback_data"].endswith(("|table", "|hand"))]
            if pressing and self.random.random() < 0.95:
                choices = pressing
            elif self.random.random() < 0.9:
                continue
            if choices:
                message, button = self.random.choice(choices)
                await self.press_data(person, person, message.id, button["callback_data"], force=True)

    async def play_to_win(self, person: int) -> None:
        """Press what ends a hand soon, for ever: a win where there is one, else a pass, else what is least missed."""
        while True:
            await asyncio.sleep(self.random.uniform(0.3, 2.0))
            found = self.find(person, r"^m\|.*\|h") or self.find(person, r"^m\|.*\|x") or self._least_missed(person)
            if found is not None:
                message, button = found
                await self.press_data(person, person, message.id, button["callback_data"], force=True)

    def _least_missed(self, person: int) -> tuple[Message, dict[str, Any]] | None:
        """The button of a tile without which the hand is as near to a win as can be: if possible of the one drawn."""
        known = self.house.people.by_chat(person)
        for table in self.house._tables.values():
            hand, seat = table.hand, table.state.seat_of(known.id) if known is not None else None
            if hand is None or seat is None or hand.turn != seat:
                continue

            def lacks(move: Move, held: SeatState = hand.seats[seat]) -> int:
                left = held.copy()
                left.remove(move.tiles)
                return left.missing

            discards = [hand.default_move(seat), *(move for move in hand.legal(seat) if move.verb == "discard")]
            (tile,) = min(discards, key=lacks).tiles
            return self.find(person, rf"^m\|{table.state.table}\|.*\|d{NAMES[tile]}$")
        return None

    async def hands(self) -> list[HandRow]:
        """All hands of all tables so far, oldest first."""
        rows: list[HandRow] = []
        while (row := await self.store.hand(len(rows) + 1)) is not None:
            rows.append(row)
        return rows
