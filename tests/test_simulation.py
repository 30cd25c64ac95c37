"""Worlds by seed (``tests/simulate``): the first thirty, and that a seed plays the same every time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from handlers import showing, taking_up
from handlers.draft import Draft
from handlers.outbox import Message
from handlers.screens import group as group_screen
from handlers.table_state import TableState
from tests.simulate import ending, run
from tests.simulate.run import again, simulate
from tests.support.process import ROOT


@pytest.mark.parametrize("seed", range(1, 31))
def test_a_world_by_seed(seed: int) -> None:
    report = simulate(seed, hands=1)
    assert report.wrong is None, f"{report.wrong}\nAgain: {again(seed, 1, None, False)}"


def test_a_seed_makes_the_same_calls_byte_for_byte_in_every_process() -> None:
    command = [sys.executable, "-m", "tests.simulate", "--seed", "77", "--hands", "1"]
    told = [
        subprocess.run(
            command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hashes}, capture_output=True, check=True, text=True
        ).stdout
        for hashes in ("1", "2")
    ]
    assert told[0] == told[1]
    assert str(simulate(77, hands=1)).strip() == told[0].strip()
    assert simulate(78, hands=1).log != simulate(77, hands=1).log


def _talkative_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """The group's message looks otherwise while somebody is asked."""
    told = group_screen.table_message

    def telling(renderer: Any, chat_id: int, state: TableState, *rest: Any) -> Message:
        message = told(renderer, chat_id, state, *rest)
        return replace(message, text=message.text + "!") if state.somebody_asked else message

    monkeypatch.setattr(group_screen, "table_message", telling)


def _wrong_eyes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody is shown the hand of the next."""
    look = showing.view
    monkeypatch.setattr(showing, "view", lambda hand, seat: look(hand, seat if seat is None else (seat + 1) % 4))


def _idle_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computers never come to an end of thinking."""
    monkeypatch.setattr(Draft, "think", lambda self, seat: None)
    # Days of pressing in vain need not be waited for.
    monkeypatch.setattr(run, "LONGEST", 12 * 3600.0)
    monkeypatch.setattr(ending, "PATIENCE", 3 * 3600.0)


def _forgetful_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a start the last move is forgotten."""
    replay = taking_up._replay

    async def shorter(house: Any, kept: Any) -> Any:
        journal = house.store.journal

        async def forgetful(hand_id: int) -> Any:
            return (await journal(hand_id))[:-1]

        house.store.journal = forgetful
        try:
            return await replay(house, kept)
        finally:
            house.store.journal = journal

    monkeypatch.setattr(taking_up, "_replay", shorter)


@pytest.mark.parametrize(
    ("broken", "found"),
    [
        (_talkative_table, "tells reader None of what is hidden"),
        (_wrong_eyes, "another's eyes|does not hold|does not sit|an invalid call|logged"),
        (_idle_computer, "a hand does not end"),
        (_forgetful_start, "its hand was"),
    ],
)
def test_what_is_broken_is_found(
    broken: Callable[[pytest.MonkeyPatch], None], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within ten worlds: not every world comes to where it shows."""
    broken(monkeypatch)
    told = (simulate(seed, hands=1).wrong or "" for seed in range(3, 13))
    assert any(re.search(found, wrong) for wrong in told)
