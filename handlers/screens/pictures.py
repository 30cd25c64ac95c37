"""Pictures wanted, with their words: drawn later, and only if they are about to be sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from data.ledger import START_COINS
from data.texts import Words
from handlers.outbox import Picture
from handlers.screens.seating import joined, seat_coins, seat_names
from handlers.stakes import DAYS_SHARE
from handlers.table_state import FRIENDLY_BASE, Pace, TableState
from handlers.wording import named_places, option_key, place_words, signs, streak_word, tile_word, win_word
from mahjong.match import LOWEST_BASE, base_for, tier_of
from mahjong.moves import Question
from mahjong.rulesets import RULESETS
from mahjong.views import SheetView, View
from render.pool import Renderer
from render.scenes import Kind
from render.tiles import TileSet
from render.words import (
    FourWords,
    HandWords,
    ItemWords,
    LobbySeatWords,
    LobbyWords,
    OpeningWords,
    PriceWords,
    SeenWords,
    Signs,
    TableWords,
)
from render.words import Words as PictureWords


def picture(
    renderer: Renderer,
    kind: Kind,
    view: View | SheetView | None,
    words: PictureWords,
    tiles: TileSet = "plain",
) -> Picture:
    """A picture of the outbox: named by what it shows, drawn by the renderer when it is due.

    ``view`` is None for the cards, of which the words say all. ``tiles``: the set that its readers have chosen.
    """
    words = replace(words, signs=with_tiles(words.signs, tiles))
    return Picture(renderer.digest(kind, view, words), lambda: renderer.picture(kind, view, words))


@cache
def with_tiles(signs: Signs, tiles: TileSet) -> Signs:
    """The signs of a picture drawn with another set of tiles."""
    return replace(signs, tile_set=tiles)


def hand_words(state: TableState, view: View, words: Words, title: str) -> HandWords:
    """The words of a reader's own hand."""
    assert view.reader is not None
    names = seat_names(state.seats, words, plain=True)
    return HandWords(
        signs=signs(words, view.rules),
        title=title,
        names=names,
        places=place_words(words, view.reader),
        called=named_places(words, view.reader, names),
        streak=streak_word(words, view.streak),
        base=f"{view.base:,}",
        coins=seat_coins(state)[view.reader],
        prices=prices(words, view.rules, view.question),
        notice=words("hand.you_in") if view.seats[view.reader].level == 1 else "",
    )


def prices(words: Words, rules: str, question: Question | None) -> tuple[PriceWords, ...]:
    """What a win on offer, and a discard into 游金, come to; empty where there is nothing to weigh."""
    if question is None or question.ask == "claim":
        return ()
    if question.ask == "rob" and question.tile is None:
        guess = next(option for option in question.options if option.move.verb == "rob")
        return (
            PriceWords(words("button.dont"), tone="plain"),
            PriceWords(
                words("win.rob_kong"),
                f"{guess.gain or 0:+,}",
                words("hand.guess_wrong", loss=f"{-(guess.loss or 0):+,}"),
                tone="you",
            ),
        )
    found = []
    for option in question.options:
        if option.move.verb == "hu":
            amount = f"{option.gain:+,}" if option.gain is not None else ""
            found.append(PriceWords(win_word(words, rules, option.by), amount, tone="win"))
        elif option.level:
            amount = f"{option.gain:+,}" if option.gain is not None else ""
            (tile,) = option.move.tiles
            title = words(
                "button.you", tile=tile_word(words, tile), win=win_word(words, rules, YOU_LEVELS[option.level])
            )
            found.append(PriceWords(title, amount, tone="you", tile=tile))
    return tuple(found[:3]) if any(price.tone == "you" for price in found) else ()


YOU_LEVELS = {1: "single_you", 2: "double_you", 3: "triple_you"}


def table_words(state: TableState, view: View, words: Words) -> TableWords:
    """The words of the table, for the group or for one seat."""
    names = seat_names(state.seats, words, plain=True)
    notices = []
    if view.fenbing:
        notices.append(words("table.fenbing", n=view.fenbing))
    if view.last_four:
        notices.append(words("table.last_four"))
    return TableWords(
        signs=signs(words, view.rules),
        title=table_title(view, words, names, plain=True),
        names=seat_names(state.seats, words, plain=True, levels=True),
        coins=seat_coins(state),
        streak=streak_word(words, view.streak),
        base=f"{view.base:,}",
        river_counts=_four(words("river.count", n=len(seat.river)) if seat.river else "" for seat in view.seats),
        notices=tuple(notices[:2]),
        draws=lock_draws(view, words),
        opening=opening_words(state, view, words, names),
        in_short=names,
    )


def opening_words(state: TableState, view: View, words: Words, names: FourWords) -> OpeningWords:
    """What the deal brought: the dice, the gold, who deals; shown before the first discard."""
    thrown = view.gold_dice[-1:]
    return OpeningWords(
        title=words("opening.title", gold=joined(words, [tile_word(words, face) for face in view.gold])),
        dice=tuple(state.dice),
        dice_label=words("opening.dice", n=sum(state.dice)) if state.dice else "",
        gold_label=words("opening.gold", n=thrown[0]) if thrown else "",
        dealer=words("opening.dealer", name=names[view.dealer]),
    )


def seen_words(view: View, words: Words) -> SeenWords:
    """The words of the copies in sight."""
    return SeenWords(
        signs=signs(words, view.rules),
        title=words("seen.title"),
        unseen=words("seen.unseen"),
        own=words("seen.own"),
        out=words("seen.out"),
        note=words("seen.hidden"),
    )


def lock_draws(view: View, words: Words) -> FourWords:
    """What each seat does while 双游 has locked play (rules-zhangzhou 7.4); empty without a lock."""
    if view.lock is None:
        return ("", "", "", "")
    locked_at = max(at for at, event in enumerate(view.events) if event.kind == "locked")
    drew = [event.seat for event in view.events[locked_at:] if event.kind == "drew"]
    draws = []
    for seat in range(4):
        if seat == view.lock:
            key = "lock.draws" if seat in drew else "lock.last"
        elif seat not in drew:
            key = "lock.waits"
        else:
            key = "lock.draws" if seat == drew[-1] and view.phase == "lock" else "lock.no_win"
        draws.append(words(key))
    return _four(draws)


def table_title(view: View, words: Words, names: FourWords, *, plain: bool = False) -> str:
    """Whose turn it is, as plain text: the same whoever is asked something in a window.

    ``plain``: for the picture, which draws its own padlock.
    """
    if view.lock is not None:
        return words("table.lock_plain" if plain else "table.lock", name=names[view.lock])
    if view.turn is not None:
        return words("table.turn", name=names[view.turn])
    return words("table.opening" if view.phase == "opening" else "table.window")


def lobby_words(state: TableState, words: Words) -> LobbyWords:
    """The words of a lobby's card."""
    names = seat_names(state.seats, words, plain=True, levels=True)
    coins = seat_coins(state)
    seats: list[LobbySeatWords | None] = []
    computers = 0
    for index, seat in enumerate(state.seats):
        if seat is None:
            seats.append(None)
        else:
            chip = "lobby.chip_computer" if seat.computer else "lobby.chip_host" if seat.person == state.host else ""
            computers += seat.computer is not None
            badge = words(f"computer.badge.{computers}") if seat.computer is not None else ""
            seats.append(LobbySeatWords(names[index], words(chip) if chip else "", coins[index], badge))
    base = ItemWords(words("sheet.base_label"), f"{lobby_base(state):,}")
    options = [
        ItemWords(words(f"fact.{spec.name}"), words(f"fact.{spec.name}.{option_key(value)}"))
        for spec in RULESETS[state.rules].table_options
        if (value := state.options.get(spec.name, spec.default)) is not None and f"fact.{spec.name}" in words
    ]
    turn = ItemWords(words("fact.turn"), turn_time(state.pace, words))
    return LobbyWords(
        signs=signs(words, state.rules),
        title=words(f"game.card.{state.rules}"),
        count=words("lobby.seated", n=len(state.taken)),
        seats=tuple(seats),
        empty=words("lobby.card_free"),
        # There is room for four: a game with more options has the others behind its button.
        facts=(base, *options[:2], turn),
        note=words("lobby.friendly") if state.friendly else _bases(words),
    )


def _bases(words: Words) -> str:
    """With how many coins of the poorest the base is what."""
    least, most = tier_of(LOWEST_BASE)
    more = most + 1
    return words(
        "lobby.card_base",
        least=f"{least:,}",
        most=f"{most:,}",
        base=f"{LOWEST_BASE:,}",
        more=f"{more:,}",
        next=f"{base_for([more]):,}",
    )


def turn_time(pace: Pace, words: Words) -> str:
    """The time for a turn in few words: in seconds, or in hours."""
    if pace.turn is None:
        return words("fact.unlimited")
    if pace.turn >= 3600:
        return words("fact.hours", n=pace.turn // 3600)
    return words("fact.seconds", n=pace.turn)


def lobby_base(state: TableState) -> int:
    """The provisional stake of a table that is being filled."""
    if state.friendly:
        return FRIENDLY_BASE
    usual = START_COINS // DAYS_SHARE if state.days else START_COINS
    coins = [state.coins_of(seat) for seat in state.taken] or [usual]
    return base_for(coins) or FRIENDLY_BASE


def _four(parts: Iterable[str]) -> FourWords:
    a, b, c, d = parts
    return (a, b, c, d)
