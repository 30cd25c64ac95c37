"""The people of a simulation: they look at their chats, press, talk, err, go away and come back.

They know no feature by name but the moves of a hand: whatever button stands before them may be pressed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

from handlers.commands import COMMANDS
from handlers.presses import MovePress, read_press
from mahjong.players import PLAYERS
from mahjong.views import view
from playground.chats import Chat, Message, Press
from playground.errors import ControlError
from playground.world import Call
from tests.simulate.place import NAMES, Place

LOOKED_AT = 12
"""So many messages of a chat are on the screen."""
LONGEST_IDLE = 6 * 3600.0
REMEMBERED = 40
PLACE_FOR_TEXT = 4096
GRACE = ("stop", "leave", "kick", "ban")
"""Buttons and commands that end what others do: not pressed as often as others."""


class Person:
    """One person of the place. `mischief`: how often they do something odd, 0 for never."""

    def __init__(self, place: Place, number: int, chance: Random, mischief: float) -> None:
        self.place = place
        self.id = number
        self.chance = chance
        self.mischief = mischief
        self.patience = chance.choice((0.8, 1.5, 2.5, 5.0))
        self.skill = chance.choice((1.0, 0.8, 0.4))
        self.calm = False
        self.away_until = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self._idle = 30.0
        self._seen: deque[tuple[int, int, str]] = deque(maxlen=REMEMBERED)
        self._tries: tuple[object, int] = (None, 0)
        self._done: dict[tuple[int, int], object] = {}

    # When

    def begin(self) -> None:
        self._look_in(self.chance.uniform(0, 20))

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def notice(self, chat: Chat) -> None:
        """Something new stands in a chat: they will look at it."""
        self._idle = 30.0
        seconds = self.chance.lognormvariate(0, 0.7) * self.patience
        if not self.calm and self.chance.random() < 0.02 * self.mischief:
            seconds += self.chance.choice((20, 60, 300, 4000))
        self._look_in(seconds)

    def settle_down(self) -> None:
        """From now on they only play, and soon."""
        self.calm = True
        self.away_until = 0.0
        self._idle = 10.0
        chat = self.place.world.chats[self.id]
        if chat.blocked:
            self._do(self.place.world.crowd.start, self.id)
        self._look_in(self.chance.uniform(1, 5))

    def _look_in(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        due = max(loop.time() + seconds, self.away_until)
        if self._timer is not None:
            if self._due <= due and self._due >= self.away_until:
                return
            self._timer.cancel()
        self._due = due
        self._timer = loop.call_at(due, self._act)

    def _act(self) -> None:
        self._timer = None
        if self.id not in self.place.world.people:
            return
        if not self.calm and self.chance.random() < 0.03 * self.mischief:
            self.chance.choice(self._oddities)(self)
        again = self._play()
        if again is None:
            self._idle = min(self._idle * 1.6, 3600.0 if self.calm else LONGEST_IDLE)
            again = self.chance.uniform(0.5, 1.5) * self._idle
        self._look_in(again)

    def _do(self, act: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Do what may turn out not to be possible."""
        try:
            return act(*args, **kwargs)
        except ControlError:
            return None

    # Where

    def chats(self) -> list[Chat]:
        """One's own chat with the bot, and the groups one is in."""
        groups = [self.place.world.chats[chat_id] for chat_id in self.place.groups]
        return [self.place.world.chats[self.id], *(group for group in groups if group.sees(self.id))]

    def shown(self, chat: Chat) -> list[Message]:
        """The bot's messages on the screen, newest first."""
        found = [message for message in reversed(chat.messages.values()) if message.sender == self.place.world.bot.id]
        fleeting = [message for message in chat.ephemeral.values() if message.only_for == self.id]
        return [*reversed(fleeting), *found[:LOOKED_AT]]

    def buttons(self, chat: Chat) -> list[tuple[Message, str]]:
        """All callback buttons on the screen, those of the newest message first."""
        return [
            (message, button["callback_data"])
            for message in self.shown(chat)
            for row in message.keyboard
            for button in row
            if "callback_data" in button
        ]

    # Playing

    def _play(self) -> float | None:
        """Do what is asked of one. Returns in how many seconds to look again; None: there is nothing to do."""
        own = self.place.world.chats[self.id]
        if own.blocked or own.gone:
            return None
        if own.started:
            offered = self.buttons(own)
            for message, data in offered:
                self._seen.append((own.id, message.id, data))
            moves = [(message, data) for message, data in offered if data.startswith("m|")]
            if moves:
                return self._move(moves)
            if self.place.winding_up:
                return self._decide()
            if (seconds := self._answer(own, offered)) is not None:
                return seconds
        return None if self.place.enough else self._mingle()

    def _move(self, moves: list[tuple[Message, str]]) -> float:
        newest = moves[0][0]
        mine = [data for message, data in moves if message is newest]
        question = mine[0].rsplit("|", 1)[0]
        tries = self._tries[1] + 1 if self._tries[0] == question else 1
        self._tries = question, tries
        data = self._best(mine) if tries < 4 and self.chance.random() < self.skill else None
        self._press(newest, data or self.chance.choice(mine))
        return self.chance.uniform(1.0, 2.5) * min(tries, 20)

    def _best(self, moves: list[str]) -> str | None:
        """The button of the move that a computer player would make in one's place."""
        pressed = read_press(moves[0])
        table = self.place.house.table(pressed.table) if self.place.up and isinstance(pressed, MovePress) else None
        person = self.place.house.people.by_chat(self.id) if table is not None else None
        if table is None or table.hand is None or person is None:
            return None
        seat = table.state.seat_of(person.id)
        if seat is None or seat not in table.hand.questions:
            return None
        move = PLAYERS["easy"].choose(view(table.hand, seat), self.chance)
        for data in moves:
            pressed = read_press(data)
            if isinstance(pressed, MovePress) and (pressed.move.verb, pressed.move.tiles) == (move.verb, move.tiles):
                return data
        return None

    def _answer(self, own: Chat, offered: list[tuple[Message, str]]) -> float | None:
        """Say that one is ready, and whatever else the newest message asks for; each state of it once."""
        if not offered:
            return None
        newest = offered[0][0]
        for message, data in offered:
            if data.endswith("|ready") and not self.place.enough and self._new(message):
                self._press(message, data)
                return self.chance.uniform(2, 8)
        if not self.calm and self._new(newest) and self.chance.random() < 0.15:
            mine = [data for message, data in offered if message is newest]
            self._press(newest, self._choose(mine))
            return self.chance.uniform(1, 5)
        return None

    def _decide(self) -> float | None:
        """Now and then press what one is asked besides the moves: a hand may wait for that as well."""
        if self.chance.random() < 0.2:
            self._anything()
            return self.chance.uniform(5, 30)
        return None

    def _new(self, message: Message) -> bool:
        """Whether a message looks otherwise than when one last pressed something under it."""
        looks = (message.content.text, str(message.keyboard))
        if self._done.get((message.chat_id, message.id)) == looks:
            return False
        self._done[message.chat_id, message.id] = looks
        return True

    def _choose(self, data: list[str]) -> str:
        chosen = self.chance.choice(data)
        if any(word in chosen for word in GRACE):
            chosen = self.chance.choice(data)
        return chosen

    def _mingle(self) -> float | None:
        """See what goes on in one's groups: sit down, begin, open a table."""
        groups = [group for group in self.chats()[1:] if self.place.home(group) and group.migrated_to is None]
        if not groups:
            return None
        group = self.chance.choice(groups)
        offered = self.buttons(group)
        for message, data in offered:
            self._seen.append((group.id, message.id, data))
        if not any("|sit" in data or data.startswith("h|") for _, data in offered):
            if self.chance.random() < 0.5:
                self._say(group, "/newgame")
                return self.chance.uniform(5, 20)
            return None
        for message, data in offered:
            if data.endswith("|sit") and self._new(message):
                self._press(message, data)
                return self.chance.uniform(3, 15)
        starts = [(message, data) for message, data in offered if data.endswith("|start")]
        if starts and self.chance.random() < 0.3:
            self._press(*starts[0])
            return self.chance.uniform(3, 15)
        if offered and not self.calm and self.chance.random() < 0.1:
            message = self.chance.choice(offered)[0]
            self._press(message, self._choose([data for other, data in offered if other is message]))
            return self.chance.uniform(2, 10)
        return None

    # Doing

    def _press(self, message: Message, data: str, *, stale: bool = False) -> Press | None:
        return self._press_at(message.chat_id, message.id, data, stale=stale)

    def _press_at(self, chat_id: int, message_id: int, data: str, *, stale: bool = False) -> Press | None:
        chat = self.place.world.chats[chat_id]
        known = message_id in chat.messages or message_id in chat.ephemeral
        self.place.pressed.add((chat_id, message_id))
        self.place.asked[chat_id] += 1
        press: Press | None = self._do(
            self.place.world.crowd.press,
            self.id,
            chat_id,
            message_id,
            data,
            force=True,
            inaccessible=stale and (not known or self.chance.random() < 0.3),
        )
        return press

    def answered(self, press: Press) -> None:
        """A press of one's own was answered, or was not in time: a link that it opens is followed."""
        if press.url is not None and "?start=" in press.url and self.chance.random() < 0.9:
            loop = asyncio.get_running_loop()
            payload = press.url.partition("?start=")[2]
            loop.call_later(self.chance.uniform(0.5, 5), self._do, self.place.world.crowd.start, self.id, payload)

    def _say(self, chat: Chat, text: str, **how: Any) -> None:
        topics = [topic.id for topic in chat.topics.values() if not topic.closed and topic.id != 1]
        if chat.is_forum and topics and self.chance.random() < 0.7:
            how.setdefault("thread_id", self.chance.choice(topics))
        self.place.asked[chat.id] += 1
        self._do(self.place.world.crowd.say, self.id, chat.id, text, **how)

    # Oddities

    def _twice(self) -> None:
        chat = self.chance.choice(self.chats())
        if offered := self.buttons(chat):
            message, data = self.chance.choice(offered)
            for _ in range(self.chance.choice((2, 2, 3, 8))):
                self._press(message, data)

    def _together(self) -> None:
        """Many press the same at once."""
        group = self.chance.choice(self.chats()[1:] or self.chats())
        if offered := self.buttons(group):
            message, data = self.chance.choice(offered)
            for number in group.members:
                self._do(self.place.world.crowd.press, number, group.id, message.id, data, force=True)

    def _stale(self) -> None:
        for _ in range(self.chance.choice((1, 1, 3))):
            if self._seen:
                self._press_at(*self.chance.choice(self._seen), stale=True)

    def _anothers(self) -> None:
        other = self.place.world.chats[self.chance.choice(self.place.people)]
        if offered := self.buttons(other):
            _, data = self.chance.choice(offered)
            chat = self.chance.choice(self.chats())
            messages = self.shown(chat)
            self._press_at(chat.id, messages[0].id if messages else 1, data)

    def _forged(self) -> None:
        chat = self.chance.choice(self.chats())
        data = self.chance.choice(self._seen)[2] if self._seen else "t|1|sit"
        fields = data.split("|")
        what = self.chance.randrange(6)
        if what == 0:
            data = "".join(chr(self.chance.choice((self.chance.randrange(32, 127), 0x4E07))) for _ in range(20))
        elif what == 1:
            data = data[:60] + "|x"
        elif what == 2:
            fields[self.chance.randrange(len(fields))] = str(self.chance.choice((0, 1, 2, 99, -1, 10**15, "②")))
            data = "|".join(fields)
        elif what == 3:
            data = data + "_99"
        elif what == 4:
            data = "x" * 64
        else:
            data = data.swapcase()
        if 1 <= len(data.encode()) <= 64:
            self._press_at(chat.id, self.chance.randrange(1, 50), data)

    def _anything(self) -> None:
        chat = self.chance.choice(self.chats())
        if offered := self.buttons(chat):
            message = self.chance.choice(offered)[0]
            self._press(message, self._choose([data for other, data in offered if other is message]))

    def _command(self) -> None:
        chat = self.chance.choice(self.chats())
        name = self.chance.choice(COMMANDS).name
        if any(word in name for word in GRACE) and self.chance.random() < 0.6:
            return
        argument = self.chance.choice(("", "", "", " 1", " @nobody", " " + "x" * 200, " <b>&", " ❄" * 900))
        anonymous = not chat.private and chat.admin(self.id) and self.chance.random() < 0.2
        replied = self.shown(chat)[:1] if self.chance.random() < 0.2 else []
        self._say(
            chat,
            f"/{name}{argument}"[:PLACE_FOR_TEXT],
            anonymous=anonymous,
            reply_to=replied[0].id if replied and replied[0].id > 0 else None,
        )

    def _burst(self) -> None:
        chat = self.chance.choice(self.chats())
        name = self.chance.choice(("help", "table", "hand", "newgame", "join", "score", "settings"))
        self._floods()
        for _ in range(self.chance.choice((5, 10, 30))):
            self._say(chat, f"/{name}")

    def _flood(self) -> None:
        if self._seen:
            chat_id, message_id, data = self._seen[-1]
            self._floods()
            for _ in range(25):
                self._press_at(chat_id, message_id, data)

    def _floods(self) -> None:
        self.place.floods[self.id] = asyncio.get_running_loop().time()

    def _chatter(self) -> None:
        chat = self.chance.choice(self.chats())
        self._say(
            chat, self.chance.choice(("?", "打错了", "hello", "🀄" * 50, "/nosuchcommand", "/", "/start sit_1_0"))
        )

    def _go_away(self) -> None:
        seconds = self.chance.choice((60, 300, 1800, 7200, 40_000))
        self.away_until = asyncio.get_running_loop().time() + seconds

    def _leave_table(self) -> None:
        chat = self.chance.choice(self.chats())
        self._say(chat, "/leave")

    def _block(self) -> None:
        self._do(self.place.world.crowd.block, self.id)
        seconds = self.chance.choice((5, 60, 600, 30_000))
        asyncio.get_running_loop().call_later(seconds, self._unblock)

    def _unblock(self) -> None:
        crowd = self.place.world.crowd
        self._do(crowd.start if self.chance.random() < 0.7 else crowd.unblock, self.id)
        self._look_in(3)

    def _delete(self) -> None:
        chat = self.chance.choice(self.chats())
        for message in self.shown(chat)[: self.chance.choice((1, 1, 3))]:
            self._do(self.place.world.crowd.delete, self.id, chat.id, message.id)
            self.place.deleted.add((chat.id, message.id))
            self.place.trouble()

    def _rename(self) -> None:
        first, last = self.chance.choice(NAMES)
        self._do(self.place.world.crowd.change_person, self.id, first_name=first, last_name=last)

    def _leave_group(self) -> None:
        chats = self.chats()
        if len(chats) > 1:
            group = self.chance.choice(chats[1:])
            if not group.admin(self.id):
                self._do(self.place.world.crowd.leave, group.id, self.id)
                seconds = self.chance.choice((10, 300))
                asyncio.get_running_loop().call_later(seconds, self._do, self.place.world.crowd.join, group.id, self.id)

    _oddities = (
        _together,
        _twice,
        _twice,
        _stale,
        _stale,
        _anothers,
        _forged,
        _anything,
        _anything,
        _anything,
        _command,
        _command,
        _burst,
        _flood,
        _chatter,
        _go_away,
        _leave_table,
        _block,
        _delete,
        _rename,
        _leave_group,
    )


def wake(people: dict[int, Person], place: Place, call: Call) -> None:
    """A call has changed a chat: whoever is concerned will look at it."""
    if call.status != 200 or call.chat_id is None:
        return
    chat = place.world.chats.get(call.chat_id)
    if chat is None or "reply_markup" not in call.params:
        return
    if chat.private:
        if chat.id in people:
            people[chat.id].notice(chat)
    elif call.method.startswith("send") or "|sit" in str(call.params["reply_markup"]):
        for number in chat.members:
            if number in people and chat.present(number):
                people[number].notice(chat)
