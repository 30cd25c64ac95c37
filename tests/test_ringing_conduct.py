"""Calls in virtual time: each person's wish, the group's, reminders, nights of long games, nudges."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import pytest

from handlers.answers import SILENT, Answer
from handlers.dealing import setup_of
from handlers.draft import Draft
from handlers.ringing import NUDGE_AGAIN
from handlers.table import Table
from handlers.table_state import PACES
from playground.world import Call
from tests.support.stories import Tell, chat_of, dealt, photos, table_of, teller
from tests.support.town import START, Town, label_of


async def wish(town: Town, person: int, ring: str) -> None:
    """A person of this number wants to be called in this way."""
    known = await town.store.person(person)
    assert known is not None
    await town.house.people.set_prefs(known, {"ring": ring})


async def a_game_of_days(town: Town) -> None:
    """Everybody sits down, and is dealt to, where the group plays by the hours of ``days``."""
    group = await town.house.people.group(await town.house.bot.get_chat(town.group_id))
    await town.house.people.set_group_settings(group, {"timer": "days"})
    await town.seat_all()
    await dealt(town)


async def a_turn(town: Town, *, of: int | None = None) -> tuple[Table, int]:
    """Wait for the beginning of a turn (of a person of this number), windows and others' turns being played at once."""
    table = table_of(town)
    for _ in range(4000):
        hand = table.hand
        if hand is not None and table.state.phase == "playing" and hand.phase == "turn":
            (seat,) = hand.questions
            owner = table.state.seats[seat]
            assert owner is not None
            if of is None or owner.person == of:
                return table, seat
            await play_on(town, seat)
        elif hand is not None and table.state.phase == "playing":
            for seat in list(hand.questions):
                await play_on(town, seat)
            await table.do(close)
        await asyncio.sleep(0.1)
    raise AssertionError("no turn came")


def close(draft: Draft) -> Answer:
    """The window is over, however long it would have stood for show."""
    if draft.hand is not None and draft.hand.in_window:
        draft.close_window()
    return SILENT


async def play_on(town: Town, seat: int) -> None:
    """The seat asked throws what a time-out would throw."""
    table = table_of(town)
    assert table.hand is not None
    move = table.hand.default_move(seat)

    def play(draft: Draft) -> Answer:
        draft.play(move)
        return SILENT

    await table.do(play)


def asked_at(table: Table) -> float:
    """When the open question was asked, in the time of the call log."""
    assert table.state.asked_at is not None
    return datetime.fromisoformat(table.state.asked_at).timestamp()


def now() -> float:
    """The time of the call log."""
    return START.timestamp() + asyncio.get_running_loop().time()


def sounding(calls: list[Call]) -> list[Call]:
    return [call for call in calls if not call.params.get("disable_notification")]


def to_private(town: Town) -> list[Call]:
    return [call for call in town.calls if call.method.startswith("send") and (call.chat_id or 0) > 0]


def test_always_sounds_at_once_with_every_question(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await wish(town, 1, "always")
        await dealt(town)
        person = town.house.people.known(1)
        assert person is not None
        chat = person.telegram_id or 0
        for turn in range(1, 3):
            table, _ = await a_turn(town, of=1)
            await asyncio.sleep(3)
            # The first is the deal.
            sent = photos(town, chat)[1:]
            assert len(sounding(sent)) >= turn
            assert "轮到你" in sent[-1].params["caption"]
            assert sent[-1].time - asked_at(table) < 2
            await play_on(town, table.state.seat_of(1) or 0)

    tell(story)


def test_never_makes_no_sound_not_even_at_the_deal_and_only_edits(tell: Tell) -> None:
    async def story(town: Town) -> None:
        for person in (1, 2, 3, 4):
            await wish(town, person, "never")
        await dealt(town)
        table, seat = await a_turn(town)
        await asyncio.sleep(35)
        assert table.hand is not None
        assert seat in table.hand.questions
        for chat in town.people:
            (deal,) = photos(town, chat)
            assert deal.params["disable_notification"]
        await town.press(chat_of(town, (seat + 1) % 4), town.group_id, r"\|nudge$")
        await asyncio.sleep(3)
        assert len(photos(town, chat_of(town, seat))) == 1

    tell(story)


def test_a_group_without_sound_makes_none_in_private_chats_either(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        group = await town.house.people.group(await town.house.bot.get_chat(town.group_id))
        await town.house.group_changed(await town.house.people.set_group_settings(group, {"sound": False}))
        await town.seat_all()
        await wish(town, 2, "always")
        await dealt(town)
        _, seat = await a_turn(town)
        await asyncio.sleep(20)
        assert len(photos(town, chat_of(town, seat))) == 2, "sent anew all the same, at the bottom of the chat"
        assert all(call.params["disable_notification"] for call in to_private(town) if call.method == "sendPhoto")

    tell_from_the_start(story)


def test_a_reminder_comes_once_before_the_time_is_up(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        table, seat = await a_turn(town)
        chat = chat_of(town, seat)
        asked = asked_at(table)
        await asyncio.sleep(asked + 39 - now())
        urged = [call for call in photos(town, chat) if call.params["caption"].count("⏳") == 2]
        (reminder,) = sounding(urged)
        assert asked + 30 <= reminder.time < asked + 32
        assert table.hand is not None
        await asyncio.sleep(5)
        assert seat not in table.hand.questions
        await asyncio.sleep(2)
        message = town.messages(chat)[-1]
        assert "赶紧" not in message.content.text
        assert "趕緊" not in message.content.text

    tell(story)


def test_the_fast_timer_reminds_nobody_and_calls_sooner(tell_from_the_start: Tell) -> None:
    assert PACES["fast"].turn_remind == 0

    async def story(town: Town) -> None:
        group = await town.house.people.group(await town.house.bot.get_chat(town.group_id))
        await town.house.people.set_group_settings(group, {"timer": "fast"})
        await town.seat_all()
        await dealt(town)
        table, seat = await a_turn(town)
        before = len(photos(town, chat_of(town, seat)))
        asked = asked_at(table)
        await asyncio.sleep(asked + 14 - now())
        calls = photos(town, chat_of(town, seat))[before:]
        assert [round(call.time - asked) for call in calls] in ([5], [6])

    tell_from_the_start(story)


def test_in_a_game_of_days_questions_call_at_once_but_not_at_night(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        await a_game_of_days(town)
        _, seat = await a_turn(town)
        # The town begins at 20:00 of Shanghai; half past eleven is night.
        begin, hours = START.timestamp(), 3600
        await asyncio.sleep(begin + 3.5 * hours - now())
        before = len(to_private(town))
        await play_on(town, seat)
        _, other = await a_turn(town)
        assert other != seat
        await asyncio.sleep(0.5 * hours)
        await town.press(chat_of(town, seat), town.group_id, r"\|nudge$")
        await asyncio.sleep(60)
        night = to_private(town)[before:]
        assert not sounding(night), "nothing sounds at night, a nudge neither"
        before = len(to_private(town))
        await asyncio.sleep(begin + 11 * hours + 120 - now())
        (morning,) = sounding(to_private(town)[before:])
        assert morning.chat_id == chat_of(town, other)
        assert begin + 11 * hours <= morning.time < begin + 11 * hours + 60

    tell_from_the_start(story)


def test_a_nudge_calls_whoever_is_asked_and_once_in_a_while(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        _, seat = await a_turn(town)
        asked, waiting, third = (chat_of(town, at % 4) for at in (seat, seat + 1, seat + 2))
        before = {chat: len(photos(town, chat)) for chat in town.people}
        first = await town.press(waiting, waiting, r"\|nudge$")
        await asyncio.sleep(2)
        (call,) = photos(town, asked)[before[asked] :]
        assert not call.params.get("disable_notification")
        assert "⏰" in call.params["caption"]
        for chat in (waiting, third):
            assert len(photos(town, chat)) == before[chat]
        lately = await town.press(third, town.group_id, r"\|nudge$")
        await asyncio.sleep(2)
        assert len(photos(town, asked)) == before[asked] + 1
        assert first != lately
        stranger = town.world.crowd.add_person("Stranger", language_code="zh-hans").id
        town.world.crowd.join(town.group_id, stranger)
        assert await town.press(stranger, town.group_id, r"\|nudge$") == "你不在这一桌"
        shown = [str(call.params) for call in town.calls if call.chat_id == town.group_id]
        assert not any("等你" in text or "waiting for you" in text for text in shown), "the group sees nothing of it"
        await asyncio.sleep(NUDGE_AGAIN)
        assert await town.press(asked, town.group_id, r"\|nudge$") not in (None, "", lately)

    tell(story)


def test_a_nudge_in_a_window_says_the_same_whoever_is_asked(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        table = table_of(town)
        toasts: dict[bool, set[str | None]] = {True: set(), False: set()}
        for _ in range(40):
            _, seat = await a_turn(town)
            await play_on(town, seat)
            hand = table.hand
            if hand is None or hand.result is not None:
                break
            if hand.phase == "claim":
                somebody = bool(hand.questions)
                table.showing.ringing._nudged = None
                person = next(chat for chat in town.people if chat != town.people[3])
                toasts[somebody].add(await town.press(person, town.group_id, r"\|nudge$"))
        assert toasts[True], "somebody could have claimed"
        assert toasts[False], "nobody could have claimed"
        assert len({(toast or "").replace("聲", "声") for toast in toasts[True] | toasts[False]}) == 1

    tell(story)


def test_a_discard_is_confirmed_by_a_second_press_if_one_wishes(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        table, seat = await a_turn(town)
        owner = table.state.seats[seat]
        assert owner is not None
        known = await town.store.person(owner.person or 0)
        assert known is not None
        await town.house.people.set_prefs(known, {"confirm": True})
        chat = chat_of(town, seat)
        await asyncio.sleep(2)
        tile = r"\|d[1-9][mps]$"
        for _ in range(2):
            warned = await town.press(chat, chat, tile)
            assert any(mark in (warned or "") for mark in ("再按一次", "Press again")), warned
            assert table.hand is not None
            assert seat in table.hand.questions
        await asyncio.sleep(1)
        thrown = await town.press(chat, chat, tile)
        assert thrown != warned
        assert table.hand is not None
        assert table.hand.seats[seat].river

    tell(story)


def test_copies_seen_are_looked_at_and_a_question_comes_first(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        _, seat = await a_turn(town)
        chat = chat_of(town, (seat + 1) % 4)

        def shown() -> str:
            media = town.messages(chat)[-1].content.media
            assert media is not None
            return str(label_of(media.data)["kind"])

        assert shown() == "hand"
        for pattern, kind in ((r"\|seen$", "seen"), (r"\|table$", "table"), (r"\|seen$", "seen"), (r"\|hand$", "hand")):
            await town.press(chat, chat, pattern)
            await asyncio.sleep(3)
            assert shown() == kind
        await town.press(chat, chat, r"\|seen$")
        await asyncio.sleep(3)
        await play_on(town, seat)
        await a_turn(town, of=table_of(town).state.taken[(seat + 1) % 4].person)
        await asyncio.sleep(3)
        assert shown() == "hand"

    tell(story)


def what_is_shown(town: Town, chat: int) -> str:
    """The kind of picture in the living message of a private chat."""
    media = town.messages(chat)[-1].content.media
    assert media is not None
    return str(label_of(media.data)["kind"])


@pytest.mark.parametrize("asked", ["turn", "claim"])
def test_who_is_asked_can_look_and_answer_all_the_same(tell: Tell, asked: str) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        table, seat = await a_turn(town)
        while asked == "claim" and not (table.hand and table.hand.phase == "claim" and table.hand.questions):
            await play_on(town, seat)
            await asyncio.sleep(3)
            if not (table.hand and table.hand.questions and table.hand.phase == "claim"):
                table, seat = await a_turn(town)
        assert table.hand is not None
        seat = next(iter(table.hand.questions))
        chat, number = chat_of(town, seat), table.hand.number
        await asyncio.sleep(3)
        answers = [button["callback_data"] for _, button in town.buttons(chat) if button["callback_data"][0] == "m"]
        begun = town.messages(chat)[-1].content.text
        for look in ("table", "seen"):
            await town.press(chat, chat, rf"\|{look}$")
            await asyncio.sleep(1)
            assert what_is_shown(town, chat) == look
            assert town.messages(chat)[-1].content.text == begun, "question and countdown stand"
            kept = [button["callback_data"] for _, button in town.buttons(chat) if button["callback_data"][0] == "m"]
            assert kept == answers
        await town.press(chat, chat, r"\|hand$")
        await asyncio.sleep(1)
        assert what_is_shown(town, chat) == "hand"
        await town.press(chat, chat, r"\|table$")
        await asyncio.sleep(1)
        await town.press_data(chat, chat, town.messages(chat)[-1].id, answers[-1])
        await asyncio.sleep(0.1)
        assert table.hand.number > number or seat not in table.hand.questions
        await a_turn(town, of=table.state.taken[(seat + 1) % 4].person)
        await a_turn(town, of=table.state.taken[seat].person)
        await asyncio.sleep(3)
        assert what_is_shown(town, chat) == "hand", "a new question brings it back"

    tell(story)


def test_who_looks_is_not_called_for_having_overlooked_it(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        table, seat = await a_turn(town)
        chat = chat_of(town, seat)
        await asyncio.sleep(3)
        before = len(photos(town, chat))
        await town.press(chat, chat, r"\|table$")
        await asyncio.sleep(asked_at(table) + 20 - now())
        assert len(photos(town, chat)) == before
        await asyncio.sleep(asked_at(table) + 33 - now())
        assert len(photos(town, chat)) == before + 1, "the reminder comes"
        assert what_is_shown(town, chat) == "hand"

    tell(story)


def test_standing_orders_are_open_to_who_is_asked(tmp_path: Path) -> None:
    async def story(town: Town) -> None:
        await a_game_of_days(town)
        _, seat = await a_turn(town)
        chat = chat_of(town, seat)
        await asyncio.sleep(3)
        await town.press(chat, chat, r"\|orders$")
        await asyncio.sleep(3)
        data = [button["callback_data"] for _, button in town.buttons(chat)]
        assert any("|d" in one for one in data)
        assert any(one.startswith("o|") and ":" in one for one in data)
        assert any(one.endswith("|hand") for one in data)
        assert len(data) <= 100

    teller(tmp_path, seated=False, dealing=setup_of)(story)


async def between(town: Town) -> Table:
    """The hand is played out at once, by people who are there."""
    table = table_of(town)

    def there(draft: Draft) -> Answer:
        for seat in range(4):
            draft.came_back(seat)
        draft.note("back")
        return SILENT

    await table.do(there)
    while table.state.phase == "playing":
        _, seat = await a_turn(town)
        await play_on(town, seat)
        if table.hand is not None and table.hand.in_window:
            await table.do(close)
    await asyncio.sleep(10)
    assert table.state.phase == "between"
    return table


def test_who_keeps_the_others_waiting_between_hands_is_called_and_once_again(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        await wish(town, 3, "never")
        table = await between(town)
        before = len(town.calls)
        first, second, never, slow = (chat_of(town, table.state.seat_of(person) or 0) for person in (1, 2, 3, 4))
        for chat in (first, second):
            await town.press(chat, chat, r"\|ready$")
        await asyncio.sleep(45)
        assert not table.state.waiting
        (call,) = [call for call in sounding(to_private(town)) if call in town.calls[before:]]
        assert call.chat_id == slow
        assert "⏰" in call.params["caption"]
        await asyncio.sleep(30)
        assert table.state.waiting
        called = [call.chat_id for call in sounding(to_private(town)) if call in town.calls[before:]]
        assert called == [slow, slow], "again when the seat may be taken"
        assert town.find(never, r"\|ready$") is not None
        await town.press(slow, slow, r"\|ready$")
        await asyncio.sleep(3)
        assert "⏰" not in town.messages(slow)[-1].content.text

    tell(story)


def test_between_hands_of_days_the_call_waits_for_the_morning(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        await a_game_of_days(town)
        hours = 3600
        await asyncio.sleep(START.timestamp() + 3.5 * hours - now())
        before = len(town.calls)
        table = await between(town)
        slow = chat_of(town, 0)
        for chat in town.people:
            if chat != slow:
                await town.press(chat, chat, r"\|ready$")
        await asyncio.sleep(START.timestamp() + 10.9 * hours - now())
        after = [call for call in to_private(town) if call in town.calls[before:]]
        assert not sounding(after), "nothing sounds at night"
        await asyncio.sleep(0.2 * hours)
        (morning,) = sounding([call for call in to_private(town) if call in town.calls[before:]])
        assert morning.chat_id == slow
        assert "⏰" in morning.params["caption"]
        assert not table.state.waiting

    tell_from_the_start(story)


def test_a_nudge_just_before_the_reminder_sends_the_hand_once(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        table, seat = await a_turn(town)
        asked, waiting = chat_of(town, seat), chat_of(town, (seat + 1) % 4)
        await asyncio.sleep(asked_at(table) + 29 - now())
        before = len(photos(town, asked))
        await town.press(waiting, waiting, r"\|nudge$")
        await asyncio.sleep(4)
        assert len(photos(town, asked)) == before + 1
        assert town.messages(asked)[-1].content.text.count("⏳") == 2, "the reminder stands in it all the same"

    tell(story)


def test_who_nudges_on_their_own_turn_is_told_so(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        _, seat = await a_turn(town)
        chat = chat_of(town, seat)
        toast = await town.press(chat, town.group_id, r"\|nudge$")
        assert any(text in (toast or "") for text in ("就是你", "your own turn"))

    tell(story)


def test_who_unblocks_the_bot_in_mid_hand_has_one_hand_at_the_bottom(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        _, seat = await a_turn(town)
        chat = chat_of(town, seat)
        await asyncio.sleep(3)
        town.world.crowd.block(chat)
        await asyncio.sleep(25)
        town.world.crowd.unblock(chat)
        town.world.crowd.start(chat)
        await asyncio.sleep(8)
        live = [message for message in town.messages(chat) if message.content.media and message.keyboard]
        assert len(live) == 1
        assert town.messages(chat)[-1].id == live[0].id, "nothing lies below it"

    tell(story)
