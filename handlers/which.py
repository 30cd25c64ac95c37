"""Which of several tables a command in private is meant for."""

from __future__ import annotations

from collections.abc import Sequence

from data.texts import Words
from handlers.calls import Call
from handlers.names import shown_name
from handlers.outbox import Button
from handlers.presses import table_data
from handlers.table import Table


def ask_which(call: Call, key: str, choices: Sequence[tuple[Table, str]]) -> None:
    """Ask by buttons; each choice is a table and the action of its button."""
    rows = tuple((Button(table_name(table, call.words), table_data(table.id, action)),) for table, action in choices)
    call.say(call.words.html(key), rows)


def table_name(table: Table, words: Words) -> str:
    """A table as its players would name it: the group and the game."""
    game = words(f"game.{table.state.rules}")
    if table.group is None:
        return words("which.practice", game=game)
    return words("which.table", group=shown_name(table.group.title), game=game)
