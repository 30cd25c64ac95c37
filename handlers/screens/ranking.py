"""A group's ranking by coins won there: its card with the same in words, for a day, a week, a month, or all time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final, Literal, get_args

from data.model import Group, Rank, RankingPage
from data.texts import Html, Words
from handlers.names import shown_name
from handlers.outbox import Button, Keyboard, Message
from handlers.preferences import GroupSettings
from handlers.presses import BLANK, page_data
from handlers.screens.pictures import picture
from handlers.screens.seating import lines, person_name
from handlers.screens.settings import choice
from handlers.wording import day_word, signed, signs
from render.pool import Renderer
from render.words import RankingRow, RankingWords

Period = Literal["day", "week", "month", "all"]
PERIODS: Final[tuple[Period, ...]] = get_args(Period)
ROWS: Final = 10
GROUPS: Final = 8
"""Groups on one page of a person's own."""
MINE: Final = "mine"
"""In place of a period, with group 0: the groups that a person has played in."""


def first_day(period: Period, today: str) -> str | None:
    """The local day with which a period begins that holds today (weeks on Monday); None: it has no beginning.

    >>> first_day("week", "2026-05-03"), first_day("month", "2026-05-03"), first_day("all", "2026-05-03")
    ('2026-04-27', '2026-05-01', None)
    """
    day = date.fromisoformat(today)
    match period:
        case "day":
            return today
        case "week":
            return (day - timedelta(days=day.weekday())).isoformat()
        case "month":
            return day.replace(day=1).isoformat()
        case "all":
            return None


def ranking_message(
    renderer: Renderer,
    chat_id: int,
    group: Group,
    page: RankingPage,
    period: Period,
    number: int,
    today: str,
    words: Words,
    *,
    back: bool = False,
    thread: int | None = None,
) -> Message:
    """One page of a group's ranking, ``number`` from 0 on. ``back``: in a private chat, with a way back to my groups.

    Nobody's wallet is told, only what was won in the group.
    """
    shown = _with_own(page)
    text = lines(
        words.html(f"score.title.{period}", group=shown_name(group.title)),
        *(
            words.html_n(
                "score.row",
                rank.hands,
                place=rank.place,
                name=person_name(rank.name, words),
                net=signed(rank.net),
                wins=rank.wins,
            )
            for rank in shown
        ),
        words.html(f"score.none.{period}") if not page.of else None,
    )
    tiles = GroupSettings.of(group).tiles
    card = picture(renderer, "ranking", None, ranking_words(group, page, period, today, words, private=back), tiles)
    rows: list[tuple[Button, ...]] = [
        tuple(
            choice(words, words(f"score.period.{each}"), each == period, page_data("r", group.id, each, 0))
            for each in PERIODS
        ),
        *turning(number, -(-page.of // ROWS), words, "r", group.id, period),
    ]
    if back:
        rows.append((Button(words("score.back"), page_data("r", 0, MINE, 0)),))
    return Message(chat_id, text, tuple(rows), card, silent=True, thread_id=thread)


def ranking_words(
    group: Group, page: RankingPage, period: Period, today: str, words: Words, *, private: bool
) -> RankingWords:
    """The words of the ranking's card. The column of the day is empty where the whole is about the day.

    In a group, where everybody sees it, whoever asked is called by name.
    """
    own = page.own
    rows = tuple(
        RankingRow(
            rank.place,
            person_name(rank.name, words),
            rank.hands,
            page.today.get(rank.person_id),
            rank.net,
            me=own is not None and rank.person_id == own.person_id,
        )
        for rank in _with_own(page)
    )
    begin = first_day(period, today)
    when = (
        day_word(words, today) if begin is None or begin == today else words("score.since", day=day_word(words, begin))
    )
    return RankingWords(
        signs=signs(words, "zhangzhou"),
        title=words("score.card_title"),
        group=shown_name(group.title),
        subtitle=words(f"score.card_subtitle.{period}", day=when),
        heads=(
            words("score.head_name"),
            words("score.head_hands"),
            words("score.head_today") if period != "day" else "",
            words(f"score.head_total.{period}"),
        ),
        rows=rows,
        me=words("score.me") if private else "",
        mine=_asker(own, words, private=private) if own is not None else "",
        note=words(f"score.none.{period}") if not rows else "",
    )


def _asker(own: Rank, words: Words, *, private: bool) -> str:
    """Where whoever asked stands."""
    if private:
        return words("score.card_mine", n=own.place, of=own.of)
    return words("score.card_asker", name=person_name(own.name, words), n=own.place, of=own.of)


def groups_message(
    chat_id: int, ranks: Mapping[int, Rank], groups: Mapping[int, Group], number: int, words: Words, wallet: Html
) -> Message:
    """The groups that a person has played in, with their place and what they have won there; page ``number``."""
    mine = [(groups[group_id], rank) for group_id, rank in ranks.items() if group_id in groups]
    shown = mine[number * GROUPS :][:GROUPS]
    text = lines(
        words.html("score.groups" if mine else "score.no_groups"),
        *(
            words.html("score.group_row", group=shown_name(group.title), n=rank.place, of=rank.of, net=signed(rank.net))
            for group, rank in shown
        ),
        wallet,
    )
    keyboard: Keyboard = (
        *((Button(shown_name(group.title), page_data("r", group.id, "all", 0)),) for group, _ in shown),
        *turning(number, -(-len(mine) // GROUPS), words, "r", 0, MINE),
    )
    return Message(chat_id, text, keyboard, silent=True)


def turning(number: int, pages: int, words: Words, kind: str, *fields: str | int) -> Keyboard:
    """The row of buttons that turns pages: back, where one is, on; none where there is but one page."""
    if pages < 2:
        return ()
    row = [Button(words("page.at", n=number + 1, of=pages), BLANK)]
    if number > 0:
        row.insert(0, Button(words("page.back"), page_data(kind, *fields, number - 1)))
    if number + 1 < pages:
        row.append(Button(words("page.on"), page_data(kind, *fields, number + 1)))
    return (tuple(row),)


def _with_own(page: RankingPage) -> list[Rank]:
    """The rows of a page, and the reader's own in its order if it stands on another."""
    rows, own = list(page.rows), page.own
    if own is not None and all(rank.person_id != own.person_id for rank in rows):
        ahead = bool(rows) and (own.place, own.person_id) < (rows[0].place, rows[0].person_id)
        rows.insert(0 if ahead else len(rows), own)
    return rows
