"""What each person has played and won: sums, filled from the hands that are there; groups found by person."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_NUMBER = """
UPDATE hand_seats SET nth = numbered.nth FROM (
    SELECT hand_id, seat, row_number() OVER (PARTITION BY person_id, friendly ORDER BY ended_at, id) AS nth
    FROM hand_seats JOIN hands ON hands.id = hand_seats.hand_id
    WHERE day IS NOT NULL AND person_id IS NOT NULL
) AS numbered
WHERE hand_seats.hand_id = numbered.hand_id AND hand_seats.seat = numbered.seat
"""
# A run of wins: its hands have the same distance between their number among all and among the wins.
_SUMS = """
WITH played AS (
    SELECT person_id, friendly, nth, hands.id AS hand_id, net, winner IS seat AS won,
        outcome = 'win' AND source IS seat AS dealt_in, CASE WHEN dealer = seat THEN streak ELSE 0 END AS deal
    FROM hand_seats JOIN hands ON hands.id = hand_seats.hand_id
    WHERE nth IS NOT NULL
), sums AS (
    SELECT person_id, friendly, count(*) AS hands, sum(won) AS wins, sum(dealt_in) AS dealt_in, sum(net) AS net,
        max(deal) AS deal
    FROM played GROUP BY person_id, friendly
), runs AS (
    SELECT person_id, friendly, max(nth) AS last, count(*) AS long FROM (
        SELECT person_id, friendly, nth,
            nth - row_number() OVER (PARTITION BY person_id, friendly ORDER BY nth) AS run
        FROM played WHERE won
    ) GROUP BY person_id, friendly, run
), longest AS (
    SELECT person_id, friendly, max(long) AS long FROM runs GROUP BY person_id, friendly
), best AS (
    SELECT person_id, friendly, hand_id, net FROM (
        SELECT *, row_number() OVER (PARTITION BY person_id, friendly ORDER BY net DESC, nth) AS place
        FROM played WHERE won AND net > 0
    ) WHERE place = 1
)
INSERT INTO careers
SELECT sums.person_id, sums.friendly, hands, wins, dealt_in, sums.net, coalesce(runs.long, 0),
    coalesce(longest.long, 0), deal, best.hand_id, coalesce(best.net, 0)
FROM sums
LEFT JOIN runs ON (runs.person_id, runs.friendly, last) = (sums.person_id, sums.friendly, hands)
LEFT JOIN longest ON (longest.person_id, longest.friendly) = (sums.person_id, sums.friendly)
LEFT JOIN best ON (best.person_id, best.friendly) = (sums.person_id, sums.friendly)
"""
_WINS = """
INSERT INTO career_wins
SELECT person_id, friendly, rules, "by", count(*)
FROM hand_seats JOIN hands ON hands.id = hand_seats.hand_id
WHERE nth IS NOT NULL AND winner = seat
GROUP BY person_id, friendly, rules, "by"
"""


def upgrade() -> None:
    op.add_column("hand_seats", sa.Column("nth", sa.Integer(), nullable=True))
    op.create_index("daily_of_person", "daily", ["person_id", "group_id", "day"])
    op.create_index("standings_of_person", "standings", ["person_id"])
    op.create_table(
        "careers",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("friendly", sa.Boolean(), nullable=False),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("dealt_in", sa.Integer(), nullable=False),
        sa.Column("net", sa.BigInteger(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("longest_run", sa.Integer(), nullable=False),
        sa.Column("longest_deal", sa.Integer(), nullable=False),
        sa.Column("best_hand", sa.Integer(), nullable=True),
        sa.Column("best_net", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["best_hand"], ["hands.id"]),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"]),
        sa.PrimaryKeyConstraint("person_id", "friendly"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "career_wins",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("friendly", sa.Boolean(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"]),
        sa.PrimaryKeyConstraint("person_id", "friendly", "rules", "by"),
        sqlite_with_rowid=False,
    )
    for statement in (_NUMBER, _SUMS, _WINS):
        op.execute(statement)
