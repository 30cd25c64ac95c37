"""Hands that are over, a page at a time, and 同桌流水: who has won how much from whom at a group's table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo

from data.model import Flow, HandLine, HandPage
from data.texts import Html, Words
from handlers.names import shown_name
from handlers.outbox import Button, Keyboard
from handlers.presses import page_data
from handlers.screens.seating import lines, seat_names
from handlers.screens.sheet import ended_line
from handlers.table_state import Seat
from mahjong.tiles import parse_tiles

ROW = 4
"""Buttons for hands in a row: broad enough for a thumb."""
MINE = "me"
"""In callback data in place of a group: the presser's own hands, wherever they were."""
GROUPS = 4
PERIODS = ("day", "month", "all")
OWN = 12
OTHERS = 10
"""Pairs that are shown at most: those with the reader, and others."""


def history_text(
    page: HandPage,
    players: Mapping[int, Sequence[Seat]],
    words: Words,
    now: datetime,
    zone: tzinfo,
    *,
    group: str | None,
    reader: int | None = None,
    groups: Mapping[int, str] | None = None,
) -> Html:
    """The page in words, a line a hand. ``players``: who sat there, by hand.

    ``group``: the title of the group whose hands these are; None: those of ``reader``, a person, and each line tells
    what they won or lost and where it was: ``groups``, titles by id.
    """
    rows = []
    for number, hand in enumerate(page.lines, 1):
        names = seat_names(players[hand.id], words)
        where = ""
        if group is None:
            title = (groups or {}).get(hand.group_id or 0)
            where = words("history.in", group=shown_name(title)) if title is not None else words("history.practice")
        rows.append(
            words.html(
                "history.row",
                n=number,
                when=when(hand.ended_at, now, zone),
                where=where,
                what=ended_line(hand.rules, hand.outcome, hand.winner, hand.by, hand.source, _tile(hand), names, words),
                net=_net(hand, reader),
                mark=words("history.friendly") if hand.friendly else "",
            )
        )
    title = words.html("history.mine") if group is None else words.html("history.title", group=shown_name(group))
    return lines(title, *(rows or [words.html("history.none")]))


def when(at: datetime, now: datetime, zone: tzinfo) -> str:
    """A time as short as it can be told: 「20:31」 today, 「5-01 20:31」 this year, else with the year."""
    local, today = at.astimezone(zone), now.astimezone(zone)
    clock = f"{local:%H:%M}"
    if local.date() == today.date():
        return clock
    day = f"{local.month}-{local.day:02}"
    return f"{day} {clock}" if local.year == today.year else f"{local.year}-{day} {clock}"


def _tile(hand: HandLine) -> int | None:
    return parse_tiles(hand.tile)[0] if hand.tile is not None else None


def _net(hand: HandLine, reader: int | None) -> str:
    """What the reader, else the winner, else who called a false win, has won or lost; empty where nothing moved."""
    if reader is not None:
        seat = hand.seats.index(reader) if reader in hand.seats else None
    else:
        seat = hand.winner if hand.winner is not None else hand.source
    net = hand.net[seat] if seat is not None and hand.net else 0
    return f" {net:+,}" if net else ""


def history_keyboard(
    page: HandPage, scope: int | str, first: int, words: Words, *, groups: Mapping[int, str] | None = None
) -> Keyboard:
    """A button for each hand, older and newer pages, 同桌流水; in private the way between one's own and a group's.

    ``scope``: a group's id or ``MINE``; ``first``: the hand that the page begins with, 0 for the newest. ``groups``:
    in private, titles by id of those to look into.
    """
    hands = [
        Button(str(number), page_data("v", hand.id, "sheet", scope, first))
        for number, hand in enumerate(page.lines, 1)
        if hand.net
    ]
    rows = [tuple(hands[at : at + ROW]) for at in range(0, len(hands), ROW)]
    turns = []
    if page.newer is not None:
        turns.append(Button(words("button.newer"), page_data("i", scope, "hands", page.newer)))
    if page.older is not None:
        turns.append(Button(words("button.older"), page_data("i", scope, "hands", page.older)))
    rows.append(tuple(turns))
    if scope != MINE:
        rows.append((Button(words("button.flows"), page_data("i", scope, "flows", "all")),))
    if groups is not None and scope != MINE:
        rows.append((Button(words("button.my_hands"), page_data("i", MINE, "hands", 0)),))
    elif groups is not None:
        rows += [
            (Button(shown_name(title), page_data("i", group_id, "hands", 0)),)
            for group_id, title in list(groups.items())[:GROUPS]
        ]
    return tuple(row for row in rows if row)


def flows_text(
    flows: Sequence[Flow],
    names: Mapping[int, str],
    period: str,
    words: Words,
    *,
    group: str,
    reader: int,
    you: bool,
) -> Html:
    """Who has won how much from whom: the reader's own pairs first, then the greatest; computers in one line.

    ``names``: as shown, by person. ``you``: the reader alone reads it, and is called so.
    """
    own, others, computers = [], [], 0
    total = 0
    for flow in flows:
        if reader in (flow.winner, flow.loser):
            won = flow.winner == reader
            total += flow.net if won else -flow.net
            own.append(
                _pair(reader, flow.loser if won else flow.winner, flow.net if won else -flow.net, names, words, you)
            )
        elif None in (flow.winner, flow.loser):
            computers += flow.net if flow.winner is None else -flow.net
        else:
            others.append(_pair(flow.winner, flow.loser, flow.net, names, words))
    me = words("flows.you") if you else names.get(reader, "")
    left = max(0, len(own) - OWN) + max(0, len(others) - OTHERS)
    return lines(
        words.html("flows.title", group=shown_name(group), period=words(f"flows.period.{period}")),
        *own[:OWN],
        words.html("flows.total", name=me, net=signed(total)) if len(own) > 1 else None,
        words.html("flows.others") if own and (others or computers) else None,
        *others[:OTHERS],
        words.html("flows.computers", net=signed(computers)) if computers else None,
        words.html_n("flows.more", left) if left else None,
        None if flows else words.html("flows.none"),
    )


def _pair(
    one: int | None, other: int | None, net: int, names: Mapping[int, str], words: Words, you: bool = False
) -> Html:
    """「阿明 ← 阿珍 +320」: coins flow along the arrow; ``you``: the first is called so."""
    called = [words("flows.computer") if person is None else names.get(person, "") for person in (one, other)]
    if you:
        called[0] = words("flows.you")
    key = "flows.won" if net > 0 else "flows.lost"
    return words.html(key, one=called[0], other=called[1], net=signed(net))


def signed(net: int) -> str:
    """Coins won or lost."""
    return f"{net:+,}" if net else "0"


def flows_keyboard(scope: int, period: str, words: Words) -> Keyboard:
    """The periods, and the way back."""
    periods = []
    for other in PERIODS:
        text = words(f"flows.period.{other}")
        shown = words("button.chosen" if other == period else "button.choice", text=text)
        periods.append(Button(shown, page_data("i", scope, "flows", other)))
    return tuple(periods), (Button(words("button.to_hands"), page_data("i", scope, "hands", 0)),)
