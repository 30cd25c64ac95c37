"""What a ruleset offers: claims on a discard, wins before the first, and the options of a table."""

from __future__ import annotations

import pytest

from mahjong.hand import Hand
from mahjong.moves import IllegalRecord, Move
from mahjong.rulesets import RULESETS
from mahjong.rulesets.base import check_wall
from mahjong.tiles import format_tiles, parse_tile, parse_tiles
from tests.mahjong.walls import setup

DARK, OPEN = "putian-an", "putian-ming"
POOR = "147m147m258p258p36s36s"
"""Sixteen tiles far from anything."""


def claims(hand: Hand, seat: int, source: int, tile: str) -> set[tuple[str, tuple[int, ...]]]:
    return {(move.verb, move.tiles) for move in hand.rules.claims_for(hand, seat, source, parse_tile(tile))}


def leave_drawable(hand: Hand, number: int) -> None:
    while hand.rules.drawable(hand) > number:
        hand.wall.popleft()


def tiles(text: str) -> tuple[int, ...]:
    return tuple(parse_tiles(text))


def test_the_lower_house_alone_may_chow_in_every_way_that_it_can() -> None:
    hand = Hand.deal(setup(hands={1: "3467m5p", 2: "3467m"}, gold="1z"))
    for state in hand.seats:
        for name in ("2m", "8m"):
            state.tiles[parse_tile(name)] = 0
    assert {claim for claim in claims(hand, 1, 0, "5m") if claim[0] == "chow"} == {
        ("chow", tiles("34m")),
        ("chow", tiles("46m")),
        ("chow", tiles("67m")),
    }
    assert not [claim for claim in claims(hand, 2, 0, "5m") if claim[0] == "chow"]


def test_a_white_that_stands_for_the_gold_is_named_after_the_lower_tile() -> None:
    """4.3: gold is 5m, so the white stands for it. A chow's tiles are named in ascending order."""
    hand = Hand.deal(setup(hands={1: "6m5z"}, gold="5m"))
    hand.seats[1].tiles[parse_tile("2m")] = hand.seats[1].tiles[parse_tile("3m")] = 0
    assert [claim for claim in claims(hand, 1, 0, "4m") if claim[0] == "chow"] == [("chow", tiles("6m5z"))]


@pytest.mark.parametrize(("left", "offered"), [(2, True), (1, True), (0, False)])
def test_a_kong_wants_a_tile_to_replace_it(left: int, offered: bool) -> None:
    hand = Hand.deal(setup(hands={2: "999s"}))
    leave_drawable(hand, left)
    assert (("kong", ()) in claims(hand, 2, 0, "9s")) is offered
    assert ("pong", ()) in claims(hand, 2, 0, "9s")


def test_two_alike_make_a_pong_three_a_kong_and_gold_is_never_claimed() -> None:
    hand = Hand.deal(setup(hands={1: "99s", 2: "1z", 3: "55m"}))
    assert claims(hand, 1, 3, "9s") == {("pong", ())}
    assert ("pong", ()) not in claims(hand, 2, 0, "1z")
    assert claims(hand, 3, 1, "5m") == set()


def test_putian_open_lets_a_discard_be_konged_and_nothing_else() -> None:
    hand = Hand.deal(setup(OPEN, hands={1: "999s46m"}, gold="1p"))
    assert claims(hand, 1, 0, "9s") == {("kong", ())}
    assert claims(hand, 1, 0, "5m") == set()


@pytest.mark.parametrize(
    ("gold", "held", "by"),
    [
        ("5m6s", "555m666s", "super_bomb"),
        ("5m6s", "555m66s", "big_bomb"),
        ("5m6s", "55m66s", "small_bomb"),
        ("5m6s", "555m", "small_bomb"),
        ("5m6s", "55m6s", None),
        ("5m5m", "55m", "two_gold"),
        ("5m6s", "5m6s", None),
        ("5m6s", "55m", None),
    ],
)
def test_putian_dark_what_gold_alone_wins_before_the_first_discard(gold: str, held: str, by: str | None) -> None:
    """5.2: three of one face or any four are a small bomb; 2.2: the other two of a face turned up twice."""
    far = format_tiles(parse_tiles("147m147m258p258p19s1s")[: 16 - len(parse_tiles(held))])
    hand = Hand.deal(setup(DARK, hands={2: held + far}, gold=gold))
    # Whoever has much gold may rob one more as well.
    wins = [win for win in hand.rules.opening(hand) if win[1] == 2 and win[0] != "rob_gold"]
    assert wins == ([] if by is None else [(by, 2)])


@pytest.mark.parametrize(("held", "wins"), [("555m", [("three_gold", 2)]), ("55m", []), ("5m", [])])
def test_putian_open_three_gold_win_before_the_first_discard(held: str, wins: list[tuple[str, int]]) -> None:
    hand = Hand.deal(setup(OPEN, hands={2: held + POOR[5:]}, gold="5m"))
    assert [win for win in hand.rules.opening(hand) if win[1] == 2] == wins


@pytest.mark.parametrize("rules", RULESETS)
def test_options_are_filled_up_and_others_refused_by_name_and_by_value(rules: str) -> None:
    game = RULESETS[rules]
    defaults = {spec.name: spec.default for spec in game.options}
    assert game.complete_options({}) == defaults
    for spec in game.options:
        for value in spec.values:
            assert game.complete_options({spec.name: value}) == {**defaults, spec.name: value}
    with pytest.raises(IllegalRecord) as caught:
        game.complete_options({"x" * 80: 1})
    known = ", ".join(defaults) or "none"
    assert str(caught.value) == f"options: unknown option '{'x' * 59}; {rules} has: {known}"


def test_an_options_value_is_of_its_own_kind() -> None:
    game = RULESETS["zhangzhou"]
    for name, value, told in (
        ("dead_wall_stacks", 9, "options: dead_wall_stacks is one of 8, 13, not 9"),
        ("dead_wall_stacks", "8", "options: dead_wall_stacks is one of 8, 13, not '8'"),
        ("rob_added_kong", 1, "options: rob_added_kong is one of true, false, not 1"),
        ("rob_added_kong", "y" * 80, f"options: rob_added_kong is one of true, false, not '{'y' * 59}"),
    ):
        with pytest.raises(IllegalRecord) as caught:
            game.complete_options({name: value})
        assert str(caught.value) == told


def test_a_game_without_options_says_that_it_has_none() -> None:
    class Plain(type(RULESETS["zhangzhou"])):  # type: ignore[misc]
        options = ()

    with pytest.raises(IllegalRecord, match="zhangzhou has: none"):
        Plain().complete_options({"x": 1})


def test_moves_on_offer_are_the_seats_own() -> None:
    hand = Hand.deal(setup(hands={2: "999s"}))
    assert Move(2, "pong") in hand.rules.claims_for(hand, 2, 0, parse_tile("9s"))


@pytest.mark.parametrize(("streak", "by"), [(18, "big_bomb"), (19, "heavenly"), (20, "heavenly")])
def test_putian_a_complete_hand_is_won_as_a_bomb_only_where_that_pays_more(streak: int, by: str) -> None:
    """5.2, 6: a big bomb is 50 points from each; complete it is 2 × (streak + 1 + 5 gold), with streak 19 as much."""
    hand = Hand.deal(setup(DARK, hands={0: "555m66s123p456p789p123s"}, gold="5m6s", streak=streak))
    assert hand.rules.opening(hand)[0] == (by, 0)


def test_putian_knows_no_levels_no_robbed_kongs_and_no_gold_that_rules_out_a_discard() -> None:
    hand = Hand.deal(setup(OPEN, gold="1p"))
    assert hand.rules.win_at_level(0) == "self_draw"
    assert hand.rules.draws_alone_win(2) is False
    assert hand.rules.may_rob(hand, 1, "concealed_kong", parse_tile("9s")) is False


def test_a_wall_is_refused_by_what_it_has_too_many_of() -> None:
    game = RULESETS["zhangzhou"]
    check_wall(game, game.tiles[::-1])
    with pytest.raises(IllegalRecord) as caught:
        check_wall(game, game.tiles[1:])
    assert str(caught.value) == "wall: zhangzhou has 144 tiles, not 143"
    with pytest.raises(IllegalRecord) as caught:
        check_wall(game, [parse_tile("2m"), *game.tiles[1:]])
    assert str(caught.value) == "wall: 1m is there 3 times, zhangzhou has it 4 times"
