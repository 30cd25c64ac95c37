"""What a hand looks forward to, against another way to count it, and on hands that can be counted by heart."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from mahjong.analyse import waits_of
from mahjong.moves import Option, Question
from mahjong.outlook import after_discards, outlook
from mahjong.players import weigh
from mahjong.rulesets import RULESETS
from mahjong.tiles import NAMES, parse_tile
from mahjong.views import View, view
from tests.mahjong.play import deal, steps
from tests.render import samples as s


@pytest.mark.parametrize("rules", RULESETS)
def test_it_is_what_the_sound_player_weighs(rules: str) -> None:
    compared = waiting = 0
    for seed in range(6):
        for hand in steps(deal(rules, seed), Random(seed)):
            for seat in hand.questions:
                seen = view(hand, seat)
                for weighed in weigh(seen):
                    look = outlook(seen, weighed.move)
                    if weighed.move.verb in ("hu", "rob"):
                        assert look is None
                    elif weighed.move.verb in ("discard", "pass") and look is not None and seen.phase != "opening":
                        assert (look.missing, look.live) == (weighed.missing, weighed.live)
                        assert [draw for draw in look.draws if draw[1]] == [
                            draw for draw in weighed.improving if draw[1]
                        ]
                        compared += 1
                        waiting += look.missing == 1
                        if weighed.move.verb == "discard":
                            assert after_discards(seen)[weighed.move.tiles[0]] == look
    assert compared > 500
    assert waiting > 10


@pytest.mark.parametrize("rules", RULESETS)
def test_between_turns_a_hand_waits_for_what_analyse_says(rules: str) -> None:
    waiting = 0
    for seed in range(8):
        for hand in steps(deal(rules, seed), Random(seed)):
            for seat in range(4):
                seen = view(hand, seat)
                look = outlook(seen)
                if seat in hand.questions or hand.result is not None or seen.seats[seat].concealed_count % 3 != 1:
                    continue
                assert look is not None
                if waits := waits_of(seen):
                    assert look.missing == 1
                    assert {tile for tile, copies in look.draws if copies} <= set(waits)
                    waiting += 1
                else:
                    assert look.missing != 1 or not look.live
    assert waiting


def hand_of(concealed: str, drawn: str, gold: str = "9s") -> View:
    """A turn of seat 0 in Zhangzhou, the others having shown nothing."""
    me = replace(s.seat(0, concealed), drawn=parse_tile(drawn))
    me = replace(me, concealed_count=len(me.concealed or ()) + 1)
    base = s.view((me, *s.others()), 0)
    bare = tuple(replace(seat, melds=(), river=(), flowers=()) for seat in base.seats)
    tiles = dict.fromkeys((*(me.concealed or ()), parse_tile(drawn)))
    options = tuple(Option(s.Move(0, "discard", (tile,))) for tile in tiles)
    question = Question(1, 0, "turn", options)
    return replace(base, seats=bare, gold=(parse_tile(gold),), turn=0, question=question, last_discard=None)


def test_what_waits_is_told_with_the_copies_that_are_not_in_sight() -> None:
    seen = hand_of("123m456m789m123p55z46p", "1z")
    look = after_discards(seen)[parse_tile("1z")]
    assert (look.missing, look.you) == (1, False)
    # The gap, and with every gold of which three may still come.
    assert [(NAMES[tile], copies) for tile, copies in look.draws] == [("5p", 4), ("9s", 3)]
    assert (look.kinds, look.live) == (2, 7)


def test_two_gold_wait_for_ones_own_draw_alone() -> None:
    alone = others = 0
    for seed in range(60):
        for hand in steps(deal("zhangzhou", seed), Random(seed)):
            if hand.result is not None:
                continue
            for seat, state in enumerate(hand.seats):
                look = outlook(view(hand, seat)) if seat not in hand.questions else None
                if look is None or look.missing != 1 or look.you or state.passed_win:
                    continue
                wins = any(hand.can_win_discard(seat, tile) for tile, copies in look.draws if tile not in hand.gold)
                if look.draw_alone:
                    assert not wins
                elif any(tile not in hand.gold for tile, _ in look.draws):
                    assert wins
                alone += look.draw_alone
                others += not look.draw_alone
    assert alone > 5
    assert others > 5


def test_a_lone_gold_beside_sets_is_the_shape_that_every_tile_completes() -> None:
    seen = hand_of("123m456m789m123p456p9s", "1z")
    look = after_discards(seen)[parse_tile("1z")]
    assert look.you
    assert look.missing == 1
    assert look.kinds > 30
    assert not after_discards(seen)[parse_tile("9s")].you


def test_the_group_has_no_hand_to_look_at() -> None:
    assert outlook(s.view((s.seat(0, ""), *s.others()), None)) is None
