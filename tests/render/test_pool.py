"""The pool: equal pictures drawn once, a dead process replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from render import pool
from render.pictures import hand_picture, table_picture
from render.pool import Renderer
from tests.render import samples as s
from tests.support.patience import PATIENCE


async def test_inline_gives_the_same_bytes_as_the_functions() -> None:
    renderer = Renderer()
    await renderer.start()
    assert await renderer.picture("hand", s.TURN, s.HAND) == hand_picture(s.TURN, s.HAND)
    renderer.close()


async def test_unchanged_pictures_are_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer = Renderer()
    first = await renderer.picture("table", s.TABLE, s.TABLE_WORDS)
    monkeypatch.setattr(pool, "work", None)
    same = replace(s.TABLE, number=99, events=s.TURN.events)
    assert await renderer.picture("table", same, s.TABLE_WORDS) is first
    assert renderer.digest("table", same, s.TABLE_WORDS) == renderer.digest("table", s.TABLE, s.TABLE_WORDS)


def test_digest_tells_apart_what_shows() -> None:
    digests = {
        Renderer.digest("table", s.TABLE, s.TABLE_WORDS),
        Renderer.digest("table", replace(s.TABLE, drawable=23), s.TABLE_WORDS),
        Renderer.digest("table", replace(s.TABLE, turn=1), s.TABLE_WORDS),
        Renderer.digest("table", s.TABLE, replace(s.TABLE_WORDS, title="轮到 阿珍")),
        Renderer.digest("hand", s.TURN, s.HAND),
        Renderer.digest("hand", s.TURN, replace(s.HAND, names=("\ud83d", "", "", ""))),
        Renderer.digest("sheet", s.SHEET, s.SHEET_WORDS),
    }
    assert len(digests) == 7


async def test_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "CACHE_BYTES", 300_000)
    renderer = Renderer()
    for left in range(6):
        await renderer.picture("table", replace(s.DARK, drawable=left), s.DARK_WORDS)
    assert sum(map(len, renderer._cache.values())) == renderer._size <= 300_000


async def test_processes_draw_the_same_and_survive_a_kill() -> None:
    renderer = Renderer(1)
    try:
        await renderer.start()
        expected = table_picture(s.TABLE, s.TABLE_WORDS)
        both = await asyncio.gather(*(renderer.picture("table", s.TABLE, s.TABLE_WORDS) for _ in range(2)))
        assert both == [expected, expected]
        assert renderer._pool is not None
        for number in list(renderer._pool._processes):
            os.kill(number, signal.SIGKILL)
        assert await renderer.picture("hand", s.TURN, s.HAND) == hand_picture(s.TURN, s.HAND)
        with pytest.raises(ValueError, match="hand picture"):
            await renderer.picture("hand", s.TURN, s.TABLE_WORDS)
    finally:
        renderer.close()


_ALONE = """
import asyncio
from render.pool import Renderer

async def main():
    renderer = Renderer(1)
    await renderer.start()
    print(*renderer._pool._processes, flush=True)
    await asyncio.sleep(60)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_processes_end_when_the_bot_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", _ALONE], stdout=subprocess.PIPE, text=True) as bot:
        assert bot.stdout is not None
        number = int(bot.stdout.readline())
        bot.kill()
    deadline = time.monotonic() + PATIENCE
    while runs(number):
        assert time.monotonic() < deadline, "the drawing process outlived the bot"
        time.sleep(0.02)


def test_processes_do_not_load_the_program_that_began_them(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("print('loaded', flush=True)\n" + _ALONE.replace("await asyncio.sleep(60)", "renderer.close()"))
    root = str(Path(pool.__file__).parents[1])
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, env={"PYTHONPATH": root})
    assert done.stdout.count("loaded") == 1, done


def runs(number: int) -> bool:
    """Whether a process is there and not merely waiting to be reaped."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return not Path("/proc/self").exists()
