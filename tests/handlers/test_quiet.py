"""Nights in which the clocks of games that last for days stand still."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.quiet import awake_after, awake_seconds_after, is_quiet, next_day

CHINA = ZoneInfo("Asia/Shanghai")
LONDON = ZoneInfo("Europe/London")


def at(day: int, hour: int, minute: int = 0, zone: ZoneInfo = CHINA) -> datetime:
    return datetime(2026, 3, day, hour, minute, tzinfo=zone).astimezone(UTC)


@pytest.mark.parametrize(
    ("start", "hours", "end"),
    [
        (at(2, 9), 12, at(2, 21)),
        (at(2, 20), 12, at(3, 16)),
        (at(2, 23, 30), 4, at(3, 11)),
        (at(2, 3), 4, at(2, 11)),
        (at(2, 8), 40, at(4, 16)),
        (at(2, 19), 4, at(2, 23)),
    ],
)
def test_hours_of_the_night_do_not_count(start: datetime, hours: int, end: datetime) -> None:
    assert awake_seconds_after(start, hours * 3600, CHINA) == end


def test_a_night_with_a_change_of_clocks_ends_at_its_local_hour() -> None:
    evening = datetime(2026, 3, 28, 23, 30, tzinfo=LONDON).astimezone(UTC)
    assert awake_after(evening, LONDON) == datetime(2026, 3, 29, 7, tzinfo=LONDON).astimezone(UTC)


@given(
    st.datetimes(datetime(2026, 1, 1), datetime(2026, 12, 31)),
    st.floats(0, 3 * 86400),
    st.sampled_from([CHINA, LONDON]),
)
def test_no_time_is_up_in_the_night(naive: datetime, seconds: float, zone: ZoneInfo) -> None:
    start = naive.replace(tzinfo=UTC)
    end = awake_seconds_after(start, seconds, zone)
    assert end >= start + timedelta(seconds=seconds) - timedelta(microseconds=1)
    assert not is_quiet(end - timedelta(microseconds=1), zone) or end == start or not is_quiet(end, zone)


def test_the_next_day_is_tomorrow_even_shortly_before_midnight() -> None:
    assert next_day(at(2, 23, 59), time(10), CHINA) == at(3, 10)
    assert next_day(at(3, 0, 1), time(10), CHINA) == at(4, 10)
