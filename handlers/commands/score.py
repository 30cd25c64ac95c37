"""/score: this group's ranking by coins won here, and one's own coins."""

from __future__ import annotations

from data.texts import Html
from handlers.calls import Call, Command
from handlers.names import shown_name
from handlers.screens.seating import lines

ROWS = 10


async def run(call: Call) -> None:
    """The ranking in a group; in private the wallet."""
    house, words, person = call.house, call.words, call.person
    parts: list[Html] = []
    if call.group is not None:
        parts.append(words.html("score.title", group=call.group.title))
        ranks = await house.store.ranking(call.group.id, limit=ROWS)
        parts += [
            words.html(
                "score.row",
                n=rank.place,
                name=shown_name(rank.name),
                net=f"{rank.net:+,}",
                hands=rank.hands,
                wins=rank.wins,
            )
            for rank in ranks
        ] or [words.html("score.none")]
        own = await house.store.rank_of(call.group.id, person.id) if person is not None else None
        if own is not None and all(rank.person_id != own.person_id for rank in ranks):
            parts.append(words.html("score.rank", n=own.place, net=f"{own.net:+,}"))
    if person is not None:
        wallet = await house.store.wallet(person.id)
        parts.append(words.html("score.mine", name=shown_name(person.name), coins=f"{wallet.balance:,}"))
        if wallet.held:
            parts.append(words.html("score.held", held=f"{wallet.held:,}"))
    call.say(lines(*parts))


COMMAND = Command("score", run)
