"""The store: everything the bot keeps, behind one interface.

``Store`` is what the handlers see; another database would be another class with these methods. Every writing method is
one transaction. All raise ``StoreUnwritable`` if the database cannot be reached or written; see ``data.errors``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from data.errors import Conflict, NotEnough, StoreError, StoreNewer, StoreUnwritable
from data.model import (
    Change,
    Dice,
    Entry,
    GrantKind,
    Group,
    HandRow,
    Json,
    OpenHand,
    Payment,
    Person,
    Rank,
    Sent,
    Settle,
    TableRow,
    Void,
    Wallet,
)

__all__ = [
    "Change",
    "Conflict",
    "Dice",
    "Entry",
    "Group",
    "HandRow",
    "NotEnough",
    "OpenHand",
    "Payment",
    "Person",
    "Rank",
    "Sent",
    "Settle",
    "Store",
    "StoreError",
    "StoreNewer",
    "StoreUnwritable",
    "TableRow",
    "Void",
    "Wallet",
]


class Store:
    """An open database. Made by ``await Store.open(path)``, ended by ``await store.close()``."""

    @classmethod
    async def open(cls, path: str | Path, *, inline: bool = False, busy_timeout: float = 5.0) -> Store:
        """Open, making folder and file if needed, and bring the schema up to date.

        ``inline``: for the simulation: queries run in the loop's thread, so that nothing depends on real time; each
        transaction has one ``await`` before and one after. ``busy_timeout``: seconds to wait for another process.
        Raises ``StoreUnwritable`` (says what to do) and ``StoreNewer``.
        """
        raise NotImplementedError

    async def close(self) -> None:
        """Wait for running transactions and let go of the file."""
        raise NotImplementedError

    # Persons

    async def person_by_telegram(
        self, telegram_id: int, name: str, username: str | None, language_code: str | None, now: datetime
    ) -> Person:
        """The person behind a Telegram user, with name, username and language code brought up to date.

        A new person gets a wallet with ``data.ledger.START_COINS``.
        """
        raise NotImplementedError

    async def person(self, person_id: int) -> Person | None:
        """A person by id."""
        raise NotImplementedError

    async def persons(self, person_ids: Iterable[int]) -> dict[int, Person]:
        """Persons by id; unknown ids are left out."""
        raise NotImplementedError

    async def set_private_ok(self, person_id: int, ok: bool) -> None:
        """Note whether the bot may write to this person (START pressed, or blocked)."""
        raise NotImplementedError

    async def set_language(self, person_id: int, language: str | None) -> None:
        """Choose a person's catalogue; None: follow Telegram's code again."""
        raise NotImplementedError

    async def set_prefs(self, person_id: int, changes: Mapping[str, Any]) -> Person:
        """Change some of a person's preferences; a value of None removes its key. Raises ``Conflict``: no such one."""
        raise NotImplementedError

    # Groups

    async def group_by_telegram(
        self, chat_id: int, title: str, is_forum: bool, now: datetime, language: str = "zh_Hans"
    ) -> Group:
        """The group behind a chat, with title and forum flag brought up to date. ``language``: for a new group."""
        raise NotImplementedError

    async def group(self, group_id: int) -> Group | None:
        """A group by id."""
        raise NotImplementedError

    async def set_group_language(self, group_id: int, language: str) -> None:
        """Choose a group's catalogue."""
        raise NotImplementedError

    async def set_group_settings(self, group_id: int, changes: Mapping[str, Any]) -> Group:
        """Change some of a group's settings; a value of None removes its key. Raises ``Conflict``: no such one."""
        raise NotImplementedError

    async def migrate_group(self, old_chat_id: int, new_chat_id: int) -> Group | None:
        """A group became a supergroup: it keeps its id, tables, settings and ranking. May be told twice.

        What was sent to the old chat is forgotten: it cannot be edited any more. None: neither chat is known.
        """
        raise NotImplementedError

    # Tables and hands

    async def create_table(
        self, group_id: int | None, state: Json, now: datetime, seated: Iterable[int] = ()
    ) -> TableRow:
        """Open a table (``group_id`` None: a private one). Raises ``Conflict`` if the group has an open one."""
        raise NotImplementedError

    async def table(self, table_id: int) -> TableRow | None:
        """A table by id, open or closed."""
        raise NotImplementedError

    async def table_of_group(self, group_id: int) -> TableRow | None:
        """The open table of a group."""
        raise NotImplementedError

    async def open_tables(self) -> list[TableRow]:
        """All open tables, oldest first."""
        raise NotImplementedError

    async def tables_of(self, person_id: int) -> list[TableRow]:
        """The open tables at which a person sits, oldest first."""
        raise NotImplementedError

    def new_hand_id(self) -> int:
        """An id no hand bears yet, for ``OpenHand``; not kept until that is committed (gaps do no harm)."""
        raise NotImplementedError

    async def commit(self, change: Change) -> bool:
        """Write all of a change, or nothing.

        True: it is written and will outlast a power cut. False: the hand to settle or to void has ended already;
        nothing was written. Raises ``Conflict``, ``NotEnough`` (an ``OpenHand`` wants to hold more than is free).
        """
        raise NotImplementedError

    async def hand(self, hand_id: int) -> HandRow | None:
        """A hand by id, running or ended."""
        raise NotImplementedError

    async def running_hand(self, table_id: int) -> HandRow | None:
        """The hand of a table that has not ended."""
        raise NotImplementedError

    async def journal(self, hand_id: int) -> list[Entry]:
        """The journal of one hand, in order."""
        raise NotImplementedError

    async def table_journal(self, table_id: int, after: int = 0) -> list[Entry]:
        """The journal of a table from number ``after + 1`` on, in order."""
        raise NotImplementedError

    # Coins

    async def wallet(self, person_id: int) -> Wallet:
        """A person's coins. Raises ``Conflict``: no such one."""
        raise NotImplementedError

    async def wallets(self, person_ids: Iterable[int]) -> dict[int, Wallet]:
        """Several persons' coins, as of one moment; unknown ids are left out."""
        raise NotImplementedError

    async def balance(self, person_id: int) -> int:
        """``wallet(person_id).balance``."""
        raise NotImplementedError

    async def available(self, person_id: int) -> int:
        """``wallet(person_id).available``."""
        raise NotImplementedError

    async def grant(self, person_id: int, amount: int, kind: GrantKind, cause: str, now: datetime) -> bool:
        """Coins from the house. ``cause`` is unique for ever (``daily:7:2026-05-01``); False: it was given already."""
        raise NotImplementedError

    async def daily(self, person_id: int, day: str, now: datetime) -> int:
        """The daily coins (telegram.md, Coins). ``day``: local, ``YYYY-MM-DD``. 0: given already today."""
        raise NotImplementedError

    async def relief(self, person_id: int, day: str, now: datetime) -> int:
        """Fill a wallet under 160 up to 500, at most twice a day. What was given; 0: not under, or twice already."""
        raise NotImplementedError

    async def audit(self) -> str | None:
        """Check the whole ledger, holds, hands and aggregates. The first difference in one line, or None."""
        raise NotImplementedError

    # Rankings

    async def ranking(
        self, group_id: int, since_day: str | None = None, limit: int = 10, offset: int = 0
    ) -> list[Rank]:
        """A page of a group's ranking by coins won there from ``since_day`` on (None: of all time), best first."""
        raise NotImplementedError

    async def rank_of(self, group_id: int, person_id: int, since_day: str | None = None) -> Rank | None:
        """A person's own row of that ranking; None: no hand for coins there since then."""
        raise NotImplementedError

    # Messages sent

    async def sent_messages(self) -> list[Sent]:
        """All messages remembered, by key."""
        raise NotImplementedError

    async def save_sent(self, *sent: Sent) -> None:
        """Remember messages, each in place of what its key stood for."""
        raise NotImplementedError

    async def forget_sent(self, *keys: str) -> None:
        """Forget messages by key; unknown keys do no harm."""
        raise NotImplementedError
