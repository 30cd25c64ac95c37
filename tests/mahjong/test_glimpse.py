"""A glimpse is a view that is drawn up as far as it is looked at."""

from __future__ import annotations

from dataclasses import fields
from random import Random

import pytest

from mahjong.rulesets import RULESETS
from mahjong.views import View, glimpse, view
from tests.mahjong.play import deal, steps


@pytest.mark.parametrize("rules", RULESETS)
def test_a_glimpse_shows_what_a_view_shows(rules: str) -> None:
    for number in range(10):
        hand = deal(rules, number)
        for now in steps(hand, Random(number)):
            for reader in (None, 0, 1, 2, 3):
                whole, quick = view(now, reader), glimpse(now, reader)
                assert isinstance(quick, View)
                for field in reversed(fields(View)):
                    assert getattr(quick, field.name) == getattr(whole, field.name), field.name
                assert repr(quick).partition("(")[2] == repr(whole).partition("(")[2]


def test_a_glimpse_cannot_be_had_of_a_hand_that_has_gone_on() -> None:
    hand = deal("zhangzhou", 1)
    hand.close()
    seat = hand.turn
    assert seat is not None
    kept, looked = glimpse(hand, seat), glimpse(hand, seat)
    before = looked.seats
    hand.apply(hand.legal(seat)[0])
    # What was looked at stays as it was.
    assert looked.seats == before
    for name in ("seats", "events", "drawable", "fenbing"):
        with pytest.raises(RuntimeError, match=name):
            getattr(kept, name)
    with pytest.raises(AttributeError):
        _ = kept.nothing  # type: ignore[attr-defined]
