"""``--state``: a world comes back from its file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from playground import documents
from playground.state import StateError, StateFile, document_of
from playground.world import World
from tests.playground.support import Bench, keyboard, picture
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
    ended = subprocess.run(
        [sys.executable, "-m", "playground", "--state", str(text)], capture_output=True, text=True, timeout=30
    )
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)


def test_a_restarted_process_goes_on(tmp_path: Path) -> None:
    path = str(tmp_path / "state.sqlite3")
    with PlaygroundProcess("--state", path) as playground:
        person = playground.do("people/add", first_name="Zoe")["id"]
        playground.do("start", person_id=person)
    with PlaygroundProcess("--state", path) as playground:
        assert [message["text"] for message in playground.chat(person, person)] == ["/start"]
        assert playground.do("people/add", first_name="Yan")["id"] == person + 1
