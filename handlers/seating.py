"""Who may sit where, asked of the store and of Telegram before a table is told."""

from __future__ import annotations

import logging

from telegram import ChatMember
from telegram.error import TelegramError

from data.model import Person
from handlers import lobby
from handlers.answers import Answer
from handlers.house import House
from handlers.table import Table

log = logging.getLogger(__name__)


def start_link(house: House, table: Table) -> str:
    """The deep link whose START seats a person at a table."""
    return f"https://t.me/{house.username}?start=sit_{table.id}_{table.state.token}"


def at_live_table(house: House, person: Person, but: Table | None = None) -> Table | None:
    """A table at which a person sits, other than ``but``: one at a time (telegram.md)."""
    return next((table for table in house.tables_with(person) if table is not but), None)


async def sit(house: House, table: Table, person: Person) -> Answer:
    """Seat a person, if the bot may write to them; else the answer opens the deep link."""
    if not person.private_ok:
        return Answer(url=start_link(house, table))
    async with house.seating(person):
        wallet = await house.store.wallet(person.id)
        elsewhere = at_live_table(house, person, but=table) is not None
        return await table.do(lambda draft: lobby.sit(draft, person, wallet.available, elsewhere=elsewhere))


async def belongs(house: House, table: Table, user_id: int) -> bool:
    """Whether a person is in the table's group (getChatMember); yes, if Telegram cannot be asked just now."""
    if table.group is None:
        return False
    try:
        member = await house.bot.get_chat_member(table.group.telegram_id, user_id)
    except TelegramError as error:
        log.warning("who belongs to chat %d cannot be asked: %s", table.group.telegram_id, error)
        return True
    return member.status not in (ChatMember.LEFT, ChatMember.BANNED)


async def is_admin(house: House, chat_id: int, user_id: int) -> bool:
    """Whether a person administers a group now (getChatMember); no, if Telegram cannot be asked."""
    try:
        member = await house.bot.get_chat_member(chat_id, user_id)
    except TelegramError as error:
        log.warning("who administers chat %d cannot be asked: %s", chat_id, error)
        return False
    return member.status in (ChatMember.ADMINISTRATOR, ChatMember.OWNER)
