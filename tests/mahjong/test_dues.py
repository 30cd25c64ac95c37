"""Every field of every due, and what each seat has points for, from hands made to order. Amounts worked out by hand."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from mahjong.hand import Hand
from mahjong.moves import MeldKind, Move, Verb
from mahjong.rulesets import RULESETS
from mahjong.rulesets.base import tile_set
from mahjong.settlement import Due, Ending, ScoreLine, Tally, pay
from mahjong.state import Meld
from mahjong.tiles import FLOWERS, WHITE, parse_tile
from tests.mahjong.walls import setup

DARK, OPEN = "putian-an", "putian-ming"
NINE = parse_tile("9s")


def made(rules: str, *, flowers: tuple[int, ...] = (0, 0, 0, 0), gold: str = "5m", **more: Any) -> Hand:
    """A hand that was just dealt, whose seats have so many flowers (in Putian: whites) out and no meld."""
    hand = Hand.deal(setup(rules, gold=gold, **more))
    laid = sorted(FLOWERS) if rules == "zhangzhou" else [WHITE] * 4
    for state, number in zip(hand.seats, flowers, strict=True):
        state.flowers = laid[:number]
        state.melds = []
    return hand


def melded(hand: Hand, seat: int, *kinds: MeldKind) -> None:
    hand.seats[seat].melds = [Meld(kind, (NINE,) * 4) for kind in kinds]


def thrown(hand: Hand, tiles: str) -> None:
    """Discards in turn, from the first on."""
    verb: Verb = "discard"
    faces = [parse_tile(tiles[at : at + 2]) for at in range(0, len(tiles), 2)]
    hand.actions = [Move(number % 4, verb, (face,)) for number, face in enumerate(faces)]


def dues(hand: Hand, ending: Ending) -> list[Due]:
    found = hand.rules.dues(hand, ending)
    assert all(type(due.amount) is int for due in found), "coins are whole"
    return found


def test_zhangzhou_a_self_draw_is_paid_by_value_streak_and_points_then_the_losers_settle() -> None:
    """Base 10, second hand of dealer 3, who wins: 2 × (2 + 1) + 2 points. Seat 1 has a point, seat 2 four."""
    hand = made("zhangzhou", flowers=(3, 4, 5, 5), dealer=3, streak=2)
    melded(hand, 2, "concealed_kong", "pong")
    assert dues(hand, Ending("win", 3, "self_draw")) == [
        Due(0, 3, "win", 2, 3, 2, 80),
        Due(1, 3, "win", 2, 3, 2, 80),
        Due(2, 3, "win", 2, 3, 2, 80),
        Due(0, 1, "points", 0, 0, 1, 10),
        Due(0, 2, "points", 0, 0, 4, 40),
        Due(1, 2, "points", 0, 0, 3, 30),
    ]


def test_zhangzhou_between_the_idle_the_streak_counts_without_the_dealers_one() -> None:
    hand = made("zhangzhou", dealer=0, streak=3)
    assert dues(hand, Ending("win", 2, "heavenly")) == [
        Due(3, 2, "win", 4, 3, 0, 120),
        Due(0, 2, "win", 4, 4, 0, 160),
        Due(1, 2, "win", 4, 3, 0, 120),
    ]


def test_zhangzhou_who_feeds_the_last_four_carries_all_and_the_dealers_four_alike() -> None:
    """8.3: seat 1 throws to seat 2 within the last four; dealer 0 owes four alike to the others, seat 1 carries it."""
    hand = made("zhangzhou", flowers=(0, 0, 4, 0))
    thrown(hand, "1z1z1z1z")
    hand.last_four = True
    assert dues(hand, Ending("win", 2, "discard", 1)) == [
        Due(1, 2, "win", 1, 1, 1, 20, 3),
        Due(1, 2, "win", 1, 2, 1, 30, 0),
        Due(1, 2, "win", 1, 1, 1, 20),
        Due(0, 3, "fenbing", 0, 0, 1, 10),
        Due(0, 1, "fenbing", 0, 0, 1, 10),
        Due(1, 2, "fenbing", 0, 0, 1, 10, 0),
    ]


def test_zhangzhou_a_dealer_who_feeds_the_last_four_owes_four_alike_as_ever() -> None:
    hand = made("zhangzhou", dealer=1)
    thrown(hand, "1z1z1z1z2z2z2z2z")
    hand.last_four = True
    paid = dues(hand, Ending("win", 2, "discard", 1))
    assert [due for due in paid if due.item == "fenbing"] == [
        Due(1, 3, "fenbing", 0, 0, 3, 30),
        Due(1, 0, "fenbing", 0, 0, 3, 30),
        Due(1, 2, "fenbing", 0, 0, 3, 30),
    ]


def test_zhangzhou_before_the_last_four_nobody_carries_anything_for_anybody() -> None:
    paid = dues(made("zhangzhou"), Ending("win", 2, "discard", 1))
    assert paid == [Due(3, 2, "win", 1, 1, 0, 10), Due(0, 2, "win", 1, 2, 0, 20), Due(1, 2, "win", 1, 1, 0, 10)]


def test_zhangzhou_a_false_win_pays_the_three_others_what_a_self_draw_would_get_them() -> None:
    """10.6: caller 2; dealer 0 gets no four alike; seat 1 has two points."""
    hand = made("zhangzhou", flowers=(0, 5, 0, 0), streak=2)
    thrown(hand, "1z1z1z1z")
    assert dues(hand, Ending("false_win", source=2)) == [
        Due(2, 3, "false_win", 2, 2, 1, 50),
        Due(2, 0, "false_win", 2, 3, 0, 60),
        Due(2, 1, "false_win", 2, 2, 3, 70),
    ]


def test_zhangzhou_a_false_win_of_the_dealer_counts_the_dealers_one_with_everybody() -> None:
    hand = made("zhangzhou", dealer=3)
    assert dues(hand, Ending("false_win", source=3)) == [
        Due(3, payee, "false_win", 2, 2, 0, 40) for payee in (0, 1, 2)
    ]  # fmt: skip


@pytest.mark.parametrize("pays", [False, True])
@pytest.mark.parametrize(("dealer", "order"), [(1, (2, 3, 0, 1)), (3, (0, 1, 2, 3))])
def test_zhangzhou_a_draw_pays_four_alike_and_points_only_where_the_table_wants_it(
    pays: bool, dealer: int, order: tuple[int, ...]
) -> None:
    hand = made("zhangzhou", flowers=(0, 0, 4, 0), dealer=dealer, options={"draw_pays_points": pays})
    thrown(hand, "1z1z1z1z")
    four = [Due(dealer, payee, "fenbing", 0, 0, 1, 10) for payee in order if payee != dealer]
    points = [Due(payer, 2, "points", 0, 0, 1, 10) for payer in order if payer != 2]
    assert dues(hand, Ending("draw")) == four + points * pays


@pytest.mark.parametrize("verb", ["chow", "pong", "kong"])
def test_zhangzhou_a_claim_within_four_alike_ends_them_and_after_them_none(verb: Verb) -> None:
    """10.5: 1 base for the first four, 2 more for the next; a claim between the two rounds breaks neither."""
    hand = made("zhangzhou")
    claim = Move(1, verb)
    thrown(hand, "1z1z1z1z2z2z2z2z")
    first, second = hand.actions[:4], hand.actions[4:]
    for actions, units in (
        (first + second, 3),
        ([*first, claim, *second], 3),
        ([*first, *second[:2], claim, *second[2:]], 1),
        ([*first[:1], claim, *first[1:]], 0),
        ([*first[:1], Move(1, "pass"), *first[1:]], 1),
        ([*first[:3], *second], 0),
    ):
        hand.actions = list(actions)
        assert hand.rules.fenbing(hand) == units


def test_zhangzhou_points_lengthen_what_is_left_in_the_wall() -> None:
    """8.1: a stack more for each point of flowers and kongs; chows and pongs have none."""
    hand = made("zhangzhou")
    before = hand.rules.drawable(hand)
    hand.seats[0].flowers = sorted(FLOWERS)[:5]
    melded(hand, 0, "chow", "pong", "kong", "added_kong", "concealed_kong")
    assert hand.rules.drawable(hand) == before - 2 * (2 + 1 + 1 + 2)


def test_zhangzhou_the_last_four_are_told_once() -> None:
    hand = made("zhangzhou")
    while hand.rules.drawable(hand) > 5:
        hand.wall.popleft()
    hand.rules.before_draw(hand)
    assert not hand.last_four
    hand.wall.popleft()
    for _ in range(2):
        hand.rules.before_draw(hand)
    assert hand.last_four
    assert [(event.kind, event.seat) for event in hand.events].count(("last_four", None)) == 1


def test_zhangzhou_points_are_told_by_what_they_are_for() -> None:
    hand = made("zhangzhou", flowers=(5, 3, 0, 0))
    melded(hand, 0, "kong", "added_kong", "concealed_kong", "pong", "chow")
    ending = Ending("draw")
    assert hand.rules.tally(hand, 0, ending) == (
        Tally("flowers", 5, 2),
        Tally("exposed_kong", 2, 2),
        Tally("concealed_kong", 1, 2),
    )
    assert hand.rules.points(hand, 0, ending) == 6
    assert hand.rules.tally(hand, 1, ending) == (Tally("flowers", 3, 0),)
    assert hand.rules.points(hand, 1, ending) == 0
    assert hand.rules.tally(hand, 2, ending) == ()


@pytest.mark.parametrize(("level", "after"), [(0, 2), (1, 2), (2, 3), (3, 3)])
def test_zhangzhou_gold_thrown_out_of_the_shape_gives_the_second_level_and_then_the_third(
    level: int, after: int
) -> None:
    """7.2. Seat 0 holds five sets and two gold, of which one is thrown."""
    hand = made("zhangzhou", hands={0: "123789m123456789p55m"})
    hand.seats[0].level = level
    assert hand.rules.level_after(hand, 0, parse_tile("5m")) == after


@pytest.mark.parametrize("rob_added", [False, True])
def test_zhangzhou_concealed_kongs_may_always_be_guessed_at_added_ones_by_the_tables_wish(rob_added: bool) -> None:
    hand = made("zhangzhou", options={"rob_added_kong": rob_added})
    assert hand.rules.rob_follows(hand, "concealed_kong") is True
    assert hand.rules.rob_follows(hand, "added_kong") is rob_added


@pytest.mark.parametrize("multiplier", [1, 2])
def test_putian_a_self_draw_counts_twice_whatever_a_discard_does(multiplier: int) -> None:
    """Base 100, so a point is 10 coins: (1 + 2) twice between the idle, one more of the stake with dealer 0."""
    hand = made(OPEN, flowers=(0, 0, 2, 0), base=100, options={"discard_win_multiplier": multiplier})
    assert dues(hand, Ending("win", 2, "self_draw")) == [
        Due(3, 2, "win", 2, 1, 2, 60),
        Due(0, 2, "win", 2, 2, 2, 80),
        Due(1, 2, "win", 2, 1, 2, 60),
    ]
    stake = 2 + 2
    assert dues(hand, Ending("win", 2, "discard", 0)) == [
        Due(0, 2, "win", multiplier, 2, 2, stake * multiplier * 10)
    ]  # fmt: skip


@pytest.mark.parametrize(("by", "flat"), [("big_bomb", 50), ("super_bomb", 100)])
def test_putian_a_great_bomb_is_flat_and_the_losers_settle_after_it(by: str, flat: int) -> None:
    hand = made(DARK, gold="5m6s", flowers=(1, 4, 0, 0), base=20, streak=4)
    assert dues(hand, Ending("win", 3, by)) == [
        Due(0, 3, "win", flat, 1, 0, 2 * flat),
        Due(1, 3, "win", flat, 1, 0, 2 * flat),
        Due(2, 3, "win", flat, 1, 0, 2 * flat),
        Due(0, 1, "suanhua", 0, 0, 4, 8),
        Due(2, 0, "suanhua", 0, 0, 1, 2),
        Due(2, 1, "suanhua", 0, 0, 5, 10),
    ]


@pytest.mark.parametrize("singles", [False, True])
def test_putian_points_are_told_by_what_they_are_for(singles: bool) -> None:
    """Exposed kongs and, by the table's wish, fewer than four whites count for the winner alone (6.1, 6.4)."""
    hand = made(OPEN, flowers=(4, 3, 3, 0), options={"count_single_whites_between_losers": singles})
    for seat in (0, 1, 2):
        melded(hand, seat, "kong", "concealed_kong")
        hand.seats[seat].tiles[parse_tile("5m")] = 1
    ending = Ending("win", 2, "self_draw")
    gold, concealed = Tally("gold", 1, 1), Tally("concealed_kong", 1, 2)
    assert hand.rules.tally(hand, 0, ending) == (gold, Tally("whites", 4, 5), concealed)
    assert hand.rules.tally(hand, 1, ending) == (gold, Tally("whites", 3, 3 * singles), concealed)
    assert hand.rules.tally(hand, 2, ending) == (gold, Tally("whites", 3, 3), concealed, Tally("exposed_kong", 1, 1))
    assert hand.rules.points(hand, 1, ending) == 3 + 3 * singles
    assert hand.rules.tally(hand, 3, ending) == ()


def test_putian_white_gold_counts_twice_and_robbed_gold_is_the_dearer() -> None:
    """2.1, 5.3, 6.1: with the whites among the gold, the white is what is robbed; else the top one."""
    hand = made(DARK, gold="6s5z")
    hand.seats[1].tiles[WHITE] = 0
    hand.seats[1].tiles[parse_tile("6s")] = 0
    assert hand.rules.robbed_gold(hand) == WHITE
    assert hand.rules.tally(hand, 1, Ending("win", 1, "rob_gold")) == (Tally("gold", 1, 2),)
    assert hand.rules.tally(hand, 2, Ending("win", 1, "rob_gold"))[:1] != (Tally("gold", 1, 2),)
    plain = made(DARK, gold="6s5m")
    assert plain.rules.robbed_gold(plain) == plain.turned[0]


def test_putian_open_pays_nothing_for_a_drawn_hand() -> None:
    assert dues(made(OPEN, flowers=(4, 0, 0, 0)), Ending("draw")) == []


def test_a_games_tiles_are_four_of_each_face_and_one_of_each_single_ascending() -> None:
    assert tile_set((3, 1), (5, 0)) == (0, 1, 1, 1, 1, 3, 3, 3, 3, 5)
    walls = {"zhangzhou": 144, DARK: 112, OPEN: 112}
    assert {name: len(RULESETS[name].tiles) for name in walls} == walls


def test_every_kind_of_meld_is_either_a_kong_with_points_or_has_none() -> None:
    hand = made("zhangzhou")
    points = {}
    for kind in get_args(MeldKind):
        melded(hand, 0, kind)
        points[kind] = hand.rules.points(hand, 0, Ending("draw"))
    assert points == {"chow": 0, "pong": 0, "kong": 1, "added_kong": 1, "concealed_kong": 2}


def test_what_is_paid_tells_all_that_it_was_due_for() -> None:
    due = Due(0, 1, "win", 2, 3, 4, 100, 2)
    assert pay([due], (70, 0, 0, 5)) == ((ScoreLine(0, 1, "win", 2, 3, 4, 100, 70, 2),), (0, 70, 0, 5))


def test_only_zhangzhou_knows_four_alike() -> None:
    for rules in RULESETS:
        hand = made(rules, gold="5m6s" if rules == DARK else "5m")
        thrown(hand, "1m1m1m1m2m2m2m2m")
        assert hand.rules.fenbing(hand) == (3 if rules == "zhangzhou" else 0)
