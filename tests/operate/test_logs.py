"""The log: which table and hand a line is about, no secrets, and of a running hand nothing that its players hide."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.settings import Settings
from handlers.about import ABOUT, About
from mahjong.tiles import NAMES
from operate.logs import set_up_logging
from tests.support.evening import run_virtual
from tests.support.stories import dealt, played_out
from tests.support.town import Town, texts
from tests.test_faults.test_disk import locked

TOKEN = "123456789:AAE" + "x" * 32
SECRET = "a-Secret_1"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the bot logs as JSON at its most talkative."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = io.StringIO()
    settings = Settings(
        _env_file=None,  # type: ignore[call-arg]
        telegram_bot_token=TOKEN,  # type: ignore[arg-type]
        webhook_secret=SECRET,  # type: ignore[arg-type]
        log_format="json",
        log_level="DEBUG",
    )
    set_up_logging(settings, stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


def lines_of(log: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def test_a_line_says_which_table_and_hand_it_is_about(log: io.StringIO) -> None:
    logging.getLogger("x").info("nothing in particular")
    token = ABOUT.set(About(12, 340))
    logging.getLogger("x").warning("%s", "something")
    ABOUT.reset(token)
    plain, about = lines_of(log)
    assert (plain["level"], plain["message"]) == ("INFO", "nothing in particular")
    assert "table" not in plain
    assert (about["table"], about["hand"], about["message"]) == (12, 340, "something")


def test_text_lines_say_it_too(capsys: pytest.CaptureFixture[str], log: io.StringIO) -> None:
    set_up_logging(Settings(_env_file=None), log)  # type: ignore[call-arg]
    token = ABOUT.set(About(12, 340))
    logging.getLogger("x").warning("something")
    ABOUT.reset(token)
    assert re.search(r" WARNING x: t12 h340: something\n$", log.getvalue())


def test_no_secret_is_logged_whatever_brings_it_there(log: io.StringIO) -> None:
    other = "987654321:" + "Q" * 35
    try:
        raise ValueError(f"https://api.telegram.org/bot{TOKEN}/getMe with {SECRET}")
    except ValueError:
        logging.getLogger("x").exception("it broke at %s", f"bot{other}")
    said = log.getvalue()
    assert "it broke at bot…" in said
    for secret in (TOKEN, SECRET, other):
        assert secret not in said


def hidden(town_log: str, seeds: list[str], walls: list[str]) -> list[str]:
    """What of tiles, walls and seeds stands in a log."""
    words = {texts().get(language)(f"tile.{name}") for language in ("zh_Hans", "zh_Hant", "en") for name in NAMES}
    # The names of the numbered tiles; those of honours and flowers are everyday words.
    tiles = {word for word in words if re.search(r"[万萬筒索]|\d", word)}
    found = [tile for tile in tiles if tile in town_log]
    found += re.findall(r"(?<![0-9A-Za-z])[1-9][mpszf](?![0-9A-Za-z])", town_log)
    return found + [secret for secret in (*seeds, *walls) if secret in town_log]


def test_of_whole_hands_no_tile_seed_or_wall_is_logged(tmp_path: Path, log: io.StringIO) -> None:
    """Four play a hand out, with a kill, a locked database and forged data; then the next is begun."""

    async def evening() -> tuple[list[str], list[str]]:
        town = Town(tmp_path / "x.sqlite3", 5)
        await town.open()
        await town.seat_all()
        await dealt(town)
        await town.kill()
        await town.open()
        with locked(town):
            for person in town.people:
                if (found := town.find(person, r"^m\|")) is not None:
                    message, button = found
                    await town.press_data(person, person, message.id, button["callback_data"], force=True)
                    await town.press_data(person, person, message.id, button["callback_data"][:-1] + "Z", force=True)
        await played_out(town, at_random=True)
        for person in town.people:
            await town.press(person, person, r"\|ready$")
        await dealt(town)
        rows = await town.hands()
        assert len(rows) == 2
        walls = [str((row.record or {}).get("wall", "-" * 99))[:20] for row in rows]
        await town.close()
        return [row.seed.hex() for row in rows], walls

    seeds, walls = run_virtual(evening())
    said = log.getvalue()
    assert hidden(said, seeds, walls) == []
    about = [line for line in lines_of(log) if str(line["logger"]).startswith("handlers.table")]
    assert {line.get("hand") for line in about} >= {1, 2}
    assert {line.get("table") for line in about} == {1}
    messages = {str(line["message"]) for line in about}
    assert any(message.startswith("hand 1 begins: zhangzhou") for message in messages)
    assert any(message.startswith("hand 1 has ended") for message in messages)
    assert [line for line in lines_of(log) if "could not be kept" in str(line["message"])]


def test_a_hand_that_cannot_be_played_again_names_no_tile(tmp_path: Path, log: io.StringIO) -> None:
    """A journal that does not fit the rules, as after an upgrade to others."""

    async def evening() -> list[str]:
        town = Town(tmp_path / "x.sqlite3", 5)
        await town.open()
        await town.seat_all()
        await dealt(town)
        players = [town.background(town.play_at_random(person)) for person in town.people]
        for _ in range(600):
            if len(await town.store.table_journal(1)) >= 20:
                break
            await asyncio.sleep(1)
        for player in players:
            player.cancel()
        await town.kill()
        with sqlite3.connect(town.database) as other:
            changed = other.execute(
                "UPDATE journal SET body = json_set(body, '$.move', substr(json_extract(body, '$.move'), 1, 1)"
                " || ' discard 7z') WHERE kind = 'move' AND body LIKE '% discard %'"
            )
            assert changed.rowcount
        other.close()
        await town.open()
        await asyncio.sleep(60)
        seeds = [row.seed.hex() for row in await town.hands()]
        await town.close()
        return seeds

    seeds = run_virtual(evening())
    broken = [line for line in lines_of(log) if "cannot be taken up" in str(line["message"])]
    assert "IllegalMove: …" in str(broken[0]["exception"])
    assert "taking_up.py" in str(broken[0]["exception"]), "where it arose is told"
    assert hidden(log.getvalue(), seeds, []) == []


def test_an_error_tells_its_kind_and_its_causes_and_the_words_of_the_machine(log: io.StringIO) -> None:
    try:
        try:
            {}[31]
        except KeyError as error:
            raise PermissionError(13, "Permission denied", "/x/y") from error
    except OSError:
        logging.getLogger("x").exception("it broke")
    told = str(lines_of(log)[0]["exception"])
    assert re.search(
        r"KeyError: …\nwhich led to\nTraceback .*PermissionError: \[Errno 13\] Permission denied: '/x/y'$", told, re.S
    )


def test_the_search_for_tiles_finds_them() -> None:
    assert hidden("he threw 5m", [], []) == ["5m"]
    assert hidden("打五万", [], []) == ["五万"]
    assert hidden("ab12", ["ab12"], []) == ["ab12"]
