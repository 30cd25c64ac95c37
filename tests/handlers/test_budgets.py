"""The sliding windows by themselves."""

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from handlers.budgets import INFINITY, Budgets, Limit, Window


def test_window_fills_and_empties() -> None:
    window = Window(Limit(2, 10.0))
    for end in (1.0, 3.0):
        assert window.delay(end) == 0
        window.begin()
        window.end(end)
    assert math.isclose(window.delay(4.0), 7.01)
    assert window.delay(11.01) == 0
    assert window.used(11.01) == 1


def test_running_calls_count() -> None:
    window = Window(Limit(2, 10.0))
    window.begin()
    assert window.delay(0.0) == 0
    window.begin()
    assert window.delay(100.0) == INFINITY
    window.end(100.0)
    assert math.isclose(window.delay(100.0), 10.01)
    assert window.stamps(100.0) == [100.0, 100.0]


def test_spare_calls_are_for_what_matters() -> None:
    budgets = Budgets()
    for chat in range(25):
        assert budgets.delay(-chat - 1, 0.0, thin=True) == 0
        budgets.begin(-chat - 1)
        budgets.end(-chat - 1, 0.0)
    assert budgets.busy(0.0)
    assert budgets.delay(-100, 0.0, thin=True) > 0
    assert budgets.delay(-100, 0.0) == 0
    assert not budgets.busy(2.0)


def test_chats_that_rest_are_forgotten() -> None:
    budgets = Budgets()
    budgets.begin(1)
    budgets.begin(-1)
    budgets.end(1, 0.0)
    budgets.end(-1, 0.0)
    budgets.forget_idle(30.0)
    assert budgets.chat(-1).used(30.0) == 1
    budgets.forget_idle(70.0)
    assert budgets.chat(-1).used(70.0) == 0


def test_calls_of_an_earlier_life() -> None:
    budgets = Budgets()
    budgets.recall(-1, [float(second) for second in range(-30, -12)])
    assert math.isclose(budgets.delay(-1, 0.0), 30.01)
    assert budgets.delay(1, 0.0) == 0


def test_a_group_that_becomes_another_keeps_what_it_has_spent() -> None:
    budgets = Budgets()
    for _ in range(18):
        budgets.begin(-1)
        budgets.end(-1, 0.0)
    budgets.move(-1, -100, 5.0)
    assert math.isclose(budgets.delay(-100, 5.0), 55.01)
    budgets.move(-2, -200, 5.0)
    assert budgets.delay(-200, 5.0) == 0


@given(
    st.lists(st.tuples(st.floats(0, 3), st.floats(0, 2), st.floats(0, 1)), min_size=1, max_size=60),
    st.integers(1, 6),
    st.floats(0.5, 5),
)
def test_no_window_of_the_server_is_exceeded(
    calls: list[tuple[float, float, float]], limit: int, seconds: float
) -> None:
    """Calls begin as soon as allowed after a pause, take some time, and arrive somewhere within it."""
    window = Window(Limit(limit, seconds))
    now, running, arrivals = 0.0, [], []

    def end_until(time: float) -> None:
        for end in sorted(end for end in running if end <= time):
            running.remove(end)
            window.end(end)

    for pause, takes, where in calls:
        now += pause
        end_until(now)
        while (delay := window.delay(now)) > 0:
            now = min(running) if delay == INFINITY else now + delay
            end_until(now)
        window.begin()
        running.append(now + takes)
        arrivals.append(now + takes * where)
    arrivals.sort()
    for first, last in zip(arrivals, arrivals[limit:], strict=False):
        assert last - first > seconds


def test_after_a_burst_a_groups_calls_are_spread_so_that_none_waits_long() -> None:
    window = Window(Limit(18, 60.0, burst=4))
    now, sent = 0.0, []
    while now < 180:
        wait = window.delay(now)
        if wait == 0:
            window.begin()
            window.end(now)
            sent.append(now)
        now += max(wait, 0.001)
    assert sent[3] < 0.1
    gaps = [b - a for a, b in pairwise(sent[3:])]
    assert max(gaps) < 4.5
    assert all(sum(start <= at < start + 60 for at in sent) <= 18 for start in sent)
