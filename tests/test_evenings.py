"""Whole evenings in virtual time: four people press at random, the bot is killed and started again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.evening import spend_evening

pytestmark = pytest.mark.filterwarnings("ignore:.*retry_after")


@pytest.mark.parametrize("seed", range(4))
def test_five_hands_with_kills_lose_nothing_and_tell_nothing(seed: int, tmp_path: Path) -> None:
    evening = spend_evening(tmp_path, seed, hands=5, kills=6)
    assert evening.hands >= 5
    assert evening.kills == 6


@pytest.mark.parametrize("game", [1, 2])
def test_the_other_games_hold_as_well_and_the_dark_one_names_no_discard(game: int, tmp_path: Path) -> None:
    evening = spend_evening(tmp_path, 20 + game, hands=2, kills=2, game=game)
    assert evening.hands >= 2


def test_the_same_seed_gives_the_same_calls_byte_for_byte(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one = spend_evening(tmp_path / "one", 77, hands=1, kills=2)
    two = spend_evening(tmp_path / "two", 77, hands=1, kills=2)
    assert one == two
    other = spend_evening(tmp_path, 78, hands=1, kills=2)
    assert other.log != one.log
