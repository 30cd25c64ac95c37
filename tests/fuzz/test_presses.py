"""What people can send to a living bot: callback data, commands, deep links. Nothing breaks and no coin is lost."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from hypothesis import strategies as st

from handlers.commands import COMMANDS
from handlers.presses import read_press
from playground.errors import ApiError, ControlError
from tests.fuzz.entrances import entrance, no_error_logged
from tests.support.evening import check as check_town
from tests.support.evening import run_virtual
from tests.support.stories import dealt
from tests.support.town import Town

WORDS = (
    "p", "g", "main", "open", "close", "hello", "lang", "language", "en", "auto", "game", "option", "timer", "cover",
    "level", "hints", "tiles", "voices", "voice", "ring", "confirm", "banned", "unban", "on", "off", "list", "sit",
    "leave", "start", "stop", "ready", "wait", "fill", "swap", "options", "practice", "add", "drop", "play", "learn",
    "hand", "table", "seen", "down", "sound", "hint", "guess", "guesses", "nudge", "resume", "reopen", "absent_wait",
    "chow_no", "win", "auto:5m", "day", "week", "all", "coins", "me", "call", "forget", "forget_now", "goal",
    "zhangzhou",
    "putian-an", "putian-ming", "zhangzhou_0_1", "putian-ming_9_9", "replay", "proof", "film", "review", "text", "file",
    "d5m", "c4m6m", "p5z", "k1s1s1s1s", "h", "x", "r", "y5m", "d", "1.1", "0.0", "users", "tables", "backup", "log",
)  # fmt: skip
fields = st.one_of(
    st.sampled_from(WORDS),
    st.integers(0, 6).map(str),
    st.integers(-(10**16), 10**16).map(str),
    st.tuples(st.sampled_from(WORDS), st.integers(0, 40)).map(lambda pair: f"{pair[0]}_{pair[1]}"),
    st.text(max_size=12),
)


def in_bytes(text: str, most: int = 64) -> str:
    """As much of a text as callback data may have."""
    return text.encode("utf-8", "ignore")[:most].decode("utf-8", "ignore") or "-"


letters = st.one_of(st.sampled_from("mthos"), st.sampled_from("abcdefghijklmnopqrstuvwxyz"), st.text(max_size=2))
numbers = st.integers(0, 4)
"""Of tables, hands and questions that a young town has, or nearly."""
nearly = st.one_of(
    st.builds("t|{}|{}".format, numbers, st.sampled_from(WORDS)),
    st.builds("t|{}|{}_{}".format, numbers, st.sampled_from(WORDS), numbers),
    st.builds("h|{}|{}|{}".format, numbers, numbers, st.sampled_from(WORDS)),
    st.builds("h|{}|{}|{}_{}".format, numbers, numbers, st.sampled_from(WORDS), numbers),
    st.builds("o|{}|{}|{}".format, numbers, numbers, fields),
    st.builds("m|{}|{}|{}|{}".format, numbers, numbers, st.integers(0, 9),
              st.from_regex(r"\A[dcpkhxry]([1-9][mpszf]){0,4}\Z")),
    st.builds("s|{}|{}".format, st.sampled_from("pg"), st.sampled_from(WORDS)),
    st.builds("s|{}|{}|{}".format, st.sampled_from("pg"), st.sampled_from(WORDS), st.sampled_from(WORDS)),
    st.builds("{}|{}|{}".format, st.sampled_from("ariyvlwu"), st.sampled_from(WORDS), numbers),
    st.builds("{}|{}|{}|{}".format, st.sampled_from("ariyvlwu"), numbers, st.sampled_from(WORDS), numbers),
)  # fmt: skip
"""What a button might have."""
far_off = st.builds(lambda letter, rest: "|".join((letter, *rest)), letters, st.lists(fields, max_size=6))
presses = st.one_of(nearly, far_off).map(in_bytes)


@entrance(300, data=st.one_of(presses, st.text(max_size=64)))
def test_callback_data_are_read_or_none(data: str) -> None:
    read_press(data)


payloads = st.one_of(
    st.builds(lambda front, back: f"{front}_{back}", st.sampled_from((*WORDS, "queue", "callme", "rules")), fields),
    st.builds(lambda front, number: f"{front}_{number}_0123456789ab", st.sampled_from(("sit", "queue", "callme")),
              st.integers(0, 10**15)),
    st.text("abcdefghijklmnopqrstuvwxyzABZ0123456789_-", max_size=64),
)  # fmt: skip
arguments = st.one_of(st.just(""), fields, st.text(max_size=200), st.sampled_from(["@nobody", "<b>&", "❄" * 900]))
said = st.one_of(
    st.builds(
        lambda name, argument: f"/{name} {argument}", st.sampled_from([each.name for each in COMMANDS]), arguments
    ),
    st.builds(lambda payload: f"/start {payload}", payloads),
    st.text(min_size=1, max_size=60),
)
people, places = st.integers(0, 3), st.booleans()
deeds = st.one_of(
    st.tuples(st.just("press"), people, places, presses, st.integers(0, 30)),
    st.tuples(st.just("known"), people, places, st.just(""), st.integers(0, 200)),
    st.tuples(st.just("say"), people, places, said, st.just(0)),
)
Deed = tuple[str, int, bool, str, int]


async def do(town: Town, deed: Deed) -> None:
    """One thing that somebody sends. ``known``: a button that stands somewhere, pressed wherever that may be."""
    what, who, in_group, text, number = deed
    person = town.people[who]
    chat = town.group_id if in_group else person
    # What Telegram itself refuses never comes in.
    with suppress(ApiError, ControlError):
        if what == "say":
            town.world.crowd.say(person, chat, text.strip() or "?")
        elif what == "press":
            await town.press_data(person, chat, number, text, force=True)
        elif offered := town.buttons(chat):
            message, button = offered[number % len(offered)]
            await town.press_data(person, chat, message.id, button["callback_data"])
    await asyncio.sleep(1.5)


async def check(town: Town) -> None:
    """What must always hold. Coins may have come by /daily: the books say whether they are all there."""
    assert town.line.broken == []
    wallets = await town.store.wallets(range(1, len(town.people) + 1))
    await check_town(town, sum(wallet.balance for wallet in wallets.values()))


async def story(folder: Path, after: Sequence[Deed], while_playing: Sequence[Deed]) -> None:
    town = Town(folder / "town.sqlite3", 3)
    await town.open()
    await town.seat_all()
    await dealt(town)
    for deed in while_playing:
        await do(town, deed)
    await check(town)
    # Whatever was done is kept: the next life of the bot is asked the same things, and goes on.
    await town.kill()
    await town.open()
    for deed in after:
        await do(town, deed)
    await check(town)
    await town.close()


@entrance(6, after=st.lists(deeds, max_size=15), playing=st.lists(deeds, min_size=10, max_size=40))
def test_whatever_people_send_a_town_lives_on(after: list[Deed], playing: list[Deed]) -> None:
    with tempfile.TemporaryDirectory() as folder, no_error_logged():
        run_virtual(story(Path(folder), after, playing))
