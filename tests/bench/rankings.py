"""/score and /me where a million hands are recorded, all in one group: what a press waits for before it is sent.

The pictures are drawn later, in other processes, and measured by themselves.
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path

from data.store import Store
from data.texts import Texts
from handlers.screens.ranking import PERIODS, ROWS, first_day, ranking_message
from render.pool import Renderer
from tests.bench.figures import Figure, at_most

HANDS = 1_000_000
PERSONS = 500
HANDS_A_DAY = 1_000
TODAY = "2026-09-26"
"""The last of the days on which they were played, from 2024 on."""
TIMES = 40
SLOWEST_MS = 50.0
ME = 321
DAYS = 30

# Each quarter of the persons keeps to one seat, so that nobody sits twice at a table; who wins and how much is mixed.
_FILL = f"""
INSERT INTO groups VALUES (1, 'zh_Hans', '{{}}', '2024-01-01 00:00:00.000000');
INSERT INTO telegram_chats VALUES (-1001, 1, '一百万局', 0, 1);
INSERT INTO tables VALUES (1, 1, '{{}}', 0, '2024-01-01 00:00:00.000000', '2026-12-31 00:00:00.000000');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {PERSONS})
INSERT INTO persons SELECT i, NULL, '{{}}', '2024-01-01 00:00:00.000000' FROM n;
INSERT INTO telegram_users SELECT id, id, '牌友' || id, NULL, 'zh-hans', 1 FROM persons;
INSERT INTO accounts SELECT id, id, NULL, 1500, 0 FROM persons;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {HANDS})
INSERT INTO hands SELECT i, 1, 1, i, 'zhangzhou', '{{}}', i % 4, 1, 10, x'00', '', '[1,2]', 0, at, at,
    date('2024-01-01', '+' || ((i - 1) / {HANDS_A_DAY}) || ' days'), 'win', (i * 7919 / 13) % 4, NULL, 'self_draw',
    '{{}}', '{{}}'
FROM (
    SELECT i, datetime('2024-01-01', '+' || ((i - 1) * 86400 / {HANDS_A_DAY}) || ' seconds') || '.000000' AS at FROM n
);
INSERT INTO hand_seats SELECT id, seat, seat * {PERSONS // 4} + (id * 7919 + seat) % {PERSONS // 4} + 1, NULL, 1500,
    CASE WHEN winner = seat THEN 3 ELSE -1 END * (10 + id * 31 % 90), id / {PERSONS // 4} + 1
FROM hands, (SELECT 0 AS seat UNION SELECT 1 UNION SELECT 2 UNION SELECT 3);
INSERT INTO daily SELECT 1, day, person_id, count(*), sum(winner = seat), sum(net), 0
FROM hand_seats JOIN hands ON hands.id = hand_id GROUP BY day, person_id;
INSERT INTO standings SELECT 1, person_id, sum(hands), sum(wins), sum(net), 0 FROM daily GROUP BY person_id;
INSERT INTO careers SELECT person_id, 0, hands, wins, 0, net, 0, 3, 5, 1, 300 FROM standings;
INSERT INTO career_wins SELECT person_id, 0, 'zhangzhou', 'self_draw', wins FROM standings;
"""


def rankings() -> Iterator[Figure]:
    """The time to build the database, and each question's median."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.sqlite3"
        began = time.perf_counter()
        asyncio.run(_empty(path))
        with closing(sqlite3.connect(path)) as connection:
            for pragma in ("synchronous = OFF", "journal_mode = OFF", "cache_size = -400000", "temp_store = MEMORY"):
                connection.execute(f"PRAGMA {pragma}")
            connection.executescript(f"BEGIN; {_FILL} COMMIT; PRAGMA journal_mode = WAL;")
        yield Figure("a database of 1,000,000 hands is made in", time.perf_counter() - began, "s")
        for name, spent in asyncio.run(_measure(path)):
            yield at_most(name, spent, "ms", SLOWEST_MS if name.startswith("/score") else None)


async def _empty(path: Path) -> None:
    await (await Store.open(path)).close()


async def _measure(path: Path) -> list[tuple[str, float]]:
    store = await Store.open(path)
    words = Texts.load().get("zh_Hans")
    renderer = Renderer(0)
    group = await store.group(1)
    assert group is not None

    def score(period: str, number: int) -> Callable[[], Awaitable[object]]:
        chosen = PERIODS[PERIODS.index(period)]

        async def ask() -> object:
            page = await store.ranking_page(1, ME, TODAY, first_day(chosen, TODAY), ROWS, number * ROWS)
            assert page.of == PERSONS
            return ranking_message(renderer, group.telegram_id, group, page, chosen, number, TODAY, words)

        return ask

    async def me() -> object:
        ranked = await store.ranked_in(ME)
        assert (await store.careers(ME)).for_coins.hands == ranked[1].hands
        return await store.places(1, ME, DAYS), await store.wallet(ME)

    found = [
        *[(f"/score of 1,000,000 hands, {period}", await _median(score(period, 0))) for period in PERIODS],
        ("/score of 1,000,000 hands, all, page 30", await _median(score("all", 30))),
        ("/me of 1,000,000 hands", await _median(me)),
    ]
    await store.close()
    return found


async def _median(ask: Callable[[], Awaitable[object]]) -> float:
    await ask()
    spent = []
    for _ in range(TIMES):
        began = time.perf_counter()
        await ask()
        spent.append(time.perf_counter() - began)
    return statistics.median(spent) * 1000
