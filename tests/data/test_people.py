"""Persons and groups: ids of our own, whatever Telegram calls them."""

from __future__ import annotations

import pytest

from data.store import Change, Conflict, Sent, Store
from tests.data.samples import CHAT, NOW, four, group_table, opening, play, won


async def test_a_person_is_met_once_and_brought_up_to_date(store: Store) -> None:
    met = await store.person_by_telegram(11, "阿明", "ming", "zh-hant", NOW)
    assert (met.telegram_id, met.name, met.username, met.private_ok, met.prefs) == (11, "阿明", "ming", False, {})
    assert (met.language, met.language_chosen) == ("zh_Hant", False)
    assert await store.person_by_telegram(11, "阿明", "ming", "zh-hant", NOW) == met
    renamed = await store.person_by_telegram(11, "Ming <b>", None, "en", NOW)
    assert (renamed.id, renamed.name, renamed.username, renamed.language) == (met.id, "Ming <b>", None, "en")
    assert (await store.wallet(met.id)).balance == 1_500
    assert (await store.person_by_telegram(12, "阿明", None, None, NOW)).id != met.id


async def test_big_telegram_ids(store: Store) -> None:
    met = await store.person_by_telegram(2**52 - 1, "x", None, None, NOW)
    group = await store.group_by_telegram(-1_002_147_483_648_123, "g", True, NOW)
    assert met.telegram_id == 2**52 - 1
    assert group.telegram_id == -1_002_147_483_648_123
    assert group.is_forum


async def test_what_a_person_chooses(store: Store) -> None:
    met = await store.person_by_telegram(11, "阿明", None, "fr", NOW)
    assert met.language == "en"
    await store.set_language(met.id, "zh_Hant")
    await store.set_private_ok(met.id, True)
    await store.set_prefs(met.id, {"ring": "slow", "confirm": True})
    await store.set_prefs(met.id, {"ring": "never", "confirm": None})
    found = await store.person(met.id)
    assert found is not None
    assert (found.language, found.language_chosen, found.private_ok) == ("zh_Hant", True, True)
    assert found.prefs == {"ring": "never"}
    await store.set_language(met.id, None)
    await store.set_private_ok(met.id, False)
    found = await store.person(met.id)
    assert found is not None
    assert (found.language, found.language_chosen, found.private_ok) == ("en", False, False)


async def test_persons_by_id(store: Store) -> None:
    persons = await four(store)
    assert await store.persons([persons[2].id, persons[0].id, 99]) == {p.id: p for p in (persons[0], persons[2])}
    assert await store.persons(iter(())) == {}
    assert await store.person(99) is None
    with pytest.raises(Conflict, match="person 99"):
        await store.set_prefs(99, {"a": 1})


async def test_a_group_is_met_once_and_brought_up_to_date(store: Store) -> None:
    met = await store.group_by_telegram(CHAT, "周末麻将", False, NOW)
    assert (met.telegram_id, met.title, met.is_forum, met.language) == (CHAT, "周末麻将", False, "zh_Hans")
    assert await store.group_by_telegram(CHAT, "周末麻将", False, NOW) == met
    renamed = await store.group_by_telegram(CHAT, "天天麻将", True, NOW, "en")
    assert (renamed.id, renamed.title, renamed.is_forum, renamed.language) == (met.id, "天天麻将", True, "zh_Hans")
    await store.set_group_language(met.id, "zh_Hant")
    changed = await store.set_group_settings(met.id, {"timer": "fast", "beat": 2.5})
    assert (changed.language, changed.settings) == ("zh_Hant", {"timer": "fast", "beat": 2.5})
    assert (await store.set_group_settings(met.id, {"beat": None})).settings == {"timer": "fast"}
    assert await store.group(99) is None
    with pytest.raises(Conflict, match="group 99"):
        await store.set_group_settings(99, {})


async def test_a_group_becomes_a_supergroup(store: Store) -> None:
    group = await store.group_by_telegram(-7, "g", False, NOW)
    table = await store.create_table(group.id, {}, NOW)
    await store.save_sent(Sent("t1:group", -7, 5, "d", NOW), Sent("p1", 11, 6, "d", NOW))
    for _ in range(2):  # both chats tell of it
        moved = await store.migrate_group(-7, -1007)
        assert moved is not None
        assert (moved.id, moved.telegram_id, moved.title) == (group.id, -1007, "g")
    assert (await store.group_by_telegram(-7, "late news", False, NOW)).telegram_id == -1007
    assert (await store.group_by_telegram(-1007, "g2", True, NOW)).title == "g2"
    assert await store.table_of_group(group.id) == table
    assert [sent.key for sent in await store.sent_messages()] == ["p1"]
    assert await store.migrate_group(-8, -1008) is None


async def test_somebody_speaks_in_the_supergroup_before_we_are_told(store: Store) -> None:
    persons = await four(store)
    seats = [person.id for person in persons]
    old = await group_table(store, persons, -7)
    hand = opening(store, seats)
    await play(store, old, hand, won(hand))
    await store.commit(Change(old.id, close=NOW))
    new = await group_table(store, persons, -1007)
    hand = opening(store, seats, held=1_000)
    await play(store, new, hand, won(hand, 1))
    moved = await store.migrate_group(-7, -1007)
    assert moved is not None
    assert (moved.id, moved.telegram_id) == (old.group_id, -1007)
    assert (await store.table_of_group(moved.id) or new).id == new.id
    assert {rank.person_id: (rank.hands, rank.net) for rank in await store.ranking(moved.id)} == {
        seats[0]: (2, 40),
        seats[1]: (2, 40),
        seats[2]: (2, -40),
        seats[3]: (2, -40),
    }
    assert new.group_id is not None
    assert await store.group(new.group_id) is None


async def test_two_open_tables_cannot_become_one(store: Store) -> None:
    await group_table(store, chat=-7)
    new = await group_table(store, chat=-1007)
    with pytest.raises(Conflict):
        await store.migrate_group(-7, -1007)
    assert (await store.group_by_telegram(-1007, "周末麻将", False, NOW)).id == new.group_id
