"""Which answer stands when several seats are asked at once."""

from __future__ import annotations

from mahjong.moves import Move, Option
from mahjong.windows import Window

PONG, CHOW, HU = Option(Move(2, "pong")), Option(Move(1, "chow")), Option(Move(3, "hu"))
PASS = {seat: Option(Move(seat, "pass")) for seat in range(4)}


def asked() -> Window:
    """Seat 1 may chow, seat 2 pong, seat 3 win; the win beats all, the pong the chow."""
    return Window("claim", 5, 0, {1: [((2, CHOW),)], 2: [((1, PONG),)], 3: [((0, HU),)]}, {1: 0, 2: 0, 3: 0})


def test_without_an_answer_it_is_settled_once_nobody_is_left_to_answer() -> None:
    window = asked()
    assert not window.settled([1, 2, 3])
    assert not window.settled([1])
    assert window.settled([])
    assert not window.settled(iter([3]))


def test_it_is_settled_as_soon_as_nobody_left_could_better_the_best() -> None:
    window = asked()
    window.answer(2, PONG)
    assert not window.settled([1, 3])
    assert window.settled([1])
    assert window.settled([])


def test_an_equal_rank_may_still_better_it_no_more() -> None:
    """Of two that rank alike the first answer stands, but it is not settled while the other thinks."""
    window = Window("claim", 5, 0, {1: [((0, CHOW),)], 2: [((0, PONG),)]}, {1: 0, 2: 0})
    window.answer(1, CHOW)
    assert not window.settled([2])
    window.answer(2, PONG)
    assert window.best == (0, CHOW)


def test_the_better_answer_stands_whichever_comes_first() -> None:
    for order in ((CHOW, PONG, HU), (HU, PONG, CHOW), (PONG, HU, CHOW)):
        window = asked()
        for option in order:
            assert window.answer(option.move.seat, option) is False
        assert window.best == (0, HU)


def test_whoever_declines_is_asked_the_next_question_if_there_is_one() -> None:
    first, second = Option(Move(1, "hu"), "heavenly"), Option(Move(1, "hu"), "rob_gold")
    window = Window("opening", None, None, {1: [((0, first),), ((4, second),)]}, {1: 0})
    assert window.offers(1) == ((0, first),)
    assert window.answer(1, PASS[1]) is True
    assert window.offers(1) == ((4, second),)
    assert window.declined() == []
    assert window.answer(1, second) is False
    assert window.best == (4, second)
    assert window.declined() == [((0, first),)]
    assert window.let_go() == []


def test_what_is_let_go_is_all_that_was_put_to_seats_whose_answer_does_not_stand() -> None:
    window = asked()
    assert window.let_go() == [(1, ((2, CHOW),)), (2, ((1, PONG),)), (3, ((0, HU),))]
    window.answer(2, PONG)
    assert window.let_go() == [(1, ((2, CHOW),)), (3, ((0, HU),))]


def test_a_copy_goes_its_own_way() -> None:
    window = asked()
    copy = window.copy()
    copy.answer(1, PASS[1])
    copy.answer(3, HU)
    assert (window.steps, window.best) == ({1: 0, 2: 0, 3: 0}, None)
    assert (copy.steps[1], copy.best) == (1, (0, HU))
