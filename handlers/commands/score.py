"""/score: this group's ranking by coins won here, and one's own coins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from data.model import Rank
from data.texts import Html
from handlers.calls import Call, Command
from handlers.names import shown_name
from handlers.screens.pictures import picture
from handlers.screens.seating import lines
from handlers.wording import signs
from render.words import RankingRow, RankingWords

ROWS = 10
EVERYBODY = 1000


async def run(call: Call) -> None:
    """The ranking in a group, as a card with the same in words; in private the wallet."""
    house, words, person = call.house, call.words, call.person
    parts: list[Html] = []
    card = None
    if call.group is not None:
        parts.append(words.html("score.title", group=call.group.title))
        ranks = await house.store.ranking(call.group.id, limit=ROWS)
        own = await house.store.rank_of(call.group.id, person.id) if person is not None else None
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
        if own is not None and all(rank.person_id != own.person_id for rank in ranks):
            parts.append(words.html("score.rank", n=own.place, net=f"{own.net:+,}"))
        if ranks:
            day = house.day(house.clock.now())
            today = {rank.person_id: rank.net for rank in await house.store.ranking(call.group.id, day, EVERYBODY)}
            card = picture(house.renderer, "ranking", None, ranking_words(call, ranks, own, today))
    if person is not None:
        wallet = await house.store.wallet(person.id)
        parts.append(words.html("score.mine", name=shown_name(person.name), coins=f"{wallet.balance:,}"))
        if wallet.held:
            parts.append(words.html("score.held", held=f"{wallet.held:,}"))
    call.say(lines(*parts), picture=card)


def ranking_words(call: Call, ranks: Sequence[Rank], own: Rank | None, today: Mapping[int, int]) -> RankingWords:
    """The words of the ranking's card; ``today``: what each person won today."""
    words = call.words
    assert call.group is not None
    shown = list(ranks)
    if own is not None and all(rank.person_id != own.person_id for rank in shown):
        shown[-1:] = [own]
    rows = tuple(
        RankingRow(
            rank.place,
            shown_name(rank.name),
            rank.hands,
            today.get(rank.person_id),
            rank.net,
            me=own is not None and rank.person_id == own.person_id,
        )
        for rank in shown
    )
    return RankingWords(
        signs=signs(words, "zhangzhou"),
        title=words("score.card_title"),
        group=shown_name(call.group.title),
        subtitle=words("score.card_subtitle", day=call.house.day(call.house.clock.now())),
        heads=(
            words("score.head_name"),
            words("score.head_hands"),
            words("score.head_today"),
            words("score.head_total"),
        ),
        rows=rows,
        me=words("score.me"),
        mine=words("score.card_mine", n=own.place) if own is not None else "",
    )


COMMAND = Command("score", run, anonymous=True)
