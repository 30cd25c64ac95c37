"""Holds every call of the bot against what must hold: valid, within budgets, and nothing in a chat that its readers
may not know."""

from __future__ import annotations

import hashlib
from collections import deque
from typing import IO, Any

from data import hands as hand_rows
from data import people as person_rows
from handlers.presses import MovePress, TablePress, read_press
from handlers.table import Table
from mahjong.outlook import after_discards, outlook
from mahjong.rulesets import RULESETS
from mahjong.tiles import NAMES
from mahjong.views import View, view
from playground.chats import Chat, Message
from playground.world import Call
from tests.simulate.place import Place
from tests.support.evening import NAMED_DISCARD, line_of
from tests.support.town import label_of, texts

GROUP_CALLS, GROUP_SECONDS = 18, 60.0
PRIVATE_CALLS, PRIVATE_SECONDS = 3, 3.0
VOICES, VOICE_SECONDS = 2, 6.0
ALL_CALLS, ALL_SECONDS = 30, 1.0
"""The bot's own budgets (telegram.md); the world enforces Telegram's, which are wider for groups and private chats."""
IN_VAIN = 4
"""Calls to a chat that cannot be written to, before the bot must have understood."""
LAST_CALLS = 20

REFUSALS = (
    "message is not modified",
    "message to delete not found",
    "message to edit not found",
    "message can't be edited",
    "message can't be deleted",
    "ephemeral message not found",
    "query is too old",
)
"""Refused because the bot cannot know what had arrived, or what people have deleted: fair for a while after."""
LOST = (
    "bot was blocked",
    "bot was kicked",
    "bot is not a member",
    "bot can't initiate",
    "user is deactivated",
    "group chat was deleted",
    "group chat was upgraded",
    "not enough rights",
    "message thread not found",
    "topic_closed",
    "chat not found",
    "user not found",
    "bot_not_admin",
    "receiver user is not a member",
)
"""Refused because the chat, or who pressed there, is lost: fair until the bot has understood."""


class Watch:
    """Hears every call as the world has answered it. `trace`: where the log is written besides."""

    def __init__(self, place: Place, trace: IO[str] | None = None) -> None:
        self.place = place
        self.calls = 0
        self.last: deque[str] = deque(maxlen=LAST_CALLS)
        self.sealed: dict[int, bool] = {}
        self.gone: dict[tuple[int, int], float] = {}
        """When the bot deleted which message, in Unix seconds."""
        self.excused: set[tuple[tuple[int, int], float]] = set()
        self._log = hashlib.sha256()
        self._trace = trace
        self._sent: dict[int | str, deque[float]] = {}
        self._in_vain: dict[int, int] = {}
        self._seats: dict[tuple[int, int], tuple[int | None, ...]] = {}
        # Suited tiles: the words of the others are parts of many words.
        self._words = {
            texts().get(language)(f"tile.{name}"): tile
            for language in ("zh_Hans", "zh_Hant", "en")
            for tile, name in enumerate(NAMES)
            if name[-1] in "mps"
        }

    @property
    def log(self) -> str:
        """SHA-256 of all calls so far, byte for byte."""
        return self._log.hexdigest()

    def heard(self, call: Call) -> None:
        line = line_of(call)
        self._log.update(line.encode())
        self.last.append(line)
        if self._trace is not None:
            self._trace.write(line)
        if call.fault is not None:
            self.place.trouble()
        if call.method == "getUpdates":
            return
        self.calls += 1
        try:
            self._check(call)
        except AssertionError as error:
            self.place.fail(f"{error}: {line}")
        except Exception as error:
            self.place.fail(f"the watch stumbled: {error!r}: {line}")

    def _check(self, call: Call) -> None:
        if call.status != 200:
            self._refused(call)
            return
        chat = self.place.world.chats.get(call.chat_id) if call.chat_id is not None else None
        if call.method == "answerCallbackQuery":
            self._toast(call)
        if chat is None:
            return
        self.forgive(chat.id)
        if call.method == "deleteMessage":
            self.gone[chat.id, call.params["message_id"]] = call.time
        if call.method.startswith(("send", "edit")):
            self._count(call, chat)
        if call.method == "sendDice":
            assert any(self.sealed.get(one) for one in self._ids(chat)), "dice were thrown before the seal"
        message = self._message(call, chat)
        if message is not None:
            self._seal(call, chat, message)
            self._seen(chat, message)

    def _ids(self, chat: Chat) -> list[int]:
        """A group's, and those it had before it migrated."""
        return [chat.id, *(other.id for other in self.place.world.chats.values() if other.migrated_to == chat.id)]

    # Refusals and budgets

    def _unsure(self, named: tuple[int, int]) -> bool:
        """Whether nothing has come of a message since trouble came, and this is the first that is heard of it."""
        chat = self.place.world.chats.get(named[0])
        message = chat.messages.get(named[1]) if chat is not None else None
        first = (named, self.place.troubled_at) not in self.excused
        self.excused.add((named, self.place.troubled_at))
        troubled = self.place.world.now() - (self.place.clock.time() - self.place.troubled_at)
        changed = self.gone.get(named) if message is None else message.edit_date or message.date
        return first and changed is not None and changed <= troubled

    def _refused(self, call: Call) -> None:
        description = (call.description or "").lower()
        if call.fault is not None:
            return
        assert call.status != 429, "too many calls"
        assert call.status < 500, "the playground does not know this"
        if any(words in description for words in REFUSALS):
            # Or somebody has pressed under a copy that is gone: it is deleted, should it stand there after all.
            fleeting = -call.params.get("ephemeral_message_id", 0)
            named = call.chat_id or 0, call.params.get("message_id", fleeting)
            fair = self.place.disturbed or named in self.place.pressed or named in self.place.deleted
            assert fair or self._unsure(named), "refused for no reason"
            return
        if call.method == "deleteEphemeralMessage" and not call.params:
            return  # asked whether the server knows of such messages
        assert any(words in description for words in LOST), "an invalid call"
        # Whoever asks there is answered, and that tells the bot.
        chat_id = call.chat_id or 0
        self._in_vain[chat_id] = self._in_vain.get(chat_id, 0) + 1
        assert self._in_vain[chat_id] <= IN_VAIN + self.place.asked[chat_id], "calls in vain"

    def forgive(self, chat_id: int) -> None:
        """Something has changed about a chat of which the bot has yet to learn."""
        self._in_vain.pop(chat_id, None)
        self.place.asked.pop(chat_id, None)

    def _count(self, call: Call, chat: Chat) -> None:
        most, seconds = (PRIVATE_CALLS, PRIVATE_SECONDS) if chat.private else (GROUP_CALLS, GROUP_SECONDS)
        if self.place.disturbed:
            # Calls on their way when a kill came are nowhere noted; Telegram's own limits hold all the same.
            most += 2
        if chat.private and call.method == "sendVoice":
            # Beside the others, never before them; that the server bears all together is its own to say.
            self._fits(f"voices of {chat.id}", call.time, VOICES, VOICE_SECONDS)
        else:
            self._fits(chat.id, call.time, most, seconds)
        self._fits(0, call.time, ALL_CALLS + (5 if self.place.disturbed else 0), ALL_SECONDS)

    def _fits(self, chat_id: int | str, now: float, most: int, seconds: float) -> None:
        sent = self._sent.setdefault(chat_id, deque())
        while sent and sent[0] <= now - seconds:
            sent.popleft()
        sent.append(now)
        assert len(sent) <= most, f"{len(sent)} calls in {seconds:g} s to {chat_id or 'all chats'}"

    # What stands in the chats

    def _message(self, call: Call, chat: Chat) -> Message | None:
        """The message that a call has sent or changed."""
        if fleeting := call.params.get("ephemeral_message_id"):
            return chat.ephemeral.get(-fleeting)
        if not isinstance(call.result, dict):
            return None
        if fleeting := call.result.get("ephemeral_message_id"):
            return chat.ephemeral.get(-fleeting)
        return chat.messages.get(call.result.get("message_id", 0))

    def _seal(self, call: Call, chat: Chat, message: Message) -> None:
        """Before any hand's dice its seal stands in the group (telegram.md, *Fair deals*)."""
        if chat.private or call.method not in ("sendMessage", "sendPhoto"):
            return
        if "🔏" in message.content.text:
            self.sealed[chat.id] = True
        elif call.method == "sendPhoto" and label_of(message.content.media.data)["kind"] == "table":  # type: ignore[union-attr]
            self.sealed[chat.id] = False

    def _seen(self, chat: Chat, message: Message) -> None:
        """Picture, words and buttons are for the eyes of whoever reads this chat."""
        reader = chat.id if chat.private else message.only_for
        data = [button["callback_data"] for row in message.keyboard for button in row if "callback_data" in button]
        pressed = [read_press(one) for one in data]
        moves = [press for press in pressed if isinstance(press, MovePress)]
        ours = next((p for p in pressed if isinstance(p, MovePress) or (isinstance(p, TablePress) and p.hand)), None)
        assert reader is not None or not moves, "moves on buttons in a group"
        # Documents and films are of hands that are over, or of one's own data.
        if message.content.kind == "photo":
            self._picture(message, reader, (ours.table, ours.hand or 0) if ours else None)
        for move in moves:
            seat = self._seat(reader, move.table, move.hand)
            assert seat is not None, "moves of a hand in which its reader does not sit"
            self._holds(move, seat)
        if reader is None:
            self._public_words(message)

    def _picture(self, message: Message, reader: int | None, hand: tuple[int, int] | None) -> None:
        label = label_of(message.content.media.data)  # type: ignore[union-attr]
        if label["kind"] not in ("hand", "table"):
            return
        assert message.protected, "a picture of a running hand that may be passed on"
        # Two readers may be shown the same picture, to the last point.
        meant = self.place.renderer.readers[label["digest"]]
        if reader is None:
            assert None in meant, "a picture for one pair of eyes in a group"
        elif hand is not None:
            assert self._seat(reader, *hand) in meant - {None}, "a picture for another's eyes"

    def _holds(self, move: MovePress, seat: int) -> None:
        """What is offered to be thrown, lies in the thrower's hand."""
        table = self._table(move.table)
        hand = table.hand if table is not None else None
        if table is None or hand is None or table.state.hand != move.hand or hand.number != move.number:
            return
        if move.move.verb == "discard" and seat in hand.questions:
            assert hand.seats[seat].tiles[move.move.tiles[0]], "a tile on a button that its reader does not hold"

    def _public_words(self, message: Message) -> None:
        """A table message names no tile that does not lie open; in the dark game no discard before the end."""
        text = message.content.text
        table = self._table_of(message)
        if table is None or table.hand is None or table.state.phase != "playing":
            return
        if RULESETS[table.state.rules].hidden_discards and "🔓" not in text and "▲" not in text:
            assert not NAMED_DISCARD.search(text), "a hidden discard is named"
        self._knows(text, view(table.hand, None))

    def _toast(self, call: Call) -> None:
        """A toast names no tile that its reader may not know."""
        text = call.params.get("text", "")
        press = self.place.world.presses.get(call.params["callback_query_id"])
        pressed = read_press(press.data) if press is not None else None
        if press is None or pressed is None or not isinstance(pressed, MovePress | TablePress):
            return
        table = self._table(pressed.table)
        if table is None or table.hand is None or table.state.phase != "playing":
            return
        seen = view(table.hand, self._seat(press.person_id, table.id, table.state.hand))
        hinted = isinstance(pressed, TablePress) and pressed.action in ("hint", "waits")
        self._knows(text, seen, hinted_tiles(seen) if hinted else frozenset())

    def _knows(self, text: str, seen: View, besides: frozenset[int] = frozenset()) -> None:
        known = known_tiles(seen) | besides
        for word, tile in self._words.items():
            assert tile in known or word not in text, f"{word!r} is named to one who may not know of it"

    # Who is who

    def _table(self, table_id: int) -> Table | None:
        return self.place.house.table(table_id) if self.place.up else None

    def _table_of(self, message: Message) -> Table | None:
        for row in message.keyboard:
            for button in row:
                pressed = read_press(button.get("callback_data", ""))
                if isinstance(pressed, TablePress) and pressed.hand:
                    return self._table(pressed.table)
        return None

    def _seat(self, telegram_id: int | None, table: int, hand: int) -> int | None:
        """The seat of a person in a table's hand of that number, None if they have none."""
        key = (table, hand)
        if key not in self._seats:
            owners = self.place.look(_owners, table, hand)
            if owners is None:
                return None
            self._seats[key] = owners
        return self._seats[key].index(telegram_id) if telegram_id in self._seats[key] else None


def known_tiles(seen: View) -> set[int | None]:
    """The faces of which the reader of a view has seen a copy."""
    known: set[int | None] = {*seen.gold, *(tile for event in seen.events for tile in event.tiles)}
    for seat in seen.seats:
        known.update(seat.concealed or (), (seat.drawn,), seat.flowers)
        known.update(tile for meld in seat.melds for tile in meld.tiles)
        known.update(discard.tile for discard in seat.river)
    if seen.question is not None:
        known.update(tile for option in seen.question.options for tile in option.move.tiles)
    return known


def hinted_tiles(seen: View) -> frozenset[int]:
    """The faces that would bring a reader's hand nearer, whatever they do: a hint may name them, unseen as they are."""
    options = seen.question.options if seen.question is not None else ()
    looks = [outlook(seen), *(outlook(seen, option.move) for option in options), *after_discards(seen).values()]
    return frozenset(tile for look in looks if look is not None for tile, _ in look.draws)


def _owners(connection: Any, table: int, hand: int) -> tuple[int | None, ...] | None:
    """The Telegram ids of those who sat at a table in its hand of a number, by seat; None: there is no such hand."""
    number = connection.exec_driver_sql(
        "SELECT max(id) FROM hands WHERE table_id = ? AND number = ?", (table, hand)
    ).scalar()
    row = hand_rows.hand(connection, number) if number is not None else None
    if row is None:
        return None
    persons = person_rows.some_persons(connection, [owner for owner in row.seats if isinstance(owner, int)])
    return tuple(persons[owner].telegram_id if isinstance(owner, int) else None for owner in row.seats)
