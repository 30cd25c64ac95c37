"""A finished hand again, move by move: the moment in a picture, in words what happened and what was let go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape

from data.texts import Html, Words
from handlers.finished import Finished
from handlers.names import shown_name
from handlers.outbox import Button, Keyboard, Message
from handlers.presses import page_data
from handlers.screens.pictures import YOU_LEVELS, picture, table_title
from handlers.screens.seating import lines, seat_names
from handlers.screens.sheet import HIGHLIGHTS, headline
from handlers.wording import event_word, signed, signs, streak_word, tile_word, tile_words, win_word
from mahjong.moves import Event, Move, Seat
from mahjong.steps import Declined, Step
from mahjong.views import View
from render.pool import Renderer
from render.tiles import TileSet
from render.words import FourWords, TableWords

ROUND_OF = 4
"""Turns in a round 巡."""
IN_A_ROW = 6
"""Buttons of rounds side by side."""
FRAMES = 36
"""Moments of a film at most: more would make it too large."""
LONGEST = 29.0
LAST = 3.0
FRAME = 0.9
"""Seconds of a film, of its last moment, and of any other at most."""
BEST_FRAMES = 7
BEST_FRAME = 0.75
BEST_LAST = 1.1
BEST_SHEET = 2.3
"""The film of a special win: the moments before it; how long each, the win and its sheet stand; under 8 s in all."""


def replay_message(
    renderer: Renderer,
    chat_id: int,
    hand: Finished,
    steps: Sequence[Step],
    at: int,
    words: Words,
    *,
    reader: Seat | None,
    tiles: TileSet,
    group: str | None,
    choosing: bool = False,
) -> Message:
    """One moment. ``reader``: whose seat is below; ``choosing``: the buttons name rounds to jump to."""
    names = seat_names(hand.players, words, plain=True)
    step = steps[at]
    view = seen_from(hand, step.view, reader)
    shown = picture(renderer, "replay", view, moment_words(hand, steps, at, words), tiles)
    title = words.html("replay.title", n=hand.state.hand, at=at + 1, of=len(steps))
    if group is not None:
        title = words.html("replay.title_in", group=shown_name(group), n=hand.state.hand, at=at + 1, of=len(steps))
    text = lines(
        title,
        Html(escape(happened(step, names, words))),
        *(words.html("replay.declined", text=line) for line in declined_lines(step, names, words)),
        words.html("replay.taken", text=_taken_line(step.taken, step.view, names, words)) if step.taken else None,
        *(_end_lines(hand, names, words) if step is steps[-1] else ()),
    )
    keyboard = _rounds(hand, steps, at, words) if choosing else _buttons(hand, steps, at, words)
    return Message(chat_id, text, keyboard, shown, silent=True)


def seen_from(hand: Finished, view: View, reader: Seat | None) -> View:
    """The moment with a seat below; at the end the winner's place is lit."""
    return replace(view, reader=reader, turn=hand.sheet.winner if view.phase == "ended" else view.turn)


def moment_words(hand: Finished, steps: Sequence[Step], at: int, words: Words) -> TableWords:
    """The words of a moment's picture: its title says what has just happened."""
    view = steps[at].view
    names = seat_names(hand.players, words, plain=True)
    notices = []
    if view.fenbing:
        notices.append(words("table.fenbing", n=view.fenbing))
    if view.last_four:
        notices.append(words("table.last_four"))
    ended = steps[at] is steps[-1]
    coins = [f"{amount:,}" for amount in (hand.sheet.coins if ended else hand.row.coins)]
    return TableWords(
        signs=signs(words, view.rules),
        title=_end_title(hand, names, words) if ended else _title(steps[at], names, words),
        names=seat_names(hand.players, words, plain=True, levels=True),
        coins=(coins[0], coins[1], coins[2], coins[3]),
        streak=streak_word(words, view.streak),
        notices=tuple(notices),
        in_short=names,
    )


def _title(step: Step, names: FourWords, words: Words) -> str:
    said = [line for event in step.events if event.kind != "replaced" and (line := _event_line(event, names, words))]
    return said[-1] if said else table_title(step.view, words, names, plain=True)


def _end_title(hand: Finished, names: FourWords, words: Words) -> str:
    what, winner = headline(hand.sheet, names, words), hand.sheet.winner
    return what if winner is None else words("replay.ended", what=what, gain=f"{hand.sheet.net[winner]:+,}")


def happened(step: Step, names: FourWords, words: Words) -> str:
    """What happened since the step before, in order; of the deal only the gold."""
    events = step.events
    golds = [number for number, event in enumerate(events) if event.kind == "gold"]
    if golds:
        events = tuple(event for event in events if event.kind == "gold") + tuple(
            event for event in events[golds[-1] :] if event.kind in ("drew", "discarded")
        )
    return words("list.sep").join(said for event in events if (said := _event_line(event, names, words)))


def _event_line(event: Event, names: FourWords, words: Words) -> str | None:
    tiles = [tile for tile in event.tiles if tile is not None]
    if event.kind == "gold":
        return words("replay.gold", tiles=words("list.comma").join(tile_word(words, tile) for tile in tiles))
    if event.kind in ("drew", "replaced"):
        what: str | None = words(f"replay.{event.kind}", tiles=tile_words(words, tiles))
    elif event.kind == "concealed_kong":
        what = words("replay.concealed_kong", tile=tile_word(words, tiles[0]))
    else:
        what = event_word(words, event)
    if what is None or event.seat is None:
        return None
    if event.kind == "discarded" and event.level:
        what = words("replay.into_you", tile=tile_word(words, tiles[0]), win=words(f"win.{YOU_LEVELS[event.level]}"))
    return words("event.by", name=names[event.seat], what=what)


def declined_lines(step: Step, names: FourWords, words: Words) -> list[str]:
    """Who let what go: 「阿明 没碰三万」, 「阿珍 没胡：自摸 +80」."""
    by_seat: dict[Seat, list[str]] = {}
    for declined in step.declined:
        said = _declined(declined, step.view, words)
        if said not in by_seat.setdefault(declined.seat, []):
            by_seat[declined.seat].append(said)
    return [words("event.by", name=names[seat], what=words("list.comma").join(said)) for seat, said in by_seat.items()]


def _declined(declined: Declined, view: View, words: Words) -> str:
    option = declined.option
    move = option.move
    if declined.wrong:
        return words("replay.no_guess", loss=f"{-(option.loss or 0):+,}")
    if move.verb in ("hu", "rob"):
        gain = f"{option.gain:+,}" if option.gain is not None else ""
        key = "replay.no_hu" if move.verb == "hu" else "replay.no_rob"
        return words(key, win=win_word(words, view.rules, option.by), gain=gain)
    if move.verb == "discard":
        win = win_word(words, view.rules, YOU_LEVELS[option.level])
        return words("replay.no_you", win=win, tile=tile_word(words, move.tiles[0]))
    tile = declined.tile if declined.tile is not None else move.tiles[0]
    if declined.ask == "turn":
        return words("replay.no_kong", tile=tile_word(words, tile))
    return words(f"replay.no_{move.verb}", tile=tile_word(words, tile), tiles=tile_words(words, move.tiles))


def _taken_line(move: Move, view: View, names: FourWords, words: Words) -> str:
    tile = tile_word(words, move.tiles[0]) if move.tiles else ""
    last = tile_word(words, view.last_discard[1]) if view.last_discard and view.last_discard[1] is not None else ""
    what = words(f"replay.does_{move.verb}", tile=tile or last, tiles=tile_words(words, move.tiles))
    return words("event.by", name=names[move.seat], what=what)


def _end_lines(hand: Finished, names: FourWords, words: Words) -> Iterable[Html]:
    yield words.html("list.title", text=headline(hand.sheet, names, words))
    for seat, net in enumerate(hand.sheet.net):
        sign = "▲" if net > 0 else "▼" if net < 0 else "▪️"
        yield words.html(
            "sheet.total_line",
            sign=sign,
            name=names[seat],
            net=signed(net),
            coins=f"{hand.sheet.coins[seat]:,}",
        )


def _buttons(hand: Finished, steps: Sequence[Step], at: int, words: Words) -> Keyboard:
    def button(key: str, *fields: str | int) -> Button:
        return Button(words(f"replay.button.{key}"), page_data("v", hand.row.id, *fields))

    rows: list[tuple[Button, ...]] = [
        tuple(button(where, "go", where, at) for where in ("first", "back", "on", "last")),
        (button("choice", "go", "choice", at), button("rounds", "rounds", at)),
        (button("film", "film"), *((button("best", "best"),) if hand.sheet.by in HIGHLIGHTS else ())),
        (button("file", "file"), button("close", "shut")),
    ]
    return tuple(rows)


def _rounds(hand: Finished, steps: Sequence[Step], at: int, words: Words) -> Keyboard:
    """A button for each round 巡, and one back."""
    places: dict[int, int] = {}
    for number, step in enumerate(steps):
        if step.turn:
            places.setdefault((step.turn - 1) // ROUND_OF + 1, number)
    now = (max(1, steps[at].turn) - 1) // ROUND_OF + 1
    buttons = [
        Button(
            words("replay.button.round_here" if number == now else "replay.button.round", n=number),
            page_data("v", hand.row.id, "to", place),
        )
        for number, place in places.items()
    ]
    rows = [tuple(buttons[start : start + IN_A_ROW]) for start in range(0, len(buttons), IN_A_ROW)]
    back = Button(words("replay.button.back_to"), page_data("v", hand.row.id, "to", at))
    return (*rows, (back,))


def film_of(steps: Sequence[Step]) -> tuple[list[int], list[float]]:
    """Which moments of a hand make its film, and for how many seconds each stands: under half a minute in all."""
    chosen = list(range(len(steps)))
    if len(chosen) > FRAMES:
        # The end and what matters; of the rest so many as there is room for, evenly.
        needed = {0, *[number for number in chosen if steps[number].matters][-(FRAMES - 2) :], chosen[-1]}
        rest = [number for number in chosen if number not in needed]
        room = FRAMES - len(needed)
        needed |= {rest[place * len(rest) // room] for place in range(room)}
        chosen = sorted(needed)
    each = min(FRAME, (LONGEST - LAST) / max(1, len(chosen) - 1))
    return chosen, [each] * (len(chosen) - 1) + [LAST]


def best_of(steps: Sequence[Step]) -> tuple[list[int], list[float]]:
    """The last moments before a win, and the win; its sheet stands for ``BEST_SHEET`` after them."""
    chosen = list(range(len(steps)))[-BEST_FRAMES:]
    return chosen, [BEST_FRAME] * (len(chosen) - 1) + [BEST_LAST]
