"""The real process on real sockets in real time: killed in mid-hand three times, it plays on with the same tiles."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from data.store import Store
from playground.chats import Message
from playground.server import Playground
from playground.world import World
from tests.support.process import ROOT, running, until


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


async def press(world: World, person: int, message: Message, data: str) -> str | None:
    """Press, also on a keyboard that may be old by now, and wait for the toast."""
    pressed = world.crowd.press(person, person, message.id, data, force=True)
    await until(lambda: pressed.status != "waiting", f"an answer to {data}")
    return pressed.text


async def test_three_kills_in_one_hand_change_no_tile_and_old_buttons_work(tmp_path: Path) -> None:
    database = tmp_path / "mahjong.sqlite3"
    async with running(database) as (playground, bot):
        world = playground.world
        person = next(iter(world.people))
        group = next(chat.id for chat in world.chats.values() if not chat.private)
        world.crowd.start(person)
        await until(lambda: len(world.chats[person].messages) > 1, "the greeting")
        world.crowd.say(person, group, "/newgame")

        def lobby() -> Message | None:
            keyed = [m for m in world.chats[group].messages.values() if m.keyboard]
            return keyed[-1] if keyed else None

        await until(lambda: lobby() is not None, "the lobby")
        table = re.search(r"t\|(\d+)\|", str(lobby().keyboard))  # type: ignore[union-attr]
        assert table is not None
        world.crowd.press(person, group, lobby().id, f"t|{table[1]}|start")  # type: ignore[union-attr]
        kills = 0

        def over() -> bool:
            return any(
                "h|" in str(m.keyboard) and "|ready" in str(m.keyboard) for m in world.chats[person].messages.values()
            )

        while True:
            await until(lambda: over() or best_move(hand_of(world, person)) is not None, "a move or the end")
            if over() and kills == 3:
                break
            if over():
                # The computers were quick: the kills that are left come in the next hand.
                sheet = next(m for m in world.chats[person].messages.values() if "|ready" in str(m.keyboard))
                await press(world, person, sheet, sheet.keyboard[0][0]["callback_data"])
                await until(lambda: not over(), "the next hand")
                continue
            message = hand_of(world, person)
            data = best_move(message)
            assert message is not None
            assert data is not None
            tiles = tiles_of(message)
            if tiles and kills < 3:
                await bot.kill()
                kills += 1
                killed = world.now()
                await bot.start()
                await until(lambda at=killed: world.last_poll > at, "the bot to take updates again")
                assert tiles_of(hand_of(world, person)) == tiles, "a kill changed the hand"
                message = hand_of(world, person)
                assert message is not None
            toast = await press(world, person, message, data)
            assert toast, "an old button was not answered"
            if "再按" in toast:
                # A warning: the second press counts a moment later.
                await asyncio.sleep(0.8)
                await press(world, person, message, data)
            await until(lambda d=data: over() or best_move(hand_of(world, person)) != d, "the move to take effect")
        assert kills == 3
        assert await bot.stop() == 0
        assert not [call for call in world.log if call.status == 429]
    store = await Store.open(database)
    assert await store.audit() is None
    rows = [row for row in [await store.hand(entry.hand_id or 0) for entry in await store.table_journal(1)] if row]
    assert rows[0].outcome in ("win", "draw")
    await store.close()


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
    _, errors = await asyncio.wait_for(process.communicate(), 60)
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
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    await playground.close()
    assert process.returncode == 1
    assert "refuses TELEGRAM_BOT_TOKEN" in errors.decode()
    assert len(errors.decode().strip().splitlines()) == 1
    assert token not in errors.decode()
