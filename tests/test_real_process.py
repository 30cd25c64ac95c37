"""The real process on real sockets in real time: killed ten times, it plays on with the same tiles."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from data.store import Store
from mahjong.records import Record, play
from playground.chats import Message, Press
from playground.server import Playground
from playground.world import World
from tests.support.patience import PATIENCE
from tests.support.process import ROOT, running, until

KILLS = 10


def hand_of(world: World, person: int) -> Message | None:
    """The living hand message in a private chat: the newest with a picture."""
    found = [m for m in world.chats[person].messages.values() if m.content.media is not None]
    return found[-1] if found else None


def tiles_of(message: Message | None) -> list[str]:
    """The tiles on the buttons, while it is that person's turn."""
    if message is None:
        return []
    return [b["text"] for row in message.keyboard for b in row if re.match(r"m\|.*\|d", b.get("callback_data", ""))]


def best_move(message: Message | None) -> str | None:
    """Something legal to press: a win, else a pass, else the last tile that may be thrown."""
    if message is None:
        return None
    data = [b.get("callback_data", "") for row in message.keyboard for b in row]
    for pattern in (r"m\|.*\|h", r"m\|.*\|x", r"m\|.*\|d"):
        found = [entry for entry in data if re.match(pattern, entry)]
        if found:
            return found[-1]
    return None


class Player:
    """Presses whatever is asked of a person, at once and for ever, whether the bot runs or not.

    ``answered``: the presses that were answered, with their data and toasts.
    """

    def __init__(self, world: World, person: int) -> None:
        self.world = world
        self.person = person
        self.answered: list[Press] = []

    def sheet(self) -> Message | None:
        """The score sheet under which one says that one is ready."""
        found = [m for m in self.world.chats[self.person].messages.values() if "|ready" in str(m.keyboard)]
        return found[-1] if found else None

    async def play(self) -> None:
        while True:
            sheet, message = self.sheet(), hand_of(self.world, self.person)
            if sheet is not None:
                await self.press(sheet, sheet.keyboard[0][0]["callback_data"])
            elif message is not None and (data := best_move(message)) is not None:
                await self.press(message, data)
            await asyncio.sleep(0.1)

    async def press(self, message: Message, data: str) -> None:
        """Press, also on a keyboard that may be old by now, and wait for the toast as long as one may come."""
        press = self.world.crowd.press(self.person, self.person, message.id, data, force=True)
        while press.status == "waiting":
            await asyncio.sleep(0.05)
            self.world.tick()
        if press.status == "answered":
            self.answered.append(press)
        if "再按" in press.text:
            # A warning: the second press counts a moment later.
            await asyncio.sleep(0.8)


async def test_ten_kills_at_random_moments_lose_no_answered_press_and_change_no_tile(tmp_path: Path) -> None:
    database, chance = tmp_path / "mahjong.sqlite3", Random(10)
    async with running(database) as (playground, bot):
        world = playground.world
        person = next(iter(world.people))
        group = next(chat.id for chat in world.chats.values() if not chat.private)
        world.crowd.start(person)
        await until(lambda: len(world.chats[person].messages) > 1, "the greeting")
        world.crowd.say(person, group, "/newgame")
        await until(lambda: "|start" in keyboards(world, group), "the lobby")
        table = re.search(r"t\|(\d+)\|start", keyboards(world, group))
        assert table is not None
        lobby = list(world.chats[group].messages.values())[-1]
        world.crowd.press(person, group, lobby.id, f"t|{table[1]}|start", force=True)
        await until(lambda: hand_of(world, person) is not None, "the deal")
        player = Player(world, person)
        playing = asyncio.create_task(player.play())
        for _ in range(KILLS):
            await asyncio.sleep(chance.uniform(0, 1.5))
            await bot.kill()
            killed, tiles = world.now(), tiles_of(hand_of(world, person))
            pressing = any(press.status == "waiting" for press in world.presses.values())
            await bot.start()
            await until(lambda at=killed: world.last_poll > at, "the bot to take updates again")
            if tiles and not pressing:
                assert tiles_of(hand_of(world, person)) == tiles, "a kill changed the hand"
        hands = len([call for call in world.log if "🔓" in str(call.params)])
        await until(lambda: player.sheet() is not None or hands > 0, "a score sheet")
        playing.cancel()
        assert await bot.stop() == 0
        assert not [call for call in world.log if call.status == 429]
    store = await Store.open(database)
    assert await store.audit() is None
    entries = await store.table_journal(int(table[1]))
    ended = {entry.hand_id for entry in entries if entry.hand_id is not None}
    rows = [row for row in [await store.hand(hand) for hand in sorted(ended)] if row and row.record]
    assert rows
    for row in rows:
        assert row.record is not None
        assert play(Record.from_json(row.record)) == row.result
    thrown = Counter(entry.body["move"].split(" ", 1)[1] for entry in entries if entry.kind == "move")
    told = Counter(f"discard {press.data.rpartition('|d')[2]}" for press in player.answered if press.text[:2] == "打 ")
    assert told, "no discard was answered"
    assert told <= thrown, "a press was answered, and lost"
    await store.close()


def keyboards(world: World, chat: int) -> str:
    """All buttons in a chat, as text."""
    return str([m.keyboard for m in world.chats[chat].messages.values()])


def texts(world: World, chat: int) -> str:
    """All that stands in a chat."""
    return "\n".join(m.content.text for m in world.chats[chat].messages.values())


@pytest.mark.parametrize(
    ("settings", "status", "says"),
    [
        ({}, 2, "TELEGRAM_BOT_TOKEN is not set"),
        ({"TELEGRAM_BOT_TOKEN": "nonsense"}, 2, "TELEGRAM_BOT_TOKEN: expected a token"),
        ({"LOG_LEVEL": "LOUD"}, 2, "LOG_LEVEL: expected DEBUG"),
        ({"PORT": "99999999"}, 2, "PORT: expected a whole number"),
        ({"TELEGRAM_BOT_TOKEN": "123456:" + "A" * 35, "DATABASE_PATH": "/proc/none/x.sqlite3"}, 1, "/proc/none"),
    ],
)
async def test_wrong_settings_end_with_one_line(
    settings: dict[str, str], status: int, says: str, tmp_path: Path
) -> None:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **settings}
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(ROOT / "bot.py"), cwd=tmp_path, env=environment, stderr=asyncio.subprocess.PIPE
    )
    _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == status
    lines = errors.decode().strip().splitlines()
    assert len(lines) == 1, lines
    assert says in lines[0]


async def test_a_refused_token_ends_with_one_line_that_does_not_show_it(tmp_path: Path) -> None:
    playground = Playground(World)
    playground.listen(0, "127.0.0.1")
    token = "123456:" + "B" * 35
    environment = {
        **os.environ,
        "TELEGRAM_BOT_TOKEN": token,
        "TELEGRAM_API_URL": f"http://127.0.0.1:{playground.port}",
        "DATABASE_PATH": str(tmp_path / "x.sqlite3"),
        "RENDER_PROCESSES": "0",
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable, "bot.py", cwd=ROOT, env=environment, stderr=asyncio.subprocess.PIPE
    )
    _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
    await playground.close()
    assert process.returncode == 2
    assert "refuses TELEGRAM_BOT_TOKEN" in errors.decode()
    assert len(errors.decode().strip().splitlines()) == 1
    assert token not in errors.decode()
