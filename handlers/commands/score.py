"""/score: a group's ranking by coins won there, looked through by buttons; in private one's own groups."""

from __future__ import annotations

from data.model import Group, Person
from data.texts import Html, Words
from handlers.answers import SILENT, Answer
from handlers.calls import Call, Command
from handlers.house import House
from handlers.outbox import Message, Priority
from handlers.presses import PagePress
from handlers.pressing import Pressing
from handlers.screens.ranking import GROUPS, MINE, PERIODS, ROWS, first_day, groups_message, ranking_message
from handlers.screens.seating import lines
from handlers.seating import may_look_into

FORGED = Answer("toast.forged")
NO_PAGE = Answer("toast.no_page")


async def run(call: Call) -> None:
    """The ranking of all time in a group; in private the groups that one has played in, and the wallet."""
    house, words, person = call.house, call.words, call.person
    if call.group is not None:
        message = await _ranking(house, call.chat_id, call.group, person, "all", 0, words, thread=call.thread)
        if isinstance(message, Message):
            call.say(message.text, message.keyboard, message.picture)
        else:
            call.say(lines(words.html("score.title.all", group=call.group.title), words.html("score.none.all")))
    elif person is not None:
        message = await _groups(house, call.chat_id, person, 0, words)
        if isinstance(message, Message):
            call.say(message.text, message.keyboard)


async def press(pressing: Pressing, pressed: PagePress) -> Answer:
    """``r|GROUP|PERIOD|PAGE``: another page of the ranking that was pressed, or another period, in its place.

    In a group it is the group's own; in private any that the presser belongs to and has played in.
    ``r|0|mine|PAGE``: in private, the presser's groups.
    """
    house, person, number = pressing.house, pressing.person, pressed.number(2)
    if len(pressed.fields) != 3 or number is None:
        return FORGED
    group_id, period = pressed.number(0), pressed.fields[1]
    shown: Message | Answer
    if pressing.private and group_id == 0 and period == MINE:
        shown = await _groups(house, pressing.chat_id, person, number, pressing.words)
    elif period not in PERIODS:
        return FORGED
    elif pressing.private:
        group = await house.store.group(group_id) if group_id else None
        if group is None or group.id not in await house.store.ranked_in(person.id):
            return FORGED
        if not await may_look_into(house, group, person, pressing.user_id):
            return Answer("toast.not_member", alert=True)
        shown = await _ranking(house, pressing.chat_id, group, person, period, number, pressing.words, back=True)
    else:
        here = await house.people.group(pressing.chat) if pressing.chat is not None else None
        if here is None or here.id != group_id:
            return FORGED
        if here.telegram_id != pressing.chat_id:
            # What stood in a group stays there when it becomes a supergroup.
            return Answer("toast.moved")
        words = house.texts.get(here.language)
        shown = await _ranking(house, pressing.chat_id, here, person, period, number, words, thread=pressing.thread)
    if isinstance(shown, Answer):
        return shown
    _show(pressing, shown)
    return SILENT


def _show(pressing: Pressing, message: Message) -> None:
    """Put a page in place of the one that was pressed."""
    pressing.house.outbox.want(pressing.answer_key(COMMAND.name), message, Priority.CHATTER)


async def _ranking(
    house: House,
    chat_id: int,
    group: Group,
    person: Person | None,
    period: str,
    number: int,
    words: Words,
    *,
    back: bool = False,
    thread: int | None = None,
) -> Message | Answer:
    chosen = PERIODS[PERIODS.index(period)]
    today = house.day(house.clock.now())
    page = await house.store.ranking_page(
        group.id, person.id if person is not None else None, today, first_day(chosen, today), ROWS, number * ROWS
    )
    if (number and not page.rows) or (chosen == "all" and not page.of):
        return NO_PAGE
    return ranking_message(house.renderer, chat_id, group, page, chosen, number, today, words, back=back, thread=thread)


async def _groups(house: House, chat_id: int, person: Person, number: int, words: Words) -> Message | Answer:
    ranks = await house.store.ranked_in(person.id)
    groups = await house.store.groups(ranks)
    if number and number * GROUPS >= len(groups):
        return NO_PAGE
    wallet = await house.store.wallet(person.id)
    mine = words.html("score.wallet", coins=f"{wallet.balance:,}")
    held = words.html("score.held", held=f"{wallet.held:,}") if wallet.held else Html("")
    return groups_message(chat_id, ranks, groups, number, words, lines(mine, held))


COMMAND = Command("score", run, place=50, anonymous=True, pages={"r": press})
