"""The command lines of the bot and of the playground: done, or refused with a line and a status."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Coroutine, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st

import bot
from playground import __main__ as playground
from tests.fuzz.entrances import entrance
from tests.fuzz.made_up import odd_texts

paths = st.one_of(odd_texts, st.sampled_from([".", "/", "/dev/null", "/nowhere/x", "x" * 300, "new.sqlite3", "~"]))


def can_be(words: Sequence[str]) -> list[str]:
    """What a shell can hand over: no zero bytes; bytes that are no UTF-8 come as lone surrogates."""
    return [word.replace("\0", "").encode("utf-8", "replace").decode() for word in words]


@entrance(
    40,
    command=st.sampled_from(["audit", "backup", "restore", "health", "", "check it", "-x", "--version", "--help"]),
    rest=st.lists(paths, max_size=2),
    database=paths,
)
def test_the_bots_command_line_is_done_or_refused(command: str, rest: list[str], database: str) -> None:
    out, err = StringIO(), StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(out), redirect_stderr(err):
        environment = {"DATABASE_PATH": can_be([database])[0], "PATH": os.environ["PATH"]}
        with patch.dict(os.environ, environment, clear=True):
            try:
                status: object = bot.main(can_be([command, *rest]))
            except SystemExit as end:
                status = end.code
    assert status in (0, 1, 2)
    if status:
        assert err.getvalue()


flags = st.one_of(
    st.tuples(st.just("--port"), st.one_of(st.just("0"), odd_texts, st.integers(60_000, 10**6).map(str))),
    st.tuples(st.just("--host"), st.sampled_from(["127.0.0.1", "::1", "", "a" * 70, "a..b", "300.1.1.1", "é", "\ud800",
                                                  "-"])),
    st.tuples(st.just("--token"), st.one_of(odd_texts, st.text(max_size=9).map(lambda text: f"{text}:{'x' * 30}"),
                                            st.text(min_size=30, max_size=40).map(lambda text: f"1:{text}"))),
    st.tuples(st.just("--username"), st.one_of(odd_texts, st.text("aé_1", max_size=40))),
    st.tuples(st.just("--seed"), odd_texts),
    st.tuples(st.just("--bot-api"), st.one_of(odd_texts, st.from_regex(r"\A\d{1,4}\.\d{1,4}\Z"))),
    st.tuples(st.sampled_from(["--state", "--offers"]), paths),
    st.just(("--no-budgets",)),
    st.tuples(odd_texts),
)  # fmt: skip


@entrance(25, given=st.lists(flags, max_size=4))
def test_the_playgrounds_command_line_is_done_or_refused(given: list[tuple[str, ...]]) -> None:
    words = can_be([word for flag in given for word in flag])
    err = StringIO()

    def run(serving: Coroutine[Any, Any, int]) -> int:
        """Serve for a moment instead of for ever."""

        async def for_a_moment() -> int:
            with suppress(TimeoutError):
                return await asyncio.wait_for(serving, 0.05)
            return 0

        with asyncio.Runner() as runner:
            return runner.run(for_a_moment())

    with (
        tempfile.TemporaryDirectory() as folder,
        chdir(folder),
        redirect_stdout(StringIO()),
        redirect_stderr(err),
        patch.object(sys, "argv", ["playground", "--port", "0", *words]),
        patch.object(asyncio, "run", run),
    ):
        try:
            status: object = playground.main()
        except SystemExit as end:
            status = end.code
    assert status in (0, 1, 2)
    if status:
        assert err.getvalue()
