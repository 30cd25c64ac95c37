"""/leave: give up one's seat, or one's place in the queue."""

from __future__ import annotations

from handlers import lobby, waiting
from handlers.calls import Call, Command
from handlers.which import ask_which


async def run(call: Call) -> None:
    """Leave the table: at once between hands, after the running hand else. Of several tables ask which."""
    person = call.person
    assert person is not None
    if call.group is not None and call.table is None:
        call.say_key("say.no_table")
        return
    tables = call.own_tables
    waited = [table for table in call.house.tables_waited_at(person.id) if call.group is None or table is call.table]
    if not tables and not waited:
        call.say_to("toast.not_seated" if call.group is not None else "say.no_seat")
        return
    if len(tables) + len(waited) > 1:
        ask_which(call, "say.leave_which", [(table, "leave") for table in tables] + [(t, "unqueue") for t in waited])
        return
    if tables:
        answer = await tables[0].do(lambda draft: lobby.leave(draft, person.id))
    else:
        answer = await waited[0].do(lambda draft: waiting.leave(draft, person.id))
    call.say_answer(answer)


COMMAND = Command("leave", run, place=90, by_button="leave")
