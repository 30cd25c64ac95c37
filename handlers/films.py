"""Films of hands that are over: the whole hand for who asks, and 高光, the end of a special win, to be shown around."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from data.model import Person
from data.texts import Words
from handlers import proof
from handlers.answers import SILENT, Answer
from handlers.house import House
from handlers.outbox import Message, Picture, Priority
from handlers.preferences import Preferences, group_tiles
from handlers.presses import PagePress
from handlers.pressing import Pressing
from handlers.retold import Filming, Told
from handlers.screens.pictures import with_tiles
from handlers.screens.replay import BEST_SHEET, best_of, film_of, moment_words, seen_from
from handlers.screens.seating import seat_names
from handlers.screens.sheet import HIGHLIGHTS, headline, sheet_words
from mahjong.views import SheetView, View
from render.tiles import TileSet
from render.words import Words as PictureWords

ANEW = 300.0
"""Seconds after which a group's film is sent again when it is asked for: an admin may have deleted it."""


@dataclass(frozen=True, slots=True)
class Film:
    """What is drawn: views with their words, and for how many seconds each stands."""

    views: list[View | SheetView]
    words: list[PictureWords]
    seconds: list[float]

    def add(self, view: View | SheetView, words: PictureWords, tiles: TileSet) -> None:
        """One more picture, with its readers' set of tiles."""
        self.views.append(view)
        self.words.append(replace(words, signs=with_tiles(words.signs, tiles)))


@dataclass(frozen=True, slots=True)
class Order:
    """Who wants a film, and where: ``key`` under which it is known there, also after a restart (None: it is sent and
    forgotten); ``tell``: the chat in which it is said when it cannot be made."""

    person: int
    chat: int
    caption: str
    key: str | None = None
    thread: int | None = None
    tell: int | None = None


def whole(pressing: Pressing, told: Told, pressed: PagePress) -> Answer:
    """The whole hand as a film, for who pressed."""
    house, person, chat = pressing.house, pressing.person, pressing.chat_id
    words = house.texts.get(person.language)
    names = seat_names(told.hand.players, words, plain=True)
    caption = words.html("replay.film", n=told.row.number, what=headline(told.hand.sheet, names, words))
    film = _cut(told, film_of(told.steps), told.seat_of(person.id), words, Preferences.of(person).tiles)
    return _make(house, told, film, Order(person.id, chat, caption, tell=chat))


async def best_for_all(pressing: Pressing, told: Told) -> Answer:
    """The film of a special win, in the group where it was pressed, once."""
    house, person, group = pressing.house, pressing.person, told.group
    assert group is not None
    key = f"film{told.row.id}:{group.id}"
    age = house.outbox.age(key)
    if age is not None and age < ANEW:
        return Answer("replay.best_there")
    # Why there is none is told who pressed, not the group.
    tell = pressing.user_id if person.private_ok else None
    order = Order(person.id, pressing.chat_id, "", key, pressing.thread, tell)
    return _best(house, told, order, house.texts.get(group.language))


def best_for_one(house: House, person: Person, told: Told) -> Answer:
    """The film of a special win, in a person's private chat."""
    chat = person.telegram_id or 0
    order = Order(person.id, chat, "", f"film{told.row.id}:p{person.id}", tell=chat)
    return _best(house, told, order, house.texts.get(person.language))


def _best(house: House, told: Told, order: Order, reader: Words) -> Answer:
    """``reader``: the words of whoever reads what stands below the film."""
    sheet, group = told.hand.sheet, told.group
    if sheet.by not in HIGHLIGHTS:
        return Answer("toast.forged")
    # One film for all chats, so that it is made and uploaded once.
    person = house.people.known(order.person)
    words = house.texts.get(group.language if group is not None else person.language if person else None)
    names = seat_names(told.hand.players, words, plain=True)
    read = seat_names(told.hand.players, reader, plain=True)
    assert sheet.winner is not None
    caption = reader.html(
        "replay.best",
        what=headline(sheet, read, reader),
        gain=f"{sheet.net[sheet.winner]:+,}",
        link=f"t.me/{house.username}",
    )
    tiles = group_tiles(group)
    film = _cut(told, best_of(told.steps), sheet.winner, words, tiles)
    film.add(sheet, sheet_words(told.hand.state, sheet, names, words), tiles)
    film.seconds.append(BEST_SHEET)
    return _make(house, told, film, replace(order, caption=caption))


def _cut(told: Told, cut: tuple[list[int], list[float]], reader: int | None, words: Words, tiles: TileSet) -> Film:
    """The steps that are shown, seen from a seat."""
    chosen, seconds = cut
    film = Film([], [], list(seconds))
    for at in chosen:
        view = seen_from(told.hand, told.steps[at].view, reader)
        film.add(view, moment_words(told.hand, told.steps, at, words), tiles)
    return film


def _make(house: House, told: Told, film: Film, order: Order) -> Answer:
    """Send a film, which is made first if it never was, once for all who want it; one at a time for each person."""
    digest = house.renderer.film_digest(film.views, film.words, film.seconds)
    filming = house.retold.filming

    def send(draw: Callable[[], Awaitable[bytes]]) -> None:
        picture = Picture(digest, draw, "animation", f"mahjong-{told.row.id}.gif")
        message = Message(order.chat, order.caption, picture=picture, silent=True, thread_id=order.thread)
        if order.key is not None:
            house.outbox.ring(order.key, message, Priority.CHATTER)
        elif house.retold.may_send(order.person, ("film", told.row.id), house.clock.time(), proof.AGAIN):
            house.outbox.say(message)

    async def draw() -> bytes:
        return await house.renderer.film(film.views, film.words, film.seconds)

    def send_made(made: bytes) -> None:
        async def ready() -> bytes:
            return made

        send(ready)

    def failed() -> None:
        if order.tell is not None:
            person = house.people.by_chat(order.tell)
            words = house.texts.get(person.language if person is not None else None)
            house.outbox.say(Message(order.tell, words.html("replay.film_failed"), silent=True))

    async def make(wanted: Filming) -> None:
        try:
            made = await draw()
        except Exception:
            del filming[digest]
            for say in wanted.failed.values():
                say()
            raise
        del filming[digest]
        for deliver in wanted.send.values():
            deliver(made)

    if house.outbox.knows(digest):
        send(draw)
        return SILENT
    if any(other.person == order.person for other in filming.values()):
        return Answer("replay.filming_already")
    wanted = filming.get(digest)
    if wanted is None:
        wanted = filming[digest] = Filming(order.person, {}, {})
        house.later(make(wanted))
    wanted.send.setdefault(order.key or order.person, send_made)
    wanted.failed.setdefault(order.tell, failed)
    return Answer("replay.filming")
