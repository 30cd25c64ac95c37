"""``--state``: a world comes back from its file."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from playground import documents
from playground.state import StateError, StateFile, document_of
from playground.world import World
from tests.playground.support import Bench, keyboard, picture
from tests.support.patience import PATIENCE
from tests.support.playground import PlaygroundProcess


def test_a_world_comes_back_and_goes_on_the_same(tmp_path: Path) -> None:
    bench = Bench(budgets=False)
    crowd, world = bench.crowd, bench.world
    crowd.start(bench.ming)
    sent = bench.call("sendPhoto", {"photo": picture()}, chat_id=bench.ming, caption="<b>x</b>", parse_mode="HTML",
                      reply_markup=keyboard([("a", "1")]))  # fmt: skip
    bench.call("sendDice", chat_id=bench.group)
    bench.call("setMyCommands", commands=[{"command": "x", "description": "y"}], scope={"type": "all_group_chats"})
    receiver = {"receiver_user_id": bench.zhen}
    bench.crowd.set_status(bench.group, bench.world.bot.id, "administrator")
    bench.call("sendMessage", chat_id=bench.group, text="only you", ephemeral_message_parameters=receiver)
    crowd.react(bench.ming, bench.group, 3, "👍")
    crowd.change_group(bench.group, is_forum=True)
    crowd.add_topic(bench.group, "t")
    press = crowd.press(bench.ming, bench.ming, sent["message_id"], data="1")
    file = StateFile(str(tmp_path / "state.sqlite3"))
    file.save(world)
    # What people were sent is for nobody else on the machine.
    assert not [one for one in tmp_path.iterdir() if one.stat().st_mode & 0o077]
    file.close()

    again = World(bench.clock, check=True, budgets=False)
    file = StateFile(str(tmp_path / "state.sqlite3"))
    assert file.load(again) is True
    old, new = (json.loads(json.dumps(document_of(one))) for one in (world, again))
    assert old == new
    shown = [documents.state(one) for one in (world, again)]
    for state in shown:
        del state["budgets"]
    assert shown[0] == shown[1]
    token = again.token
    assert again.call(token, "answerCallbackQuery", {"callback_query_id": press.id})[0] == 200
    world.call(token, "answerCallbackQuery", {"callback_query_id": press.id})
    file_id = sent["photo"][-1]["file_id"]
    for method, params in (
        ("getUpdates", {}),
        ("sendPhoto", {"chat_id": bench.ming, "photo": file_id}),
        ("sendDice", {"chat_id": bench.ming}),
    ):
        assert world.call(token, method, params) == again.call(token, method, params)
    file.close()


def test_files_that_will_not_do(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="Cannot use"):
        StateFile(str(tmp_path / "nowhere" / "state.sqlite3"))
    text = tmp_path / "text"
    text.write_text("this is no database, though it is long enough to look like one" * 100)
    with pytest.raises(StateError, match="not a database"):
        StateFile(str(text))
    for state in (text, tmp_path):
        command = [sys.executable, "-m", "playground", "--port", "0", "--state", str(state)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        assert (ended.returncode, ended.stderr.count("\n")) == (1, 1), ended.stderr


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--port", "65536"),
        ("--port", "-1"),
        ("--username", "not a name"),
        ("--token", "x"),
        ("--bot-api", "new"),
        ("--on-reset", "0"),
    ],
)
def test_an_option_that_makes_no_sense_is_told_in_a_line(option: str, value: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "playground", option, value], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (ended.returncode, ended.stderr.count("\n"), ended.stdout) == (2, 1, "")
    assert ended.stderr.startswith(option)


def test_a_restarted_process_goes_on(tmp_path: Path) -> None:
    path = str(tmp_path / "state.sqlite3")
    with PlaygroundProcess("--state", path) as playground:
        person = playground.do("people/add", first_name="Zoe")["id"]
        playground.do("start", person_id=person)
    with PlaygroundProcess("--state", path) as playground:
        assert [message["text"] for message in playground.chat(person, person)] == ["/start"]
        assert playground.do("people/add", first_name="Yan")["id"] == person + 1


def test_a_file_that_another_playground_has_open_is_left_alone(tmp_path: Path) -> None:
    path = str(tmp_path / "state.sqlite3")
    first = StateFile(path)
    with pytest.raises(StateError, match="another playground is using it"):
        StateFile(path)
    first.close()
    StateFile(path).close()


def test_the_database_of_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "bot.sqlite3"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE persons (id INTEGER)")
    before = path.read_bytes()
    with pytest.raises(StateError, match="something else"):
        StateFile(str(path))
    assert path.read_bytes() == before


def test_a_file_of_another_bot_is_refused(tmp_path: Path) -> None:
    path = str(tmp_path / "state.sqlite3")
    file = StateFile(path)
    file.save(World())
    file.close()
    file = StateFile(path)
    with pytest.raises(StateError, match="7000000001"):
        file.load(World(token="42:" + "x" * 35))
    file.close()


@pytest.mark.parametrize(
    "body", ["", "[]", "null", "{}", '{"version": 0}', "[" * 100_000, "wrong places", "wrong numbers"]
)
def test_a_document_that_is_none_is_told_in_a_line(tmp_path: Path, body: str) -> None:
    path = str(tmp_path / "state.sqlite3")
    file = StateFile(path)
    if body == "wrong places":
        body = json.dumps({**document_of(World()), "people": [[]], "chats": {"x": 1}})
    if body == "wrong numbers":
        version, numbers, gauss = World().rng.getstate()
        body = json.dumps({**document_of(World()), "rng": [version, [-1, *numbers[1:]], gauss]})
    file.connection.execute("INSERT INTO document VALUES (1, ?)", (body,))
    with pytest.raises(StateError) as raised:
        file.load(World())
    assert path in str(raised.value)
    file.close()


def test_after_a_crash_no_number_comes_a_second_time(tmp_path: Path) -> None:
    bench = Bench(budgets=False)
    world = bench.world
    bench.crowd.start(bench.ming)
    first = bench.call("sendPhoto", {"photo": picture()}, chat_id=bench.ming, reply_markup=keyboard([("a", "1")]))
    file = StateFile(str(tmp_path / "state.sqlite3"))
    file.save(world)
    # What the bot was told after that is lost with the process: all that is left is what was written.
    for name in ("state.sqlite3", "state.sqlite3-wal"):
        shutil.copy(tmp_path / name, tmp_path / f"left-{name}")
    lost = bench.call("sendPhoto", {"photo": picture()}, chat_id=bench.ming)
    press = bench.crowd.press(bench.ming, bench.ming, first["message_id"], data="1")
    last = world.call(world.token, "getUpdates", {})[1]["result"][-1]["update_id"]

    again = World(bench.clock, check=True, budgets=False)
    file.close()
    file = StateFile(str(tmp_path / "left-state.sqlite3"))
    assert file.load(again) is True
    status, answer = again.call(again.token, "sendPhoto", {"chat_id": bench.ming}, {"photo": picture()})
    assert status == 200
    assert answer["result"]["message_id"] > lost["message_id"]
    known = {one["file_unique_id"] for sent in (first, lost) for one in sent["photo"]}
    assert not known & {one["file_unique_id"] for one in answer["result"]["photo"]}
    pressed = again.crowd.press(bench.ming, bench.ming, first["message_id"], data="1")
    assert int(pressed.id) > int(press.id)
    assert again.call(again.token, "getUpdates", {})[1]["result"][-1]["update_id"] > last
    edit = {"chat_id": bench.ming, "message_id": lost["message_id"], "caption": "x"}
    status, answer = again.call(again.token, "editMessageCaption", edit)
    assert (status, answer["description"]) == (400, "Bad Request: message to edit not found")
    file.close()
