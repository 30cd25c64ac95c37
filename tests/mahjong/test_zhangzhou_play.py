"""Zhangzhou rules 3 to 8, sentence by sentence, where the conformance cases say nothing. Amounts worked out by hand."""

from __future__ import annotations

import pytest

from mahjong.hand import Hand
from mahjong.moves import IllegalRecord, Move
from mahjong.tiles import parse_tile
from tests.mahjong.walls import advance, legal, outcome, setup

WAITING = "123789m123456p7899s"
"""Sixteen tiles waiting for 6s and 9s."""
SHANPON = "123789m123p456s44p99s"
"""Sixteen tiles waiting for 4p and 9s; a pong of either leaves a hand that can wait again."""
YOU = "123789m123456p111z"
"""Five sets: with a gold the shape of 游金."""


def test_5_5_own_claim_ends_the_passed_win() -> None:
    made = setup(hands={0: "1z", 1: SHANPON, 2: "9s3s", 3: "4p"}, draws="2z2z2z")
    before = ("0 discard 1z", "1 discard 2z", "2 discard 9s", "3 discard 4p")
    offered = legal(made, *before)
    assert "1 pong" in offered
    assert "1 hu" not in offered
    result = outcome(made, *before, "1 pong", "1 discard 6s", "2 discard 3s", "1 hu")
    assert (result["by"], result["net"]) == ("discard", [-20, 40, -10, -10])


def test_5_5_passed_win_does_not_touch_self_draws() -> None:
    made = setup(hands={0: "1z1z", 1: WAITING, 2: "9s"}, draws="2z2z2z3z6s")
    result = outcome(made, "0 discard 1z", "1 discard 2z", "2 discard 9s", "3 discard 2z", "0 discard 1z", "1 hu")
    assert (result["by"], result["tile"], result["net"]) == ("self_draw", "6s", [-40, 80, -20, -20])


def test_5_5_a_pass_is_written_where_the_self_draw_would_be_read_as_the_claim() -> None:
    made = setup(hands={0: "9s", 1: WAITING}, draws="6s")
    assert outcome(made, "0 discard 9s", "1 hu")["by"] == "discard"
    assert outcome(made, "0 discard 9s", "1 pass", "1 hu")["by"] == "self_draw"


def test_4_6_gold_goes_into_no_pong() -> None:
    made = setup(hands={0: "9s", 1: "9s5m1199m1199p11s3344z"})
    assert "1 pong" not in legal(made, "0 discard 9s")


def test_4_6_gold_goes_into_no_kong_and_the_white_may() -> None:
    offered = legal(setup(hands={0: "5z5z5z5z5m5m19p19s"}))
    assert "0 kong 5z" in offered
    assert "0 kong 5m" not in offered


def test_4_2_gold_is_a_fifth_copy() -> None:
    made = setup(hands={0: "2z", 1: "1111m123456789p123s"}, draws="5m")
    result = outcome(made, "0 discard 2z", "1 hu")
    assert (result["by"], result["tile"]) == ("self_draw", "5m")


def test_4_3_white_runs_as_the_face_only() -> None:
    """Gold 5m: 46m with a white is a run; a white is no pair with another face."""
    made = setup(hands={0: "2z", 1: "46m5z123789p123456s1z"}, draws="1z")
    assert outcome(made, "0 discard 2z", "1 hu")["by"] == "self_draw"


def test_5_3_kong_in_a_turn_that_came_by_a_pong_or_chow() -> None:
    made = setup(hands={0: "9s4p", 1: "9s9s2222z35p"}, tail="3z", draws="7z")
    assert "1 kong 2z" in legal(made, "0 discard 9s", "1 pong")
    assert "1 kong 2z" in legal(made, "0 discard 4p", "1 chow 35p")


def test_5_6_two_gold_may_rob_a_kong() -> None:
    """Seat 0 needs 7p and holds two gold; they bar discards only. Value 2, the dealer's: 40 from each."""
    made = setup(
        hands={0: "55m123m456789s56p1z33z2z", 1: "7p", 2: "77p4z"},
        draws="4z6z7z9m7p",
    )
    before = ("0 discard 2z", "1 discard 7p")
    assert legal(made, *before) == {"2 pong", "2 pass"}
    after = ("2 pong", "2 discard 4z", "3 discard 6z", "0 discard 7z", "1 discard 9m", "2 kong 7p", "0 rob")
    result = outcome(made, *before, *after)
    assert (result["by"], result["from"], result["net"]) == ("rob_kong", 2, [120, -40, -40, -40])


def test_5_6_the_shape_may_not_rob() -> None:
    """Seat 0 is of the shape of 游金, so any tile would complete it; it is asked about no kong."""
    made = setup(hands={1: "2222z", 2: YOU + "5m", 0: "3z"}, draws="9s")
    assert not any(action.startswith("2 ") for action in legal(made, "0 discard 3z", "1 kong 2z"))


@pytest.mark.parametrize("seat", [1, 2])
def test_6_3_one_answer_ends_the_opening(seat: int) -> None:
    ready = {1: WAITING, 2: "123789m123456p11z88s"}
    made = setup(hands={0: "1z", **ready})
    other = 3 - seat
    assert outcome(made, f"{seat} hu")["winner"] == seat
    with pytest.raises(IllegalRecord, match="over"):
        outcome(made, f"{seat} hu", f"{other} hu")


def test_6_live_answers_are_settled_in_the_rules_order() -> None:
    """Whoever is quicker: seat 1 comes before seat 2, and nobody waits for those who come later."""
    hand = Hand.deal(setup(hands={0: "1z", 1: WAITING, 2: "123789m123456p11z88s"}))
    hand.apply(Move(2, "hu"))
    assert not hand.can_close
    hand.apply(Move(1, "hu"))
    assert hand.can_close
    hand.close()
    assert hand.result is not None
    assert (hand.result.winner, hand.result.by) == (1, "rob_gold")


def test_6_1_declined_heavenly_may_still_rob_the_gold() -> None:
    made = setup(hands={0: WAITING + "9s"})
    assert outcome(made, "0 hu")["by"] == "heavenly"
    result = outcome(made, "0 pass", "0 hu")
    assert (result["by"], result["net"]) == ("rob_gold", [120, -40, -40, -40])
    assert "0 hu" not in legal(made, "0 pass", "0 pass")


def test_6_2_declined_three_gold_may_still_rob_the_gold() -> None:
    made = setup(hands={0: "1z", 2: "555m123789p123456s1z"})
    assert outcome(made, "2 hu")["by"] == "three_gold"
    result = outcome(made, "2 pass", "2 hu")
    assert (result["by"], result["tile"]) == ("rob_gold", "5m")


def test_6_2_three_gold_at_the_dealers_first_turn() -> None:
    made = setup(hands={0: "555m19m19p19s1234677z1m"})
    assert outcome(made, "0 pass", "0 hu")["by"] == "three_gold"


def test_6_2_three_gold_in_a_turn_that_came_by_a_pong() -> None:
    made = setup(hands={0: "9s", 1: "555m99s19m19p1234677z"})
    assert outcome(made, "0 discard 9s", "1 pong", "1 hu")["by"] == "three_gold"


def test_no_win_in_a_turn_that_came_by_a_claim() -> None:
    """Two gold bar the discard win; ponging to a complete hand is no own draw: 7.2 is what is left."""
    made = setup(hands={0: "9s", 1: "55m123789p123456s99s"})
    offered = legal(made, "0 discard 9s", "1 pong")
    assert "1 hu" not in offered
    assert "1 discard 5m" in offered


def test_7_2_another_shape_ends_the_level() -> None:
    made = setup(hands={0: "2z3z", 1: YOU + "5m"}, draws="9p4z4z2z9s4z4z3z3m")
    actions = ["0 discard 2z", "1 discard 9p", "2 discard 4z", "3 discard 4z", "0 discard 2z"]
    # In 单游 now; 9s is drawn and 3m thrown out of a set.
    actions += ["1 discard 3m", "2 discard 4z", "3 discard 4z", "0 discard 3z", "1 hu"]
    result = outcome(made, *actions)
    assert (result["by"], result["tile"], result["net"]) == ("self_draw", "3m", [-40, 80, -20, -20])


def test_7_2_a_kong_leaves_the_level() -> None:
    """4 × base × k and two points for the concealed kong: 60 from each idle, 100 from the dealer."""
    made = setup(hands={0: "2z3z", 1: YOU + "5m"}, draws="9p4z4z2z1z", tail="9s")
    result = outcome(
        made,
        "0 discard 2z",
        "1 discard 9p",
        "2 discard 4z",
        "3 discard 4z",
        "0 discard 2z",
        "1 kong 1z",
        "1 hu",
    )
    assert (result["by"], result["net"]) == ("single_you", [-100, 220, -60, -60])


def test_7_3_a_flower_drawn_in_the_shape_is_replaced_first() -> None:
    made = setup(hands={0: "2z3z", 1: YOU + "5m"}, draws="9p4z4z2z8f", tail="7s")
    result = outcome(made, "0 discard 2z", "1 discard 9p", "2 discard 4z", "3 discard 4z", "0 discard 2z", "1 hu")
    assert (result["by"], result["tile"]) == ("single_you", "7s")


def test_7_6_a_claim_is_judged_by_the_discard_that_follows() -> None:
    """Seat 1 is in 单游, chows 3m with 12m of a set 123m and throws its own 3m: the shape again."""
    made = setup(hands={0: "2z3m", 1: YOU + "5m"}, draws="9p4z4z2z4z4z2z8s")
    before = ["0 discard 2z", "1 discard 9p", "2 discard 4z", "3 discard 4z", "0 discard 3m", "1 chow 12m"]
    after = ["2 discard 4z", "3 discard 4z", "0 discard 2z", "1 hu"]
    assert outcome(made, *before, "1 discard 3m", *after)["by"] == "single_you"
    with pytest.raises(IllegalRecord):
        outcome(made, *before, "1 discard 7m", *after)


def test_7_2_the_price_and_level_stand_with_the_discard() -> None:
    hand = Hand.deal(setup(hands={0: "2z", 1: YOU + "5m"}, draws="9p"))
    hand.close()
    hand.apply(Move(0, "discard", (parse_tile("2z"),)))
    hand.close()
    options = {option.move: option for option in hand.questions[1].options}
    assert options[Move(1, "hu")].gain == 80
    single = options[Move(1, "discard", (parse_tile("9p"),))]
    assert (single.level, single.by, single.gain) == (1, "single_you", 160)
    assert options[Move(1, "discard", (parse_tile("1m"),))].level == 0


def test_7_4_another_in_single_you_wins_in_the_lock_by_its_level() -> None:
    """Dealer 2 throws 9p for 单游; seat 0 draws a second gold and throws it. Seat 2 draws and wins, 80 each."""
    made = setup(
        hands={2: YOU + "5m9p", 0: "123789p123456s222z5m"},
        dealer=2,
        draws="3z5m4z7z",
        gold="5m",
    )
    actions = ("2 discard 9p", "3 discard 3z", "0 discard 5m", "2 hu")
    result = outcome(made, *actions)
    assert (result["by"], result["net"]) == ("single_you", [-80, -80, 240, -80])


def test_7_4_a_win_in_the_lock_may_be_declined() -> None:
    made = setup(hands={2: YOU + "5m9p", 0: "123789p123456s222z5m"}, dealer=2, draws="3z5m4z7z4z6z", gold="5m")
    actions = ("2 discard 9p", "3 discard 3z", "0 discard 5m")
    assert legal(made, *actions) == {"2 hu", "2 pass"}
    # Idle 0 wins at 8: 80 from the idle, 160 from the dealer.
    result = outcome(made, *actions, "0 hu")
    assert (result["by"], result["net"]) == ("double_you", [320, -80, -160, -80])


def test_7_4_nothing_but_the_win_for_who_locked_play() -> None:
    made = setup(hands={0: YOU + "55m"}, draws="2z3z4z6z")
    assert legal(made, "0 discard 5m") == {"0 hu"}


def test_8_1_a_concealed_kong_reserves_two_stacks() -> None:
    hand = Hand.deal(setup(hands={0: "2222z1z"}, tail="3z"))
    hand.close()
    assert hand.drawable == 63
    hand.apply(Move(0, "kong", (parse_tile("2z"),)))
    assert hand.drawable == 59
    hand.close()
    assert hand.drawable == 58


def test_8_2_a_kongs_points_are_reserved_before_its_replacement() -> None:
    """With seven drawable after the draw, a concealed kong leaves three: its replacement is in the last four."""
    hand = Hand.deal(setup(hands={0: "2222z1z"}, tail="3z"))
    advance(hand, lambda hand: hand.turn == 0 and hand.drawable == 7)
    assert not hand.last_four
    hand.apply(Move(0, "kong", (parse_tile("2z"),)))
    hand.close()
    assert hand.last_four


def test_8_2_three_gold_is_not_forced() -> None:
    hand = Hand.deal(setup(hands={0: "1z", 1: "555m19m19p19s1234677z"}))
    advance(hand, lambda hand: hand.turn == 1 and hand.last_four)
    assert hand.result is None
    assert Move(1, "hu") in hand.legal(1)


def test_8_2_replacement_draws_count() -> None:
    """The 59th draw, with five drawable, is a flower: its replacement, with four, wins of itself."""
    hand = Hand.deal(setup(hands={0: "1z", 3: WAITING}, at={21: "1f"}, tail="9s"))
    advance(hand, lambda hand: hand.last_four)
    assert hand.result is not None
    assert (hand.result.winner, hand.result.by) == (3, "self_draw")


def test_8_2_a_completing_draw_is_forced_at_its_level() -> None:
    hand = Hand.deal(setup(hands={0: "1z", 1: YOU + "5m"}))
    advance(hand, lambda hand: False)
    assert hand.result is not None
    assert (hand.result.winner, hand.result.by) == (1, "single_you")


def test_8_4_no_tile_for_a_locked_draw_is_a_drawn_hand() -> None:
    """Seat 3 locks play with four tiles drawable; a flower takes one of them more, and none is left for the 双游."""
    hand = Hand.deal(setup(hands={0: "2z", 3: YOU + "5m"}, at={21: "5m", 20: "1f"}, tail="4z"))
    advance(hand, lambda hand: hand.turn == 3 and hand.drawable == 4)
    hand.apply(Move(3, "discard", (parse_tile("5m"),)))
    assert hand.lock == 3
    while hand.result is None:
        assert hand.phase in ("claim", "lock")
        hand.close()
    assert hand.result.outcome == "draw"
