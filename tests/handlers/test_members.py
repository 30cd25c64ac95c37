"""Who administers a group, asked of Telegram as seldom as can be."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

from telegram import Bot, ChatMember
from telegram.error import TelegramError

from handlers.clock import Clock
from handlers.members import FAILED, FRESH, Members
from tests.support.virtual import run


class Asked:
    """Answers getChatMember after a second, and counts."""

    def __init__(self) -> None:
        self.calls = 0
        self.status: str | None = ChatMember.ADMINISTRATOR

    async def get_chat_member(self, chat_id: int, user_id: int) -> Any:
        self.calls += 1
        await asyncio.sleep(1)
        if self.status is None:
            raise TelegramError("Bad Gateway")
        return SimpleNamespace(status=self.status)


def members() -> tuple[Members, Asked]:
    asked = Asked()
    return Members(cast(Bot, asked), Clock(datetime(2026, 5, 1, tzinfo=UTC))), asked


def test_a_burst_of_presses_costs_one_call() -> None:
    async def story() -> None:
        known, asked = members()
        answers = await asyncio.gather(*(known.is_admin(-1, 7) for _ in range(30)), known.is_admin(-1, 8))
        assert all(answers)
        assert asked.calls == 2
        await asyncio.sleep(FRESH - 1)
        asked.status = ChatMember.MEMBER
        assert await known.is_admin(-1, 7)
        await asyncio.sleep(2)
        assert not await known.is_admin(-1, 7)
        assert asked.calls == 3

    run(story())


def test_who_has_left_is_asked_about_anew() -> None:
    async def story() -> None:
        known, asked = members()
        assert await known.is_admin(-1, 7)
        asked.status = ChatMember.LEFT
        known.forget(-1, 7)
        assert not await known.is_admin(-1, 7)
        assert asked.calls == 2

    run(story())


def test_where_telegram_cannot_be_asked_a_burst_costs_one_call_too() -> None:
    async def story() -> None:
        known, asked = members()
        asked.status = None
        assert not any(await asyncio.gather(*(known.is_admin(-1, 7) for _ in range(30))))
        assert asked.calls == 1
        asked.status = ChatMember.OWNER
        await asyncio.sleep(FAILED)
        assert await known.is_admin(-1, 7)

    run(story())


def test_whether_somebody_belongs_may_be_known_lately() -> None:
    async def story() -> None:
        known, asked = members()
        asked.status = ChatMember.MEMBER
        assert await known.belongs(-1, 7, lately=60)
        asked.status = ChatMember.LEFT
        # Whoever leafs through a hand costs no call for each step; who wants to sit down is asked about anew.
        assert await known.belongs(-1, 7, lately=60)
        assert asked.calls == 1
        assert not await known.belongs(-1, 7)
        assert asked.calls == 2
        assert not await known.belongs(-1, 7, lately=60)
        asked.status = ChatMember.MEMBER
        known.forget(-1, 7)
        assert await known.belongs(-1, 7, lately=60)
        await asyncio.sleep(61)
        asked.status = ChatMember.LEFT
        assert not await known.belongs(-1, 7, lately=60)
        # What Telegram did not answer is not remembered.
        known.forget(-1, 7)
        asked.status = None
        assert await known.belongs(-1, 7, lately=60)
        asked.status = ChatMember.LEFT
        assert not await known.belongs(-1, 7, lately=60)

    run(story())
