"""The commands, one file each; their order is that of Telegram's menu."""

from __future__ import annotations

from handlers.calls import Command
from handlers.commands import (
    ban,
    daily,
    hand,
    help,
    history,
    join,
    kick,
    leave,
    me,
    newgame,
    score,
    settings,
    start,
    stop,
    table,
)

COMMANDS: tuple[Command, ...] = (
    newgame.COMMAND,
    join.COMMAND,
    hand.COMMAND,
    table.COMMAND,
    score.COMMAND,
    me.COMMAND,
    history.COMMAND,
    daily.COMMAND,
    leave.COMMAND,
    settings.COMMAND,
    stop.COMMAND,
    kick.COMMAND,
    ban.COMMAND,
    ban.UNBAN,
    help.COMMAND,
    start.COMMAND,
)
