"""Button presses: which table, which question, who may; everything stale or foreign gets a short toast."""

from __future__ import annotations

import logging

from telegram import Chat

from handlers import absence, guessing, hints, lobby, lobby_presses, play, settings, stopping
from handlers.about import ABOUT, About
from handlers.answers import LATER, SILENT, Answer, other_hand
from handlers.commands import PAGES
from handlers.draft import Draft
from handlers.lobby_presses import Action, numbered
from handlers.opening import open_in_group
from handlers.outbox import Asked, Message, Priority
from handlers.preferences import Preferences
from handlers.presses import BLANK, MovePress, OrderPress, PagePress, Press, SettingPress, TablePress
from handlers.pressing import Pressing
from handlers.screens.hand import Look
from handlers.screens.profile import FORGET_NOW
from handlers.screens.seating import seat_names
from handlers.seating import is_admin, kept_off, practise, resume, stay
from handlers.table import Table

log = logging.getLogger(__name__)

SUPERGROUPS = -1_000_000_000_000
"""The ids of supergroups lie below, those of plain groups above (Bot API, dialog ids)."""


async def answer_press(pressing: Pressing, pressed: Press | None) -> Answer:
    """Do what a button says, and return what its presser is told. None: its data were forged."""
    answer = await _answer(pressing, pressed)
    if answer.key == "toast.forged":
        log.warning("forged callback data from person %d", pressing.person.id)
    return answer


async def _answer(pressing: Pressing, pressed: Press | None) -> Answer:
    if pressed is None:
        return Answer("toast.forged")
    if pressed == BLANK:
        return SILENT
    if isinstance(pressed, SettingPress):
        return await settings.press(pressing, pressed)
    if isinstance(pressed, PagePress):
        page = PAGES.get(pressed.kind)
        return await page(pressing, pressed) if page is not None else Answer("toast.forged")
    if isinstance(pressed, TablePress) and pressed.table == 0 and pressed.action in lobby_presses.AT_NO_TABLE:
        return await lobby_presses.AT_NO_TABLE[pressed.action](pressing, pressed)
    table = pressing.house.table(pressed.table)
    if table is None:
        return Answer("toast.gone")
    await table.awake()
    answer = await _answer_at(pressing, table, pressed)
    if answer.key in ("toast.stale", "toast.stale_hand") and pressing.private and pressing.message_id is not None:
        table.showing.freshen(pressing.person, pressing.message_id)
    return answer


def answer_to_stranger(data: str) -> Answer:
    """What somebody whom the store does not know is told of a page pressed in their private chat."""
    return Answer("toast.forgotten_you" if data == FORGET_NOW else "toast.unknown", alert=True)


async def _answer_at(pressing: Pressing, table: Table, pressed: MovePress | OrderPress | TablePress) -> Answer:
    ABOUT.set(About(table.id, table.state.hand_id))
    if not pressing.private and (table.group is None or table.group.telegram_id != pressing.chat_id):
        chat, group = pressing.chat, table.group
        if chat is not None and chat.type == Chat.GROUP and group is not None and group.telegram_id <= SUPERGROUPS:
            # What stood in a group stays there when it becomes a supergroup with another id.
            return Answer("toast.moved")
        # No such button ever stood there; and whoever is an admin here may be none where the table is.
        return Answer("toast.forged")
    if isinstance(pressed, MovePress):
        _adopt(pressing, table, "hand")
        confirm = Preferences.of(pressing.person).confirm
        return await table.do(
            lambda draft: play.press(draft, pressing.person.id, pressed, table.warnings, confirm=confirm)
        )
    if isinstance(pressed, OrderPress):
        _adopt(pressing, table, "hand")
        return await table.do(lambda draft: play.order(draft, pressing.person.id, pressed))
    action = _ACTIONS.get(pressed.action)
    return await action(pressing, table, pressed) if action is not None else Answer("toast.forged")


def _adopt(pressing: Pressing, table: Table, kind: str) -> None:
    """Let the outbox know which copy of a living message people see, in case a kill made it forget."""
    if pressing.message_id is not None and pressing.genuine:
        key = f"t{table.id}:p{pressing.person.id}:{kind}" if pressing.private else f"t{table.id}:{kind}"
        pressing.house.outbox.pressed(key, pressing.chat_id, pressing.message_id)


async def _stop(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    host = table.state.host == pressing.person.id
    admin = not host and not pressing.private and await is_admin(pressing.house, pressing.chat_id, pressing.user_id)
    answer = await stopping.stop(pressing.house, table, pressing.person.id, pressing.user_id, admin=admin)
    offer = stopping.offer_to_annul(pressing.house, table, pressing.user_id, answer, pressing.words)
    if offer is not None and pressing.private:
        # In the group it would be said to all, and the command is there for that.
        message = Message(pressing.chat_id, *offer, silent=True)
        pressing.house.outbox.ring(f"say:{pressing.chat_id}:{pressing.user_id}:annul", message, Priority.CHATTER)
    return answer


async def _ready(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    if pressed.hand == table.state.hand:
        _adopt(pressing, table, "sheet")
    return await table.do(lambda draft: lobby.ready(draft, pressing.person.id, pressed.hand))


async def _wait(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    return await table.do(lambda draft: lobby.wait_more(draft, pressing.person.id, pressed.hand))


async def _fill(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    return await table.do(lambda draft: lobby.fill_up(draft, pressing.person.id, pressed.hand))


async def _swap(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    return await table.do(lambda draft: lobby.swap(draft, pressing.person.id, pressed.hand))


async def _back(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    return await stay(pressing.house, table, pressing.person)


def _decision(choice: str) -> Action:
    async def decide(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
        return await table.do(lambda draft: absence.decide(draft, pressing.person.id, pressed.hand, choice))

    return decide


async def _resume(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    return await resume(pressing.house, table, pressing.person)


async def _reopen(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    """Close the table that pauses and open a new one in its place."""
    person = pressing.person
    if pressing.private and table.state.seat_of(person.id) is None:
        # "Anybody" is anybody in the group.
        return Answer("toast.not_seated")
    if (banned := kept_off(pressing.house, table.group, person)) is not None:
        return banned
    if pressing.house.outbox.busy:
        return Answer("say.busy", alert=True)
    admin = not pressing.private and await is_admin(pressing.house, pressing.chat_id, pressing.user_id)
    answer = await table.do(lambda draft: absence.dissolve(draft, person.id, admin=admin))
    if answer.key is not None or table.state.phase != "closed":
        return answer
    if table.group is None:
        return await practise(pressing.house, person)
    return await open_in_group(pressing.house, table.group, person, table.state.thread)


async def _down(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    if pressing.private and table.state.seat_of(pressing.person.id) is None:
        return Answer("toast.not_seated")
    if table.showing.came_down_just_now():
        return Answer("toast.just_moved")
    return Answer("toast.shown") if table.showing.bring_down() else Answer("toast.no_hand")


async def _hand(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    """In private back from the table to the hand; in the group one's own hand, in a picture or an alert that nobody
    else sees."""
    if table.state.seat_of(pressing.person.id) is None:
        return Answer("toast.not_seated")
    if pressing.private:
        table.showing.look(pressing.person.id, None)
        return await _returned(pressing, table)
    back = await _returned(pressing, table)
    own_hands = table.showing.own_hands

    def done(shown: bool) -> None:
        text = None if shown else own_hands.in_words(pressing.person, pressing.words)
        in_words = Answer("alert.text", {"text": text}, alert=True) if text else Answer("toast.no_hand")
        pressing.answer(back if shown else in_words)

    if not own_hands.show(pressing.person, Asked(query_id=pressing.query_id), done):
        return Answer("toast.no_hand")
    return LATER


def _look(at: Look) -> Action:
    async def look(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
        if table.state.seat_of(pressing.person.id) is None:
            return Answer("toast.not_seated")
        if table.state.phase != "playing":
            return Answer("toast.no_hand")
        if pressing.private:
            table.showing.look(pressing.person.id, at)
        return await _returned(pressing, table)

    return look


async def _sound(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    """The 🔊 button of the hand: the presser's own sound, wherever they sit."""
    if table.state.seat_of(pressing.person.id) is None:
        return Answer("toast.not_seated")
    if not pressing.private:
        return Answer("toast.forged")
    await _returned(pressing, table)
    return await settings.next_voice(pressing.house, pressing.person)


async def _hint(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    returned = await _returned(pressing, table) if pressing.private else SILENT
    return returned if returned.key is not None else await hints.press(pressing, table, pressed)


@numbered
async def _guess(pressing: Pressing, table: Table, pressed: TablePress, number: int) -> Answer:
    if pressing.private:
        return Answer("toast.forged")
    person, words = pressing.person.id, pressing.words

    def guess(draft: Draft) -> Answer:
        names = seat_names(draft.state.seats, words)
        return guessing.guess(draft, person, pressed.hand, number, names)

    return await table.do(guess)


async def _guesses(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    if pressing.private:
        return Answer("toast.forged")
    return await table.do(lambda draft: guessing.open_guesses(draft, pressing.person.id, pressed.hand))


async def _nudge(pressing: Pressing, table: Table, pressed: TablePress) -> Answer:
    """Call whoever is asked. The toast is the same whoever that is, and whether anybody is."""
    if table.state.seat_of(pressing.person.id) is None:
        return Answer("toast.not_seated")
    if table.state.phase != "playing" or pressed.hand != table.state.hand:
        return other_hand(pressed.hand, table.state.hand)
    returned = await _returned(pressing, table)
    if returned.key is not None:
        return returned
    hand = table.hand
    if hand is not None and hand.phase == "turn" and table.state.seat_of(pressing.person.id) in hand.questions:
        return Answer("toast.your_own_turn")
    return Answer("toast.nudged" if table.showing.ringing.nudge(pressing.person.id) else "toast.nudged_lately")


async def _returned(pressing: Pressing, table: Table) -> Answer:
    """Any press ends 托管, a look too (telegram.md)."""

    def came_back(draft: Draft) -> Answer:
        seat = draft.state.seat_of(pressing.person.id)
        if seat is None or not draft.came_back(seat):
            return SILENT
        draft.note("back", seat)
        return Answer("toast.back")

    return await table.do(came_back)


_ACTIONS: dict[str, Action] = {
    "stop": _stop,
    "ready": _ready,
    "wait": _wait,
    "fill": _fill,
    "swap": _swap,
    "down": _down,
    **{f"absent_{choice}": _decision(choice) for choice in absence.CHOICES},
    "resume": _resume,
    "reopen": _reopen,
    "back": _back,
    "hand": _hand,
    "table": _look("table"),
    "seen": _look("seen"),
    "orders": _look("orders"),
    "nudge": _nudge,
    "sound": _sound,
    "hint": _hint,
    "waits": _hint,
    "guess": _guess,
    "guesses": _guesses,
    **lobby_presses.ACTIONS,
}
