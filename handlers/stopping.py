"""Ending a table by command or by button: its host, the group's admins and the bot's operators may."""

from __future__ import annotations

from data.texts import Html, Words
from handlers import lobby
from handlers.answers import Answer
from handlers.house import House
from handlers.outbox import Button, Keyboard
from handlers.presses import table_data
from handlers.table import Table


async def stop(house: House, table: Table, person: int | None, user_id: int, *, admin: bool) -> Answer:
    """End a table (``lobby.stop``). ``user_id``: Telegram's of whoever wants it."""
    may = admin or user_id in house.operators
    return await table.do(lambda draft: lobby.stop(draft, person, admin=may))


def offer_to_annul(
    house: House, table: Table, user_id: int, answer: Answer, words: Words
) -> tuple[Html, Keyboard] | None:
    """What an operator is told, with a button, whose table runs on to the end of the hand: void that alone.

    ``answer``: what came of ``stop``. None: there is nothing to offer, or to nobody.
    """
    if user_id not in house.operators or answer.key != "toast.stopping":
        return None
    button = Button(words("button.annul"), table_data(table.id, "annul", table.state.hand), style="danger")
    return words.html("say.annul"), ((button,),)
