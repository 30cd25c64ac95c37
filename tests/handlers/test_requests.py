"""What PTB makes no objects of, and what is left of an update: the button that was pressed."""

from __future__ import annotations

import json
from typing import Any

from telegram import Update

from handlers.application import _has_button
from handlers.requests import Request


def updates(data: str) -> list[dict[str, Any]]:
    """A press of a button of a hand's message, as getUpdates brings it."""
    rows = [[{"text": str(n), "callback_data": f"m|1|1|{n}|d5m"} for n in range(row, row + 8)] for row in (0, 8)]
    message = {
        "message_id": 7,
        "date": 1,
        "chat": {"id": 5, "type": "private", "first_name": "x"},
        "caption": "c",
        "caption_entities": [{"type": "bold", "offset": 0, "length": 1}],
        "photo": [{"file_id": n, "file_unique_id": n, "width": 1, "height": 1} for n in "abc"],
        "reply_markup": {"inline_keyboard": rows},
    }
    person = {"id": 5, "is_bot": False, "first_name": "x"}
    query = {"id": "q", "from": person, "chat_instance": "i", "data": data, "message": message}
    payload = json.dumps({"ok": True, "result": [{"update_id": 1, "callback_query": query}]}).encode()
    result: list[dict[str, Any]] = Request.parse_json_payload(payload)["result"]
    return result


def test_of_a_keyboard_the_pressed_button_is_left_and_nothing_else() -> None:
    (update,) = updates("m|1|1|9|d5m")
    message = update["callback_query"]["message"]
    assert message["reply_markup"] == {"inline_keyboard": [[{"text": "9", "callback_data": "m|1|1|9|d5m"}]]}
    assert "caption_entities" not in message
    assert len(message["photo"]) == 1
    read = Update.de_json(update, None)
    assert _has_button(read.callback_query.message, "m|1|1|9|d5m")  # type: ignore[union-attr, arg-type]


def test_data_that_no_button_has_stay_without_one() -> None:
    (update,) = updates("m|1|1|99|d5m")
    assert "reply_markup" not in update["callback_query"]["message"]
