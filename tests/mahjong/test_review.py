"""A finished hand reviewed: one's own discards alone, judged by what one saw, at their place in the replay."""

from __future__ import annotations

from random import Random

import pytest

from mahjong.moves import IllegalRecord
from mahjong.players import PLAYERS, Player
from mahjong.records import Record, record_of
from mahjong.review import LEAST, MOST, judge, turns_of, worst
from mahjong.rulesets import RULESETS
from mahjong.simulate import play_out
from mahjong.steps import steps
from tests.mahjong.play import deal


def records(rules: str, level: str, hands: int = 6) -> list[Record]:
    """Hands in which a player of a level, at seat 0, met three others."""
    players: list[Player] = [PLAYERS[level], *[PLAYERS["easy"]] * 3]
    found = []
    for seed in range(hands):
        hand = deal(rules, seed)
        play_out(hand, players, Random(seed))
        found.append(Record.from_json(record_of(hand).to_json()))
    return found


@pytest.mark.parametrize("rules", RULESETS)
def test_each_turn_is_one_of_the_replay_and_shows_what_its_seat_saw(rules: str) -> None:
    found = 0
    for record in records(rules, "easy"):
        told = steps(record)
        for seat in range(4):
            turns = turns_of(record, seat)
            found += len(turns)
            for turn in turns:
                step = told[turn.step]
                assert (step.taken, step.turn) == (turn.thrown, turn.number)
                assert turn.thrown.seat == turn.view.reader == seat
                assert [other.concealed for other in turn.view.seats if other.seat != seat] == [None] * 3
            mine = [step for step in told if step.taken and step.taken.seat == seat and step.taken.verb == "discard"]
            assert len(turns) == len(mine)
    assert found > 50


@pytest.mark.parametrize("rules", RULESETS)
def test_the_strong_player_has_nothing_to_regret_and_who_plays_at_random_has(rules: str) -> None:
    kept = [judge(turn) for record in records(rules, "hard") for turn in turns_of(record, 0)]
    assert len(kept) > 20
    assert not any(kept)
    wrong = [slip for record in records(rules, "random") for turn in turns_of(record, 0) if (slip := judge(turn))]
    assert len(wrong) > MOST
    for slip in wrong:
        assert slip.cost > LEAST * slip.turn.view.base
        assert slip.thrown.move == slip.turn.thrown != slip.better.move
        assert slip.better.option in slip.turn.view.question.options  # type: ignore[union-attr]


def test_the_dearest_are_told_in_the_order_of_the_hand() -> None:
    (record,) = records("zhangzhou", "random", 1)
    slips = [slip for turn in turns_of(record, 0) if (slip := judge(turn))]
    told = worst(slips)
    assert len(told) == MOST
    assert list(told) == sorted(told, key=lambda slip: slip.turn.step)
    others = [slip.cost for slip in slips if slip not in told]
    assert not others or min(slip.cost for slip in told) >= max(others)
    assert worst([]) == ()


def test_a_hand_that_runs_is_reviewed_for_nobody() -> None:
    (record,) = records("zhangzhou", "easy", 1)
    with pytest.raises(IllegalRecord):
        turns_of(Record(record.setup, record.actions[:4]), 0)
