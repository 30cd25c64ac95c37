"""The score sheet: who won how, each item with its multiplier, who paid whom, totals (rules-zhangzhou 12)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape

from data.model import Feat
from data.texts import Html, Words
from handlers.names import shown_name
from handlers.outbox import Button, Keyboard, Message
from handlers.presses import page_data, table_data
from handlers.screens.coach import sheet_coach, sheet_ways
from handlers.screens.lobby import level_button, queue_button
from handlers.screens.pictures import picture
from handlers.screens.seating import held_line, joined, lines, relief_line, seat_names, tier_words
from handlers.table_state import TableState
from handlers.wording import capital, own_key, signs, streak_word, tile_word, win_word
from mahjong.feats import FEATS, RECOVERED
from mahjong.match import SEAT_MINIMUM, base_for
from mahjong.moves import Seat
from mahjong.rulesets import RULESETS
from mahjong.tiles import Tile
from mahjong.views import ScoreLine, SheetView
from render.pool import Renderer
from render.tiles import TileSet
from render.words import FourWords, ItemWords, SheetWords, SumWords

FEATS_TOLD = 4
"""Feats that a sheet tells at most, so that they leave room for the score."""
HIGHLIGHTS = frozenset({"double_you", "triple_you", "three_gold", "rob_kong", "big_bomb", "super_bomb"})
"""Kinds of win that people tell each other about: there is a film of them."""
CAPTION = 1024
"""Characters of a caption (Bot API); the picture holds all of it, so that a longer text may be cut."""
FOLDED = 3
"""So many lines of what pays what stand as they are; more are opened by a tap."""


def sheet_message(
    renderer: Renderer,
    chat_id: int,
    state: TableState,
    sheet: SheetView,
    names: FourWords,
    words: Words,
    *,
    reader: int | None = None,
    seed: str | None = None,
    tiles: TileSet = "plain",
    group: str | None = None,
    urging: str | None = None,
    guessed: Html | None = None,
    feats: Sequence[Feat] = (),
    said: Html | None = None,
) -> Message:
    """The sheet of the hand that ended last; ``reader`` is a seat in a private chat, None for the group.

    ``names``: of the hand's four players, who may have left since. ``tiles``: the set that the chat has chosen.
    ``group``: the title of the table's, for a private chat. ``urging``: a catalogue key of a line that presses for an
    answer; ``guessed``: a line about those who guessed who would win. ``feats``: done for the first time in this
    hand. ``said``: the last call in words. Meant to be shared: not protected.
    """
    plain = seat_names(state.players, words, plain=True)
    shown = picture(renderer, "sheet", sheet, sheet_words(state, sheet, plain, words), tiles)
    thread = state.thread if reader is None else None
    # Who is ready is told in the group; four more messages for each press would be too many.
    waiting = reader is None or state.waiting or bool(state.held or state.relief) or state.group is None
    text = sheet_text(
        state,
        sheet,
        names,
        words,
        seed,
        waiting=waiting,
        group=group,
        urging=urging,
        guessed=guessed,
        feats=feats,
        said=said,
    )
    keyboard = (*sheet_keyboard(state, words, reader), *sheet_links(state, sheet, words, reader))
    return Message(chat_id, text, keyboard, shown, silent=True, thread_id=thread)


def sheet_keyboard(state: TableState, words: Words, reader: int | None) -> Keyboard:
    """Ready, leave, and what to do about those who are missing; nothing once the table has gone on.

    ``reader``: a seat of the hand; whoever sits there no longer gets no buttons.
    """
    seat = state.seats[reader] if reader is not None else None
    if state.phase != "between" or (reader is not None and (seat is None or seat.person is None)):
        return ()
    ready = words("button.ready_done" if seat is not None and seat.ready else "button.ready")
    rows: list[tuple[Button, ...]] = [
        (
            Button(ready, table_data(state.table, "ready", state.hand), style="success"),
            Button(words("button.leave"), table_data(state.table, "leave")),
        )
    ]
    if state.waiting:
        rows.append(
            (
                Button(words("button.wait_more"), table_data(state.table, "wait", state.hand)),
                Button(words("button.swap"), table_data(state.table, "swap", state.hand)),
                Button(words("button.fill"), table_data(state.table, "fill", state.hand)),
            )
        )
    if reader is None:
        rows.append((queue_button(state, words),))
    elif state.group is None:
        rows.append((level_button(state, words),))
    return tuple(rows)


def sheet_links(state: TableState, sheet: SheetView, words: Words, reader: int | None) -> Keyboard:
    """The buttons that a sheet keeps for good: the hand again, its proof, and its film if it is worth one.

    ``reader``: who played it may have their own discards reviewed, where hints are given.
    """
    hand = state.hand_id
    if state.lesson is not None:
        return sheet_ways(words)
    if hand is None:
        return ()
    links = [
        Button(words("button.replay"), page_data("v", hand, "replay")),
        Button(words("button.proof"), page_data("v", hand, "proof")),
    ]
    if reader is not None and state.hints_given:
        links.insert(1, Button(words("button.review"), page_data("v", hand, "review")))
    if sheet.by in HIGHLIGHTS:
        links.append(Button(words("button.highlight"), page_data("v", hand, "best")))
    # Four in a row would be cut on a phone.
    return (tuple(links),) if len(links) < 4 else (tuple(links[:2]), tuple(links[2:]))


def forced(sheet: SheetView) -> bool:
    """Whether a win came of itself in the last four (rules-zhangzhou 8.2): a completing draw, nothing to decline."""
    return sheet.view.last_four and bool(sheet.sets) and sheet.source is None


def headline(sheet: SheetView, names: FourWords, words: Words) -> str:
    """Who won how, in one line of plain text."""
    ended = sheet.view.rules, sheet.outcome, sheet.winner, sheet.by, sheet.source, sheet.tile
    return ended_line(*ended, names, words, forced=forced(sheet))


def ended_line(
    rules: str,
    outcome: str,
    winner: int | None,
    by: str | None,
    source: int | None,
    tile: Tile | None,
    names: FourWords,
    words: Words,
    *,
    forced: bool = False,
) -> str:
    """How a hand ended, by its result (record.md, or ``void``), in one line of plain text."""
    if outcome in ("draw", "void"):
        return words("win.draw" if outcome == "draw" else "history.void")
    if outcome == "false_win":
        return words("sheet.won_by", name=names[source or 0], win=words("win.false_win"))
    assert winner is not None
    win = win_word(words, rules, by)
    if by == "discard" and source is not None and tile is not None:
        given = tile_word(words, tile)
        return words("sheet.won_from", name=names[winner], win=win, source=names[source], tile=given)
    if forced:
        win = words("list.sep").join((win, words("sheet.forced")))
    return words("sheet.won_by", name=names[winner], win=win)


def sheet_text(
    state: TableState,
    sheet: SheetView,
    names: FourWords,
    words: Words,
    seed: str | None,
    *,
    waiting: bool = True,
    group: str | None = None,
    urging: str | None = None,
    guessed: Html | None = None,
    feats: Sequence[Feat] = (),
    said: Html | None = None,
) -> Html:
    """The whole sheet in words; payments give way first if a caption cannot hold it.

    ``waiting``: also say who has not pressed *ready* yet. ``group``, ``urging``, ``guessed``, ``feats``, ``said``:
    as in ``sheet_message``.
    """
    what = headline(sheet, names, words)
    head = words.html("sheet.title", n=state.hand, what=what)
    if state.lesson is not None:
        head = lines(words.html("list.title", text=what), sheet_coach(state, sheet, names, words))
    if group is not None:
        head = words.html("sheet.title_in", group=shown_name(group), n=state.hand, what=what)
    # A coach has said what a plain win costs.
    told_apart = [line for line in sheet.lines if state.lesson is None or line.item != "win" or line.points]
    dues = [line for line in (due_line(sheet, line, names, words) for line in told_apart) if line]
    if not any(line.due for line in sheet.lines):
        dues = [words.html("sheet.no_payment")]
    # In the picture's order: from the winner, or in a drawn hand from the dealer.
    first = sheet.winner if sheet.winner is not None else sheet.view.dealer
    totals = [
        words.html(
            "sheet.total_line",
            sign="▲" if net > 0 else "▼" if net < 0 else "▪️",
            name=names[seat],
            net=f"{net:+,}" if net else "0",
            coins=f"{sheet.coins[seat]:,}",
        )
        for seat, net in sorted(enumerate(sheet.net), key=lambda at: (at[0] - first) % 4)
    ]
    streak = streak_word(words, sheet.next_streak)
    stake = next_stake(state, sheet)
    tail = [
        words.html("sheet.friendly") if state.friendly_hand and state.lesson is None else Html(""),
        Html("")
        if state.lesson is not None
        else Html(
            words.html(
                "sheet.next_line",
                name=names[sheet.next_dealer],
                streak=words("list.after", text=streak) if streak else "",
            )
            + (words.html("sheet.next_stake", base=f"{stake:,}") if stake is not None else "")
        ),
        stake_line(sheet, stake, words),
        guessed or Html(""),
        waiting_line(state, words) if waiting else Html(""),
        words.html(urging) if urging is not None else Html(""),
        words.html("sheet.seed", seed=seed) if seed and state.lesson is None else Html(""),
    ]
    # The picture has every line; in words the last give way where a caption cannot hold them.
    kept = [*dues, *tally_lines(sheet, names, words)]
    told = [said or Html(""), *feat_lines(state, feats, names, words)]
    while kept and visible(lines(head, *told, *totals, *kept, *tail)) > CAPTION:
        kept.pop()
    return lines(head, *told, *totals, folded(kept), *tail)


def folded(details: Sequence[Html]) -> Html:
    """Lines of which a phone shows the first few until they are opened, so that they leave room for the picture, which
    has them all (Bot API: an expandable blockquote). Few stand as they are."""
    told = lines(*details)
    return Html(f"<blockquote expandable>{told}</blockquote>") if len(details) > FOLDED else told


def feat_lines(state: TableState, feats: Sequence[Feat], names: FourWords, words: Words) -> list[Html]:
    """What somebody did for the first time in this hand, the greatest first; only the first few."""
    seats = {seat.person: index for index, seat in enumerate(state.players)}
    told = sorted((feat for feat in feats if feat.feat in FEATS), key=lambda feat: FEATS.index(feat.feat))
    return [
        words.html(f"feat.{feat.feat}.line", name=names[seats[feat.person_id]], coins=f"{RECOVERED:,}")
        for feat in told
        if feat.person_id in seats
    ][:FEATS_TOLD]


def next_stake(state: TableState, sheet: SheetView) -> int | None:
    """The stake of the next hand if the four stay (rules-zhangzhou 11); None where it cannot be told yet.

    Who has too few coins by now is taken to come back with as many as a seat asks for.
    """
    if state.friendly_hand:
        return sheet.view.base
    # In a game of days a hand holds a part of each wallet, and that is worked out at its deal.
    return None if state.days else base_for(max(coins, SEAT_MINIMUM) for coins in sheet.coins)


def stake_line(sheet: SheetView, stake: int | None, words: Words) -> Html:
    """That the stake rises or falls; empty where it stays."""
    if stake is None or stake == sheet.view.base:
        return Html("")
    key = "sheet.stake_up" if stake > sheet.view.base else "sheet.stake_down"
    return words.html(key, **tier_words(stake))


def visible(text: str) -> int:
    """Characters of an HTML text as Telegram counts them: after its tags and entities are read, in UTF-16 units."""
    return len(unescape(re.sub(r"<[^>]*>", "", text)).encode("utf-16-le")) // 2


def tally_lines(sheet: SheetView, names: FourWords, words: Words) -> list[Html]:
    """What each seat has points for, where points are settled: 「阿明：5 朵花 + 暗杠 ×1 = 4 分」."""
    return [
        words.html_n("sheet.tally", points, name=names[seat], items=items)
        for seat, items, points in counted_tallies(sheet, words)
    ]


def counted_tallies(sheet: SheetView, words: Words) -> Iterator[tuple[int, str, int]]:
    """Seat, what it has points for in words, and how many; nothing where no points are settled between seats."""
    if not any(line.due and line.item in ("points", "suanhua", "false_win") for line in sheet.lines):
        return
    for seat, tallies in enumerate(sheet.tally):
        counted = [tally for tally in tallies if tally.points]
        if counted:
            items = words("sheet.plus").join(words(f"tally.{tally.item}", n=tally.count) for tally in counted)
            yield seat, items, sum(tally.points for tally in counted)


def waiting_line(state: TableState, words: Words) -> Html:
    """Who has not pressed *ready* yet."""
    if state.phase != "between":
        return Html("")
    if state.held:
        return held_line(state, words)
    if state.relief:
        return relief_line(state, words)
    names = seat_names(state.seats, words)
    missing = [names[i] for i, seat in enumerate(state.seats) if seat is not None and not seat.ready]
    if not missing:
        return Html("")
    return words.html("between.missing" if state.waiting else "between.ready", names=joined(words, missing))


def due_line(sheet: SheetView, line: ScoreLine, names: FourWords, words: Words) -> Html:
    """One due worked out; whose share it is, and what could not be paid, is told."""
    if not line.due:
        return Html("")
    fields = {"payer": names[line.payer], "payee": names[line.payee], "due": f"{line.due:,}"}
    if line.item == "win" or (line.item == "false_win" and counts_fan(sheet.view.rules, words)):
        fan = words("sheet.fan", n=line.value * line.factor) if counts_fan(sheet.view.rules, words) else ""
        text = words.html("sheet.line_win", sum=sum_word(sheet, line, words), fan=fan, **fields)
    else:
        item = words(f"sheet.head.{line.item}")
        if line.points and counts_fan(sheet.view.rules, words):
            item = words("sheet.item_points", item=item, n=line.points, base=f"{sheet.view.base:,}")
        text = words.html("sheet.line_other", item=item, **fields)
    if line.share is not None and line.share != line.payer:
        text = Html(text + words.html("sheet.line_share", name=names[line.share]))
    if line.paid < line.due:
        text = Html(text + words.html("sheet.line_short", paid=f"{line.paid:,}"))
    return text


def counts_fan(rules: str, words: Words) -> bool:
    """Whether a game's players count in 番 (v × k, rules-zhangzhou 12); the others have a sum of their own, in 分."""
    return own_key(words, "sheet.sum", rules) == "sheet.sum"


def sum_word(sheet: SheetView, line: ScoreLine, words: Words) -> str:
    """How the due of a win is worked out, as its game does it: 「10×4×3 + 10」, 「(2+3)×2 分」."""
    base = sheet.view.base
    keys = (f"sheet.sum.{sheet.by}", own_key(words, "sheet.sum", sheet.view.rules))
    key = next(key for key in keys if key in words)
    extra = line.points * base
    return words(
        key,
        base=f"{base:,}",
        value=line.value,
        factor=line.factor,
        points=line.points,
        extra=words("sheet.extra", n=f"{extra:,}") if extra else "",
        unit=f"{base // 10:,}",
    )


def sheet_words(state: TableState, sheet: SheetView, names: FourWords, words: Words) -> SheetWords:
    """The words of the sheet's picture."""
    view = sheet.view
    rules = view.rules
    base = words("sheet.base", base=f"{view.base:,}")
    stake = next_stake(state, sheet)
    subtitle = [words("sheet.dealer", name=names[view.dealer]), streak_word(words, view.streak), base]
    winner = ""
    kind = words(f"win.{sheet.outcome}") if sheet.outcome != "win" else win_word(words, rules, sheet.by)
    if sheet.outcome == "win":
        assert sheet.winner is not None
        winner = names[sheet.winner]
        subtitle.insert(0, words("sheet.dealer_wins" if sheet.winner == view.dealer else "sheet.idle_wins"))
        if forced(sheet):
            subtitle.append(words("sheet.forced"))
    elif sheet.outcome == "false_win" and sheet.source is not None:
        winner = names[sheet.source]
    # After a hand with a coach there is no next one at the table.
    ends = state.lesson is not None
    return SheetWords(
        signs=signs(words, rules),
        kind=kind,
        names=names,
        winner=winner,
        subtitle=words("list.sep").join(part for part in subtitle if part),
        streak=streak_word(words, view.streak),
        won=won_at(sheet, names, words),
        items=tuple(_items(sheet, words)),
        sums=tuple(_sums(sheet, names, words)),
        pay_to=words("sheet.pay_to"),
        total=words("sheet.total"),
        now=words("sheet.now"),
        receives=words("sheet.receives"),
        short=words("sheet.short"),
        heads=tuple(
            (item, words(f"sheet.head.{item}")) for item in ("win", "points", "fenbing", "suanhua", "false_win")
        ),
        next_label=words("coach.sheet.label" if ends else "sheet.next"),
        next_dealer="" if ends else words("sheet.dealer", name=names[sheet.next_dealer]),
        next_streak=streak_word(words, sheet.next_streak),
        next_base="" if stake is None or ends else words("sheet.base", base=f"{stake:,}"),
    )


def won_at(sheet: SheetView, names: FourWords, words: Words) -> str:
    """How the winning tile was come by: from whom, robbed, turned up, or drawn."""
    if sheet.by in ("discard", "rob_kong") and sheet.source is not None:
        return words("sheet.from" if sheet.by == "discard" else "sheet.robbed", name=names[sheet.source])
    return words("sheet.turned") if sheet.by == "rob_gold" else words("sheet.drawn")


def _items(sheet: SheetView, words: Words) -> Iterable[ItemWords]:
    """What counted, each with its multiplier or sum."""
    view = sheet.view
    yield ItemWords(words("sheet.base_label"), f"{view.base:,}")
    won = next((line for line in sheet.lines if line.item == "win" and line.value), None)
    in_fan = counts_fan(view.rules, words)
    if won is not None:
        flat = sheet.by in RULESETS[view.rules].flat
        value = words.n("sheet.points", won.value) if flat else f"×{won.value}"
        yield ItemWords(win_word(words, view.rules, sheet.by), value)
        if in_fan:
            factors = words("sheet.streak_value", idle=view.streak, dealer=view.streak + 1)
            yield ItemWords(words("sheet.streak_label", n=view.streak), factors)
        elif not flat:
            factors = words("sheet.streak_value_points", dealer=view.streak + 1)
            yield ItemWords(words("sheet.streak_label", n=view.streak), factors)
        if sheet.winner is not None and not flat:
            for tally in sheet.tally[sheet.winner]:
                if tally.points:
                    paid = f"+{tally.points * view.base:,}" if in_fan else words.n("sheet.points", tally.points)
                    yield ItemWords(capital(words(f"tally.{tally.item}", n=tally.count)), paid)
    if sheet.fenbing:
        yield ItemWords(words("sheet.fenbing_label"), f"{sheet.fenbing * view.base:,}")


def _who_pays(payers: Mapping[Seat, Sequence[Seat]], names: FourWords, words: Words) -> list[str]:
    """Each payer by name, with those whose shares they pay as well (包)."""
    found = []
    for payer, shares in payers.items():
        others = [names[share] for share in shares if share != payer]
        if not others:
            found.append(names[payer])
            continue
        key = "sheet.for_also" if payer in shares else "sheet.for"
        found.append(words(key, payer=names[payer], name=joined(words, others)))
    return found


def _sums(sheet: SheetView, names: FourWords, words: Words) -> Iterable[SumWords]:
    """How each due is worked out; payers of one sum share a line."""
    view = sheet.view
    shared: dict[tuple[str, str, str], dict[Seat, list[Seat]]] = {}
    for line in sheet.lines:
        if not line.due:
            continue
        if line.item == "win" or (line.item == "false_win" and counts_fan(view.rules, words)):
            dealer = view.dealer in (line.share if line.share is not None else line.payer, line.payee)
            tag = ""
            if counts_fan(view.rules, words):
                tag = words("sheet.tag_dealer" if dealer else "sheet.tag_idle", n=line.value * line.factor)
            sum_ = sum_word(sheet, line, words)
        else:
            tag = words(f"sheet.head.{line.item}")
            to = words("sheet.to", name=names[line.payee])
            sum_ = (
                f"{to}  {words('sheet.sum_points', n=line.points, base=f'{view.base:,}')}"
                if line.points and counts_fan(view.rules, words) and line.item != "false_win"
                else to
            )
        payers = shared.setdefault((tag, sum_, f"= {line.due:,}"), {})
        payers.setdefault(line.payer, []).append(line.payer if line.share is None else line.share)
    for (tag, sum_, result), payers in shared.items():
        yield SumWords(joined(words, _who_pays(payers, names, words)), tag, sum_, result)
    for seat, items, points in counted_tallies(sheet, words):
        yield SumWords(names[seat], "", items, words.n("sheet.points", points))
