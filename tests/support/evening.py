"""What must hold of a town whenever one looks."""

from __future__ import annotations

import json
import re
from typing import Any

from mahjong.records import Record, play
from mahjong.rulesets import RULESETS
from playground.world import Call
from tests.support.town import Town, label_of
from tests.support.virtual import run as run_virtual

__all__ = ["check", "excused", "line_of", "run_virtual"]
NAMED_DISCARD = re.compile(
    r"打([一二三四五六七八九][万萬筒索]|[东東南西北白发發中]( |$|·))|threw (\d|East|South|West|North|White|Green|Red)"
)


async def check(town: Town, coins: int | None = None) -> None:
    """What must hold whenever one looks. ``coins``: of all wallets together."""
    wrong = [call for call in town.calls if call.status != 200 and call.fault is None and not excused(call)]
    assert not wrong, line_of(wrong[0])
    assert await town.store.audit() is None
    wallets = await town.store.wallets(range(1, len(town.people) + 1))
    assert sum(wallet.balance for wallet in wallets.values()) == (coins if coins is not None else 1500 * len(wallets))
    for row in await town.hands():
        if row.record is not None:
            assert row.result is not None
            assert sum(row.result["net"]) == 0
            assert play(Record.from_json(row.record)) == row.result
    check_seals(town)
    check_hidden_discards(town)
    await check_pictures(town)


def check_hidden_discards(town: Town) -> None:
    """In a game of hidden discards no text names one before the hand is over, the thrower's own toast apart."""
    games = [RULESETS[table.state.rules] for table in town.house._tables.values()]
    if not any(game.hidden_discards for game in games):
        return
    for call in town.calls:
        media = call.params.get("media")
        text = call.params.get("text") or call.params.get("caption") or (media or {}).get("caption") or ""
        over = "🔓" in text or "▲" in text or text.startswith("🎞")
        if call.method != "answerCallbackQuery" and not over:
            assert not NAMED_DISCARD.search(text), text


def check_seals(town: Town) -> None:
    """Before any hand's dice its seal stands in the group (telegram.md, *Fair deals*)."""
    sealed = False
    for call in town.calls:
        if call.status != 200 or call.chat_id != town.group_id:
            continue
        if call.method == "sendMessage" and "🔏" in call.params.get("text", ""):
            sealed = True
        elif call.method == "sendDice":
            assert sealed, "dice were thrown before the seal"
        elif call.method == "sendPhoto":
            sealed = False


async def check_pictures(town: Town) -> None:
    """Every picture in a private chat is for its owner's eyes, every one in the group for all eyes."""
    seats: dict[tuple[int, int, int], int] = {}
    persons = {}
    for person_id in range(1, len(town.people) + 1):
        person = await town.store.person(person_id)
        if person is not None:
            persons[person_id] = person.telegram_id
    for row in await town.hands():
        for seat, owner in enumerate(row.seats):
            if isinstance(owner, int):
                seats[(row.table_id, row.number, persons[owner] or 0)] = seat
    for chat in town.world.chats.values():
        for message in chat.messages.values():
            if message.content.media is None or message.content.media.kind != "photo":
                continue
            label = label_of(message.content.media.data)
            if label["kind"] in ("sheet", "replay", "diagram", "pays", "profile", "ranking"):
                # Of hands that are over, or of none.
                continue
            if chat.private:
                owners = {seat for (_, _, person), seat in seats.items() if person == chat.id}
                assert owners & town.renderer.readers[label["digest"]], (chat.id, label)
                # A review is of a hand that is over, and may be shown around.
                assert message.protected or label["kind"] == "review"
            else:
                # Seat 0 sees the same table as everybody, and that picture is uploaded once.
                assert None in town.renderer.readers[label["digest"]], (chat.id, label)


def excused(call: Call) -> bool:
    """Refusals that cannot be avoided: after a kill the bot cannot know what had arrived, nor that it is thrown out; a
    server is asked what it can by a call that names nothing."""
    if call.method == "deleteEphemeralMessage" and not call.params:
        return True
    return call.description is not None and any(
        words in call.description
        for words in (
            "message is not modified",
            "message to delete not found",
            "message to edit not found",
            "query is too old",
            "bot was kicked",
            "bot was blocked",
            "user is deactivated",
            "BOT_NOT_ADMIN",
        )
    )


def line_of(call: Call) -> str:
    """A call as a line of the log."""
    shown: dict[str, Any] = {
        "number": call.number,
        "time": round(call.time, 6),
        "method": call.method,
        "chat": call.chat_id,
        "params": call.params,
        "files": call.files,
        "status": call.status,
        "description": call.description,
    }
    return json.dumps(shown, ensure_ascii=False, sort_keys=True) + "\n"
