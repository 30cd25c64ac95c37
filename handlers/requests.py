"""PTB's requests without the work whose outcome nobody looks at: half of what a call costs the event loop."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import httpx
from telegram.request import HTTPXRequest

KEPT = 6
"""Connections kept when they rest: httpcore looks at every one of them several times a call."""

# httpcore looks for this package several times a call; as long as it is not installed, all over the file system.
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]


class Request(HTTPXRequest):
    """Makes no objects of what the bot knows or never reads: keyboards, entities, the smaller sizes of photos.

    ``connections``: how many calls may be under way at once.
    """

    def __init__(self, connections: int) -> None:
        super().__init__(
            connection_pool_size=connections,
            httpx_kwargs={
                "event_hooks": {"request": [_in_one_piece]},
                "limits": httpx.Limits(max_connections=connections, max_keepalive_connections=KEPT),
            },
        )
        self._free = asyncio.Semaphore(connections)

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """See ``BaseRequest.do_request``. Waits for a free connection here: httpcore would hold every call that waits
        against every connection whenever one begins or ends, and come to a standstill under load."""
        async with self._free:
            return await super().do_request(*args, **kwargs)

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """See ``BaseRequest.parse_json_payload``."""
        document: dict[str, Any] = HTTPXRequest.parse_json_payload(payload)
        result = document.get("result")
        if isinstance(result, dict):
            _bare(result)
        elif isinstance(result, list):
            for update in result:
                query = update.get("callback_query") if isinstance(update, dict) else None
                if isinstance(query, dict) and isinstance(query.get("message"), dict):
                    pressed = _pressed(query)
                    _bare(query["message"])
                    if pressed is not None:
                        query["message"]["reply_markup"] = pressed
        return document


def _pressed(query: dict[str, Any]) -> dict[str, Any] | None:
    """Of a keyboard the button that was pressed: whether there is one tells a press from a forged one."""
    markup = query["message"].get("reply_markup")
    rows = markup.get("inline_keyboard", ()) if isinstance(markup, dict) else ()
    data = query.get("data")
    found = next((button for row in rows for button in row if button.get("callback_data") == data), None)
    return None if data is None or found is None else {"inline_keyboard": [[found]]}


def _bare(message: dict[str, Any]) -> None:
    for name in ("reply_markup", "entities", "caption_entities"):
        message.pop(name, None)
    if photo := message.get("photo"):
        message["photo"] = photo[-1:]


async def _in_one_piece(request: httpx.Request) -> None:
    """httpx sends an upload in many small pieces, each with time-outs of its own; a picture fits into one."""
    await request.aread()
