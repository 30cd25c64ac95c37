"""Whatever is granted, held, settled and given up, in any order: sums are zero and no wallet falls below its holds."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from data.store import Change, NotEnough, OpenHand, Payment, Store, Void, Wallet
from tests.data.samples import DAY, NOW, opening, won

SEAT = st.integers(0, 3)


class _World:
    """One store for all runs: each run brings its own persons and tables, and the audit sees all that were."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory()
        self.store = self.runner.run(Store.open(Path(self.folder.name) / "x.sqlite3", inline=True))
        self.users = 0


class Coins(RuleBasedStateMachine):
    world: _World

    def run(self, work: Any) -> Any:
        return self.world.runner.run(work)

    @initialize()
    def meet(self) -> None:
        self.store = self.world.store
        self.wallets: dict[int, Wallet] = {}
        for _ in range(5):
            self.world.users += 1
            met = self.run(self.store.person_by_telegram(self.world.users, "x", None, None, NOW))
            self.wallets[met.id] = Wallet(1_500, 0)
        self.tables = [self.run(self.store.create_table(None, {}, NOW)).id for _ in range(2)]
        self.numbers: Counter[int] = Counter()
        self.running: dict[int, OpenHand] = {}
        self.ended: list[tuple[int, OpenHand]] = []

    @rule(who=st.integers(0, 4), amount=st.integers(1, 10**12), cause=st.integers(0, 3))
    def grant(self, who: int, amount: int, cause: int) -> None:
        person = list(self.wallets)[who]
        name = f"test:{person}:{cause}"
        before = self.wallets[person]
        if self.run(self.store.grant(person, amount, "refund", name, NOW)):
            self.wallets[person] = replace(before, balance=before.balance + amount)
        assert not self.run(self.store.grant(person, amount, "refund", name, NOW))

    @rule(who=st.integers(0, 4))
    def relief(self, who: int) -> None:
        person = list(self.wallets)[who]
        before = self.wallets[person]
        given = self.run(self.store.relief(person, DAY, NOW))
        assert given in (0, 500 - before.balance)
        assert not given or before.balance < 160
        self.wallets[person] = replace(before, balance=before.balance + given)

    @rule(table=st.integers(0, 1), out=st.integers(0, 4), shares=st.lists(st.integers(0, 110), min_size=4, max_size=4))
    def open(self, table: int, out: int, shares: list[int]) -> None:
        table_id = self.tables[table]
        if table_id in self.running:
            return
        seats = [person for at, person in enumerate(self.wallets) if at != out]
        holds = {p: self.wallets[p].available * share // 100 for p, share in zip(seats, shares, strict=True)}
        coins = tuple(holds[person] for person in seats)
        hand = opening(self.store, seats, self.numbers[table_id] + 1, holds=holds, coins=coins)
        try:
            self.run(self.store.commit(Change(table_id, open_hand=hand)))
        except NotEnough:
            assert any(holds[p] > self.wallets[p].available for p in seats)
            return
        self.numbers[table_id] += 1
        self.running[table_id] = hand
        self._held(hand, 1)

    def _held(self, hand: OpenHand, sign: int) -> None:
        for person, amount in hand.holds.items():
            self.wallets[person] = replace(self.wallets[person], held=self.wallets[person].held + sign * amount)

    @precondition(lambda self: self.running)
    @rule(
        data=st.data(),
        lines=st.lists(st.tuples(SEAT, SEAT, st.integers(0, 120)), max_size=6),
    )
    def settle(self, data: st.DataObject, lines: list[tuple[int, int, int]]) -> None:
        table_id = data.draw(st.sampled_from(sorted(self.running)))
        hand = self.running[table_id]
        seats: list[int] = [owner for owner in hand.seats if isinstance(owner, int)]
        net, payments = [0, 0, 0, 0], []
        for payer, payee, share in lines:
            amount = hand.holds[seats[payer]] * share // 100
            payments.append(Payment(seats[payer], seats[payee], amount, "win"))
            if payer != payee:
                net[payer] -= amount
                net[payee] += amount
        settled = replace(won(hand), payments=tuple(payments))
        settled.result["net"] = net
        try:
            assert self.run(self.store.commit(Change(table_id, settle=settled)))
        except NotEnough:
            assert any(-net[seat] > hand.holds[seats[seat]] for seat in range(4))
            return
        assert all(-net[seat] <= hand.holds[seats[seat]] for seat in range(4))
        self._end(table_id, net)

    @precondition(lambda self: self.running)
    @rule(data=st.data())
    def void(self, data: st.DataObject) -> None:
        table_id = data.draw(st.sampled_from(sorted(self.running)))
        hand = self.running[table_id]
        assert self.run(self.store.commit(Change(table_id, void=Void(hand.hand_id, NOW, "stopped"))))
        self._end(table_id, [0, 0, 0, 0])

    def _end(self, table_id: int, net: list[int]) -> None:
        hand = self.running.pop(table_id)
        self.ended.append((table_id, hand))
        self._held(hand, -1)
        for person, amount in zip(hand.holds, net, strict=True):
            self.wallets[person] = replace(self.wallets[person], balance=self.wallets[person].balance + amount)

    @precondition(lambda self: self.ended)
    @rule(data=st.data())
    def again(self, data: st.DataObject) -> None:
        table_id, hand = data.draw(st.sampled_from(self.ended))
        assert not self.run(self.store.commit(Change(table_id, settle=won(hand))))
        assert not self.run(self.store.commit(Change(table_id, void=Void(hand.hand_id, NOW, "late"))))

    @invariant()
    def kept(self) -> None:
        assert self.run(self.store.wallets(self.wallets)) == self.wallets
        assert all(0 <= wallet.held <= wallet.balance for wallet in self.wallets.values())


def test_coins() -> None:
    Coins.world = world = _World()
    with world.folder, world.runner:
        run_state_machine_as_test(Coins, settings=settings(max_examples=15, stateful_step_count=20))
        assert world.runner.run(world.store.audit()) is None
        world.runner.run(world.store.close())
