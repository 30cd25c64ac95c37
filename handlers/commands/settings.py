"""/settings: one's own in private; in a group the group's, which its admins change."""

from __future__ import annotations

from handlers import recordings, settings, settings_group
from handlers.calls import Call, Command
from handlers.screens.hearing import PAGE


async def run(call: Call) -> None:
    """Show the menu at the bottom of the chat."""
    if call.group is not None:
        await settings_group.show(call.house, call.group, call.thread)
    elif call.person is not None:
        settings.show_own(call.house, call.person, call.chat_id)


COMMAND = Command("settings", run, place=120, anonymous=True, pages={PAGE: recordings.press})
