"""Quiet hours: the nights in which the clocks of ``days`` games stand still (telegram.md, *At the table*)."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta, tzinfo

QUIET_FROM = time(23)
QUIET_UNTIL = time(7)
"""Local hours of the setting TIMEZONE."""


def is_quiet(now: datetime, zone: tzinfo) -> bool:
    """Whether an instant lies in the quiet hours of its place."""
    hour = now.astimezone(zone).time()
    return hour >= QUIET_FROM or hour < QUIET_UNTIL


def awake_after(now: datetime, zone: tzinfo) -> datetime:
    """``now``, or the end of the quiet hours it lies in. Instants go in and come out in UTC.

    >>> awake_after(datetime(2026, 5, 1, 23, 30, tzinfo=UTC), UTC).isoformat()
    '2026-05-02T07:00:00+00:00'
    """
    if not is_quiet(now, zone):
        return now
    here = now.astimezone(zone)
    morning = datetime.combine(here.date(), QUIET_UNTIL, zone)
    if here.time() >= QUIET_FROM:
        morning = datetime.combine(here.date() + timedelta(days=1), QUIET_UNTIL, zone)
    return morning.astimezone(UTC)


def awake_seconds_after(now: datetime, seconds: float, zone: tzinfo) -> datetime:
    """The instant at which so many seconds outside quiet hours have passed.

    >>> awake_seconds_after(datetime(2026, 5, 1, 20, tzinfo=UTC), 4 * 3600, UTC).isoformat()
    '2026-05-02T08:00:00+00:00'
    """
    left = timedelta(seconds=seconds)
    while True:
        now = awake_after(now, zone)
        evening = datetime.combine(now.astimezone(zone).date(), QUIET_FROM, zone).astimezone(UTC)
        if now + left <= evening:
            return now + left
        left -= evening - now
        now = evening


def next_day(now: datetime, at: time, zone: tzinfo) -> datetime:
    """The instant of tomorrow at a local hour."""
    tomorrow = now.astimezone(zone).date() + timedelta(days=1)
    return datetime.combine(tomorrow, at, zone).astimezone(UTC)
