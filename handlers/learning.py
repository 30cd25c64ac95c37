"""Learn in three minutes: a few pages to leaf through, then a hand with a coach (``handlers.coach``)."""

from __future__ import annotations

from data.model import Person
from handlers import lobby, seating
from handlers.answers import SILENT, Answer
from handlers.house import House
from handlers.outbox import Message, Priority
from handlers.preferences import Preferences
from handlers.presses import PagePress
from handlers.pressing import Pressing
from handlers.screens import learning as screen

PAYLOAD = "learn"
"""Of the deep link ``https://t.me/BOT?start=learn``."""


def show(house: House, person: Person) -> None:
    """The first page, at the bottom of the private chat."""
    message = _page(house, person, 0)
    if message is not None:
        house.outbox.ring(_key(person), message, Priority.CHATTER)


async def press(pressing: Pressing, pressed: PagePress) -> Answer:
    """``l|NUMBER``: a page; ``l|0|LANGUAGE``: in that language from now on; ``l|deal``: the hand with a coach;
    ``l|free``: practise without; ``l|group``: how a group plays."""
    house, person = pressing.house, pressing.person
    if not pressing.private:
        return Answer("toast.forged")
    match pressed.fields:
        case ("deal",):
            return await deal(house, person)
        case ("free",):
            return await seating.practise(house, person)
        case ("0", language) if language in house.texts.languages:
            person = await house.people.set_language(person, language)
        case ("group",):
            howto = screen.group_page(pressing.chat_id, house.username, pressing.words)
            house.outbox.ring(f"howto:p{person.id}", howto, Priority.CHATTER)
            return SILENT
        case (_, _, *_):
            return Answer("toast.forged")
    number = pressed.number(0)
    message = _page(house, person, number) if number is not None and number < len(screen.PAGES) else None
    if message is None:
        return Answer("toast.forged")
    if pressing.message_id is not None and pressing.genuine:
        house.outbox.pressed(_key(person), pressing.chat_id, pressing.message_id)
    house.outbox.want(_key(person), message)
    return SILENT


async def deal(house: House, person: Person) -> Answer:
    """Deal an arranged hand at a table of the person's own, another one each time.

    What waits for a press at a table of their own gives way; a hand that is played there is finished or left first,
    and comes to the bottom of the chat.
    """
    async with house.seating(person):
        if (why := seating.kept_from_own(house, person)) is not None:
            return why
        own = house.practice_of(person)
        if own is not None and own.state.phase in ("dice", "playing"):
            own.showing.bring_hand_down(person)
            return SILENT if own.state.lesson is not None else Answer("learn.finish_first", alert=True)
        if own is not None:
            await own.do(lobby.end_practice)
        lessons = Preferences.of(person).lessons
        await house.new_table(None, person, deal=True, lesson=lessons)
        await house.people.set_prefs(person, {"lessons": lessons + 1})
    # The pages have had their day; whoever wants them again has /learn.
    house.outbox.drop(_key(person))
    return SILENT


def _page(house: House, person: Person, number: int) -> Message | None:
    if person.telegram_id is None:
        return None
    words, tiles = house.texts.get(person.language), Preferences.of(person).tiles
    ask = not person.language_chosen
    return screen.page(house.renderer, person.telegram_id, number, words, tiles, ask_language=ask)


def _key(person: Person) -> str:
    return f"learn:p{person.id}"
