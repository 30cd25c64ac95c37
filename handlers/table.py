"""A table at work: one queue, one thing at a time; each step is committed before anything of it is shown.

A *step* is a function on a ``Draft``: what it changed is committed, then it becomes the table's state, then the
presser is answered and the messages are brought up to date (house.md, *The way of a button press*).
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from data.errors import Conflict, NotEnough, StoreUnwritable
from data.model import Feat, Group, Wallet
from handlers import absence, allowance, broken, lobby, stakes, taking_up, waiting
from handlers.about import ABOUT, About
from handlers.answers import SILENT, Answer
from handlers.clock import Timer
from handlers.draft import Draft
from handlers.finished import finished
from handlers.links import start_link
from handlers.play import Warnings
from handlers.showing import Showing
from handlers.table_state import FRIENDLY_COINS, TableState
from mahjong import lessons
from mahjong.hand import Hand
from mahjong.match import SEAT_MINIMUM
from mahjong.views import SheetView, sheet
from mahjong.wall import commitment

if TYPE_CHECKING:
    from handlers.house import House

log = logging.getLogger(__name__)

GIVE_UP = 5
"""Beginnings of a hand that failed one after the other, after which the table goes back to its lobby; deals after the
dice have fallen, after which it is closed as broken."""

AGAIN = 5.0
"""Seconds until a deadline that could not be committed is tried again."""

Step = Callable[[Draft], Answer | Awaitable[Answer]]


class Table:
    """One open table. ``state`` and ``hand`` are what was last committed; only steps change them.

    ``group``: None for a private practice table. ``asleep``: taken up from the store, but not needed yet: ``hand`` is
    not there, no deadline comes due, and nothing is shown, until it wakes.
    """

    def __init__(
        self,
        house: House,
        state: TableState,
        group: Group | None,
        seq: int,
        *,
        asleep: bool = False,
    ) -> None:
        self.house = house
        self.state = state
        self.group = group
        self.hand: Hand | None = None
        self.asleep = asleep
        self.warnings = Warnings()
        self.showing = Showing(self)
        self._seed: bytes | None = None
        self._seq = seq
        self._steps: asyncio.Queue[tuple[Step, asyncio.Future[Answer]]] = asyncio.Queue()
        self._timer: Timer | None = None
        self._worker: asyncio.Task[None] | None = None
        self._throwing: asyncio.Task[None] | None = None
        self._sheet: SheetView | None = None
        self.first_feats: list[Feat] = []
        """What somebody did for the first time in the hand that ended last."""
        self._woken = asyncio.Event()
        self._stopped = False
        self._failures = 0

    @property
    def id(self) -> int:
        """Of the table in the store, and in callback data."""
        return self.state.table

    def start_link(self, intent: str = "sit") -> str:
        """The deep link to this table (``links.start_link``)."""
        return start_link(self.house.username, self.id, self.state.token, intent)

    @property
    def sheet(self) -> SheetView | None:
        """The score sheet of the hand that has ended, else None."""
        if self.hand is None or self.hand.result is None:
            return None
        if self._sheet is None:
            self._sheet = sheet(self.hand)
        return self._sheet

    @property
    def commitment(self) -> str | None:
        """What is published of the seed before its hand (telegram.md, *Fair deals*)."""
        return None if self._seed is None else commitment(self._seed)

    @property
    def opened_seed(self) -> str | None:
        """The seed in hexadecimal, once its hand has ended."""
        ended = self.hand is not None and self.hand.result is not None and self.state.phase not in ("dice", "playing")
        return self._seed.hex() if ended and self._seed is not None else None

    def start(self) -> None:
        """Begin to take steps, after waking if it is asleep."""
        if self._worker is None and not self._stopped:
            self._worker = asyncio.get_running_loop().create_task(self._work(), name=f"table {self.id}")

    async def awake(self) -> None:
        """Wake it if it is asleep; returns when it is up, or cannot be taken up, or not now."""
        if self.asleep:
            self.start()
            await self._woken.wait()

    async def recall(self) -> None:
        """Have the hand as the store keeps it."""
        self.hand, self._seed = await taking_up.hand_of(self.house, self.state)
        try:
            await self._recall_the_last_sheet()
        except StoreUnwritable:
            raise
        except Exception:
            # The hand is there, which is what is played.
            log.exception("table %d does not know what its last sheet has to say", self.id)
        self.asleep = False

    async def _recall_the_last_sheet(self) -> None:
        if self.state.hand_id is not None:
            self.first_feats = await self.house.store.first_feats(self.state.hand_id)
        if self.state.phase in ("dice", "playing") and self.showing.sheets_stand:
            # Killed before the last hand's sheet had said that nobody is waited for any more.
            row = await self.house.store.last_hand(self.id)
            if row is not None:
                self.showing.remember(await finished(self.house, row))

    async def stop(self) -> None:
        """Stop at once; what was committed stays, what was not did not happen."""
        if self._timer is not None:
            self._timer.cancel()
        self.showing.stop()
        self._end()
        tasks = [task for task in (self._throwing, self._worker) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _end(self) -> None:
        """No more steps: whoever waits for one is told that the table is gone."""
        self._stopped = True
        self._woken.set()
        self._refuse(Answer("toast.gone"))

    def _refuse(self, answer: Answer) -> None:
        """Whoever waits for a step waits no longer."""
        while not self._steps.empty():
            _, done = self._steps.get_nowait()
            if not done.done():
                done.set_result(answer)

    async def do(self, step: Step) -> Answer:
        """Have a step taken in its turn; returns what its presser is told, also of what went wrong in it."""
        if self._stopped:
            return Answer("toast.gone")
        self.start()
        done: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._steps.put_nowait((step, done))
        return await done

    async def _wake(self) -> bool:
        """Take the table up where its last committed move left it; dice that a kill cut short are thrown again.

        False: it is broken, and cannot be played.
        """
        while self.asleep:
            try:
                await self.recall()
            except StoreUnwritable as error:
                self.house.trouble(str(error))
                self._refuse(Answer("toast.full_disk", alert=True))
                self._woken.set()
                await self.house.clock.sleep(AGAIN)
            except Exception:
                log.exception("table %d cannot be taken up", self.id)
                # However long it takes to close it, nobody waits for this table any more.
                self._end()
                await broken.close(self.house, self.id)
                return False
        try:
            await self._take(taking_up.resumed)
        finally:
            self._woken.set()
        if self.state.phase == "dice":
            self._throw()
        if self.state.phase in ("dice", "playing", "between"):
            self._try_to_show(self.showing.tell_of_the_restart)
        return True

    async def _work(self) -> None:
        self._mark()
        up = not self.asleep or await self._wake()
        while up and self.state.phase != "closed":
            step, done = await self._steps.get()
            answer = Answer("toast.gone")
            try:
                answer = await self._take(step)
            except Exception:
                # Whatever went wrong, whoever waits behind this step must not wait for ever.
                log.exception("table %d: a step broke", self.id)
                answer = Answer("toast.trouble")
            finally:
                if not done.done():
                    done.set_result(answer)
        self._end()
        self.house.forget(self)

    def _mark(self) -> None:
        """What is logged from here on is about this table and its hand."""
        ABOUT.set(About(self.id, self.state.hand_id))

    async def _take(self, step: Step, *, once_more: bool = True) -> Answer:
        self._mark()
        now = self.house.clock.now()
        hand = self.hand.copy() if self.hand is not None else None
        draft = Draft(
            self.state.copy(),
            hand,
            now,
            self.house.timezone,
            self.house.chance,
            self._seq,
            self.house.dealing,
            self._seed,
        )
        try:
            taken = step(draft)
            answer = await taken if inspect.isawaitable(taken) else taken
            if lobby.all_ready(draft.state):
                opened = await self.open_hand(draft)
                answer = opened if opened.key is not None else answer
            if draft.entries and not await self.house.store.commit(draft.change()):
                # Whatever ended the hand, the store is right and this table is not.
                log.error("table %d: its hand had ended already; it is taken up anew", self.id)
                self.house.later(self.house.take_up_again(self))
                return Answer("toast.trouble")
        except Conflict as error:
            log.error("table %d: the store has gone on without it (%s); it is taken up anew", self.id, error)
            self.house.later(self.house.take_up_again(self))
            return Answer("toast.trouble")
        except NotEnough as error:
            if draft.open_hand is not None and once_more:
                # Another table has begun a hand with the same coins meanwhile.
                return await self._take(step, once_more=False)
            log.error("table %d: there were not the coins for a change: %s", self.id, error)
            self._failed()
            return Answer("toast.trouble")
        except StoreUnwritable as error:
            log.error("table %d: a change could not be kept: %s", self.id, error)
            self.house.trouble(str(error))
            self._failed()
            return Answer("toast.full_disk", alert=True)
        except Exception:
            log.exception("table %d: a step failed; nothing of it was kept", self.id)
            self._failed()
            return Answer("toast.trouble")
        if draft.entries:
            self._failures = 0
            await self._see_feats(draft)
            self._adopt(draft)
            self._try_to_show(lambda: self._show(draft))
        return answer

    def _failed(self) -> None:
        """A step was not kept: what is due is tried again, less and less often."""
        self._failures += 1
        self._arm(AGAIN * min(self._failures, 12))

    async def _see_feats(self, draft: Draft) -> None:
        """Look up what the sheet of a hand that is settled has to tell beside the score."""
        if draft.open_hand is not None:
            self.first_feats = []
        if draft.settle is not None:
            try:
                self.first_feats = await self.house.store.first_feats(draft.settle.hand_id)
            except StoreUnwritable as error:
                # The hand is settled all the same: the sheet comes without.
                self.house.trouble(str(error))
            except Exception:
                log.exception("table %d: what was done for the first time is not known", self.id)

    def _adopt(self, draft: Draft) -> None:
        """The draft is committed: it is the table's state from now on."""
        self.state = draft.state
        self.hand = draft.hand
        self._mark()
        _log(draft)
        self._seq += len(draft.entries)
        if draft.open_hand is not None:
            self._seed = draft.open_hand.seed
            self._sheet = None
            self.warnings = Warnings()
        self._arm()
        if self.state.phase == "dice" and draft.open_hand is not None:
            self._throw()
        if draft.settle is not None or draft.void is not None:
            self.house.later(self.house.coins_are_free([seat.person for seat in draft.state.players]))

    def _try_to_show(self, show: Callable[[], None]) -> None:
        """What was done holds whether it can be shown or not; the next step shows it."""
        try:
            show()
        except Exception:
            log.exception("table %d: what was done could not be shown", self.id)

    def _show(self, draft: Draft) -> None:
        """Have everybody see and hear what was done."""
        self.showing.refresh_soon()
        for person, key, fields in draft.tidings:
            self.showing.tell(person, key, **fields)
        if draft.bring_down or draft.ring_all:
            self.showing.bring_down()
        if draft.ring_all:
            self.showing.ring_everybody()

    # Deadlines

    def _arm(self, at_least: float = 0.0) -> None:
        """Wait for the earliest deadline."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self.state.next_deadline()
        if due is None:
            return
        when, name = due
        at = self.state.deadlines[name]
        if at_least:
            when = max(when, self.house.clock.now() + timedelta(seconds=at_least))
        self._timer = self.house.clock.at(when, lambda: self._come_due(name, at))

    def _come_due(self, name: str, at: str) -> None:
        self._queue(lambda draft: self._fire(draft, name, at))

    def _queue(self, step: Step) -> None:
        self._steps.put_nowait((step, asyncio.get_running_loop().create_future()))

    def _fire(self, draft: Draft, name: str, at: str) -> Answer | Awaitable[Answer]:
        """A deadline has come; if a step overtook it, it is no longer there."""
        if draft.state.deadlines.get(name) != at:
            self._arm()
            return SILENT
        del draft.state.deadlines[name]
        kind, _, seat = name.partition(":")
        if kind == "start" and self._failures >= GIVE_UP:
            # Rather a lobby that can be left than a deal that never comes.
            draft.note("no_deal")
            draft.look_for_players()
        elif kind == "start":
            return self.open_hand(draft)
        elif kind == "think":
            draft.thought(int(seat))
        elif kind == "turn":
            draft.turn_ran_out()
        elif kind == "window":
            draft.close_window(timed_out=draft.hand is not None and not draft.hand.can_close)
        elif kind == "offer":
            waiting.offer_ran_out(draft, int(seat))
        elif kind == "relief":
            return self.open_hand(draft, offered=True)
        elif kind == "ready":
            lobby.ready_ran_out(draft)
        elif kind == "lobby":
            draft.end_table("lobby.dead_days" if draft.state.days else "lobby.dead")
        elif kind == "remind":
            absence.remind(draft)
        elif kind == "still":
            absence.too_still(draft)
        elif kind == "idle":
            stakes.waited_long(draft)
        elif kind == "morning":
            draft.note("morning")
            draft.bring_down = True
        elif kind == "forgotten":
            draft.end_table("paused.forgotten")
        return SILENT

    # A hand begins

    async def open_hand(self, draft: Draft, *, offered: bool = False) -> Answer:
        """Seal a seed and begin a hand; at a private table deal at once, in a group wait for the dice.

        ``offered``: those who have too few coins have been offered what is due to them, and the time is up.
        """
        state = draft.state
        if self.house.upkeep.holds(draft):
            return self.house.upkeep.answer
        coins_of = await self.house.store.wallets(state.persons)
        if not state.friendly and await self._poor(draft, coins_of, offered=offered):
            return SILENT
        if stakes.wait_for_coins(draft, coins_of):
            return SILENT
        if state.hand == 0:
            lobby.draw_seats(draft) if state.lesson is None else lobby.seat_the_learner(draft)
        wallets = {person: stakes.stake_of(wallet, days=state.days) for person, wallet in coins_of.items()}
        for seat in state.taken:
            if seat.person is not None:
                seat.wallet = wallets[seat.person]
                # As they call themselves by now.
                if (person := self.house.people.known(seat.person)) is not None:
                    seat.name = person.name
        if state.friendly and min(seat.coins for seat in state.taken) < FRIENDLY_COINS // 10:
            # Virtual coins are for keeping count: who runs out gets a fresh heap.
            for seat in state.taken:
                seat.coins = FRIENDLY_COINS
        for seat in state.taken:
            # A computer that plays for coins has the house's purse behind it.
            if seat.computer is not None and seat.coins < SEAT_MINIMUM:
                seat.coins = FRIENDLY_COINS
        holds = {} if state.friendly else wallets
        coins = tuple(map(state.coins_of, state.taken))
        seed = self.house.entropy(32) if state.lesson is None else lessons.seed_of(state.lesson)
        draft.seal(self.house.store.new_hand_id(), seed, coins, holds)
        if state.group is None:
            draft.deal((), coins)
        return SILENT

    async def _poor(self, draft: Draft, wallets: Mapping[int, Wallet], *, offered: bool) -> bool:
        """Offer coins to those who have too few for a seat (telegram.md, *Coins*); whom that cannot help gives it up.

        Returns whether there was anybody, so that the hand cannot begin yet.
        """
        days = draft.state.days
        poor = {person: wallet for person, wallet in wallets.items() if stakes.owned(wallet, days=days) < SEAT_MINIMUM}
        if not poor:
            return False
        due = {} if offered else await allowance.helps(self.house, poor, days=days)
        if due.keys() == poor.keys():
            allowance.offer(draft, due)
        else:
            lobby.free_the_poor(draft, poor.keys() - due.keys())
        return True

    async def deal_if_it_waits(self) -> None:
        """Coins have become free: begin the hand that waits for them, if it does."""

        def again(draft: Draft) -> Answer | Awaitable[Answer]:
            waits = draft.state.held and draft.state.phase in ("countdown", "between")
            return self.open_hand(draft) if waits else SILENT

        await self.do(again)

    def _throw(self) -> None:
        """Throw the dealer's two dice in the group, where Telegram decides their values."""
        self._throwing = asyncio.get_running_loop().create_task(self._dice(), name=f"dice {self.id}")

    async def _dice(self) -> None:
        hand = self.state.hand
        try:
            dice = await self._thrown()
        except Exception:
            log.exception("table %d: the dice could not be thrown", self.id)
            dice = ()
        failed = 0
        # The thrown dice are nowhere else: the deal is tried until it is kept.
        while (key := (await self.do(lambda draft: self._dealt(draft, hand, dice))).key) is not None:
            if key not in ("toast.full_disk", "toast.trouble"):
                return
            failed += key == "toast.trouble"
            if failed >= GIVE_UP:
                self.house.later(self._give_up())
                return
            await self.house.clock.sleep(AGAIN)

    async def _thrown(self) -> tuple[int, ...]:
        """Both values; none where no dice can be thrown."""
        assert self.group is not None
        values: list[int] = []
        throws = 0 if self.state.group_lost else 2
        # The seal stands in the chat before the first die; after a kill it is said again, since nobody knows.
        seal = self.showing.seal()
        for _ in range(throws):
            value = await self.house.outbox.dice(self.group.telegram_id, self.state.thread, first=seal)
            seal = None
            if value is None:
                self.showing.say("table.no_dice")
                return ()
            values.append(value)
        return tuple(values)

    async def _give_up(self) -> None:
        """Close the table as one that cannot be played."""
        await broken.close(self.house, self.id)
        await self.house.take_up_again(self)

    async def _dealt(self, draft: Draft, hand: int, dice: tuple[int, ...]) -> Answer:
        state = draft.state
        if state.phase != "dice" or state.hand != hand or self._seed is None:
            return SILENT
        row = await self.house.store.running_hand(self.id)
        assert row is not None
        draft.deal(dice, row.coins)
        return SILENT


def _log(draft: Draft) -> None:
    """The course of a table for the operator: what everybody there may know, and no tile."""
    if (begun := draft.open_hand) is not None:
        friendly = ", friendly" if begun.friendly else ""
        log.info("hand %d begins: %s, base %d%s", begun.number, begun.rules, begun.base, friendly)
    if draft.settle is not None:
        log.info("hand %d has ended: %s", draft.state.hand, draft.settle.result["outcome"])
    if draft.void is not None:
        log.info("hand %d is void: %s", draft.state.hand, draft.void.reason)
    if draft.closed:
        log.info("the table is closed")
