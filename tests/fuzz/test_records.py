"""Records, hands and files of a simulation: answered, or refused with one line and exit status 2."""

from __future__ import annotations

import io
import json
import sys
import tempfile
from contextlib import redirect_stderr
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st

from mahjong.cli import main
from mahjong.rulesets import RULESETS
from tests.fuzz.entrances import entrance
from tests.fuzz.made_up import bent, damaged, odd_texts, values

HANDS = [json.loads(line) for line in (Path(__file__).parents[1] / "conformance/analyse.jsonl").read_text().split("\n")
         if line.strip()]  # fmt: skip


def run(*arguments: str, given: bytes = b"") -> tuple[int, str]:
    """Exit status and standard output of a command; what goes wrong is one line."""

    class Given:
        buffer = io.BytesIO(given)

    out, err = io.StringIO(), io.StringIO()
    with patch.object(sys, "stdin", Given()), patch.object(sys, "stdout", out), redirect_stderr(err):
        status = main(arguments)
    assert status in (0, 1, 2)
    if status == 2:
        assert len(err.getvalue().splitlines()) == 1, err.getvalue()
    return status, out.getvalue()


@cache
def simulated(rules: str, duplicate: bool = False) -> bytes:
    """The records of some hands, as `simulate` writes them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "records")
        flags = ["--duplicate"] if duplicate else []
        run("simulate", "--rules", rules, "--hands", "4", "--records", str(file), *flags)
        return file.read_bytes()


@cache
def records() -> list[Any]:
    return [json.loads(line) for rules in RULESETS for line in simulated(rules).splitlines()]


@st.composite
def bent_records(draw: st.DrawFn) -> Any:
    """A record that was good, with one more difference or none."""
    return draw(bent(draw(st.sampled_from(records()))))


@st.composite
def bent_hands(draw: st.DrawFn) -> Any:
    return draw(bent(draw(st.sampled_from(HANDS))))


def as_json(document: Any) -> bytes:
    return json.dumps(document).encode("utf-8", "surrogatepass")


@entrance(60, record=bent_records(), command=st.sampled_from(["play", "verify"]))
def test_a_record_is_played_or_refused(record: Any, command: str) -> None:
    status, out = run(command, "-", given=as_json(record))
    if status == 0 and command == "play":
        assert sum(json.loads(out)["net"]) == 0


@entrance(80, hand=bent_hands())
def test_a_hand_is_analysed_or_refused(hand: Any) -> None:
    run("analyse", given=as_json(hand))


@entrance(60, document=values, command=st.sampled_from(["play", "verify", "analyse"]))
def test_json_that_is_no_record_is_refused(document: Any, command: str) -> None:
    status, _ = run(command, "-", given=as_json(document))
    assert status == 2


@st.composite
def damaged_files(draw: st.DrawFn) -> bytes:
    return draw(damaged(simulated(draw(st.sampled_from(list(RULESETS))))))


@entrance(30, data=damaged_files(), command=st.sampled_from(["play", "verify", "analyse"]))
def test_any_bytes_are_read_or_refused(data: bytes, command: str) -> None:
    run(command, "-", given=data)


@entrance(15, rules=st.sampled_from(list(RULESETS)), duplicate=st.booleans(), draw=st.data())
def test_records_of_a_simulation_are_gone_on_with_or_left_as_they_are(
    rules: str, duplicate: bool, draw: st.DataObject
) -> None:
    whole = simulated(rules, duplicate)
    data = draw.draw(damaged(whole))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "records")
        file.write_bytes(data)
        flags = ["--duplicate"] if duplicate else []
        status, _ = run("simulate", "--rules", rules, "--hands", "4", "--records", str(file), *flags)
        if status == 0:
            # Lines of this run stay as they are, whatever else may stand in them; and what follows them all.
            assert len(file.read_bytes().splitlines()) == len(whole.splitlines()) or file.read_bytes() == data
        else:
            assert file.read_bytes() == data


numbers = st.one_of(
    st.integers(-3, 3).map(str),
    odd_texts.filter(lambda text: not (text.isascii() and text.isdigit() and len(text) < 10)),
)
"""No large ones: so many hands would be played."""
players = st.lists(st.sampled_from(["easy", "normal", "hard", "", "x"]), max_size=5).map(",".join)
flags = st.one_of(
    st.tuples(st.just("--hands"), numbers),
    st.tuples(st.just("--seed"), numbers),
    st.tuples(st.just("--jobs"), numbers.filter(lambda number: number not in ("2", "3"))),
    st.tuples(st.just("--players"), st.one_of(players, st.text(max_size=9))),
    st.tuples(st.just("--rules"), st.one_of(st.sampled_from(list(RULESETS)), st.text(max_size=9))),
    st.tuples(st.just("--records"), st.sampled_from(["", "/", "/nowhere/x", "/dev/null", "a\0b", "x" * 300])),
    st.just(("--duplicate",)),
    st.tuples(st.text(max_size=9).filter(lambda text: text not in ("-h", "--h", "--he", "--hel", "--help"))),
)


@entrance(60, first=st.sampled_from(["simulate", "play", "verify", "analyse", "", "--x"]),
          rest=st.lists(flags, max_size=4), chance=st.randoms())  # fmt: skip
def test_a_command_line_is_run_or_refused(first: str, rest: list[tuple[str, ...]], chance: Random) -> None:
    # No shell can hand over zero bytes.
    words = [word.replace("\0", "") for flag in rest for word in flag]
    if first == "simulate" and "--hands" not in words:
        words += ["--hands", "1"]
    if first == "simulate" and chance.random() < 0.8:
        words += ["--rules", chance.choice(list(RULESETS))]
    if "-h" not in words and not any(word.startswith(("-h", "--h")) and word != "--hands" for word in words):
        run(first, *words)
