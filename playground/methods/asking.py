"""Answers to presses, and files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playground import documents
from playground.errors import bad_request
from playground.files import MAX_DOWNLOAD
from playground.methods.registry import Args, Method, Uploads, entry

if TYPE_CHECKING:
    from playground.world import World

METHODS: dict[str, Method] = {}


@entry(METHODS, "answerCallbackQuery")
def answer_callback_query(world: World, args: Args, _: Uploads) -> Any:
    """Within 15 seconds and once. A url may only be a link to this bot (or open a game, of which there are none)."""
    press = world.presses.get(args["callback_query_id"])
    if press is None or press.status != "waiting":
        raise bad_request("query is too old and response timeout expired or query ID is invalid")
    url = args.get("url") or None
    if url is not None and documents.start_payload(world, url) is None:
        raise bad_request("URL_INVALID")
    press.text = args.get("text", "")
    press.alert = bool(args.get("show_alert"))
    press.url = url
    world.end_press(press, "answered")
    return True


@entry(METHODS, "getFile")
def get_file(world: World, args: Args, _: Uploads) -> Any:
    """``getFile`` of the Bot API."""
    media = world.files.by_id(args["file_id"])
    if media is None:
        raise bad_request("wrong file_id or the file is temporarily unavailable")
    if len(media.data) > MAX_DOWNLOAD:
        raise bad_request("file is too big")
    return {
        "file_id": media.file_id,
        "file_unique_id": media.unique_id,
        "file_size": len(media.data),
        "file_path": media.path,
    }
