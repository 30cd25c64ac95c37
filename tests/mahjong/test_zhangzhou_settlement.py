"""Zhangzhou rules 8.3, 8.4, 9 and 10: who robs, who pays, how much and in what order. Amounts worked out by hand."""

from __future__ import annotations

import pytest

from mahjong.hand import Hand
from mahjong.moves import IllegalRecord, Move
from mahjong.settlement import Due, pay
from mahjong.tiles import parse_tile
from mahjong.views import sheet
from tests.mahjong.walls import advance, outcome, setup

WAITING = "123789m123456p7899s"
FOUR = ("0 discard 2z", "1 discard 2z", "2 discard 2z", "3 discard 2z")


def test_9_1_a_guess_is_settled_in_seat_order_from_the_owner() -> None:
    """Seat 3 kongs 9s, for which seat 1 waits; seat 0 waits for something else and is asked first."""
    made = setup(
        hands={0: "234m234678p67811s78m2z", 1: "123789m123456p78s44z", 3: "9999s"},
        draws="7z6z3z",
    )
    before = ("0 discard 2z", "1 discard 7z", "2 discard 6z", "3 kong 9s")
    right = outcome(made, *before, "1 rob")
    assert (right["by"], right["winner"], right["tile"]) == ("rob_kong", 1, "9s")
    both = outcome(made, *before, "1 rob", "0 rob")
    assert (both["outcome"], both["from"]) == ("false_win", 0)


def test_9_1_live_stakes_stand_with_the_question() -> None:
    """The example of telegram.md: an idle one at base 10 in a first hand: +80, or −100 with the kong's two points."""
    made = setup(hands={0: "2z", 2: "123789m123456p78s44z", 3: "9999s"}, draws="7z6z3z")
    hand = Hand.deal(made)
    hand.close()
    for move in (Move(0, "discard", (parse_tile("2z"),)), Move(1, "discard", (parse_tile("7z"),))):
        hand.apply(move)
        hand.close()
    hand.apply(Move(2, "discard", (parse_tile("6z"),)))
    hand.close()
    hand.apply(Move(3, "kong", (parse_tile("9s"),)))
    question = hand.questions[2]
    (guess,) = (option for option in question.options if option.move.verb == "rob")
    assert (guess.gain, guess.loss) == (80, 100)
    assert question.tile is None
    assert not question.hopeless


def test_9_1_a_guess_that_cannot_be_right_is_marked() -> None:
    """Seat 2 waits for 6s and 9s and holds 9s; a 6s lies in the river: no kong can be of either."""
    made = setup(hands={0: "6s", 2: WAITING, 3: "2222z"}, draws="7z6z3z")
    hand = Hand.deal(made)
    hand.close()
    for seat, tile in ((0, "6s"), (1, "7z"), (2, "6z")):
        hand.apply(Move(seat, "discard", (parse_tile(tile),)))
        hand.close()
    hand.apply(Move(3, "kong", (parse_tile("2z"),)))
    assert hand.questions[2].hopeless


def test_9_1_a_kong_that_was_let_go_cannot_be_robbed_later() -> None:
    made = setup(hands={0: "2z", 1: "123789m123456p78s44z", 3: "9999s"}, draws="7z6z3z", tail="1z")
    before = ("0 discard 2z", "1 discard 7z", "2 discard 6z", "3 kong 9s", "3 discard 3z")
    with pytest.raises(IllegalRecord):
        outcome(made, *before, "1 rob")


def test_10_5_a_kong_within_the_four_breaks_it() -> None:
    hands = {0: "2z", 1: "2z3333z", 2: "2z", 3: "2z"}
    made = setup(hands=hands, draws="4z6z7z", tail="9m")
    assert outcome(made, *FOUR)["fenbing"] == 1
    assert outcome(made, FOUR[0], "1 kong 3z", *FOUR[1:])["fenbing"] == 0


def test_10_5_a_kong_before_the_four_and_a_claim_between_fours_do_no_harm() -> None:
    """The dealer kongs first; then four 2p; the dealer chows the fourth, and four 2s follow: 1 + 2."""
    made = setup(hands={0: "3333z2p1p3p2s", 1: "2p2s", 2: "2p2s", 3: "2p2s"}, draws="4z6z7z4z6z7z", tail="9m")
    first = ("0 kong 3z", "0 discard 2p", "1 discard 2p", "2 discard 2p", "3 discard 2p")
    second = ("0 chow 13p", "0 discard 2s", "1 discard 2s", "2 discard 2s", "3 discard 2s")
    assert outcome(made, *first)["fenbing"] == 1
    assert outcome(made, *first, *second)["fenbing"] == 3


def test_10_5_fenbing_is_paid_in_a_drawn_hand() -> None:
    hand = Hand.deal(setup(hands={0: "2z", 1: "2z", 2: "2z", 3: "2z"}))
    _play_four(hand)
    advance(hand, lambda hand: False)
    assert hand.result is not None
    assert (hand.result.outcome, hand.result.net) == ("draw", (-30, 10, 10, 10))


def _play_four(hand: Hand) -> None:
    hand.close()
    for seat in range(4):
        hand.apply(Move(seat, "discard", (parse_tile("2z"),)))
        hand.close()


def test_8_4_points_are_paid_in_a_drawn_hand_by_option() -> None:
    """Points 1 (kong), 0, 2 (concealed kong), 3 (six flowers): pairwise 1, 3 / 2, 2, 1 … net −20, −60, 20, 60."""
    hands = {0: "2z666z", 1: "6z", 2: "3333z", 3: "123456f"}
    for option, net in ((True, (-20, -60, 20, 60)), (False, (0, 0, 0, 0))):
        hand = Hand.deal(
            setup(
                hands=hands,
                draws="4z7z",
                tail="1m9m1p9p1s9s4z4m4p",
                before_gold=6,
                options={"draw_pays_points": option},
            )
        )
        hand.close()
        hand.apply(Move(0, "discard", (parse_tile("2z"),)))
        hand.close()
        hand.apply(Move(1, "discard", (parse_tile("6z"),)))
        hand.apply(Move(0, "kong"))
        hand.close()
        advance(hand, lambda hand: hand.turn == 2)
        hand.apply(Move(2, "kong", (parse_tile("3z"),)))
        hand.close()
        advance(hand, lambda hand: False)
        assert hand.result is not None
        assert (hand.result.outcome, hand.result.points, hand.result.net) == ("draw", (1, 0, 2, 3), net)


def test_8_3_liability_carries_shares_points_and_fenbing() -> None:
    """Seat 1, with four flowers, wins on seat 2's discard in the last four after one round of 分饼. Seat 2 pays 20 for
    itself, 20 for seat 3, 30 for the dealer, and the 10 that the dealer owes seat 1; the dealer owes the others 10."""
    hand = Hand.deal(
        setup(
            hands={0: "2z", 1: "2z1234f123789m12345p", 2: "2z", 3: "2z"},
            draws="1z",
            tail="6p789s",
            before_gold=4,
            at={26: "1z"},
        )
    )
    assert hand.drawable == 57
    _play_four(hand)
    advance(hand, lambda hand: hand.last_four)
    assert hand.turn == 2
    hand.apply(Move(2, "discard", (parse_tile("1z"),)))
    hand.apply(Move(1, "hu"))
    hand.close()
    assert hand.result is not None
    assert hand.result.net == (-20, 80, -70, 10)
    assert [(line.payer, line.payee, line.item, line.share, line.due) for line in hand.result.lines] == [
        (2, 1, "win", None, 20),
        (2, 1, "win", 3, 20),
        (2, 1, "win", 0, 30),
        (2, 1, "fenbing", 0, 10),
        (0, 2, "fenbing", None, 10),
        (0, 3, "fenbing", None, 10),
    ]


def test_10_6_a_false_win_pays_points_and_fenbing_together() -> None:
    """Seat 2 guesses wrong at seat 3's kong after one round of 分饼: 3 gets 20 + 20 + 10, the dealer 40, 1 gets 30."""
    made = setup(
        hands={0: "2z", 1: "2z", 2: "2z123789m123456p789s", 3: "2z3333z"},
        draws="4z7z6z1m9m9p4z",
    )
    actions = (*FOUR, "0 discard 1m", "1 discard 9m", "2 discard 9p", "3 kong 3z", "2 rob")
    result = outcome(made, *actions)
    assert (result["outcome"], result["winner"], result["from"]) == ("false_win", None, 2)
    assert result["net"] == [40, 30, -120, 50]
    assert result["next"] == {"dealer": 1, "streak": 1}
    # Who has too little pays in order from the caller's lower house, all dues of one together.
    poor = setup(
        hands={0: "2z", 1: "2z", 2: "2z123789m123456p789s", 3: "2z3333z"},
        draws="4z7z6z1m9m9p4z",
        coins=(0, 0, 60, 0),
    )
    assert outcome(poor, *actions)["net"] == [10, 0, -60, 50]


def test_10_8_nobody_pays_more_than_is_left_and_what_came_in_counts() -> None:
    dues = [
        Due(1, 0, "win", 2, 1, 0, 50),
        Due(2, 0, "win", 2, 1, 0, 50),
        Due(3, 0, "win", 2, 1, 0, 50),
        Due(1, 2, "points", 0, 0, 3, 30),
        Due(2, 3, "points", 0, 0, 3, 30),
    ]
    lines, coins = pay(dues, (0, 70, 40, 100))
    assert [line.paid for line in lines] == [50, 40, 50, 20, 20]
    assert coins == (140, 0, 0, 70)


def test_12_the_sheet_names_every_share() -> None:
    hand = Hand.deal(setup(hands={0: WAITING + "9s"}))
    hand.apply(Move(0, "hu"))
    hand.close()
    page = sheet(hand)
    assert [(line.payer, line.value, line.factor, line.due) for line in page.lines] == [
        (1, 4, 2, 80),
        (2, 4, 2, 80),
        (3, 4, 2, 80),
    ]
    assert len(page.sets) == 6
    assert len(page.sets[-1]) == 2
