"""Bot blocked, private chat or account deleted; removed from the group, group deleted, rights lost."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

import pytest

from playground.faults import Fault
from tests.support.stories import chat_of, dealt, newest, played_out, seats_of, table_of, text_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell
from tests.test_faults.test_presses import turn

CLOSED = re.compile("这一桌散了|這一桌散了|table is closed")


def block(town: Town, person: int) -> None:
    town.world.crowd.block(person)


def delete_account(town: Town, person: int) -> None:
    town.world.crowd.remove_person(person)


def block_unheard(town: Town, person: int) -> None:
    """Blocked, and the update about it never came: the next message finds out."""
    town.world.chats[person].blocked = True


@pytest.mark.parametrize("asked", [True, False], ids=["whose turn it is", "who waits"])
@pytest.mark.parametrize("lose", [block, delete_account, block_unheard], ids=lambda lose: lose.__name__)
def test_a_player_who_blocks_the_bot(tell: Tell, lose: Callable[[Town, int], None], asked: bool) -> None:
    """The table is told once, a computer plays on, and after the hand the seat is free."""

    async def story(town: Town) -> None:
        table = table_of(town)
        seat, _ = await turn(town)
        seat = seat if asked else (seat + 2) % 4
        gone, name = chat_of(town, seat), seats_of(town)[seat].name
        before = len(town.calls)
        lose(town, gone)
        others = [town.background(town.play_at_random(one)) for one in town.people if one != gone]
        for _ in range(900):
            if seats_of(town)[seat].leaving:
                break
            await asyncio.sleep(0.2)
        assert seats_of(town)[seat].leaving
        assert seats_of(town)[seat].auto
        for _ in range(300):
            if f"{name} 的私聊不通，先由电脑代打" in text_of(town, town.group_id):
                break
            await asyncio.sleep(0.1)
        assert text_of(town, town.group_id).count(f"{name} 的私聊不通") == 1
        for _ in range(3000):
            if (await town.hands())[0].ended_at is not None:
                break
            await asyncio.sleep(1)
        (row,) = await town.hands()
        assert row.ended_at is not None
        assert row.outcome != "void"
        await asyncio.sleep(30)
        assert len(table.state.persons) == 3
        assert table.state.phase == "lobby"
        refused = [call for call in town.calls[before:] if call.chat_id == gone and call.status == 403]
        assert len(refused) <= 2, "whoever cannot be reached is left in peace"
        assert text_of(town, town.group_id).count(f"{name} 的私聊不通") == 1
        for other in others:
            other.cancel()

    tell(story)


def test_who_blocks_and_comes_back_gets_the_hand_again_and_plays_on(tell: Tell) -> None:
    async def story(town: Town) -> None:
        seat, chat = await turn(town)
        town.world.crowd.block(chat)
        await asyncio.sleep(3)
        assert seats_of(town)[seat].leaving
        town.world.crowd.unblock(chat)
        await asyncio.sleep(10)
        assert any(m.content.media is not None for m in town.messages(chat))
        assert not seats_of(town)[seat].leaving
        assert not seats_of(town)[seat].auto
        await played_out(town)
        assert len(table_of(town).state.persons) == 4

    tell(story)


def remove(town: Town) -> None:
    town.world.crowd.leave(town.group_id, town.world.bot.id, by=town.people[0])


def silence(town: Town) -> None:
    town.world.crowd.set_status(town.group_id, town.world.bot.id, "restricted", can_send=False)


def delete_group(town: Town) -> None:
    town.world.crowd.remove_group(town.group_id)


def remove_unheard(town: Town) -> None:
    town.world.chats[town.group_id].members[town.world.bot.id].status = "left"


def test_who_comes_back_after_the_table_has_closed_is_told_how_the_hand_ended(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        away = town.people[2]
        town.world.crowd.block(away)
        await played_out(town, but=[away])
        town.world.crowd.say(town.people[0], town.group_id, "/stop")
        await asyncio.sleep(30)
        assert not town.house._tables
        assert town.find(away, r"^m\||\|table$") is not None
        others = {chat: len(town.messages(chat)) for chat in (*town.people, town.group_id) if chat != away}
        # A kill in between forgets nothing.
        await town.kill()
        await town.open()
        await asyncio.sleep(30)
        town.world.crowd.unblock(away)
        await asyncio.sleep(30)
        assert town.find(away, r"^m\||\|table$") is None
        assert newest(town, away, "第 ?1 ?局|Hand 1") is not None
        assert others == {chat: len(town.messages(chat)) for chat in others}

    tell(story)


@pytest.mark.parametrize("phase", ["playing", "between", "dice"])
@pytest.mark.parametrize("lose", [remove, silence, delete_group, remove_unheard], ids=lambda lose: lose.__name__)
def test_a_group_that_is_lost(tell: Tell, lose: Callable[[Town], None], phase: str) -> None:
    """The table is closed, of an open hand nothing moves, its players are told, and they can play elsewhere."""

    async def story(town: Town) -> None:
        if phase == "between":
            await played_out(town)
        else:
            for _ in range(600):
                if table_of(town).state.phase == phase:
                    break
                await asyncio.sleep(0.05)
        assert table_of(town).state.phase == phase
        wallets = {one: wallet.balance for one, wallet in (await town.store.wallets(range(1, 5))).items()}
        lose(town)
        players = [town.background(town.play_at_random(one)) for one in town.people]
        for _ in range(1200):
            if not town.house._tables:
                break
            await asyncio.sleep(0.5)
        assert not town.house._tables
        for player in players:
            player.cancel()
        await asyncio.sleep(20)
        (row,) = await town.hands()
        assert row.outcome == "void" if phase != "between" else row.outcome != "void"
        after = await town.store.wallets(range(1, 5))
        assert {one: wallet.balance for one, wallet in after.items()} == wallets
        assert all(wallet.available == wallet.balance for wallet in after.values()), "nothing is held back"
        for chat in town.people:
            assert CLOSED.search(text_of(town, chat)), chat
            assert not [b for _, b in town.buttons(chat) if b["callback_data"].startswith("m|")]
        refused = [call for call in town.calls if call.chat_id == town.group_id and call.status in (400, 403)]
        assert len(refused) <= 3
        town.calls[:] = [call for call in town.calls if call not in refused]
        town.world.crowd.say(town.people[0], town.people[0], "/newgame")
        await asyncio.sleep(5)
        assert town.house._tables

    tell(story, playing=False)


def test_rights_to_send_photos_or_dice_alone_are_no_reason_to_stop(tell: Tell) -> None:
    """The table goes on in words, and the seed alone makes the wall; the group is told so."""

    async def story(town: Town) -> None:
        for method, what in (("sendPhoto", "photos"), ("sendDice", "other messages")):
            description = f"Bad Request: not enough rights to send {what} to the chat"
            fault = Fault("error", method, town.group_id, code=400, description=description, times=1000)
            town.world.faults.add(fault)
        for _ in range(600):
            if table_of(town).state.phase == "playing":
                break
            await asyncio.sleep(0.1)
        await asyncio.sleep(10)
        assert table_of(town).state.phase == "playing"
        assert table_of(town).state.dice == []
        shown = [
            m
            for m in town.messages(town.group_id)
            if any("|down" in b.get("callback_data", "") for r in m.keyboard for b in r)
        ]
        assert [m.content.kind for m in shown] == ["text"]
        await played_out(town)

    tell(story, playing=False)
