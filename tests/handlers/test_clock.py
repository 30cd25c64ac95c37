"""The clock under virtual time, and under a system clock that is set."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from handlers.clock import Clock

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.looptime(noop_cycles=0)


async def test_moves_with_the_loop() -> None:
    clock = Clock(START)
    begin = clock.time()
    await clock.sleep(90)
    assert clock.time() == begin + 90
    assert clock.now() == START + timedelta(seconds=clock.time())
    assert Clock(START).now() == clock.now()  # as after a restart within the same loop


async def test_timer_is_never_early() -> None:
    clock = Clock(START)
    called: list[datetime] = []
    for seconds in (0.0000013, 0.1, 59.9999999, 60, 3600.123456, 43_200):
        clock.at(clock.now() + timedelta(seconds=seconds), lambda: called.append(clock.now()))
    whens = [clock.now() + timedelta(seconds=s) for s in (0.000001, 0.1, 60, 60, 3600.123456, 43_200)]
    await clock.sleep(50_000)
    assert len(called) == 6
    assert all(when <= at <= when + timedelta(milliseconds=1) for at, when in zip(called, whens, strict=True))


async def test_past_instants_are_due_at_once() -> None:
    clock = Clock(START)
    called: list[float] = []
    clock.at(START - timedelta(days=1), lambda: called.append(clock.time()))
    assert called == []
    await asyncio.sleep(0.001)
    assert called == [0.0]


async def test_cancel() -> None:
    clock = Clock(START)
    called: list[int] = []
    timer = clock.at(clock.now() + timedelta(seconds=5), lambda: called.append(1))
    assert timer.waiting
    timer.cancel()
    timer.cancel()
    await clock.sleep(10)
    assert not called
    assert not timer.waiting


async def test_system_time_that_jumps() -> None:
    """A machine that slept for an hour: the timer is late by at most a minute of its own time."""

    class Jumpy(Clock):
        jump = timedelta()

        def now(self) -> datetime:
            return super().now() + self.jump

    clock = Jumpy(START)
    called: list[float] = []
    clock.at(clock.now() + timedelta(hours=2), lambda: called.append(clock.time()))
    await clock.sleep(100)
    clock.jump = timedelta(hours=2)
    await clock.sleep(100)
    assert called == [pytest.approx(120, abs=0.01)]


async def test_after() -> None:
    clock = Clock(START)
    called: list[float] = []
    clock.after(2.5, lambda: called.append(clock.time()))
    clock.after(1, lambda: called.append(-1)).cancel()
    await clock.sleep(5)
    assert called == [2.5]


def test_start_needs_a_zone() -> None:
    with pytest.raises(ValueError, match="time zone"):
        Clock(datetime(2026, 3, 1))


@pytest.mark.looptime(False)
async def test_system_clock() -> None:
    before = datetime.now(UTC)
    assert before <= Clock().now() <= datetime.now(UTC)
