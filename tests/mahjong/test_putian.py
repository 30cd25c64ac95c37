"""Putian rules, sentence by sentence, where the conformance cases say nothing. Amounts worked out by hand."""

from __future__ import annotations

import pytest

from mahjong.hand import Hand
from mahjong.moves import IllegalRecord, Move
from mahjong.tiles import parse_tile
from mahjong.views import view
from tests.mahjong.walls import advance, legal, outcome, setup

DARK, OPEN = "putian-an", "putian-ming"
WAITING = "123789m123456p7899s"
"""Sixteen tiles waiting for 6s and 9s."""
POOR = "147m147m258p258p36s36s"
"""Sixteen tiles far from anything."""


def test_2_1_gold_is_turned_by_stacks() -> None:
    dark = Hand.deal(setup(DARK, gold="5m6s", throws=(3,)))
    assert dark.turned == (dark.setup.wall[-5], dark.setup.wall[-6])
    assert dark.drawable == 45
    light = Hand.deal(setup(OPEN, gold="5m", throws=(3,)))
    assert light.turned == (light.setup.wall[-5],)
    assert light.drawable == 46


def test_2_2_a_holder_of_the_other_two_may_decline() -> None:
    """That face alone is gold then: two live copies, kept in the hand."""
    made = setup(DARK, hands={0: "1p", 3: "55m" + POOR[2:]}, gold="5m5m", draws="9s9s9s")
    assert outcome(made, "3 hu")["by"] == "two_gold"
    offered = legal(made, "0 discard 1p", "1 discard 9s", "2 discard 9s")
    assert "3 discard 9s" in offered
    assert not any("5m" in action for action in offered)


def test_2_2_two_whites_alike_are_gold_and_not_replaced() -> None:
    made = setup(DARK, hands={3: "55z" + POOR[2:]}, gold="5z5z")
    hand = Hand.deal(made)
    assert hand.seats[3].flowers == []
    # Whites as gold are worth 2 each: (1 + 4) × 2 from the idle, (2 + 4) × 2 from the dealer.
    result = outcome(made, "3 hu")
    assert (result["by"], result["net"]) == ("two_gold", [-12, -10, -10, 32])


def test_3_whites_are_replaced_in_rounds() -> None:
    made = setup(DARK, hands={0: "5z5z", 1: "5z"}, gold="5m6s", tail="5z1m2m3m")
    hand = Hand.deal(made)
    replaced = [(event.seat, event.tiles) for event in hand.events if event.kind == "replaced"]
    tiles = [tuple(parse_tile(name) for name in names) for names in (("5z", "1m"), ("2m",), ("3m",))]
    assert replaced == [(0, tiles[0]), (1, tiles[1]), (0, tiles[2])]
    assert hand.drawable == 41


def test_4_2_dark_discards_are_nobodys_to_see() -> None:
    hand = Hand.deal(setup(DARK, hands={0: "1p"}, gold="5m6s"))
    hand.close()
    hand.apply(Move(0, "discard", (parse_tile("1p"),)))
    for reader in (None, 1, 2, 3):
        seen = view(hand, reader)
        assert seen.seats[0].river[0].tile is None
        assert seen.last_discard == (0, None)
        assert [event.tiles for event in seen.events if event.kind == "discarded"] == [(None,)]
    assert view(hand, 0).seats[0].river[0].tile == parse_tile("1p")
    assert hand.phase == "turn"


def test_4_3_a_fourth_tile_drawn_is_a_concealed_kong() -> None:
    made = setup(OPEN, hands={0: "1p", 1: "222s"}, gold="5m", draws="2s", tail="9p")
    assert "1 kong 2s" in legal(made, "0 discard 1p")
    hand = Hand.deal(made)
    hand.close()
    hand.apply(Move(0, "discard", (parse_tile("1p"),)))
    hand.close()
    hand.apply(Move(1, "kong", (parse_tile("2s"),)))
    assert hand.phase == "turn"
    assert view(hand, 2).seats[1].melds[0].tiles == (None,) * 4
    assert view(hand, 1).seats[1].melds[0].tiles == (parse_tile("2s"),) * 4


def test_4_5_a_replacement_due_on_an_empty_wall_is_a_drawn_hand() -> None:
    """The last tiles of this wall are whites: there is nothing to replace the last of them with."""
    hand = Hand.deal(setup(OPEN, gold="5m"))
    advance(hand, lambda hand: False)
    assert hand.result is not None
    assert hand.result.outcome == "draw"
    assert not hand.wall
    assert hand.events[-2].kind == "flower"


@pytest.mark.parametrize(
    ("golds", "by"),
    [
        ("555m", "small_bomb"),
        ("55m66s", "small_bomb"),
        ("555m6s", "small_bomb"),
        ("555m66s", "big_bomb"),
        ("55m666s", "big_bomb"),
        ("555m666s", "super_bomb"),
    ],
)
def test_5_2_bombs(golds: str, by: str) -> None:
    made = setup(DARK, hands={0: "1p", 1: golds + "19m19p19s"}, gold="5m6s", draws="2m")
    result = outcome(made, "0 discard 1p", "1 hu")
    number = len([char for char in golds if char.isdigit()])
    # (1 + gold) × 2 from the idle, (2 + gold) × 2 from the dealer, or a flat sum.
    idle, dealer = {"big_bomb": (50, 50), "super_bomb": (100, 100)}.get(by, (2 * (1 + number), 2 * (2 + number)))
    assert (result["by"], result["tile"]) == (by, None)
    assert result["net"] == [-dealer, dealer + 2 * idle, -idle, -idle]


def test_5_2_a_complete_hand_with_a_big_bomb_is_the_better_paid() -> None:
    """Five gold: (2 + 5) × 2 = 14 from each in a first hand, less than 50; (31 + 5) × 2 = 72 with a streak of 30."""
    hands = {0: "555m66s123789p111222s"}
    made = setup(DARK, hands=hands, gold="5m6s")
    assert outcome(made, "0 hu")["by"] == "big_bomb"
    long = setup(DARK, hands=hands, gold="5m6s", streak=30)
    assert outcome(long, "0 hu")["by"] == "heavenly"
    assert outcome(long, "0 pass", "0 hu")["by"] == "big_bomb"


def test_5_3_the_dealer_robs_the_dearer_gold() -> None:
    """White and 6s are gold, nothing held: the robbed white is worth 2: (2 + 2) × 2 from each."""
    made = setup(DARK, hands={0: "123789m123456p7899s1p"}, gold="6s5z")
    result = outcome(made, "0 hu")
    assert (result["by"], result["tile"], result["net"]) == ("rob_gold", "5z", [24, -8, -8, -8])


def test_5_5_order_of_the_opening() -> None:
    """A small bomb comes before 抢金; a declined bomb may still rob."""
    made = setup(DARK, hands={2: "555m123789p123444s1p", 1: WAITING, 0: "1p"}, gold="5m6s")
    hand = Hand.deal(made)
    assert [(question.options[0].by, seat) for seat, question in sorted(hand.questions.items())] == [
        ("rob_gold", 1),
        ("small_bomb", 2),
    ]
    assert outcome(made, "2 pass", "2 hu")["by"] == "rob_gold"
    hand.apply(Move(1, "hu"))
    assert not hand.can_close
    hand.apply(Move(2, "hu"))
    hand.close()
    assert hand.result is not None
    assert (hand.result.winner, hand.result.by) == (2, "small_bomb")


def test_6_4_not_after_a_discard_win() -> None:
    """The other two are out of it, also with gold in hand."""
    made = setup(OPEN, hands={0: "9s", 1: "123789m123456p7899s", 2: "55m"}, gold="5m")
    result = outcome(made, "0 discard 9s", "1 hu")
    assert result["net"] == [-4, 4, 0, 0]
    assert result["points"] == [0, 0, 2, 0]


def test_6_3_exposed_kong_and_whites_count_on_a_self_draw() -> None:
    """Exposed kong 1, one white 1: (1 + 2) × 2 from the idle, (2 + 2) × 2 from the dealer."""
    made = setup(OPEN, hands={0: "7p", 1: "5z777p123789m123p789s"}, gold="5m", draws="2m4m8p6s", tail="9s1p")
    actions = ("0 discard 7p", "1 kong", "1 discard 1p", "2 discard 2m", "3 discard 4m", "0 discard 8p", "1 hu")
    assert outcome(made, *actions)["net"] == [-8, 20, -6, -6]


def test_6_4_exposed_kongs_do_not_count_between_losers() -> None:
    made = setup(OPEN, hands={0: "7p", 2: "777p1p", 3: WAITING}, gold="5m", draws="9s", tail="1p")
    result = outcome(made, "0 discard 7p", "2 kong", "2 discard 1p", "3 hu")
    assert (result["net"], result["points"]) == ([-4, -2, -2, 8], [0, 0, 0, 0])


def test_6_6_a_point_is_a_tenth_of_the_base() -> None:
    made = setup(OPEN, hands={0: WAITING + "9s"}, gold="5m", base=1000, coins=(16000,) * 4)
    assert outcome(made, "0 hu")["net"] == [1200, -400, -400, -400]
    with pytest.raises(IllegalRecord, match="multiple of 10"):
        Hand.deal(setup(OPEN, base=15))


def test_6_6_nobody_pays_more_than_they_have() -> None:
    made = setup(OPEN, hands={0: WAITING + "9s"}, gold="5m", coins=(0, 3, 10, 0))
    result = outcome(made, "0 hu")
    assert (result["net"], result["coins"]) == ([7, -3, -4, 0], [7, 0, 6, 0])
    assert [line.get("shortfall", 0) for line in result["payments"]] == [1, 0, 4]


def test_4_7_there_is_always_something_to_throw() -> None:
    """Six gold at most, so eleven of seventeen tiles are not."""
    hand = Hand.deal(setup(DARK, hands={0: "555m666s"}, gold="5m6s"))
    hand.close()
    discards = [move for move in hand.legal(0) if move.verb == "discard"]
    assert discards
    assert all(move.tiles[0] not in hand.gold for move in discards)
    assert hand.default_move(0) in discards


@pytest.mark.parametrize("rules", [DARK, OPEN])
def test_5_4_no_level_whatever_is_thrown(rules: str) -> None:
    """Five sets, a gold and a tile to throw: the shape of 游金, which counts for nothing here."""
    gold = "5m9s" if rules == DARK else "5m"
    made = setup(rules, hands={0: "123789m123456p111s5m9p"}, gold=gold, draws="1m4m7m6s")
    hand = Hand.deal(made)
    hand.close()
    assert all(option.level == 0 for option in hand.questions[0].options)
    result = outcome(made, "0 discard 9p", "1 discard 1m", "2 discard 4m", "3 discard 7m", "0 hu")
    # One gold: (2 + 1) × 2 from each.
    assert (result["by"], result["net"]) == ("self_draw", [18, -6, -6, -6])


def test_1_3_the_deal_passes_like_in_zhangzhou() -> None:
    made = setup(OPEN, hands={2: WAITING}, gold="5m", dealer=3, streak=4)
    assert outcome(made, "2 hu")["next"] == {"dealer": 0, "streak": 1}
    drawn = Hand.deal(setup(OPEN, gold="5m", dealer=3, streak=4))
    advance(drawn, lambda hand: False)
    assert drawn.result is not None
    assert (drawn.result.next_dealer, drawn.result.next_streak) == (3, 5)
