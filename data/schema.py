"""The tables of the database. ``data/migrations/`` makes them; a test holds the two against each other.

Telegram's ids and names stand in ``telegram_users`` and ``telegram_chats`` alone (and chat ids in ``sent``, the
outbox's short memory), so that a group can migrate and a person be forgotten without touching anything else. The one
id that stays is that of whom an operator keeps off, in ``bans``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.types import DateTime

log = logging.getLogger(__name__)

metadata = MetaData()


class Utc(TypeDecorator[datetime]):
    """An aware UTC ``datetime``, to the microsecond, kept as text that sorts by time."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To the database. Raises ``ValueError`` for a time without a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"a time without a time zone: {value}")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """From the database, aware."""
        return None if value is None else value.replace(tzinfo=UTC)


class Choices(TypeDecorator[dict[str, Any]]):
    """A JSON object of what somebody chose; one that cannot be read is as if nothing had been chosen.

    So nobody is shut out by it, nor anybody who plays with them.
    """

    impl = JSON
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], dict[str, Any]]:
        """From the database."""
        read = super().result_processor(dialect, coltype)

        def lenient(value: Any) -> dict[str, Any]:
            try:
                document = value if read is None else read(value)
            except ValueError:
                document = None
            if not isinstance(document, dict):
                log.error("what was chosen by a person or for a group cannot be read: it counts as nothing")
                return {}
            return document

        return lenient


persons = Table(
    "persons",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("language", Text),  # chosen; NULL follows Telegram's code
    Column("prefs", Choices, nullable=False),
    Column("created_at", Utc, nullable=False),
)

telegram_users = Table(
    "telegram_users",
    metadata,
    Column("telegram_id", BigInteger, primary_key=True, autoincrement=False),
    Column("person_id", ForeignKey("persons.id"), nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("username", Text),
    Column("language_code", Text),
    Column("private_ok", Boolean, nullable=False),
)

groups = Table(
    "groups",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("language", Text, nullable=False),
    Column("settings", Choices, nullable=False),
    Column("created_at", Utc, nullable=False),
)

telegram_chats = Table(
    "telegram_chats",
    metadata,
    Column("chat_id", BigInteger, primary_key=True, autoincrement=False),
    Column("group_id", ForeignKey("groups.id"), nullable=False),
    Column("title", Text, nullable=False),
    Column("is_forum", Boolean, nullable=False),
    Column("current", Boolean, nullable=False),  # false: the group has migrated away from this id
)
Index(
    "one_current_chat",
    telegram_chats.c.group_id,
    unique=True,
    sqlite_where=telegram_chats.c.current.is_(True),
    postgresql_where=telegram_chats.c.current.is_(True),
)

tables = Table(
    "tables",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("group_id", ForeignKey("groups.id")),
    Column("state", JSON, nullable=False),  # names nobody once it is closed
    Column("seq", Integer, nullable=False),  # of the last journal entry
    Column("created_at", Utc, nullable=False),
    Column("closed_at", Utc),
)
Index(
    "one_open_table",
    tables.c.group_id,
    unique=True,
    sqlite_where=tables.c.closed_at.is_(None),
    postgresql_where=tables.c.closed_at.is_(None),
)

seats = Table(  # who sits at an open table
    "seats",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("person_id", ForeignKey("persons.id"), primary_key=True, index=True),
    sqlite_with_rowid=False,
)

hands = Table(
    "hands",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", ForeignKey("tables.id"), nullable=False),
    Column("group_id", ForeignKey("groups.id")),
    Column("number", Integer, nullable=False),
    Column("rules", Text, nullable=False),
    Column("options", JSON, nullable=False),
    Column("dealer", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("base", Integer, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("dice", JSON(none_as_null=True)),
    Column("friendly", Boolean, nullable=False),
    Column("opened_at", Utc, nullable=False),
    Column("ended_at", Utc),
    Column("day", Text),  # local day of its end, for the aggregates; NULL if it counts in none: void, or for learning
    Column("outcome", Text),  # of record.md, or "void"
    Column("winner", Integer),
    Column("source", Integer),  # "from" of record.md
    Column("by", Text),
    Column("result", JSON(none_as_null=True)),
    Column("record", JSON(none_as_null=True)),
    UniqueConstraint("table_id", "number"),
    CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name="ended_with_outcome"),
)
Index(
    "one_running_hand",
    hands.c.table_id,
    unique=True,
    sqlite_where=hands.c.ended_at.is_(None),
    postgresql_where=hands.c.ended_at.is_(None),
)
Index("hands_of_group", hands.c.group_id, hands.c.ended_at)

hand_seats = Table(
    "hand_seats",
    metadata,
    Column("hand_id", ForeignKey("hands.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person_id", ForeignKey("persons.id")),
    Column("computer", Text),
    Column("coins", BigInteger, nullable=False),  # at the start
    Column("net", BigInteger),  # NULL while it runs, and if void
    Column("nth", Integer),  # which of the person's ended hands it was, of those for coins or of the friendly ones
    CheckConstraint("(person_id IS NULL) <> (computer IS NULL)", name="person_or_computer"),
    CheckConstraint("seat BETWEEN 0 AND 3", name="four_seats"),
    sqlite_with_rowid=False,
)
Index("hands_of_person", hand_seats.c.person_id, hand_seats.c.hand_id)

journal = Table(
    "journal",
    metadata,
    Column("table_id", ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("hand_id", ForeignKey("hands.id")),
    Column("at", Utc, nullable=False),
    Column("kind", Text, nullable=False),
    Column("seat", Integer),
    Column("body", JSON, nullable=False),
    sqlite_with_rowid=False,
)
Index("journal_of_hand", journal.c.hand_id, journal.c.seq)

accounts = Table(
    "accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person_id", ForeignKey("persons.id"), unique=True),  # a wallet
    Column("house", Text, unique=True),  # or a source of the house, which goes below zero as coins are given out
    Column("balance", BigInteger, nullable=False),
    Column("held", BigInteger, nullable=False),  # kept by triggers on holds
    CheckConstraint("(person_id IS NULL) <> (house IS NULL)", name="wallet_or_house"),
    CheckConstraint("held >= 0", name="held_not_negative"),
    CheckConstraint("house IS NOT NULL OR balance >= held", name="wallet_covers_holds"),
)

transfers = Table(
    "transfers",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("cause", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("at", Utc, nullable=False),
    Column("hand_id", ForeignKey("hands.id"), unique=True),
)

# One posting is both sides of an entry, so that no row can be out of balance.
postings = Table(
    "postings",
    metadata,
    Column("transfer_id", ForeignKey("transfers.id"), primary_key=True),
    Column("line", Integer, primary_key=True),
    Column("payer", ForeignKey("accounts.id"), nullable=False, index=True),
    Column("payee", ForeignKey("accounts.id"), nullable=False, index=True),
    Column("amount", BigInteger, nullable=False),
    Column("item", Text, nullable=False),
    CheckConstraint("amount > 0", name="amount_positive"),
    CheckConstraint("payer <> payee", name="two_sides"),
    sqlite_with_rowid=False,
)

holds = Table(
    "holds",
    metadata,
    Column("hand_id", ForeignKey("hands.id"), primary_key=True),
    Column("account_id", ForeignKey("accounts.id"), primary_key=True, index=True),
    Column("amount", BigInteger, nullable=False),
    CheckConstraint("amount > 0", name="hold_positive"),
    sqlite_with_rowid=False,
)

daily = Table(  # sums for rankings; "friendly" counts friendly hands, the rest those for coins
    "daily",
    metadata,
    Column("group_id", ForeignKey("groups.id"), primary_key=True),
    Column("day", Text, primary_key=True),
    Column("person_id", ForeignKey("persons.id"), primary_key=True),
    Column("hands", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("friendly", Integer, nullable=False),
    sqlite_with_rowid=False,
)

Index("daily_of_person", daily.c.person_id, daily.c.group_id, daily.c.day)

standings = Table(  # the sums of daily over all days
    "standings",
    metadata,
    Column("group_id", ForeignKey("groups.id"), primary_key=True),
    Column("person_id", ForeignKey("persons.id"), primary_key=True),
    Column("hands", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("net", BigInteger, nullable=False),
    Column("friendly", Integer, nullable=False),
    sqlite_with_rowid=False,
)
Index("standings_of_person", standings.c.person_id)

careers = Table(  # sums of each person's hands, those for coins and friendly ones apart
    "careers",
    metadata,
    Column("person_id", ForeignKey("persons.id"), primary_key=True),
    Column("friendly", Boolean, primary_key=True),
    Column("hands", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("dealt_in", Integer, nullable=False),  # 放炮: hands in which another won by this one's tile
    Column("net", BigInteger, nullable=False),
    Column("run", Integer, nullable=False),  # hands won in a row up to now
    Column("longest_run", Integer, nullable=False),
    Column("longest_deal", Integer, nullable=False),  # the longest streak as dealer
    Column("best_hand", ForeignKey("hands.id")),  # the win that brought the most
    Column("best_net", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

career_wins = Table(  # how they were won; "rules" and "by" as in record.md
    "career_wins",
    metadata,
    Column("person_id", ForeignKey("persons.id"), primary_key=True),
    Column("friendly", Boolean, primary_key=True),
    Column("rules", Text, primary_key=True),
    Column("by", Text, primary_key=True),
    Column("wins", Integer, nullable=False),
    sqlite_with_rowid=False,
)

flows = Table(  # what one account has won from another at a group's table; day "" sums up all days
    "flows",
    metadata,
    Column("group_id", ForeignKey("groups.id"), primary_key=True),
    Column("day", Text, primary_key=True),
    Column("low", ForeignKey("accounts.id"), primary_key=True),
    Column("high", ForeignKey("accounts.id"), primary_key=True),
    Column("net", BigInteger, nullable=False),  # of low; below 0: high has won
    CheckConstraint("low < high", name="pair_in_order"),
    sqlite_with_rowid=False,
)

feats = Table(  # what a person is proud of (mahjong.feats), and "hand" and "win": those for coins, counted
    "feats",
    metadata,
    Column("person_id", ForeignKey("persons.id"), primary_key=True),
    Column("feat", Text, primary_key=True),
    Column("hand_id", ForeignKey("hands.id"), nullable=False),  # the first
    Column("at", Utc, nullable=False),
    Column("last_hand_id", ForeignKey("hands.id"), nullable=False),
    Column("count", Integer, nullable=False),
    sqlite_with_rowid=False,
)

acts = Table(  # what operators did by /admin; never changed
    "acts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Utc, nullable=False),
    Column("person_id", ForeignKey("persons.id"), nullable=False),
    Column("act", Text, nullable=False),
    Column("body", JSON, nullable=False),
)

bans = Table(  # who sits at no table; outlasts being forgotten, which would undo it
    "bans",
    metadata,
    Column("telegram_id", BigInteger, primary_key=True),
    Column("at", Utc, nullable=False),
    sqlite_with_rowid=False,
)

sent = Table(
    "sent",
    metadata,
    Column("key", Text, primary_key=True),
    Column("chat_id", BigInteger, nullable=False, index=True),
    Column("message_id", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),
    Column("sent_at", Utc, nullable=False),
    Column("picture", Text),
    Column("file_id", Text),
    Column("thread_id", BigInteger),
)

TRIGGERS: Final = (
    "CREATE TRIGGER hold_made AFTER INSERT ON holds BEGIN"
    " UPDATE accounts SET held = held + NEW.amount WHERE id = NEW.account_id; END",
    "CREATE TRIGGER hold_released AFTER DELETE ON holds BEGIN"
    " UPDATE accounts SET held = held - OLD.amount WHERE id = OLD.account_id; END",
    "CREATE TRIGGER hold_fixed BEFORE UPDATE ON holds BEGIN SELECT RAISE(ABORT, 'a hold is never changed'); END",
    "CREATE TRIGGER transfer_fixed BEFORE UPDATE ON transfers"
    " BEGIN SELECT RAISE(ABORT, 'a transfer is never changed'); END",
    "CREATE TRIGGER transfer_kept BEFORE DELETE ON transfers"
    " BEGIN SELECT RAISE(ABORT, 'a transfer is never removed'); END",
    "CREATE TRIGGER posting_fixed BEFORE UPDATE ON postings"
    " BEGIN SELECT RAISE(ABORT, 'a posting is never changed'); END",
    "CREATE TRIGGER posting_kept BEFORE DELETE ON postings"
    " BEGIN SELECT RAISE(ABORT, 'a posting is never removed'); END",
    "CREATE TRIGGER hand_ends_once BEFORE UPDATE OF ended_at, outcome, result, record, seed, dice ON hands"
    " WHEN OLD.ended_at IS NOT NULL BEGIN SELECT RAISE(ABORT, 'a hand ends once'); END",
)
"""What SQLite itself guards; as of the newest migration."""
