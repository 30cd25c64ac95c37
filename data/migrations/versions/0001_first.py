"""Persons, groups, tables, hands, the journal, the ledger, rankings, messages sent."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

TRIGGERS = (
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


def upgrade() -> None:
    op.create_table(
        "groups",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "persons",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("prefs", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "sent",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("chat_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(), nullable=False),
        sa.Column("picture", sa.Text(), nullable=True),
        sa.Column("file_id", sa.Text(), nullable=True),
        sa.Column("thread_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_index("ix_sent_chat_id", "sent", ["chat_id"])
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("house", sa.Text(), nullable=True),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("held", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("(person_id IS NULL) <> (house IS NULL)", name="wallet_or_house"),
        sa.CheckConstraint("held >= 0", name="held_not_negative"),
        sa.CheckConstraint("house IS NOT NULL OR balance >= held", name="wallet_covers_holds"),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("house"),
        sa.UniqueConstraint("person_id"),
    )
    op.create_table(
        "daily",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("friendly", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"]),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"]),
        sa.PrimaryKeyConstraint("group_id", "day", "person_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "standings",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("friendly", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"]),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"]),
        sa.PrimaryKeyConstraint("group_id", "person_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=True),
        sa.Column("state", sa.JSON(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("closed_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("one_open_table", "tables", ["group_id"], unique=True, sqlite_where=sa.text("closed_at IS NULL"))
    op.create_table(
        "telegram_chats",
        sa.Column("chat_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("is_forum", sa.Boolean(), nullable=False),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"]),
        sa.PrimaryKeyConstraint("chat_id"),
    )
    op.create_index(
        "one_current_chat", "telegram_chats", ["group_id"], unique=True, sqlite_where=sa.text("current IS 1")
    )
    op.create_table(
        "telegram_users",
        sa.Column("telegram_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("username", sa.Text(), nullable=True),
        sa.Column("language_code", sa.Text(), nullable=True),
        sa.Column("private_ok", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"]),
        sa.PrimaryKeyConstraint("telegram_id"),
        sa.UniqueConstraint("person_id"),
    )
    op.create_table(
        "hands",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("dice", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("friendly", sa.Boolean(), nullable=False),
        sa.Column("opened_at", sa.DateTime(), nullable=False),
        sa.Column("ended_at", sa.DateTime(), nullable=True),
        sa.Column("day", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.Column("source", sa.Integer(), nullable=True),
        sa.Column("by", sa.Text(), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("record", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint("(ended_at IS NULL) = (outcome IS NULL)", name="ended_with_outcome"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"]),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("table_id", "number"),
    )
    op.create_index("hands_of_group", "hands", ["group_id", "ended_at"])
    op.create_index("one_running_hand", "hands", ["table_id"], unique=True, sqlite_where=sa.text("ended_at IS NULL"))
    op.create_table(
        "seats",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"]),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table_id", "person_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_seats_person_id", "seats", ["person_id"])
    op.create_table(
        "hand_seats",
        sa.Column("hand_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("computer", sa.Text(), nullable=True),
        sa.Column("coins", sa.BigInteger(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("(person_id IS NULL) <> (computer IS NULL)", name="person_or_computer"),
        sa.CheckConstraint("seat BETWEEN 0 AND 3", name="four_seats"),
        sa.ForeignKeyConstraint(["hand_id"], ["hands.id"]),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"]),
        sa.PrimaryKeyConstraint("hand_id", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_index("hands_of_person", "hand_seats", ["person_id", "hand_id"])
    op.create_table(
        "holds",
        sa.Column("hand_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("amount > 0", name="hold_positive"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"]),
        sa.ForeignKeyConstraint(["hand_id"], ["hands.id"]),
        sa.PrimaryKeyConstraint("hand_id", "account_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_holds_account_id", "holds", ["account_id"])
    op.create_table(
        "journal",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("hand_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["hand_id"], ["hands.id"]),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table_id", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_index("journal_of_hand", "journal", ["hand_id", "seq"])
    op.create_table(
        "transfers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("hand_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["hand_id"], ["hands.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("cause"),
        sa.UniqueConstraint("hand_id"),
    )
    op.create_table(
        "postings",
        sa.Column("transfer_id", sa.Integer(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("payer", sa.Integer(), nullable=False),
        sa.Column("payee", sa.Integer(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.CheckConstraint("amount > 0", name="amount_positive"),
        sa.CheckConstraint("payer <> payee", name="two_sides"),
        sa.ForeignKeyConstraint(["payee"], ["accounts.id"]),
        sa.ForeignKeyConstraint(["payer"], ["accounts.id"]),
        sa.ForeignKeyConstraint(["transfer_id"], ["transfers.id"]),
        sa.PrimaryKeyConstraint("transfer_id", "line"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_postings_payee", "postings", ["payee"])
    op.create_index("ix_postings_payer", "postings", ["payer"])
    for trigger in TRIGGERS:
        op.execute(trigger)
