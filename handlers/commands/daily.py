"""/daily: the day's coins, and relief for who has too few to sit down (telegram.md, *Coins*)."""

from __future__ import annotations

from data.ledger import DAILY_COINS, RELIEF_TO, RELIEF_UNDER
from data.texts import Html, Words
from handlers import allowance
from handlers.allowance import Given
from handlers.calls import Call, Command
from handlers.names import shown_name
from handlers.screens.seating import lines


async def run(call: Call) -> None:
    """Give what is due, and say what comes next; asked again it says the same without giving."""
    assert call.person is not None
    given = await allowance.ask(call.house, call.person)
    name = shown_name(call.person.name) if call.group is not None else None
    call.tell(lambda words: daily_text(given, words, name))


def daily_text(given: Given, words: Words, name: str | None = None) -> Html:
    """What was given, the coins there are now, and what comes next. ``name``: whose they are, in a group."""
    grants = given.grants
    row = words("daily.row", n=grants.days) if grants.days > 1 else ""
    poor = given.wallet.balance < RELIEF_UNDER
    after = words.html("daily.tomorrow", coins=DAILY_COINS)
    if given.reliefs_left:
        left = words.html_n("daily.relief_left", given.reliefs_left, under=RELIEF_UNDER, to=RELIEF_TO)
        after = Html(after + left)
    return lines(
        words.html("daily.name", name=name) if name is not None else None,
        words.html("daily.relief", coins=given.relief, to=RELIEF_TO) if given.relief else None,
        words.html("daily.given" if given.daily else "daily.had", coins=DAILY_COINS, row=row),
        words.html("daily.now", coins=f"{given.wallet.balance:,}"),
        words.html("daily.no_relief") if poor else None,
        after,
    )


COMMAND = Command("daily", run, place=80, ephemeral=True)
