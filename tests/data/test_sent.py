"""The outbox's memory."""

from __future__ import annotations

from dataclasses import replace

from data.store import Sent, Store
from tests.data.samples import NOW, later


async def test_messages_are_remembered_by_key(store: Store) -> None:
    text = Sent("t1:group", -100, 5, "abc", NOW)
    photo = Sent("t1:hand:2", 11, 6, "def", later(1), picture="pic", file_id="AgAD", thread_id=3)
    await store.save_sent(photo, text)
    assert await store.sent_messages() == [text, photo]
    changed = replace(photo, message_id=7, picture=None, file_id=None, thread_id=None)
    await store.save_sent(changed)
    assert await store.sent_messages() == [text, changed]
    await store.forget_sent("t1:group", "unknown")
    assert await store.sent_messages() == [changed]
    await store.save_sent()
    await store.forget_sent()
    assert await store.sent_messages() == [changed]
