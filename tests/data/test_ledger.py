"""Coins: double entry, holds, grants, settling once."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from data import ledger
from data.ledger import DAILY_COINS, RELIEF_TO, RELIEF_UNDER, START_COINS
from data.store import Change, Conflict, Entry, Grants, NotEnough, Payment, Store, Void, Wallet
from tests.data.samples import DAY, NOW, current, four, group_table, later, opening, play, won

ONE_WAY = pytest.mark.parametrize("inline", [True])
"""For what does not depend on the way queries are run."""


async def test_a_hand_holds_what_its_seats_can_lose(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    hand = opening(store, seats, held=1_000)
    await play(store, table, hand, None)
    assert await store.wallet(seats[0]) == Wallet(1_500, 1_000)
    assert (await store.balance(seats[0]), await store.available(seats[0])) == (1_500, 500)
    other = await store.create_table(None, {}, NOW)
    with pytest.raises(NotEnough, match=f"person {seats[0]} has 500 coins free, not 501"):
        await store.commit(Change(other.id, open_hand=opening(store, seats, held=501)))
    await store.commit(Change(other.id, open_hand=(second := opening(store, seats, held=500))))
    assert await store.available(seats[0]) == 0
    await store.commit(Change(table.id, settle=won(hand, amount=300)))
    assert (await store.wallets(seats)) == dict(
        zip(seats, (Wallet(2_400, 500), *[Wallet(1_200, 500)] * 3), strict=True)
    )
    await store.commit(Change(other.id, void=Void(second.hand_id, NOW, "stopped")))
    assert (await store.wallets([*seats, 99])) == dict(
        zip(seats, (Wallet(2_400, 0), *[Wallet(1_200, 0)] * 3), strict=True)
    )
    with pytest.raises(Conflict, match="person 99"):
        await store.wallet(99)


async def test_a_hand_is_settled_once(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    hand = opening(store, seats)
    await play(store, table, hand, won(hand))
    before = (await store.wallets(seats), await current(store, table), await store.hand(hand.hand_id))
    late = (
        Change(table.id, (Entry(3, NOW, "end"),), {"phase": "twice"}, settle=won(hand)),
        Change(table.id, (), {"phase": "other"}, settle=won(hand, winner=2, amount=99)),
        Change(table.id, (), {"phase": "void"}, void=Void(hand.hand_id, NOW, "late")),
    )
    for change in late:
        assert await store.commit(change) is False
    assert before == (await store.wallets(seats), await current(store, table), await store.hand(hand.hand_id))


async def test_two_settle_at_the_same_moment(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    hand = opening(store, seats)
    await play(store, table, hand, None)
    done = await asyncio.gather(*(store.commit(Change(table.id, settle=won(hand))) for _ in range(8)))
    assert sorted(done) == [False] * 7 + [True]
    assert await store.balance(seats[0]) == 1_560


async def test_a_void_hand_moves_nothing(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    hand = opening(store, seats)
    await play(store, table, hand, None)
    assert await store.commit(Change(table.id, void=Void(hand.hand_id, later(3), "all agreed"), close=later(3)))
    assert await store.wallets(seats) == {seat: Wallet(1_500, 0) for seat in seats}
    kept = await store.hand(hand.hand_id)
    assert kept is not None
    assert (kept.outcome, kept.result, kept.ended_at) == ("void", {"reason": "all agreed"}, later(3))
    assert await store.commit(Change(table.id, settle=won(hand))) is False


@ONE_WAY
async def test_a_friendly_hand_moves_no_coins(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store)
    hand = opening(store, [persons[0].id, "easy", "easy", persons[1].id])
    settled = replace(won(hand), payments=(Payment(persons[1].id, persons[0].id, 60, "win"),))
    await play(store, table, hand, settled)
    assert await store.balance(persons[0].id) == 1_500
    with pytest.raises(ValueError, match="holds no coins"):
        await store.commit(Change(table.id, open_hand=replace(hand, hand_id=9, holds={persons[0].id: 1})))


@ONE_WAY
async def test_computers_that_play_for_coins(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store)
    hand = opening(
        store,
        [persons[0].id, persons[1].id, "hard", "hard"],
        friendly=False,
        holds={persons[0].id: 600, persons[1].id: 600},
    )
    await play(store, table, hand, won(hand, winner=2, amount=100))
    assert [await store.balance(person.id) for person in persons[:2]] == [1_400, 1_400]


@ONE_WAY
async def test_nobody_loses_more_than_was_held(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    hand = opening(store, seats, held=100)
    await play(store, table, hand, None)
    with pytest.raises(NotEnough, match="would lose 101 coins of 100 held"):
        await store.commit(Change(table.id, settle=won(hand, amount=101)))
    assert await store.wallet(seats[1]) == Wallet(1_500, 100)
    await store.commit(Change(table.id, settle=won(hand, amount=100)))


@ONE_WAY
async def test_of_whom_nothing_is_held_nothing_can_be_lost(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    hand = opening(store, seats, holds=dict.fromkeys(seats[:3], 1_500))
    await play(store, table, hand, None)
    with pytest.raises(NotEnough, match=f"person {seats[3]} would lose 1 coins of 0 held"):
        await store.commit(Change(table.id, settle=won(hand, amount=1)))
    assert await store.wallet(seats[3]) == Wallet(1_500, 0)
    await store.commit(Change(table.id, void=Void(hand.hand_id, NOW, "stopped")))


@ONE_WAY
async def test_one_may_pay_on_what_one_gets(store: Store) -> None:
    a, b, c, d = (person.id for person in await four(store))
    table = await group_table(store)
    hand = opening(store, [a, b, c, d])
    await play(store, table, hand, None)
    settled = won(hand)
    settled.result["net"] = [2_500, -1_500, -1_000, 0]
    payments = (Payment(d, a, 2_500, "win"), Payment(b, d, 1_500, "points"), Payment(c, d, 1_000, "points"))
    await store.commit(Change(table.id, settle=replace(settled, payments=payments)))
    assert [wallet.balance for wallet in (await store.wallets([a, b, c, d])).values()] == [4_000, 0, 500, 1_500]


@ONE_WAY
async def test_payments_and_result_must_agree(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    stranger = await store.person_by_telegram(77, "x", None, None, NOW)
    table = await group_table(store)
    hand = opening(store, seats)
    await play(store, table, hand, None)
    settled = won(hand)
    wrong = (
        settled.payments[:2],
        (*settled.payments, Payment(stranger.id, None, 0, "win"), Payment(seats[0], stranger.id, 1, "win")),
        (*settled.payments[:2], replace(settled.payments[2], amount=-20)),
    )
    for payments in wrong:
        with pytest.raises(ValueError, match="payment"):
            await store.commit(Change(table.id, settle=replace(settled, payments=payments)))
    assert await store.wallet(seats[0]) == Wallet(1_500, 1_500)


async def test_grants_happen_once(store: Store) -> None:
    person = (await four(store))[0].id
    assert await store.grant(person, 70, "refund", "table:3", NOW) is True
    assert await store.grant(person, 70, "refund", "table:3", NOW) is False
    assert await asyncio.gather(*(store.daily(person, DAY, NOW) for _ in range(3))) == [200, 0, 0]
    assert await store.daily(person, "2026-05-02", NOW) == 200
    assert await store.balance(person) == 1_970
    with pytest.raises(Conflict, match="person 99"):
        await store.grant(99, 70, "refund", "table:4", NOW)
    for amount in (0, -1):
        with pytest.raises(ValueError, match=f"above 0: {amount}"):
            await store.grant(person, amount, "refund", "table:5", NOW)
    assert await store.grant(person, 1, "refund", "table:5", NOW) is True


async def test_days_in_a_row_end_with_the_first_that_is_missing(store: Store) -> None:
    person, other = (one.id for one in (await four(store))[:2])
    assert await store.grants(person, "2026-05-05") == Grants(False, 0, 0)
    for day in ("2026-04-28", "2026-04-30", "2026-05-01", "2026-05-02", "2026-05-03"):
        assert await store.daily(person, day, NOW) == 200
    assert await store.daily(other, "2026-05-04", NOW) == 200
    # The day itself counts once it is taken, and until it is over the days before it do.
    assert await store.grants(person, "2026-05-03") == Grants(True, 0, 4)
    assert await store.grants(person, "2026-05-04") == Grants(False, 0, 4)
    assert await store.grants(person, "2026-05-05") == Grants(False, 0, 0)
    # What came later does not count for a day before it.
    assert await store.grants(person, "2026-05-01") == Grants(True, 0, 2)
    assert await store.grants(person, "2026-04-29") == Grants(False, 0, 1)
    assert await store.grants(person, "2026-04-27") == Grants(False, 0, 0)


@ONE_WAY
async def test_no_more_days_are_counted_than_that(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    person = (await four(store))[0].id
    for day in ("2026-05-01", "2026-05-02", "2026-05-03", "2026-05-04"):
        await store.daily(person, day, NOW)
    monkeypatch.setattr(ledger, "DAYS_COUNTED", 3)
    assert await store.grants(person, "2026-05-04") == Grants(True, 0, 3)


@ONE_WAY
async def test_reliefs_are_counted_by_day_and_person(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    table = await group_table(store)
    for number in (1, 2):
        amount = await store.balance(seats[1])
        hand = opening(store, seats, number, holds={seats[1]: amount})
        settled = won(hand, amount=amount)
        settled.result["net"] = [amount, -amount, 0, 0]
        await play(store, table, hand, replace(settled, payments=settled.payments[:1]))
        assert await store.grants(seats[1], DAY) == Grants(False, number - 1, 0)
        assert await store.relief(seats[1], DAY, NOW) == 500
        assert await store.grants(seats[1], DAY) == Grants(False, number, 0)
    assert await store.grants(seats[1], "2026-05-02") == Grants(False, 0, 0)
    assert await store.grants(seats[0], DAY) == Grants(False, 0, 0)


async def test_relief_twice_a_day_under_160(store: Store) -> None:
    seats = [person.id for person in await four(store)]
    table = await group_table(store)

    async def lose(down_to: int) -> None:
        number = 1 + (await current(store, table)).seq // 2
        amount = await store.balance(seats[1]) - down_to
        holds = {seats[1]: amount}
        hand = opening(store, seats, number, holds=holds)
        settled = won(hand, amount=amount)
        settled.result["net"] = [amount, -amount, 0, 0]
        await play(store, table, hand, replace(settled, payments=settled.payments[:1]))

    await lose(160)
    assert await store.relief(seats[1], DAY, NOW) == 0
    await lose(159)
    assert await store.relief(seats[1], DAY, NOW) == 341
    assert await store.relief(seats[1], DAY, NOW) == 0
    await lose(0)
    assert await store.relief(seats[1], DAY, NOW) == 500
    await lose(100)
    assert await store.relief(seats[1], DAY, NOW) == 0
    assert await store.relief(seats[1], "2026-05-02", NOW) == 400
    assert await store.balance(seats[1]) == 500


HOUSE, COMPUTERS, FORGOTTEN = "refund", "computers", "forgotten"


@pytest.mark.parametrize(
    ("cause", "kind", "hand", "amount", "sides", "rightful"),
    [
        ("hand:7", "hand", 7, 5, (1, None, 2, None), True),
        ("hand:7", "hand", 7, 5, (None, COMPUTERS, 2, None), True),
        ("hand:7", "hand", 7, 5, (1, None, None, COMPUTERS), True),
        ("hand:8", "hand", 7, 5, (1, None, 2, None), False),
        ("hand:7", "hand", None, 5, (1, None, 2, None), False),
        ("hand:7", "hand", 7, 5, (None, "daily", 2, None), False),
        ("forgotten:1", FORGOTTEN, None, 5, (1, None, None, FORGOTTEN), True),
        ("forgotten:2", FORGOTTEN, None, 5, (1, None, None, FORGOTTEN), False),
        ("forgotten:1", FORGOTTEN, None, 5, (1, None, None, COMPUTERS), False),
        ("start:2", "start", None, START_COINS, (None, "start", 2, None), True),
        ("start:2", "start", None, START_COINS + 1, (None, "start", 2, None), False),
        ("start:1", "start", None, START_COINS, (None, "start", 2, None), False),
        ("start:2", "start", 7, START_COINS, (None, "start", 2, None), False),
        ("start:2", "start", None, START_COINS, (None, "daily", 2, None), False),
        ("start:None", "start", None, START_COINS, (None, "start", None, COMPUTERS), False),
        ("daily:2:2026-05-01", "daily", None, DAILY_COINS, (None, "daily", 2, None), True),
        ("daily:2:2026-05-01", "daily", None, DAILY_COINS - 1, (None, "daily", 2, None), False),
        ("daily:2:2026-05-011", "daily", None, DAILY_COINS, (None, "daily", 2, None), False),
        ("daily:3:2026-05-01", "daily", None, DAILY_COINS, (None, "daily", 2, None), False),
        ("relief:2:2026-05-01:1", "relief", None, RELIEF_TO, (None, "relief", 2, None), True),
        ("relief:2:2026-05-01:2", "relief", None, RELIEF_TO - RELIEF_UNDER + 1, (None, "relief", 2, None), True),
        ("relief:2:2026-05-01:1", "relief", None, RELIEF_TO - RELIEF_UNDER, (None, "relief", 2, None), False),
        ("relief:2:2026-05-01:1", "relief", None, RELIEF_TO + 1, (None, "relief", 2, None), False),
        ("relief:2:2026-05-01:3", "relief", None, RELIEF_TO, (None, "relief", 2, None), False),
        ("relief:2:2026-05-01:0", "relief", None, RELIEF_TO, (None, "relief", 2, None), False),
        ("table:3", "refund", None, 70, (None, HOUSE, 2, None), True),
        ("table:3", "refund", None, 70, (1, None, 2, None), False),
        ("x", "gift", None, 70, (None, "gift", 2, None), False),
    ],
)
def test_coins_move_for_a_kinds_own_cause_amount_and_sides_alone(
    cause: str,
    kind: str,
    hand: int | None,
    amount: int,
    sides: tuple[int | None, str | None, int | None, str | None],
    rightful: bool,
) -> None:
    assert ledger._rightful(cause, kind, hand, amount, *sides) is rightful
