"""Who won how much from whom in a group, and feats; both filled from the hands that were played."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

FLOWS = """
INSERT INTO flows (group_id, day, low, high, net)
SELECT hands.group_id, {day}, min(payer, payee) AS low, max(payer, payee) AS high,
       sum(CASE WHEN payee < payer THEN amount ELSE -amount END)
FROM postings JOIN transfers ON transfers.id = postings.transfer_id JOIN hands ON hands.id = transfers.hand_id
WHERE hands.group_id IS NOT NULL AND hands.day IS NOT NULL
GROUP BY 1, 2, 3, 4
"""

# The hands for coins of each person in their order, those won only or all; one row for the first, the 100th …
FEATS = """
INSERT INTO feats (person_id, feat, hand_id, at, last_hand_id, count)
WITH played AS (
    SELECT person_id, id, ended_at,
           row_number() OVER one AS n, max(id) OVER whole AS last, count(*) OVER whole AS number
    FROM hand_seats JOIN hands ON hands.id = hand_seats.hand_id
    WHERE person_id IS NOT NULL AND group_id IS NOT NULL AND day IS NOT NULL AND NOT friendly AND ({only})
    WINDOW one AS (PARTITION BY person_id ORDER BY id), whole AS (PARTITION BY person_id)
)
SELECT person_id, '{feat}', id, ended_at, {last}, {count} FROM played WHERE n = {n}
"""

COUNTED = (
    {"feat": "hand", "only": "true", "n": 1, "last": "last", "count": "number"},
    {"feat": "win", "only": "winner = seat", "n": 1, "last": "last", "count": "number"},
    {"feat": "first_win", "only": "winner = seat", "n": 1, "last": "id", "count": "1"},
    {"feat": "hands_100", "only": "true", "n": 100, "last": "id", "count": "1"},
    {"feat": "hands_1000", "only": "true", "n": 1000, "last": "id", "count": "1"},
)


def upgrade() -> None:
    op.create_table(
        "flows",
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("low", sa.Integer(), nullable=False),
        sa.Column("high", sa.Integer(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("low < high", name="pair_in_order"),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"]),
        sa.ForeignKeyConstraint(["high"], ["accounts.id"]),
        sa.ForeignKeyConstraint(["low"], ["accounts.id"]),
        sa.PrimaryKeyConstraint("group_id", "day", "low", "high"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "feats",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("feat", sa.Text(), nullable=False),
        sa.Column("hand_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("last_hand_id", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["hand_id"], ["hands.id"]),
        sa.ForeignKeyConstraint(["last_hand_id"], ["hands.id"]),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"]),
        sa.PrimaryKeyConstraint("person_id", "feat"),
        sqlite_with_rowid=False,
    )
    for day in ("hands.day", "''"):
        op.execute(FLOWS.format(day=day))
    for counted in COUNTED:
        op.execute(FEATS.format(**counted))
