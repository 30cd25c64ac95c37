"""People who play at human pace: they see what a keyboard offers, think for a while, and press."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from handlers.presses import MovePress, read_press
from mahjong.tiles import FACES, Tile, suit
from playground.chats import Message, Press
from playground.world import Call, World

TURN = (4.5, 0.5)
CLAIM = (3.0, 0.4)
"""Median of the seconds somebody thinks, and how much that varies (of a lognormal distribution)."""
READY = (3.0, 10.0)
WARNED = 1.0
"""Seconds after which somebody who was only warned presses again."""
PATIENCE = 8.0
"""Seconds after which somebody who was answered presses again if nothing has come of it."""
WARNINGS = ("再按", "again")
"""What a warning says."""
FLOOD = 50
"""Presses a second of one who floods."""

Asked = tuple[int, ...]


@dataclass(slots=True)
class Seen:
    """What was seen from the playground. Times are Unix seconds.

    ``calls``: time, method, chat (None: none), status, and whether it was about a hand's living message in a private
    chat. ``presses``: person, when it was offered, when it was answered.
    """

    calls: list[tuple[float, str, int | None, int, bool]] = field(default_factory=list)
    presses: list[tuple[int, float, float]] = field(default_factory=list)
    unanswered: int = 0


class Crowd:
    """All the people of a world, each with one thing in mind at a time."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.seen = Seen()
        self.plays = True
        self._chance = Random(seed)
        self._minds: dict[int, Asked] = {}
        self._flooding: asyncio.Task[None] | None = None
        world.on_call = self._on_call

    def _on_call(self, call: Call) -> None:
        if call.method == "getUpdates":
            return
        self.seen.calls.append((call.time, call.method, call.chat_id, call.status, self._of_a_hand(call)))
        if call.method == "answerCallbackQuery":
            press = self.world.presses.get(call.params["callback_query_id"])
            if press is not None:
                self.seen.presses.append((press.person_id, press.time, call.time))
        elif self.plays and call.status == 200 and call.chat_id is not None and call.chat_id > 0:
            self._look(call.chat_id)

    def _of_a_hand(self, call: Call) -> bool:
        message = call.result if isinstance(call.result, dict) else {}
        chat = self.world.chats.get(call.chat_id or 0)
        shown = chat.messages.get(message.get("message_id", 0)) if chat is not None and chat.private else None
        return shown is not None and any(
            button.get("callback_data", "").endswith(("|table", "|hand")) for row in shown.keyboard for button in row
        )

    def _look(self, person: int) -> None:
        """Somebody's chat has changed: think about what is asked, unless that is being done already."""
        found = self._asked(person)
        if found is None:
            self._minds.pop(person, None)
            return
        asked, _, _ = found
        if self._minds.get(person) != asked:
            self._minds[person] = asked
            self._after(self._while_of(found[2]), person, asked)

    def _after(self, seconds: float, person: int, asked: Asked, press: Press | None = None) -> None:
        loop = asyncio.get_running_loop()
        if press is None:
            loop.call_later(seconds, self._act, person, asked)
        else:
            loop.call_later(seconds, self._see, person, asked, press)

    def _while_of(self, offers: list[MovePress]) -> float:
        if not offers:
            return self._chance.uniform(*READY)
        middle, spread = TURN if any(offer.move.verb == "discard" for offer in offers) else CLAIM
        return max(0.8, self._chance.lognormvariate(math.log(middle), spread))

    def _act(self, person: int, asked: Asked) -> None:
        found = self._asked(person)
        if self._minds.get(person) != asked or found is None or found[0] != asked or not self.plays:
            return
        _, message, offers = found
        press = self.world.crowd.press(person, person, message.id, self._choice(message, offers))
        self._after(WARNED, person, asked, press)

    def _see(self, person: int, asked: Asked, press: Press) -> None:
        """What has come of a press."""
        if press.status == "waiting":
            self._after(WARNED, person, asked, press)
        elif press.status == "answered" and any(word in press.text for word in WARNINGS):
            self._act(person, asked)
        else:
            self._after(PATIENCE, person, asked)

    def _asked(self, person: int) -> tuple[Asked, Message, list[MovePress]] | None:
        """What the newest living message asks: which question, on which message, and the moves it offers."""
        for message in reversed(self.world.chats[person].messages.values()):
            if not message.keyboard:
                continue
            offers = []
            for row in message.keyboard:
                for button in row:
                    data = button.get("callback_data", "")
                    if data.startswith("m|"):
                        pressed = read_press(data)
                        assert isinstance(pressed, MovePress)
                        offers.append(pressed)
                    elif data.startswith("h|") and data.endswith("|ready"):
                        return (message.id, -1), message, []
            if not offers:
                return None
            first = offers[0]
            return (first.table, first.hand, first.number, first.step), message, offers
        return None

    def _choice(self, message: Message, offers: list[MovePress]) -> str:
        """The callback data pressed: a win, mostly a claim, else the loneliest tile."""
        if not offers:
            return next(
                b["callback_data"] for row in message.keyboard for b in row if b["callback_data"].endswith("|ready")
            )
        verbs: dict[str, list[MovePress]] = {}
        for offer in offers:
            verbs.setdefault(offer.move.verb, []).append(offer)
        if "hu" in verbs:
            chosen = verbs["hu"][0]
        elif "discard" in verbs:
            plain = [offer for offer in verbs["discard"] if not offer.declared]
            tiles = [offer.move.tiles[0] for offer in plain]
            chosen = min(plain, key=lambda offer: (company(offer.move.tiles[0], tiles), self._chance.random()))
        else:
            claims = [offer for verb in ("kong", "pong", "chow") for offer in verbs.get(verb, ())]
            if claims and ("pass" not in verbs or self._chance.random() < 0.6):
                chosen = claims[0]
            else:
                chosen = verbs["pass"][0]
        return next(
            button["callback_data"]
            for row in message.keyboard
            for button in row
            if read_press(button.get("callback_data", "")) == chosen
        )

    # A flood

    def flood(self, person: int, table: int) -> None:
        """From now on this person presses ``FLOOD`` times a second: old moves, and looks back and forth."""
        self._flooding = asyncio.get_running_loop().create_task(self._flood(person, table))

    @property
    def flooding(self) -> bool:
        """Whether there is a flood just now."""
        return self._flooding is not None

    def dry_up(self) -> None:
        """The flood ends."""
        if self._flooding is not None:
            self._flooding.cancel()

    async def _flood(self, person: int, table: int) -> None:
        presses = (f"m|{table}|1|1|d5m", f"h|{table}|1|table", f"m|{table}|1|1|x", f"h|{table}|1|hand")
        loop = asyncio.get_running_loop()
        start, number = loop.time(), 0
        while True:
            self.world.crowd.press(person, person, self.world.chats[person].last_id, presses[number % 4], force=True)
            number += 1
            await asyncio.sleep(max(0.0, start + number / FLOOD - loop.time()))


def company(tile: Tile, tiles: list[Tile]) -> int:
    """How many other tiles a tile may make a set with, those next to it counted once, its like twice."""
    if tile >= FACES:
        return 99
    held = Counter(tiles)
    near = 2 * (held[tile] - 1)
    for other, copies in held.items():
        if other != tile and other < FACES and suit(other) == suit(tile) and abs(other - tile) <= 2 and tile < 27:
            near += copies
    return near
