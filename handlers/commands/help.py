"""/help: how to play, on one page."""

from __future__ import annotations

from handlers.calls import Call, Command


async def run(call: Call) -> None:
    """Say the page."""
    call.say_key("help.text")


COMMAND = Command("help", run, anonymous=True)
