"""Brings a table's messages up to date: which should stand in which chat by now, and whom to ring.

Everything is worked out anew from the table's committed state, so that a restart needs no more than a refresh.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from data.model import Person
from handlers import guessing
from handlers.finished import Finished
from handlers.hearing import Hearing
from handlers.names import shown_name
from handlers.outbox import Keyboard, Message, Priority
from handlers.own_hand import OwnHands
from handlers.preferences import Preferences, group_tiles
from handlers.ringing import Ringing
from handlers.screens import group as group_screen
from handlers.screens import hand as hand_screen
from handlers.screens import lobby as lobby_screen
from handlers.screens import sheet as sheet_screen
from handlers.screens.paused import paused_message
from handlers.screens.seating import joined, seat_names
from handlers.table_state import Seat
from mahjong.views import view
from render.tiles import TileSet

if TYPE_CHECKING:
    from data.texts import Html, Words
    from handlers.table import Table


DOWN_AGAIN = 15
"""Seconds in which a message is not brought down twice."""
SHORT = 15
"""Seconds of a window in which a message may wait for its end."""
BEHIND = 5.0
"""Seconds after which every phone shows what a message has come to say."""


class Showing:
    """The messages of one table. Keys: ``tTABLE:lobby``, ``:table``, ``:sheet``; in private ``tTABLE:pPERSON:…``."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.own_hands = OwnHands(table)
        self.ringing = Ringing(table)
        self.hearing = Hearing(table)
        self._looking: dict[int, tuple[hand_screen.Look, tuple[int, int] | None]] = {}
        self._faces: dict[str, tuple[Seat, hand_screen.Look | None]] = {}
        self._refreshing: asyncio.Handle | None = None
        self._came_down: datetime | None = None
        self._freshened: dict[int, datetime] = {}
        self._last_words: dict[str, tuple[str | None, Keyboard]] = {}

    # What is looked at

    def look(self, person: int, at: hand_screen.Look | None) -> None:
        """A person looks at something else than their hand, or at that again (None)."""
        seat = self._table.state.seat_of(person)
        if at is None or seat is None:
            self._looking.pop(person, None)
        else:
            self._looking[person] = at, self._question(seat)
        self.ringing.noticed(person)
        self.refresh_soon()

    def _question(self, seat: int) -> tuple[int, int] | None:
        """What a seat is asked just now, told apart from anything else that it is ever asked in this hand."""
        hand = self._table.hand
        question = hand.questions.get(seat) if hand is not None else None
        return None if question is None else (question.number, question.step)

    def _looked_at(self, seat: int, person: Person) -> hand_screen.Look | None:
        """What a person looks at instead of their hand; a new question brings that back."""
        at, asked = self._looking.get(person.id, (None, None))
        question = self._question(seat)
        if question is not None and question != asked:
            self._looking.pop(person.id, None)
            return None
        return at

    def words(self) -> Words:
        """The words for the group: in the group's language."""
        table = self._table
        return table.house.texts.get(table.group.language if table.group is not None else table.state.language)

    @property
    def _group_chat(self) -> int | None:
        """The group's chat id; None at a private table, and where the group cannot be written to."""
        group = self._table.group
        return group.telegram_id if group is not None and not self._table.state.group_lost else None

    # Bringing up to date

    def refresh_soon(self) -> None:
        """Refresh after whoever waits for an answer has got it."""
        if self._refreshing is None:
            self._refreshing = asyncio.get_running_loop().call_soon(self.refresh)

    def refresh(self, *, left_over: bool = False) -> None:
        """Want every message of the table as it should be now; what has had its day is closed or deleted.

        ``left_over``: of a table that closed before, only in chats where a message of it still lives.
        """
        self._refreshing = None
        if self._table.asleep:
            # It comes back here when it is awake.
            self._table.start()
            return
        outbox = self._table.house.outbox
        alive = set(outbox.keys(f"t{self._table.id}:"))
        kind = "sheet" if self._table.state.phase == "between" else "hand"
        at_once = {f"t{self._table.id}:p{person}:{kind}" for person in self.ringing.refresh()}
        wanted = self._wanted()
        if left_over:
            readers = set(map(_reader, alive))
            wanted = {key: want for key, want in wanted.items() if _reader(key) in readers}
        resting = self._resting()
        for key in sorted(alive - wanted.keys()):
            # Sheets stay in the chat for good; everything else has been overtaken.
            if self._cannot_be_reached(key):
                # The old message goes when its reader is back: nothing can be done about it now.
                continue
            if key.endswith("sheet"):
                outbox.close(key, *self._last_words.pop(key, (None, ())))
            else:
                outbox.drop(key)
        for key, (message, priority) in wanted.items():
            if key in at_once or (key.endswith(("hand", "offer", "call", "relief")) and key not in alive):
                # The deal rings for everybody who wants to hear anything at all; and so does an invitation.
                person = self._table.house.people.by_chat(message.chat_id)
                silent = person is None or not self.ringing.sounds(person)
                outbox.ring(key, replace(message, silent=silent), priority)
            elif key not in resting:
                outbox.want(key, message, priority)
        self.own_hands.refresh()
        if not left_over:
            self.hearing.refresh()
        if self._table.state.phase == "closed":
            outbox.close(_restart_key(self._table.id))
            for key, (message, _) in wanted.items():
                # All that a sheet has by now are the buttons that it keeps.
                outbox.close(key, keyboard=message.keyboard if key.endswith("sheet") else ())
            # That the table would close after the hand is no news any more.
            group = self._table.group
            for key in outbox.keys(f"say:{group.telegram_id}:") if group is not None else ():
                if key.endswith(":stop"):
                    outbox.drop(key)

    def _wanted(self) -> dict[str, tuple[Message, Priority]]:
        table = self._table
        state = table.state
        wanted: dict[str, tuple[Message, Priority]] = {}
        chat = self._group_chat
        words = self.words()
        prefix = f"t{table.id}:"

        def want(key: str, message: Message | None, priority: Priority = Priority.RESULT) -> None:
            if message is not None:
                wanted[prefix + key] = (message, priority)

        if state.phase in ("lobby", "countdown"):
            # The lobby below the last hand's sheet: there is what can be pressed, and that is what is brought down.
            if state.sheet_shown:
                self._want_sheets(wanted, chat)
            if chat is not None:
                want("lobby", self._lobby_message(chat, words))
            for person in self._persons():
                want(f"p{person.id}:lobby", self._private_lobby(person))
            self._want_invitations(wanted)
            self._want_relief(wanted)
        elif state.phase == "playing":
            if chat is not None:
                want("table", self._table_message(chat, words))
            for seat, person in self._seated():
                asked = table.hand is not None and seat in table.hand.questions
                priority = Priority.PROMPT if asked else Priority.RESULT
                want(f"p{person.id}:hand", self._hand_message(seat, person), priority)
        elif state.phase == "between":
            self._want_sheets(wanted, chat)
            self._want_relief(wanted)
        elif state.phase == "paused":
            today = table.house.day(table.house.clock.now())
            # Computers may have played for coins: whoever comes back sees how.
            if state.sheet_shown:
                self._want_sheets(wanted, chat)
            if chat is not None:
                want("lobby", paused_message(chat, state, today, words))
            for person in self._persons():
                own = table.house.texts.get(person.language)
                want(
                    f"p{person.id}:lobby",
                    paused_message(person.telegram_id or 0, state, today, own, private=True, group=self._title()),
                )
        elif state.phase == "closed":
            self._want_sheets(wanted, chat)
            if chat is not None:
                want("lobby", lobby_screen.closed_message(chat, state, words))
        return wanted

    def _resting(self) -> set[str]:
        """Hands of those who have answered while others still think: the end of a short window changes them anyway,
        and for who is next to play the question and the turn are then one edit apart instead of two."""
        table = self._table
        state, hand = table.state, table.hand
        faces: dict[str, tuple[Seat, hand_screen.Look | None]] = {}
        resting: set[str] = set()
        if state.phase == "playing" and hand is not None:
            short = hand.in_window and state.pace.claim is not None and state.pace.claim <= SHORT
            for index, person in self._seated():
                key, seat = f"t{table.id}:p{person.id}:hand", state.seats[index]
                assert seat is not None
                faces[key] = seat, self._looked_at(index, person)
                if short and index in hand.answered and not seat.auto and self._faces.get(key) == faces[key]:
                    resting.add(key)
        self._faces = faces
        return resting

    def _want_invitations(self, wanted: dict[str, tuple[Message, Priority]]) -> None:
        """A seat that is kept for the first of the queue, and the call 三缺一."""
        table = self._table
        state, group = table.state, table.group
        if group is None or state.phase != "lobby":
            return
        for waiting in state.queue:
            person = self._reachable(waiting.person)
            if waiting.offered and person is not None:
                due, words = state.deadlines[f"offer:{person.id}"], table.house.texts.get(person.language)
                message = lobby_screen.offer_message(person.telegram_id or 0, state, due, group.title, words)
                wanted[f"t{table.id}:p{person.id}:offer"] = message, Priority.PROMPT
        if None not in state.seats:
            return
        for called in state.called:
            person = self._reachable(called)
            if person is not None and state.seat_of(called) is None and state.place_of(called) is None:
                words = table.house.texts.get(person.language)
                message = lobby_screen.call_message(person.telegram_id or 0, state, group, words)
                wanted[f"t{table.id}:p{person.id}:call"] = message, Priority.CHATTER

    def _want_relief(self, wanted: dict[str, tuple[Message, Priority]]) -> None:
        """Coins that are offered to who has too few for the next hand."""
        table = self._table
        state, group = table.state, table.group
        for name, coins in state.relief.items() if group is not None and "relief" in state.deadlines else ():
            person = self._reachable(int(name))
            if person is not None and group is not None:
                words = table.house.texts.get(person.language)
                message = lobby_screen.relief_message(person.telegram_id or 0, state, coins, group.title, words)
                wanted[f"t{table.id}:p{person.id}:relief"] = message, Priority.PROMPT

    def _cannot_be_reached(self, key: str) -> bool:
        """Whether a message stands in the chat of somebody who has blocked the bot."""
        whose = key.split(":")[1]
        person = self._table.house.people.known(int(whose[1:])) if whose[:1] == "p" and whose[1:].isdigit() else None
        return person is not None and not person.private_ok

    def _reachable(self, person_id: int | None) -> Person | None:
        """A person who can be written to."""
        person = self._table.house.people.known(person_id)
        return person if person is not None and person.telegram_id is not None and person.private_ok else None

    def _want_sheets(self, wanted: dict[str, tuple[Message, Priority]], chat: int | None) -> None:
        """The score sheet for the group and for each player, if a hand has ended."""
        table = self._table
        if table.sheet is None:
            return
        for key, reader_chat, reader, owner, words, tiles in self._readers(table.state.players, chat):
            names = seat_names(table.state.players, words)
            # The seal is opened where it was shown; at a private table there is nowhere else.
            seed = table.opened_seed if reader is None or chat is None else None
            group = self._title() if reader is not None else None
            said = self.hearing.said(table.house.people.known(owner))
            message = sheet_screen.sheet_message(
                table.house.renderer,
                reader_chat,
                table.state,
                table.sheet,
                names,
                words,
                reader=reader,
                seed=seed,
                tiles=tiles,
                group=group,
                urging=self.ringing.urging(owner) if owner is not None else None,
                guessed=self._guessed() if reader is None else None,
                feats=table.first_feats,
                said=said,
            )
            wanted[key] = (message, Priority.RESULT)
            # What stays in the chat for good no longer says who is being waited for.
            text = sheet_screen.sheet_text(
                table.state,
                table.sheet,
                names,
                words,
                seed,
                waiting=False,
                group=group,
                guessed=self._guessed() if reader is None else None,
                feats=table.first_feats,
                said=said,
            )
            self._last_words[key] = text, sheet_screen.sheet_links(table.state, table.sheet, words, reader)

    def _readers(
        self, players: list[Seat], chat: int | None
    ) -> Iterator[tuple[str, int, int | None, int | None, Words, TileSet]]:
        """Who gets a hand's sheet: key, chat, seat and person (None: the group), words, tiles."""
        table = self._table
        if chat is not None:
            yield f"t{table.id}:sheet", chat, None, None, self.words(), group_tiles(self._table.group)
        for index, player in enumerate(players):
            person = self._reachable(player.person)
            if person is not None and person.telegram_id is not None:
                words = table.house.texts.get(person.language)
                key = f"t{table.id}:p{person.id}:sheet"
                yield key, person.telegram_id, index, person.id, words, Preferences.of(person).tiles

    @property
    def sheets_stand(self) -> bool:
        """Whether a sheet of this table is still a living message."""
        return any(key.endswith(":sheet") for key in self._table.house.outbox.keys(f"t{self._table.id}:"))

    def remember(self, last: Finished) -> None:
        """Know what the sheets of the last hand shall say for good, after a start."""
        chat, group = self._group_chat, self._title()
        for key, _, reader, _, words, _ in self._readers(last.players, chat):
            text = sheet_screen.sheet_text(
                last.state,
                last.sheet,
                seat_names(last.players, words),
                words,
                last.row.seed.hex() if reader is None or chat is None else None,
                waiting=False,
                group=group if reader is not None else None,
                feats=last.first_feats,
            )
            self._last_words[key] = text, sheet_screen.sheet_links(last.state, last.sheet, words, reader)

    def _title(self) -> str | None:
        """The group's title, which private messages tell: whoever sits at several tables must know which is meant."""
        return self._table.group.title if self._table.group is not None else None

    def _persons(self) -> list[Person]:
        """Those who sit here and can be written to."""
        return [person for _, person in self._seated()]

    def _seated(self) -> list[tuple[int, Person]]:
        house = self._table.house
        found = []
        for index, seat in enumerate(self._table.state.seats):
            person = house.people.known(seat.person) if seat is not None and seat.person is not None else None
            if person is not None and person.telegram_id is not None and person.private_ok:
                found.append((index, person))
        return found

    def _private_lobby(self, person: Person) -> Message | None:
        group = self._table.group
        if person.telegram_id is None:
            return None
        words = self._table.house.texts.get(person.language)
        if group is None:
            return lobby_screen.practice_message(person.telegram_id, self._table.state, words)
        return lobby_screen.private_lobby_message(person.telegram_id, self._table.state, group.title, words)

    def _lobby_message(self, chat: int, words: Words) -> Message:
        table = self._table
        link, operators = table.start_link(), self._operators()
        return lobby_screen.lobby_message(table.house.renderer, chat, table.state, words, link, operators)

    def _operators(self) -> list[str]:
        """The names of the bot's operators who sit here."""
        house = self._table.house
        persons = map(house.people.known, self._table.state.persons)
        return [shown_name(person.name) for person in persons if person and person.telegram_id in house.operators]

    def _guessed(self) -> Html | None:
        """Who of those who watched guessed how the hand would end."""
        table = self._table
        if table.sheet is None or not table.state.guesses:
            return None
        persons = map(table.house.people.known, guessing.right(table.state, table.sheet.winner))
        names = [shown_name(person.name) for person in persons if person is not None]
        words = self.words()
        if not names:
            return words.html("guess.nobody", n=len(table.state.guesses))
        return words.html("guess.right", names=joined(words, names))

    def _table_message(self, chat: int, words: Words) -> Message | None:
        table = self._table
        if table.hand is None:
            return None
        seen = view(table.hand, None)
        return group_screen.table_message(
            table.house.renderer,
            chat,
            table.state,
            seen,
            words,
            table.start_link(),
            group_tiles(self._table.group),
            self._operators(),
            self.hearing.said(None),
        )

    def _hand_message(self, seat: int, person: Person) -> Message | None:
        table = self._table
        if table.hand is None or person.telegram_id is None:
            return None
        mine = Preferences.of(person)
        return hand_screen.hand_message(
            table.house.renderer,
            person.telegram_id,
            table.state,
            view(table.hand, seat),
            table.house.texts.get(person.language),
            looking=self._looked_at(seat, person),
            urging=self.ringing.urging(person.id),
            tiles=mine.tiles,
            group=self._title(),
            said=self.hearing.said(person),
            voice=mine.voice,
        )

    def call(self, person: Person) -> None:
        """Send the message of somebody who is asked anew, at the bottom of the private chat."""
        self._looking.pop(person.id, None)
        key = f"t{self._table.id}:p{person.id}:{'sheet' if self._table.state.phase == 'between' else 'hand'}"
        message, _ = self._wanted().get(key, (None, None))
        if message is not None:
            silent = not self.ringing.sounds(person)
            self._table.house.outbox.ring(key, replace(message, silent=silent))

    def stop(self) -> None:
        """No more refreshing, no more ringing."""
        if self._refreshing is not None:
            self._refreshing.cancel()
        self.ringing.stop()

    # Said once

    def say(self, key: str, **fields: str) -> None:
        """A line in the group that is never touched again."""
        table, chat = self._table, self._group_chat
        if chat is not None:
            text = self.words().html(key, **fields)
            table.house.outbox.say(Message(chat, text, silent=True, thread_id=table.state.thread))

    def tell_of_the_restart(self) -> None:
        """One line in the group; that of an earlier restart goes."""
        table, chat = self._table, self._group_chat
        if chat is not None:
            text = self.words().html("table.restored")
            message = Message(chat, text, silent=True, thread_id=table.state.thread)
            table.house.outbox.ring(_restart_key(table.id), message, Priority.CHATTER)

    def seal(self) -> Message | None:
        """What is shown before the dice: what the wall's seed is committed to."""
        table = self._table
        if table.group is None or table.commitment is None:
            return None
        return group_screen.commitment_message(table.group.telegram_id, table.state, table.commitment, self.words())

    def tell(self, person_id: int, key: str, **fields: str) -> None:
        """A line in a person's private chat."""
        person = self._table.house.people.known(person_id)
        if person is not None and person.telegram_id is not None and person.private_ok:
            words, group = self._table.house.texts.get(person.language), self._title()
            text = words.html(key, **fields)
            if group is not None:
                text = words.html("tell.at", group=shown_name(group), text=text)
            silent = not self.ringing.sounds(person)
            self._table.house.outbox.say(Message(person.telegram_id, text, silent=silent))

    def came_down_just_now(self) -> bool:
        """Whether the group's message was sent anew so lately that once more would only cost the chat its budget."""
        now = self._table.house.clock.now()
        return self._came_down is not None and now - self._came_down < timedelta(seconds=DOWN_AGAIN)

    def bring_down(self) -> bool:
        """Send the group's living message anew at the bottom, without a sound."""
        table = self._table
        self._came_down = table.house.clock.now()
        for key, (message, priority) in reversed(self._wanted().items()):
            if key.count(":") == 1:
                table.house.outbox.ring(key, message, priority)
                return True
        return False

    def ring_everybody(self) -> None:
        """Send the living message of all who sit here anew, with a sound for those who want one."""
        for key, (message, priority) in self._wanted().items():
            person = self._table.house.people.by_chat(message.chat_id)
            if person is not None and key.count(":") == 2:
                silent = not self.ringing.sounds(person)
                self._table.house.outbox.ring(key, replace(message, silent=silent), priority)

    def freshen(self, person: Person, message_id: int) -> None:
        """A person pressed a button that is no longer on their message: if their chat shows something old, the living
        message is sent anew, without a sound, and an old copy goes (telegram.md)."""
        table, outbox, now = self._table, self._table.house.outbox, self._table.house.clock.now()
        if person.telegram_id is None or now < self._freshened.get(person.id, now):
            return
        for key, (message, priority) in self._wanted().items():
            where = outbox.where(key)
            if where is None or not key.startswith(f"t{table.id}:p{person.id}:"):
                continue
            if where[1] != message_id or outbox.rested(key) > BEHIND:
                self._freshened[person.id] = now + timedelta(seconds=DOWN_AGAIN)
                outbox.ring(key, message, priority)
                outbox.forget_copy(person.telegram_id, message_id)

    def bring_hand_down(self, person: Person) -> bool:
        """Send a person's living message anew at the bottom of the private chat, with the hand on it."""
        table = self._table
        self._looking.pop(person.id, None)
        for key, (message, priority) in reversed(self._wanted().items()):
            if key.startswith(f"t{table.id}:p{person.id}:"):
                table.house.outbox.ring(key, message, priority)
                return True
        return False


def _restart_key(table_id: int) -> str:
    """Of the line that tells of a restart: a message of its own, which no refresh touches."""
    return f"restart:{table_id}"


def _reader(key: str) -> str:
    """The part of a key that names its reader; empty for the group."""
    return ":".join(key.split(":")[1:-1])
