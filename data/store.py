"""The store: everything the bot keeps, behind one interface.

``Store`` is what the handlers see; another database would be another class with these methods. Every writing method is
one transaction. All raise ``StoreUnwritable`` if the database cannot be reached or written; see ``data.errors``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

from data import (
    audit,
    careers,
    changes,
    feats,
    flows,
    hands,
    history,
    ledger,
    operators,
    people,
    privacy,
    rankings,
    tables,
)
from data import sent as sent_messages
from data.database import Database, open_database, touch
from data.errors import Conflict, NotEnough, StoreError, StoreNewer, StoreUnwritable
from data.model import (
    Act,
    Careers,
    Change,
    Dice,
    Entry,
    Feat,
    Flow,
    GrantKind,
    Grants,
    Group,
    HandLine,
    HandPage,
    HandRow,
    Json,
    OpenHand,
    Payment,
    Person,
    Rank,
    RankingPage,
    Remains,
    Sent,
    Settle,
    TableRow,
    Void,
    Wallet,
)
from data.privacy import Scrub

__all__ = [
    "Act",
    "Careers",
    "Change",
    "Conflict",
    "Dice",
    "Entry",
    "Feat",
    "Flow",
    "Grants",
    "Group",
    "HandLine",
    "HandPage",
    "HandRow",
    "NotEnough",
    "OpenHand",
    "Payment",
    "Person",
    "Rank",
    "RankingPage",
    "Remains",
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

    def __init__(self, path: Path, database: Database, last_hand_id: int) -> None:
        self.path = path
        self._database = database
        self._hand_ids = count(last_hand_id + 1)

    @classmethod
    async def open(
        cls,
        path: str | Path,
        *,
        inline: bool = False,
        busy_timeout: float = 5.0,
        through: Callable[[Database], Database] = lambda database: database,
    ) -> Store:
        """Open, making folder and file if needed, and bring the schema up to date.

        ``inline``: for the simulation: queries run in the loop's thread, so that nothing depends on real time; each
        transaction has one ``await`` before and one after. ``busy_timeout``: seconds to wait for another process.
        ``through``: makes of the database what is used in its place.
        Raises ``StoreUnwritable`` (says what to do) and ``StoreNewer``.
        """
        database = through(await open_database(Path(path), inline=inline, busy_timeout=busy_timeout))
        return cls(Path(path), database, await database.read(hands.last_id))

    async def close(self) -> None:
        """Wait for running transactions and let go of the file."""
        await self._database.close()

    async def probe(self) -> None:
        """Read and write something that changes nothing, as a sign that both can be done."""
        await self._database.write(touch)

    # Persons

    async def person_by_telegram(
        self, telegram_id: int, name: str, username: str | None, language_code: str | None, now: datetime
    ) -> Person:
        """The person behind a Telegram user, with name, username and language code brought up to date.

        A new person gets a wallet with ``data.ledger.START_COINS``.
        """
        known = await self._database.read(people.find_person, telegram_id, name, username, language_code)
        if known is None:
            return await self._database.write(people.meet_person, telegram_id, name, username, language_code, now)
        return known

    async def person(self, person_id: int) -> Person | None:
        """A person by id."""
        return await self._database.read(people.person, person_id)

    async def persons(self, person_ids: Iterable[int]) -> dict[int, Person]:
        """Persons by id; unknown ids are left out."""
        return await self._database.read(people.some_persons, person_ids)

    async def set_private_ok(self, person_id: int, ok: bool) -> None:
        """Note whether the bot may write to this person (START pressed, or blocked)."""
        await self._database.write(people.set_private_ok, person_id, ok)

    async def set_language(self, person_id: int, language: str | None) -> None:
        """Choose a person's catalogue; None: follow Telegram's code again."""
        await self._database.write(people.set_language, person_id, language)

    async def set_prefs(self, person_id: int, changes: Mapping[str, Any]) -> Person:
        """Change some of a person's preferences; a value of None removes its key. Raises ``Conflict``: no such one."""
        return await self._database.write(people.set_prefs, person_id, changes)

    async def export(self, person_id: int, now: datetime) -> Json:
        """All that is kept about a person (docs/privacy.md). Raises ``Conflict``: no such one."""
        return await self._database.read(privacy.export, person_id, now)

    async def forget(self, person_id: int, now: datetime, scrub: Scrub) -> list[Group]:
        """Take everything personal out: Telegram's id, name, language, preferences, lists of groups, messages.

        Hands, ledger and sums stay under an id that says nothing; what the wallet held goes back to the house.
        ``scrub``: takes them out of an open table's document. Returns the groups that have changed. Raises
        ``Conflict`` while they play a hand, ``NotEnough`` while coins are held.
        """
        return await self._database.write(privacy.forget, person_id, now, scrub)

    async def forget_messages(self, telegram_id: int) -> None:
        """Forget all messages sent to a Telegram user; what was deleted until now stands nowhere any more then."""
        await self._database.write(privacy.forget_messages, telegram_id)
        await self._database.erase()

    async def known_user(self, telegram_id: int) -> Person | None:
        """The person behind a Telegram user, if there is one; nobody is made."""
        return await self._database.read(people.user, telegram_id)

    # Groups

    async def group_by_telegram(
        self, chat_id: int, title: str, is_forum: bool, now: datetime, language: str = "zh_Hans"
    ) -> Group:
        """The group behind a chat, with title and forum flag brought up to date. ``language``: for a new group."""
        known = await self._database.read(people.find_group, chat_id, title, is_forum)
        if known is None:
            return await self._database.write(people.meet_group, chat_id, title, is_forum, now, language)
        return known

    async def group(self, group_id: int) -> Group | None:
        """A group by id."""
        return await self._database.read(people.group, group_id)

    async def groups(self, group_ids: Iterable[int]) -> dict[int, Group]:
        """Groups by id; unknown ids are left out."""
        return await self._database.read(people.some_groups, group_ids)

    async def set_group_language(self, group_id: int, language: str) -> None:
        """Choose a group's catalogue."""
        await self._database.write(people.set_group_language, group_id, language)

    async def set_group_settings(self, group_id: int, changes: Mapping[str, Any]) -> Group:
        """Change some of a group's settings; a value of None removes its key. Raises ``Conflict``: no such one."""
        return await self._database.write(people.set_group_settings, group_id, changes)

    async def migrate_group(self, old_chat_id: int, new_chat_id: int) -> Group | None:
        """A group became a supergroup: it keeps its id, tables, settings and ranking. May be told twice.

        What was sent to the old chat is forgotten: it cannot be edited any more. None: neither chat is known.
        """
        return await self._database.write(people.migrate_group, old_chat_id, new_chat_id)

    # Tables and hands

    async def create_table(
        self, group_id: int | None, state: Json, now: datetime, seated: Iterable[int] = ()
    ) -> TableRow:
        """Open a table (``group_id`` None: a private one). Raises ``Conflict`` if the group has an open one."""
        return await self._database.write(tables.create_table, group_id, state, now, seated)

    async def table(self, table_id: int) -> TableRow | None:
        """A table by id, open or closed."""
        return await self._database.read(tables.table, table_id)

    async def table_of_group(self, group_id: int) -> TableRow | None:
        """The open table of a group."""
        return await self._database.read(tables.table_of_group, group_id)

    async def open_tables(self) -> list[TableRow]:
        """All open tables that can be read, oldest first."""
        return await self._database.read(tables.open_tables)

    async def open_ids(self) -> list[int]:
        """The ids of all open tables, also of those that cannot be read."""
        return await self._database.read(tables.open_ids)

    async def remains(self, table_id: int) -> Remains | None:
        """What is needed to close an open table of which other things cannot be read; None: it is not open."""
        return await self._database.read(tables.remains, table_id)

    async def tables_of(self, person_id: int) -> list[TableRow]:
        """The open tables at which a person sits, oldest first."""
        return await self._database.read(tables.tables_of, person_id)

    def new_hand_id(self) -> int:
        """An id no hand bears yet, for ``OpenHand``; not kept until that is committed (gaps do no harm)."""
        return next(self._hand_ids)

    async def commit(self, change: Change) -> bool:
        """Write all of a change, or nothing.

        True: it is written and will outlast a power cut. False: the hand to settle or to void has ended already;
        nothing was written. Raises ``Conflict``; ``NotEnough`` (an ``OpenHand`` wants to hold more than is free, a
        ``Settle`` to take more than was held); ``ValueError`` (payments that are not what the result says).
        """
        return await self._database.write(changes.commit, change)

    async def hand(self, hand_id: int) -> HandRow | None:
        """A hand by id, running or ended."""
        return await self._database.read(hands.hand, hand_id)

    async def running_hand(self, table_id: int) -> HandRow | None:
        """The hand of a table that has not ended."""
        return await self._database.read(hands.running_hand, table_id)

    async def last_hand(self, table_id: int) -> HandRow | None:
        """The last hand of a table that was played to its end."""
        return await self._database.read(hands.last_hand, table_id)

    async def hands_of_group(self, group_id: int, first: int = 0, limit: int = 8) -> HandPage | None:
        """The ended hands of a group, newest first, from the hand ``first`` on (0: from the newest).

        None: the group has no such hand.
        """
        return await self._database.read(history.of_group, group_id, first, limit)

    async def hands_of_person(self, person_id: int, first: int = 0, limit: int = 8) -> HandPage | None:
        """The ended hands that a person played, wherever that was; as ``hands_of_group``."""
        return await self._database.read(history.of_person, person_id, first, limit)

    async def flows(self, group_id: int, since_day: str | None = None) -> list[Flow]:
        """Who has won how much from whom at a group's table from ``since_day`` on (None: of all time), most first."""
        return await self._database.read(flows.between, group_id, since_day)

    async def feats_of(self, person_id: int) -> list[Feat]:
        """The feats of a person (``mahjong.feats.FEATS``), each with the hand in which it was first done."""
        return await self._database.read(feats.of_person, person_id)

    async def first_feats(self, hand_id: int) -> list[Feat]:
        """The feats that somebody did for the first time in this hand, by seat."""
        return await self._database.read(feats.first_in, hand_id)

    async def journal(self, hand_id: int) -> list[Entry]:
        """The journal of one hand, in order."""
        return await self._database.read(tables.journal_of_hand, hand_id)

    async def table_journal(self, table_id: int, after: int = 0) -> list[Entry]:
        """The journal of a table from number ``after + 1`` on, in order."""
        return await self._database.read(tables.journal_of_table, table_id, after)

    # Coins

    async def wallet(self, person_id: int) -> Wallet:
        """A person's coins. Raises ``Conflict``: no such one."""
        return await self._database.read(ledger.wallet, person_id)

    async def wallets(self, person_ids: Iterable[int]) -> dict[int, Wallet]:
        """Several persons' coins, as of one moment; unknown ids are left out."""
        return await self._database.read(ledger.wallets, person_ids)

    async def balance(self, person_id: int) -> int:
        """``wallet(person_id).balance``."""
        return (await self.wallet(person_id)).balance

    async def available(self, person_id: int) -> int:
        """``wallet(person_id).available``."""
        return (await self.wallet(person_id)).available

    async def grant(self, person_id: int, amount: int, kind: GrantKind, cause: str, now: datetime) -> bool:
        """Coins from the house. ``cause`` is unique for ever (``daily:7:2026-05-01``); False: it was given already."""
        return await self._database.write(ledger.grant, person_id, amount, kind, cause, now)

    async def daily(self, person_id: int, day: str, now: datetime) -> int:
        """The daily coins (telegram.md, Coins). ``day``: local, ``YYYY-MM-DD``. 0: given already today."""
        return await self._database.write(ledger.daily, person_id, day, now)

    async def relief(self, person_id: int, day: str, now: datetime) -> int:
        """Fill a wallet under 160 up to 500, at most twice a day. What was given; 0: not under, or twice already."""
        return await self._database.write(ledger.relief, person_id, day, now)

    async def grants(self, person_id: int, day: str) -> Grants:
        """What a person has been given so far on a local day, and for how many days in a row."""
        return await self._database.read(ledger.grants, person_id, day)

    async def audit(self) -> str | None:
        """Check the whole ledger, holds, hands and aggregates. The first difference in one line, or None."""
        return await self._database.read(audit.first_difference)

    # Rankings

    async def ranking(
        self, group_id: int, since_day: str | None = None, limit: int = 10, offset: int = 0
    ) -> list[Rank]:
        """A page of a group's ranking by coins won there from ``since_day`` on (None: of all time), best first."""
        return await self._database.read(rankings.ranking, group_id, since_day, limit, offset)

    async def has_played(self, group_id: int, person_id: int) -> bool:
        """Whether a person has played a hand in a group to its end."""
        return await self._database.read(rankings.has_played, group_id, person_id)

    async def rank_of(self, group_id: int, person_id: int, since_day: str | None = None) -> Rank | None:
        """A person's own row of that ranking; None: no hand for coins there since then."""
        return await self._database.read(rankings.rank_of, group_id, person_id, since_day)

    async def ranking_page(
        self,
        group_id: int,
        person_id: int | None,
        today: str,
        since_day: str | None = None,
        limit: int = 10,
        offset: int = 0,
    ) -> RankingPage:
        """A page of that ranking with a person's own row and what those shown have won on the day ``today``."""
        return await self._database.read(rankings.page, group_id, person_id, today, since_day, limit, offset)

    async def ranked_in(self, person_id: int) -> dict[int, Rank]:
        """A person's own rows in the groups where they have played for coins, by group; where they play most first."""
        return await self._database.read(rankings.groups_of, person_id)

    async def places(self, group_id: int, person_id: int, most: int) -> list[tuple[str, int]]:
        """A person's place in a group at the end of each day on which they played there, the latest ``most``, as
        pairs of day and place, oldest first."""
        return await self._database.read(rankings.places, group_id, person_id, most)

    async def careers(self, person_id: int) -> Careers:
        """What a person has played and won in all their hands."""
        return await self._database.read(careers.careers_of, person_id)

    # Operators

    async def note_act(self, operator_id: int, act: str, body: Json, now: datetime) -> None:
        """Write down what an operator did."""
        await self._database.write(operators.note, operator_id, act, body, now)

    async def last_act(self, *kinds: str) -> Act | None:
        """The newest act of one of these kinds."""
        return await self._database.read(operators.last, *kinds)

    async def ban(self, person_id: int, operator_id: int, now: datetime) -> int:
        """Keep a person off all tables, for good; their Telegram id. Raises ``Conflict``: no such one."""
        return await self._database.write(operators.ban, person_id, operator_id, now)

    async def unban(self, telegram_id: int, operator_id: int, now: datetime) -> bool:
        """Let somebody sit again; whether they were kept off."""
        return await self._database.write(operators.unban, telegram_id, operator_id, now)

    async def banned(self) -> dict[int, datetime]:
        """Telegram ids of all who are kept off, and since when; the latest first."""
        return await self._database.read(operators.banned)

    async def last_moves(self) -> dict[int, datetime]:
        """When something last happened at each open table, by id."""
        return await self._database.read(operators.last_moves)

    async def user_named(self, username: str) -> Person | None:
        """The person with this user name, as last seen, in any case."""
        return await self._database.read(people.user_named, username)

    # Messages sent

    async def sent_messages(self) -> list[Sent]:
        """All messages remembered, by key."""
        return await self._database.read(sent_messages.sent_messages)

    async def save_sent(self, *sent: Sent) -> None:
        """Remember messages, each in place of what its key stood for."""
        if sent:
            await self._database.write(sent_messages.save, sent)

    async def forget_sent(self, *keys: str) -> None:
        """Forget messages by key; unknown keys do no harm."""
        if keys:
            await self._database.write(sent_messages.forget, keys)
