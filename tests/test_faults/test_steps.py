"""Steps that go wrong where nobody thought of it: whoever waits is answered, the table plays on, nothing is lost."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest

from data.errors import NotEnough
from handlers.draft import Draft
from handlers.play import Warnings
from handlers.showing import Showing
from mahjong.moves import Move
from tests.support.stories import chat_of, dealt, played_out, table_of, text_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell
from tests.test_faults.test_presses import turn


def once(error: Exception, real: Callable[..., Any]) -> Callable[..., Any]:
    """Raises the first time, and is the real thing from then on."""
    left = [error]

    def broken(*arguments: Any, **more: Any) -> Any:
        if left:
            raise left.pop()
        return real(*arguments, **more)

    return broken


@pytest.mark.parametrize("error", [NotEnough("not enough"), ValueError("0 discard 5m"), KeyError(5)], ids=repr)
def test_a_change_that_is_refused_is_answered_and_the_next_press_plays(tell: Tell, error: Exception) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        _, chat = await turn(town)
        assert table.hand is not None
        number = table.hand.number
        town.store.commit = once(error, town.store.commit)  # type: ignore[method-assign]
        toasts = []
        for message, button in town.buttons(chat):
            if re.match(r"m\|.*\|d", data := button["callback_data"]) and table.hand.number == number:
                toasts.append(await town.press_data(chat, chat, message.id, data, force=True) or "")
        assert len([toast for toast in toasts if re.match("出了[点點]", toast)]) == 1
        assert toasts[-1].startswith("打 ")
        await played_out(town)

    tell(story, errors=("there were not the coins", "nothing of it was kept"))


@pytest.mark.parametrize("part", ["refresh_soon", "ring_everybody", "bring_down", "tell"])
def test_what_cannot_be_shown_holds_all_the_same(tell: Tell, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    async def story(town: Town) -> None:
        await played_out(town)
        table = table_of(town)
        shown = getattr(Showing, part)

        def broken(self: Showing, *arguments: Any, **more: Any) -> None:
            raise KeyError(part)

        monkeypatch.setattr(Showing, part, broken)
        for seat in range(4):
            await town.press(chat_of(town, seat), chat_of(town, seat), r"\|ready$")
        await asyncio.sleep(30)
        monkeypatch.setattr(Showing, part, shown)
        assert table.state.phase == "playing", "the dice fall and the tiles are dealt"
        await asyncio.sleep(3600)
        assert table.state.hand >= 2, "deadlines come due"

    tell(story, errors=("could not be shown",))


def test_dice_that_cannot_be_thrown_are_done_without(tell: Tell, monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(town: Town) -> None:
        monkeypatch.setattr(Showing, "seal", once(ValueError("no seal"), Showing.seal))
        await dealt(town)

    tell(story, playing=False, errors=("the dice could not be thrown",))


def test_a_deal_that_never_succeeds_closes_the_table_and_gives_the_coins_back(
    tell: Tell, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(town: Town) -> None:
        def broken(self: Draft, *arguments: Any) -> None:
            raise ValueError("no such wall")

        monkeypatch.setattr(Draft, "deal", broken)
        await asyncio.sleep(600)
        assert not town.house.tables
        assert [(row.outcome, row.ended_at is not None) for row in await town.hands()] == [("void", True)]
        wallets = await town.store.wallets([person.id for person in map(known(town), town.people)])
        assert {wallet.held for wallet in wallets.values()} == {0}
        assert "出了故障" in text_of(town, town.group_id)

    tell(story, playing=False, errors=("nothing of it was kept", "could not be taken up"))


def known(town: Town) -> Callable[[int], Any]:
    """Looks up a person by their private chat."""
    return town.house.people.by_chat


def test_a_warning_is_of_its_own_hand(tell: Tell) -> None:
    async def story(town: Town) -> None:
        table = table_of(town)
        warned = Move(0, "discard", (5,))
        table.warnings.heeded(1, warned, town.house.clock.now())
        await played_out(town)
        for seat in range(4):
            await town.press(chat_of(town, seat), chat_of(town, seat), r"\|ready$")
        await dealt(town)
        assert not table.warnings.heeded(1, warned, town.house.clock.now()), "the same move of another hand"
        assert table.warnings != Warnings()

    tell(story)
