"""Telegram's limits on sending."""

from __future__ import annotations

from playground.world import TOKEN
from tests.playground.support import Bench, keyboard


def waits(bench: Bench, chat_id: int, method: str = "sendMessage", **params: object) -> int:
    """0, or for how long the call was told to wait."""
    status, payload = bench.world.call(TOKEN, method, {"chat_id": chat_id, "text": "x", **params})
    if status == 200:
        return 0
    assert payload["error_code"] == status == 429
    seconds: int = payload["parameters"]["retry_after"]
    assert payload["description"] == f"Too Many Requests: retry after {seconds}"
    return seconds


def test_a_group_gets_twenty_messages_and_edits_a_minute() -> None:
    bench = Bench()
    for number in range(10):
        assert waits(bench, bench.group) == 0
        last = bench.world.chats[bench.group].last_id
        assert waits(bench, bench.group, "editMessageText", message_id=last, text=f"edited {number}") == 0
        bench.clock.advance(2)
    assert waits(bench, bench.group) == 40
    assert waits(bench, bench.group, "editMessageText", message_id=last, text="more") == 40
    bench.call("deleteMessage", chat_id=bench.group, message_id=last)
    bench.call("sendChatAction", chat_id=bench.group, action="typing")
    bench.clock.advance(40)
    assert waits(bench, bench.group) == 0
    document = bench.world.budgets.document(bench.world.now())
    assert document["refused"] == 2
    other = bench.crowd.add_group("other", [bench.ming]).id
    assert waits(bench, other) == 0


def test_a_private_chat_gets_one_a_second_with_short_bursts() -> None:
    bench = Bench()
    bench.crowd.start(bench.ming)
    assert [waits(bench, bench.ming) for _ in range(6)] == [0, 0, 0, 0, 0, 1]
    bench.clock.advance(1)
    assert [waits(bench, bench.ming) for _ in range(2)] == [0, 1]
    for _ in range(100):
        bench.clock.advance(1)
        assert waits(bench, bench.ming) == 0


def test_thirty_a_second_in_all() -> None:
    bench = Bench()
    people = [bench.crowd.add_person(f"p{number}").id for number in range(40)]
    for person in people:
        bench.crowd.start(person)
    assert sum(waits(bench, person) == 0 for person in people) == 30
    bench.clock.advance(1)
    assert sum(waits(bench, person) == 0 for person in people) == 30


def test_answers_to_presses_are_free() -> None:
    bench = Bench()
    bench.call("sendMessage", chat_id=bench.group, text="x", reply_markup=keyboard([("a", "1")]))
    for _ in range(60):
        press = bench.crowd.press(bench.ming, bench.group, bench.world.chats[bench.group].last_id, data="1")
        bench.call("answerCallbackQuery", callback_query_id=press.id)


def test_budgets_can_be_off() -> None:
    bench = Bench(budgets=False)
    assert all(waits(bench, bench.group) == 0 for _ in range(100))
