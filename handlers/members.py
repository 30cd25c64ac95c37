"""Who belongs to a group and who administers it, asked of Telegram (getChatMember)."""

from __future__ import annotations

import logging

from telegram import Bot, ChatMember
from telegram.error import TelegramError

from handlers.clock import Clock

log = logging.getLogger(__name__)

FRESH = 10.0
"""Seconds for which an answer about an admin holds, so that a flood of presses costs one call."""
KEPT = 10_000


class Members:
    """The members of all groups, as far as Telegram tells."""

    def __init__(self, bot: Bot, clock: Clock) -> None:
        self._bot = bot
        self._clock = clock
        self._admins: dict[tuple[int, int], tuple[float, bool]] = {}

    async def belongs(self, chat_id: int, user_id: int) -> bool:
        """Whether a person is in a group; yes, if Telegram cannot be asked just now."""
        try:
            member = await self._bot.get_chat_member(chat_id, user_id)
        except TelegramError as error:
            log.warning("who belongs to chat %d cannot be asked: %s", chat_id, error)
            return True
        # Somebody restricted may have left all the same.
        return member.status not in (ChatMember.LEFT, ChatMember.BANNED) and getattr(member, "is_member", True)

    async def is_admin(self, chat_id: int, user_id: int) -> bool:
        """Whether a person administers a group; no, if Telegram cannot be asked just now."""
        now = self._clock.time()
        asked, known = self._admins.get((chat_id, user_id), (-FRESH, False))
        if now - asked < FRESH:
            return known
        try:
            member = await self._bot.get_chat_member(chat_id, user_id)
        except TelegramError as error:
            log.warning("who administers chat %d cannot be asked: %s", chat_id, error)
            return False
        admin = member.status in (ChatMember.ADMINISTRATOR, ChatMember.OWNER)
        if len(self._admins) >= KEPT:
            self._admins.clear()
        self._admins[(chat_id, user_id)] = now, admin
        return admin
