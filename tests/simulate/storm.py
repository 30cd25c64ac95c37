"""Everything that goes wrong around the bot: calls, network, disk, groups, and the bot's own death at any step."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random
from typing import ClassVar

from data.model import Change
from playground.errors import ControlError
from playground.faults import Fault, Kind
from playground.world import Call
from tests.simulate.place import Place
from tests.simulate.watch import Watch

CALLS_BETWEEN = 45
"""Calls of the bot from one trouble to the next, on average."""


class Storm:
    """Strikes now and then, as the seed has it, until it is over. `struck` counts by kind."""

    def __init__(self, place: Place, watch: Watch, chance: Random) -> None:
        self.place = place
        self.watch = watch
        self.chance = chance
        self.struck: Counter[str] = Counter()
        self.over = False
        self._left = self._next()
        self._mine: int | None = None
        place.down_for = self._down_for
        place.on_commit.append(self._committed)

    def end(self) -> None:
        """No more troubles, and those under way end."""
        self.over = True
        self.place.world.faults.clear()
        self.place.line.mend()
        self.place.disk.kind = None
        self.place.down_for = lambda: 1.0

    def heard(self, call: Call) -> None:
        """A call was made: the next trouble comes nearer."""
        if self.over or call.method == "getUpdates":
            return
        self._left -= 1
        if self._left <= 0:
            self._left = self._next()
            # Not in the middle of the world's own answer.
            asyncio.get_running_loop().call_later(0.001, self._strike)

    def _next(self) -> int:
        return 1 + int(self.chance.expovariate(1 / CALLS_BETWEEN))

    def _strike(self) -> None:
        if self.over:
            return
        kinds, weights = zip(*self._kinds.items(), strict=True)
        kind = self.chance.choices(kinds, weights)[0]
        try:
            if getattr(self, f"_{kind}")() is not False:
                self.struck[kind] += 1
                self.place.trouble()
        except ControlError:
            pass

    _kinds: ClassVar = {
        "calls": 30,
        "updates": 6,
        "cut": 5,
        "disk": 7,
        "kill": 8,
        "kill_at_commit": 10,
        "topic": 2,
        "migration": 2,
        "kicked": 1,
        "silenced": 1,
        "title": 1,
        "gone": 0.3,
        "account": 0.5,
    }

    # The network

    def _calls(self) -> None:
        """The next calls, to all chats or to one, go wrong."""
        chance = self.chance
        kind: Kind = chance.choice(("retry_after", "error", "error", "drop", "lose", "lose", "late"))
        chat = chance.choice((None, chance.choice(self.place.groups), chance.choice(self.place.people)))
        method = chance.choice(
            (None, None, "editMessageMedia", "sendPhoto", "sendMessage", "sendDice", "deleteMessage")
        )
        if chance.random() < 0.1:
            method, chat = "answerCallbackQuery", None
        if chance.random() < 0.1:
            method, chat = "getUpdates", None
        self.place.world.faults.add(
            Fault(
                kind,
                method=method,
                chat_id=chat,
                seconds=chance.choice((1, 3, 8, 14, 40)),
                code=chance.choice((500, 502, 504)),
                times=chance.choice((1, 1, 2, 5)),
                skip=chance.choice((0, 0, 3)),
            )
        )

    def _updates(self) -> None:
        self.place.world.faults.add(
            Fault(self.chance.choice(("duplicate", "reorder")), times=self.chance.choice((1, 3)))
        )

    def _cut(self) -> None:
        self.place.line.cut()
        seconds = self.chance.choice((0.5, 5, 30, 200))
        asyncio.get_running_loop().call_later(seconds, self._mend)

    def _mend(self) -> None:
        self.place.line.mend()
        self.place.trouble()

    # The machine

    def _disk(self) -> None:
        disk = self.place.disk
        disk.kind = self.chance.choice(("full", "full", "broken", "doubt"))
        seconds = self.chance.choice((0.2, 1.0, 8.0, 60.0)) if disk.kind != "doubt" else 0.1

        def works_again() -> None:
            disk.kind = None
            self.place.trouble()

        asyncio.get_running_loop().call_later(seconds, works_again)

    def _kill(self) -> None:
        self.place.life.strike_in(self.chance.choice((0, 1, 2, 5, 20, 100)))

    def _kill_at_commit(self) -> None:
        """Between journal and sending: a few steps after the next change is kept."""
        self._mine = self.chance.randrange(25)

    def _committed(self, change: Change) -> None:
        if self._mine is not None and not self.over:
            self.place.life.strike_in(self._mine)
            self._mine = None

    def _down_for(self) -> float:
        return self.chance.choice(
            (0.0, 0.0, 0.5, 3.0, 20.0, 20.0, 300.0, 90_000.0 if self.chance.random() < 0.1 else 60.0)
        )

    # The groups

    def _group(self) -> int:
        return self.chance.choice(self.place.groups)

    def _topic(self) -> bool:
        chat = self.place.world.chats[self._group()]
        topics = [topic for topic in chat.topics.values() if topic.id != 1]
        if not topics:
            return False
        topic, crowd = self.chance.choice(topics), self.place.world.crowd
        self.watch.forgive(chat.id)
        if topic.closed:
            crowd.close_topic(chat.id, topic.id, closed=False)
        elif self.chance.random() < 0.7:
            crowd.close_topic(chat.id, topic.id)
        else:
            lost = [message.id for message in chat.messages.values() if message.thread_id == topic.id]
            self.place.deleted.update((chat.id, number) for number in lost)
            crowd.remove_topic(chat.id, topic.id)
            crowd.add_topic(chat.id, "麻将二")
        return True

    def _migration(self) -> bool:
        old = self._group()
        if self.place.world.chats[old].type != "group":
            return False
        new = self.place.world.crowd.migrate(old)
        self.place.groups[self.place.groups.index(old)] = new.id
        return True

    def _kicked(self) -> None:
        chat_id, bot = self._group(), self.place.world.bot.id
        self.place.world.crowd.leave(chat_id, bot)
        seconds = self.chance.choice((1, 30, 600))
        asyncio.get_running_loop().call_later(seconds, self._back, chat_id)

    def _back(self, chat_id: int) -> None:
        try:
            self.place.world.crowd.join(chat_id, self.place.world.bot.id)
            self.watch.forgive(chat_id)
        except ControlError:
            pass

    def _silenced(self) -> bool:
        chat_id, bot = self._group(), self.place.world.bot.id
        if self.place.world.chats[chat_id].type == "group":
            return False
        self.place.world.crowd.set_status(chat_id, bot, "restricted", can_send=False)
        seconds = self.chance.choice((5, 60, 600))
        asyncio.get_running_loop().call_later(seconds, self._speaks, chat_id)
        return True

    def _speaks(self, chat_id: int) -> None:
        try:
            self.place.world.crowd.set_status(
                chat_id, self.place.world.bot.id, self.chance.choice(("member", "administrator"))
            )
            self.watch.forgive(chat_id)
        except ControlError:
            pass

    def _gone(self) -> bool:
        """A group is deleted; its people begin another one with the bot."""
        old, crowd = self._group(), self.place.world.crowd
        members = [number for number in self.place.world.chats[old].members if number in self.place.world.people]
        if not members:
            return False
        crowd.remove_group(old)
        self.place.groups[self.place.groups.index(old)] = crowd.add_group("又一群", members).id
        return True

    def _account(self) -> bool:
        """Somebody deletes their account; a group's creator stays, since nobody else could close its table."""
        number = self.chance.choice(self.place.people)
        world = self.place.world
        creators = [one.id for chat in world.chats.values() for one in chat.members.values() if one.status == "creator"]
        if number in creators or number not in world.people:
            return False
        world.crowd.remove_person(number)
        return True

    def _title(self) -> None:
        self.place.world.crowd.change_group(
            self._group(), title=self.chance.choice(("新名字", "<u>x</u>", "\u202bرتل"))
        )
