"""What is kept about a person is all theirs to have, and gone from the files when they are forgotten."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random

import pytest

from data.ledger import START_COINS
from data.model import Json
from data.store import Change, Conflict, NotEnough, Sent, Store, Void, Wallet
from tests.data.samples import CHAT, NOW, current, four, group_table, later, opening, play, won


def untouched(state: Json) -> Json | None:
    return None


async def test_forgetting_keeps_the_books_and_nothing_personal(store: Store) -> None:
    persons = await four(store)
    a = persons[0]
    await store.set_prefs(a.id, {"ring": "never"})
    await store.set_language(a.id, "en")
    table = await group_table(store)
    assert table.group_id is not None
    await store.set_group_settings(table.group_id, {"banned": [a.id, 9], "callers": [a.id]})
    hand = opening(store, [person.id for person in persons])
    await play(store, table, hand, won(hand))
    changed = await store.forget(a.id, later(900), lambda state: {**state, "seen": True})
    assert [group.settings for group in changed] == [{"banned": [9], "callers": []}]
    left = await store.person(a.id)
    assert left is not None
    assert (left.telegram_id, left.name, left.username, left.prefs, left.language_chosen) == (None, "", None, {}, False)
    assert (await store.wallet(a.id)).balance == 0
    assert [(rank.person_id, rank.name) for rank in await store.ranking(table.group_id, limit=1)] == [(a.id, "")]
    fresh = await store.table(table.id)
    assert fresh is not None
    assert fresh.state["seen"]
    again = await store.person_by_telegram(11, "阿明", None, None, NOW)
    assert again.id != a.id
    assert (await store.wallet(again.id)).balance == START_COINS
    with pytest.raises(Conflict):
        await store.forget(a.id, later(1000), untouched)


async def test_forgetting_reads_no_table_that_is_closed(store: Store) -> None:
    """There is one for each game ever played, and nobody's move is committed meanwhile."""
    a, *_ = await four(store)
    made = [await store.create_table(None, {"who": "阿明", "n": n}, NOW) for n in range(6)]
    for table in made[:2]:
        await store.commit(Change(table.id, state={"n": "last"}, close=NOW))
    for table in made[2:4]:
        await store.commit(Change(table.id, close=NOW))
    read: list[Json] = []

    def scrub(state: Json) -> Json | None:
        read.append(state)
        return {**state, "who": ""}

    await store.forget(a.id, NOW, scrub)
    assert read == [{"who": "阿明", "n": n} for n in (4, 5)]
    kept = [await current(store, table) for table in made]
    assert [table.state for table in kept] == [*[{"n": "last"}] * 2, {}, {}, *({"who": "", "n": n} for n in (4, 5))]


async def test_nobody_is_forgotten_in_mid_hand(store: Store) -> None:
    persons = await four(store)
    table = await group_table(store)
    hand = opening(store, [person.id for person in persons], held=100)
    await play(store, table, hand, None)
    with pytest.raises(Conflict, match=f"plays hand {hand.hand_id}"):
        await store.forget(persons[0].id, NOW, untouched)
    assert (await store.person(persons[0].id)) == persons[0]


async def test_nobody_is_forgotten_while_a_hand_holds_their_coins(store: Store) -> None:
    """Also if they do not play it, which cannot be."""
    persons = await four(store)
    stranger = await store.person_by_telegram(77, "x", None, None, NOW)
    table = await group_table(store)
    hand = opening(store, [person.id for person in persons], holds={stranger.id: 1})
    await play(store, table, hand, None)
    with pytest.raises(NotEnough, match="below what it holds"):
        await store.forget(stranger.id, NOW, untouched)
    assert await store.wallet(stranger.id) == Wallet(START_COINS, 1)
    await store.commit(Change(table.id, void=Void(hand.hand_id, NOW, "stopped")))


async def test_messages_are_forgotten_with_the_person(store: Store) -> None:
    a, b, *_ = await four(store)
    theirs = {
        "t1:p1:hand": 11,
        "#11": 11,
        f"say:{CHAT}:11:score": CHAT,
        "~-100:-5": CHAT,
        f"say:{CHAT}:112:score": CHAT,
        "t1:table": CHAT,
    }
    for key, chat in theirs.items():
        digest = '{"text":"","keys":"","sure":true,"for":11}' if key.startswith("~") else '{"for":112}'
        await store.save_sent(Sent(key, chat, 5, digest, NOW))
    await store.forget(a.id, NOW, untouched)
    assert {row.key for row in await store.sent_messages()} == {f"say:{CHAT}:112:score", "t1:table"}
    await store.save_sent(Sent("#11", 11, 0, "[]", NOW))
    await store.forget_messages(11)
    assert "#11" not in {row.key for row in await store.sent_messages()}
    assert await store.person(b.id) == b


async def test_no_trace_is_left_in_the_files(path: Path, inline: bool) -> None:
    """Names of all lengths, given, changed and grown over, in rows and in documents of tables that outgrow a page."""
    store = await Store.open(path, inline=inline)
    chance = Random(7)
    names = [f"名{number:03}号{'很长' * chance.randrange(40)}尾{number:03}" for number in range(120)]
    people = [
        await store.person_by_telegram(10**9 + n, name, f"user_{n:03}x", None, NOW) for n, name in enumerate(names)
    ]
    tables = [await store.create_table(None, {"who": [], "pad": ""}, NOW) for _ in range(8)]
    for _ in range(600):
        n = chance.randrange(len(names))
        match chance.randrange(3):
            case 0:
                await store.person_by_telegram(
                    10**9 + n, names[n] + "改" * chance.randrange(9), f"user_{n:03}x", None, NOW
                )
            case 1:
                key = f"say:-1:{10**9 + n}:score"
                await store.save_sent(Sent(key, 10**9 + n, 1, "x" * chance.randrange(900), NOW))
            case _:
                known = [chance.choice(names) for _ in range(chance.randrange(60))]
                state = {"who": known, "pad": "p" * chance.randrange(9000)}
                await store.commit(Change(chance.choice(tables).id, state=state))
    gone = chance.sample(range(len(names)), 40)
    lost = {names[n] for n in gone}

    def scrub(state: Json) -> Json | None:
        return {**state, "who": [name for name in state["who"] if name not in lost]}

    for n in gone:
        await store.forget(people[n].id, NOW, scrub)
        await store.forget_messages(10**9 + n)
    left = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    await store.close()
    kept = next(n for n in range(len(names)) if n not in gone)
    assert f"尾{kept:03}".encode() in left
    traces = [f"名{n:03}号" for n in gone] + [f"尾{n:03}" for n in gone] + [f"user_{n:03}x" for n in gone]
    traces += [f":{10**9 + n}:" for n in gone]
    assert [trace for trace in traces if trace.encode() in left] == []
    store = await Store.open(path, inline=inline)
    assert await store.audit() is None
    await store.close()


async def test_settings_that_cannot_be_read_keep_nobody_from_being_forgotten(store: Store) -> None:
    persons = await four(store)
    bad = await store.group_by_telegram(-7, "g", False, NOW)
    good = await store.group_by_telegram(-8, "h", False, NOW)
    for group in (bad, good):
        await store.set_group_settings(group.id, {"banned": [persons[0].id]})
    with sqlite3.connect(store.path) as file:
        file.execute("UPDATE groups SET settings = '{' WHERE id = ?", (bad.id,))
    file.close()
    (changed,) = await store.forget(persons[0].id, NOW, lambda state: None)
    assert (changed.id, changed.settings) == (good.id, {"banned": []})
    read = await store.group(bad.id)
    assert read is not None
    assert read.settings == {}
