"""/hand: my hand again: in the group for my eyes only, else at the bottom of the private chat."""

from __future__ import annotations

from handlers.calls import Call, Command
from handlers.outbox import Asked
from handlers.table import Table

BROUGHT = "say.hand_private"


async def run(call: Call) -> None:
    """Show the hand in the group, by an ephemeral photo; where that cannot be done, bring it down in private.

    In private: all of the person's living messages, one a table.
    """
    assert call.person is not None
    person = call.person
    tables = call.own_tables
    if call.group is None:
        brought = [table.showing.bring_hand_down(person) for table in tables]
        if not any(brought):
            call.say_key("say.no_seat")
        return
    table = tables[0] if tables else None

    def in_private(shown: bool = False) -> None:
        if shown:
            return
        key = _bring_down(table, call)
        # It is there to see.
        call.tell(lambda words: call.to_sender(words, words(key)), else_silent=key == BROUGHT)

    if table is None or not table.showing.own_hands.show(person, Asked(message_id=call.ephemeral), in_private):
        in_private()


def _bring_down(table: Table | None, call: Call) -> str:
    assert call.person is not None
    return BROUGHT if table is not None and table.showing.bring_hand_down(call.person) else "say.no_seat"


COMMAND = Command("hand", run, place=30, ephemeral=True, by_button="hand")
