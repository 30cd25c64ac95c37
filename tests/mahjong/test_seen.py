"""Copies in sight: what the reader sees is counted once, and what is not is exactly what is hidden."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mahjong.hand import Hand
from mahjong.rulesets import RULESETS
from mahjong.seen import seen
from mahjong.tiles import FACES
from mahjong.views import view
from tests.mahjong.play import deal, steps


def hidden_from(hand: Hand, reader: int | None) -> Counter[int]:
    """All copies that the reader cannot see, taken from the hand itself."""
    hidden: Counter[int] = Counter(hand.wall)
    for number, seat in enumerate(hand.seats):
        if number == reader:
            continue
        hidden.update(seat.held())
        for meld in seat.melds:
            if meld.kind == "concealed_kong":
                hidden.update(meld.tiles)
        if hand.rules.hidden_discards:
            hidden.update(discard.tile for discard in seat.river if discard.tile is not None)
    return hidden


@settings(max_examples=30)
@given(st.sampled_from(sorted(RULESETS)), st.integers(0, 2**32), st.sampled_from([None, 0, 1, 2, 3]))
def test_what_is_not_seen_is_what_is_hidden(rules: str, seed: int, reader: int | None) -> None:
    hand = deal(rules, seed)
    for now in steps(hand, Random(seed)):
        if now.result is not None:
            continue
        found = seen(view(now, reader))
        hidden = hidden_from(now, reader)
        assert found.unseen == tuple(hidden[face] for face in range(FACES))
        assert sum(found.own) == (now.seats[reader].size if reader is not None else 0)
        for face in range(FACES):
            copies = found.out[face] + found.own[face] + found.unseen[face]
            assert copies == RULESETS[rules].tiles.count(face)


@pytest.mark.parametrize("seed", range(5))
def test_in_the_dark_game_other_peoples_discards_count_for_nothing(seed: int) -> None:
    hand = deal("putian-an", seed)
    for now in steps(hand, Random(seed)):
        if now.result is not None:
            break
        for reader in range(4):
            out = seen(view(now, reader)).out
            others = sum(len(seat.river) for number, seat in enumerate(now.seats) if number != reader)
            shown = sum(len(seat.flowers) for seat in now.seats) + len(now.turned) + len(now.seats[reader].river)
            melds = sum(
                len(meld.tiles)
                for number, seat in enumerate(now.seats)
                for meld in seat.melds
                if number == reader or meld.kind != "concealed_kong"
            )
            assert sum(out) == shown + melds, others
