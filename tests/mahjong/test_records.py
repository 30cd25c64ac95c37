"""Records and the command: strict in, one line and exit status 2 for what cannot be (record.md)."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mahjong.cli import main
from mahjong.records import LONGEST, IllegalRecord, Record, play, record_of, result_json
from mahjong.tiles import format_tiles, parse_tiles
from tests.mahjong.play import deal, steps
from tests.mahjong.walls import outcome, setup

WAITING = "123789m123456p7899s"


def record(**changes: Any) -> dict[str, Any]:
    """A record of a dealer's 天胡, with some fields changed; None takes a field out."""
    made = setup(hands={0: WAITING + "9s"})
    data = Record(made, ("0 hu",), {"id": "one"}).to_json() | changes
    return {name: value for name, value in data.items() if value is not None}


def run(capsys: pytest.CaptureFixture[str], path: Path, data: bytes, command: str = "play") -> tuple[int, str, str]:
    path.write_bytes(data)
    status = main([command, str(path)])
    out, err = capsys.readouterr()
    return status, out, err


def test_play_prints_the_result(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = json.dumps(record()) + "\n\n" + json.dumps(record(actions=[])) + "\n"
    status, out, err = run(capsys, tmp_path / "two.jsonl", lines.encode())
    assert (status, err) == (0, "")
    first, second = (json.loads(line) for line in out.splitlines())
    assert (first["by"], first["net"], first["next"]) == ("heavenly", [240, -80, -80, -80], {"dealer": 0, "streak": 2})
    assert first["payments"][0] == {"from": 1, "to": 0, "item": "win", "amount": 80}
    assert (second["outcome"], second["legal"]) == ("unfinished", {"0": ["0 hu", "0 pass"]})


def test_one_record_may_take_several_lines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capsys, tmp_path / "one.json", json.dumps(record(), indent=1).encode())
    assert status == 0
    assert json.loads(out)["by"] == "heavenly"


BAD: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "nothing"),
    "not JSON": (b"{]\n", "not JSON"),
    "not UTF-8": (b'{"rules": "\xff\xfe"}', "not UTF-8 at byte 12"),
    "a list": (b"[]", "object"),
    "NaN": (b'{"rules": NaN}', "NaN"),
    "deep": (b"[" * 1000 + b"]" * 1000, "nested|object"),
    "deeper": (b"[" * 100_000, "nested"),
    "long": (b'{"note": "' + b"x" * 10_000_000 + b'"}', "longer"),
    "long number": (b'{"base": ' + b"9" * 5000 + b"}", "number"),
    "twice": (b'{"rules": "zhangzhou", "rules": "zhangzhou"}', "twice"),
    "surrogate": (b'{"\\ud800": 1}', "unknown field"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_record(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data, message = BAD[name]
    for command in ("play", "analyse"):
        status, out, err = run(capsys, tmp_path / "bad", data, command)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1
        assert len(err) < 400
        if command == "play":
            assert any(part in err for part in message.split("|")), err


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": "riichi"}, "rules"),
        ({"rules": 5}, "rules"),
        ({"rules": None}, "rules: missing"),
        ({"wall": None}, "wall: missing"),
        ({"wall": "1m"}, "144 tiles, not 1"),
        ({"wall": "1x"}, "character 2"),
        ({"wall": 7}, "wall"),
        ({"dealer": 4}, "dealer"),
        ({"dealer": True}, "dealer"),
        ({"streak": 0}, "streak"),
        ({"base": 0}, "base"),
        ({"base": 1.5}, "base"),
        ({"coins": [1, 2, 3]}, "coins"),
        ({"coins": [1, 2, 3, -4]}, "coins[3]"),
        ({"coins": "1000"}, "coins"),
        ({"gold_dice": []}, "gold_dice"),
        ({"gold_dice": [1]}, "gold_dice"),
        ({"gold_dice": [13]}, "gold_dice"),
        ({"gold_dice": [7, 7]}, "gold_dice"),
        ({"options": []}, "options"),
        ({"options": {"dead_wall_stacks": 9}}, "8, 13"),
        ({"options": {"dead_wall_stacks": True}}, "8, 13"),
        ({"options": {"rob_added_kong": 1}}, "true, false"),
        ({"options": {"discard_win_multiplier": 2}}, "unknown option"),
        ({"actions": "0 hu"}, "actions"),
        ({"actions": [1]}, "action 1"),
        ({"actions": ["0 win"]}, "action 1"),
        ({"actions": ["4 hu"]}, "action 1"),
        ({"actions": ["0  hu"]}, "action 1"),
        ({"actions": ["0 discard"]}, "action 1"),
        ({"actions": ["0 discard 1m2m"]}, "action 1"),
        ({"actions": ["0 chow 1m"]}, "action 1"),
        ({"actions": ["0 hu\n"]}, "action 1"),
        ({"actions": ["0 hu", "0 hu"]}, "action 2"),
        ({"actions": ["0 pong"]}, "legal: 0 hu, 0 pass"),
        ({"surprise": 1}, "unknown field 'surprise'"),
    ],
)
def test_what_a_record_may_not_say(
    changes: dict[str, Any], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(IllegalRecord):
        play(Record.from_json(record(**changes)))
    status, out, err = run(capsys, tmp_path / "bad", json.dumps(record(**changes)).encode())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert "line 1" in err


def test_an_error_leaves_what_was_done_before_and_names_the_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = "\n".join((json.dumps(record()), "", "nonsense", json.dumps(record())))
    status, out, err = run(capsys, tmp_path / "some", lines.encode())
    assert status == 2
    assert len(out.splitlines()) == 1
    assert "line 3" in err


@pytest.mark.parametrize(
    "hand",
    [
        {},
        {"rules": "zhangzhou", "gold": "5m", "concealed": "123m", "melds": 2},
        {"rules": "zhangzhou", "gold": "1f", "concealed": "12m", "melds": 5},
        {"rules": "zhangzhou", "gold": ["5m", "6m"], "concealed": "12m", "melds": 5},
        {"rules": "zhangzhou", "gold": "5m", "concealed": "1f1m", "melds": 5},
        {"rules": "putian-an", "gold": "5m", "concealed": "5z1m", "melds": 5},
        {"rules": "putian-an", "gold": "1z", "concealed": "11m", "melds": 5},
        {"rules": "zhangzhou", "gold": "5m", "concealed": "5555m", "melds": 4},
        {"rules": "zhangzhou", "gold": "5m", "concealed": "11111m", "melds": 4},
        {"rules": "zhangzhou", "gold": "5m", "concealed": "11m", "melds": 6},
        {"rules": "zhangzhou", "gold": 5, "concealed": "11m", "melds": 5},
        {"rules": "zhangzhou", "gold": "5m", "concealed": 11, "melds": 5},
        {"rules": "zhangzhou", "gold": "5m", "concealed": "11m", "melds": 5, "you": True},
    ],
)
def test_what_a_hand_to_analyse_may_not_be(
    hand: dict[str, Any], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, err = run(capsys, tmp_path / "bad", json.dumps(hand).encode(), "analyse")
    assert (status, out, err.count("\n")) == (2, "", 1)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.binary(max_size=200))
def test_garbage_gives_an_error_never_a_traceback(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes
) -> None:
    status, out, err = run(capsys, tmp_path / "garbage", data)
    assert (status, out, err.count("\n")) == (2, "", 1)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=3), children, max_size=3),
    max_leaves=5,
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.sampled_from(sorted(record())), json_values)
def test_a_field_of_anything_gives_a_result_or_an_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, value: Any
) -> None:
    status, out, err = run(capsys, tmp_path / "garbage", json.dumps(record() | {name: value}).encode())
    assert (status, out.count("\n"), err.count("\n")) in ((0, 1, 0), (2, 0, 1))


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from(("hu", "pass", "pong", "kong", "rob", "discard 1m")))))
def test_actions_of_anything_give_a_result_or_an_error(actions: list[tuple[int, str]]) -> None:
    made = setup(hands={0: "111m9s", 1: WAITING})
    with suppress(IllegalRecord):
        outcome(made, *(f"{seat} {verb}" for seat, verb in actions))


def test_arguments(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for arguments in (
        [],
        ["dance"],
        ["play"],
        ["play", str(tmp_path / "missing")],
        ["play", str(tmp_path)],
        ["simulate", "--rules", "riichi"],
        ["simulate", "--rules", "zhangzhou", "--hands", "0"],
        ["simulate", "--rules", "zhangzhou", "--players", "nobody"],
        ["simulate", "--rules", "zhangzhou", "--players", "easy,easy,easy,easy,easy"],
        ["simulate", "--rules", "zhangzhou", "--hands", "2", "--duplicate"],
        ["simulate", "--rules", "zhangzhou", "--hands", "1", "--records", str(tmp_path)],
    ):
        assert main(arguments) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1), arguments


def test_the_command_as_a_process(tmp_path: Path) -> None:
    """Standard input and output, as a stranger would use it."""
    command = [sys.executable, "-m", "mahjong", "play", "-"]
    done = subprocess.run(command, input=json.dumps(record()), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["winner"] == 0
    long = b"[" * (LONGEST + 10)
    failed = subprocess.run(command, input=long, capture_output=True, check=False)
    assert (failed.returncode, failed.stdout, failed.stderr.count(b"\n")) == (2, b"", 1)


@pytest.mark.parametrize("rules", ["zhangzhou", "putian-an", "putian-ming"])
def test_simulated_records_give_their_result_again(
    rules: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "records.jsonl"
    arguments = ["simulate", "--rules", rules, "--hands", "20", "--seed", "7", "--players", "random,easy"]
    assert main([*arguments, "--records", str(path)]) == 0
    statistics = capsys.readouterr().out
    assert "sum to zero" in statistics
    written = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(written) == 20
    assert main(["play", str(path)]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [data["result"] for data in written]
    assert main([*arguments, "--records", str(path)]) == 0
    assert capsys.readouterr().out == statistics
    assert [json.loads(line) for line in path.read_text().splitlines()] == written


def test_verify_finds_what_was_changed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    assert main(["simulate", "--rules", "zhangzhou", "--hands", "3", "--records", str(path)]) == 0
    capsys.readouterr()
    assert main(["verify", str(path)]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    written = [json.loads(line) for line in path.read_text().splitlines()]
    for answer, data in zip(found, written, strict=True):
        sha = hashlib.sha256(bytes.fromhex(data["seed"])).hexdigest()
        assert answer == {"commitment": sha, "wall": True, "gold_dice": True, "result": True, "differs": []}
    for changes, part in (
        ({"seed": "00" * 32}, "wall"),
        ({"dice": []}, "wall"),
        ({"result": {}}, "result"),
    ):
        status, out, _ = run(capsys, path, json.dumps(written[0] | changes).encode(), "verify")
        assert status == 1
        assert json.loads(out)[part] is False
    for changes in ({"seed": "zz"}, {"seed": 5}, {"dice": "12"}, {"dice": [0, 1]}, {"dice": [1]}):
        status, out, err = run(capsys, path, json.dumps(written[0] | changes).encode(), "verify")
        assert (status, out, err.count("\n")) == (2, "", 1)


@pytest.fixture(scope="module")
def proven(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A record that verifies, with all that a bot's has."""
    path = tmp_path_factory.mktemp("proven") / "records.jsonl"
    assert main(["simulate", "--rules", "zhangzhou", "--hands", "4", "--seed", "9", "--records", str(path)]) == 0
    records = [json.loads(line) for line in path.read_text().splitlines()]
    record: dict[str, Any] = next(data for data in records if data["result"]["payments"])
    record["note"] = {"commitment": hashlib.sha256(bytes.fromhex(record["seed"])).hexdigest()}
    return record


def swapped(text: str) -> str:
    """A wall in which the first tile and the first that differs from it have changed places."""
    tiles = parse_tiles(text)
    at = next(number for number, tile in enumerate(tiles) if tile != tiles[0])
    tiles[0], tiles[at] = tiles[at], tiles[0]
    return format_tiles(tiles)


@pytest.mark.parametrize(
    ("field", "change", "named"),
    [
        ("seed", lambda seed: seed[:-1] + ("0" if seed[-1] != "0" else "1"), "wall"),
        ("dice", lambda dice: [dice[0] % 6 + 1, dice[1]] if dice else [1, 2], "wall"),
        ("dealer", lambda dealer: (dealer + 1) % 4, None),
        ("streak", lambda streak: streak + 1, None),
        ("base", lambda base: base * 2, "result.payments"),
        ("coins", lambda coins: [coins[0] + 1, *coins[1:]], "result.coins"),
        ("wall", swapped, "wall"),
        ("gold_dice", lambda throws: [throws[0] % 11 + 2, *throws[1:]], "gold_dice"),
        ("actions", lambda actions: actions[:-1], "result.outcome"),
        ("note", lambda note: {"commitment": "0" * 64}, "note.commitment"),
        ("result.outcome", lambda _: "draw", "result.outcome"),
        ("result.winner", lambda winner: (winner + 1) % 4, "result.winner"),
        ("result.by", lambda _: "heavenly", "result.by"),
        ("result.tile", lambda _: "8f", "result.tile"),
        ("result.points", lambda points: [points[0] + 1, *points[1:]], "result.points"),
        ("result.fenbing", lambda units: units + 1, "result.fenbing"),
        ("result.payments", lambda lines: lines[1:], "result.payments"),
        ("result.net", lambda net: [net[0] + 1, net[1] - 1, *net[2:]], "result.net"),
        ("result.coins", lambda coins: [coins[0] + 1, *coins[1:]], "result.coins"),
        ("result.next", lambda _: {"dealer": 2, "streak": 9}, "result.next"),
        ("result.more", lambda _: 1, "result.more"),
        ("result.coins", lambda coins: [float(coins[0]), *coins[1:]], "result.coins"),
        ("result.next", lambda after: {**after, "dealer": float(after["dealer"])}, "result.next"),
        ("result.fenbing", bool, "result.fenbing"),
    ],
)
def test_verify_names_whatever_field_was_tampered_with(
    proven: dict[str, Any],
    field: str,
    change: Callable[[Any], Any],
    named: str | None,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    name, _, part = field.partition(".")
    value = {**proven[name], part: change(proven[name].get(part))} if part else change(proven.get(name))
    path = tmp_path / "records.jsonl"
    status, out, err = run(capsys, path, json.dumps(proven | {name: value}).encode(), "verify")
    assert status in (1, 2)
    if status == 2:
        # It cannot even be played: the line says which field or action is wrong.
        assert named is None or named in err
        assert err.count("\n") == 1
    else:
        differs = json.loads(out)["differs"]
        assert differs
        assert named is None or named in differs


def test_a_record_carries_its_free_fields() -> None:
    hand = deal("zhangzhou", 5)
    for _ in steps(hand, Random(5)):
        pass
    made = record_of(hand, id=5, seed="00", dice=[1, 2], players=["a"], note="n", result=result_json(hand))
    assert Record.from_json(json.loads(json.dumps(made.to_json()))) == made
    with pytest.raises(ValueError, match="no such fields"):
        record_of(hand, surprise=1)
