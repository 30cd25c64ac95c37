"""A flood of presses or commands by one person: answered cheaply, and nobody else notices."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from handlers.dealing import setup_of
from tests.support.stories import chat_of, table_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell
from tests.test_faults.test_presses import turn

SECONDS = 6
A_SECOND = 50


async def flood(town: Town, rude: int, once: Callable[[int], object]) -> None:
    """One person floods the bot while the others play; these do not wait for it."""
    since = town.world.now()
    others = [one for one in town.people if one != rude]
    players = [town.background(town.play_at_random(one)) for one in others]
    for number in range(SECONDS * A_SECOND):
        once(number)
        await asyncio.sleep(1 / A_SECOND)
    await asyncio.sleep(3)
    for player in players:
        player.cancel()
    calm = [wait for one in others for wait in waits(town, since, one)]
    assert calm
    assert max(calm) < 1.0, "nobody else waits"


def waits(town: Town, since: float, person: int) -> list[float]:
    """How long a person's presses waited for their answers, in seconds."""
    answered = {
        call.params["callback_query_id"]: call.time for call in town.calls if call.method == "answerCallbackQuery"
    }
    presses = [press for press in town.world.presses.values() if press.person_id == person and press.time > since]
    assert all(press.id in answered for press in presses if press.time < town.world.now() - 2)
    return [answered[press.id] - press.time for press in presses if press.id in answered]


@pytest.mark.parametrize("what", ["moves", "looks", "my hand", "settings"])
def test_fifty_presses_a_second(tell: Tell, what: str) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        seat, asked = await turn(town)
        rude = asked if what == "moves" else chat_of(town, (seat + 1) % 4)
        where = town.group_id if what == "my hand" else rude
        message = town.messages(where)[-1].id
        found = town.find(rude, r"^m\|.*\|d")
        data = {
            "moves": found[1]["callback_data"] if found is not None else "-",
            "looks": f"h|{table.id}|{table.state.hand}|table",
            "my hand": f"h|{table.id}|{table.state.hand}|hand",
            "settings": "s|p|lang",
        }[what]
        since, start = town.world.now(), len(town.calls)
        await flood(town, rude, lambda _: town.world.crowd.press(rude, where, message, data, force=True))
        group = [call for call in town.calls[start:] if call.chat_id == town.group_id]
        assert len(group) <= 12
        mine = [c for c in town.calls[start:] if c.chat_id == rude and c.method != "answerCallbackQuery"]
        assert len(mine) <= 1.2 * (town.world.now() - since)
        moves = [entry for entry in await town.store.table_journal(table.id) if entry.seat == seat]
        assert len(moves) < 30

    tell(story, dealing=setup_of)


@pytest.mark.parametrize(
    ("where", "text"),
    [("group", "/table"), ("group", "/score"), ("group", "/join " + "长" * 4000), ("private", "/newgame")],
    ids=["table", "score", "join, 4,000 characters", "newgame in private"],
)
def test_fifty_commands_a_second(tell: Tell, where: str, text: str) -> None:
    async def story(town: Town) -> None:
        rude = chat_of(town, 1)
        there = rude if where == "private" else town.group_id
        start = len(town.calls)
        await flood(town, rude, lambda _: town.world.crowd.say(rude, there, text))
        said = [call for call in town.calls[start:] if call.chat_id == there and call.method.startswith("send")]
        assert len(said) <= 12
        assert table_of(town).state.phase in ("playing", "between")

    tell(story)
