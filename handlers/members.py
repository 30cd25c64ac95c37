"""Who belongs to a group and who administers it, asked of Telegram (getChatMember)."""

from __future__ import annotations

import asyncio
import logging
from weakref import WeakValueDictionary

from telegram import Bot, ChatMember
from telegram.error import TelegramError

from handlers.clock import Clock

log = logging.getLogger(__name__)

FRESH = 10.0
"""Seconds for which an answer about an admin holds, so that a flood of presses costs one call."""
FAILED = 2.0
"""Seconds for which Telegram is not asked again after it could not be."""
KEPT = 10_000


class Members:
    """The members of all groups, as far as Telegram tells."""

    def __init__(self, bot: Bot, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._admins: dict[tuple[int, int], tuple[float, bool]] = {}
        self._belong: dict[tuple[int, int], tuple[float, bool]] = {}
        self._asking: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()

    async def belongs(self, chat_id: int, user_id: int, *, lately: float = 0.0, unsure: bool = True) -> bool:
        """Whether a person is in a group.

        ``lately``: an answer so many seconds old will do. ``unsure``: the answer where Telegram cannot be asked, or
        does not tell: of a group that the bot was removed from, or about somebody whom it has never seen there.
        """
        key = chat_id, user_id
        asked, known = self._belong.get(key, (-lately - 1, False))
        if self._clock.time() - asked < lately:
            return known
        try:
            member = await self._bot.get_chat_member(chat_id, user_id)
        except TelegramError as error:
            log.warning("who belongs to chat %d cannot be asked: %s", chat_id, error)
            return unsure
        if len(self._belong) >= KEPT:
            self._belong.clear()
        self._belong[key] = self._clock.time(), self._is_in(member)
        return self._belong[key][1]

    @staticmethod
    def _is_in(member: ChatMember) -> bool:
        # Somebody restricted may have left all the same.
        return member.status not in (ChatMember.LEFT, ChatMember.BANNED) and getattr(member, "is_member", True)

    async def is_admin(self, chat_id: int, user_id: int) -> bool:
        """Whether a person administers a group; no, if Telegram cannot be asked just now."""
        key = chat_id, user_id
        lock = self._asking.get(key)
        if lock is None:
            lock = self._asking[key] = asyncio.Lock()
        # Those who press meanwhile wait for the one answer.
        async with lock:
            until, known = self._admins.get(key, (0.0, False))
            if self._clock.time() < until:
                return known
            return await self._ask(chat_id, user_id)

    def forget(self, chat_id: int, user_id: int) -> None:
        """Something is known to have changed about a person in a group."""
        self._admins.pop((chat_id, user_id), None)
        self._belong.pop((chat_id, user_id), None)

    async def _ask(self, chat_id: int, user_id: int) -> bool:
        admin, lasting = False, FAILED
        try:
            member = await self._bot.get_chat_member(chat_id, user_id)
            admin, lasting = member.status in (ChatMember.ADMINISTRATOR, ChatMember.OWNER), FRESH
        except TelegramError as error:
            log.warning("who administers chat %d cannot be asked: %s", chat_id, error)
        if len(self._admins) >= KEPT:
            self._admins.clear()
        self._admins[(chat_id, user_id)] = self._clock.time() + lasting, admin
        return admin
