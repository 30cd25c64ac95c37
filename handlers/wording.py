"""Tiles, moves, wins and seats in words of one language; all text comes from the catalogues."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from datetime import date
from functools import cache

from babel import Locale, UnknownLocaleError
from babel.dates import format_skeleton

from data.texts import DEFAULT, Words
from mahjong.moves import Event, Seat
from mahjong.rulesets import RULESETS
from mahjong.tiles import NAMES, Tile
from mahjong.views import View
from render.words import FourWords, Signs


def tile_word(words: Words, tile: Tile) -> str:
    """What a player calls the tile: 「五万」, ``5 wan``."""
    return words(f"tile.{NAMES[tile]}")


def tile_words(words: Words, tiles: Iterable[Tile]) -> str:
    """Several tiles, parted by spaces."""
    return " ".join(tile_word(words, tile) for tile in tiles)


def place_words(words: Words, reader: Seat | None) -> FourWords:
    """How a seat calls the four: 自己, 下家, 对家, 上家; for the group empty words."""
    if reader is None:
        return ("", "", "", "")
    by_distance = [words(f"place.{place}") for place in ("self", "lower", "across", "upper")]
    a, b, c, d = (by_distance[(seat - reader) % 4] for seat in range(4))
    return (a, b, c, d)


def named_places(words: Words, reader: Seat, names: FourWords) -> FourWords:
    """The four by place and name, as a seat calls them: 「上家 老林」."""
    called = [
        words("place.named", place=place, name=name)
        for place, name in zip(place_words(words, reader), names, strict=True)
    ]
    return (called[0], called[1], called[2], called[3])


def day_word(words: Words, day: str) -> str:
    """A local day (``YYYY-MM-DD``) as it is said: 「11月29日」, ``Nov 29``."""
    try:
        locale = Locale.parse(words.language)
    except UnknownLocaleError:
        # Not every language that people speak has its calendar in the CLDR: 閩南語 has none.
        locale = Locale.parse(DEFAULT)
    return format_skeleton("MMMd", date.fromisoformat(day), locale=locale)


def capital(text: str) -> str:
    """A text that stands alone as a label, where it also stands in running text."""
    return text[:1].upper() + text[1:]


def streak_word(words: Words, streak: int) -> str:
    """「连2」 from the dealer's second hand on, else empty."""
    return words("streak", n=streak) if streak > 1 else ""


@cache
def signs(words: Words, rules: str) -> Signs:
    """The fixed words of the pictures; a game may have others in place of flowers."""
    names = [field.name for field in fields(Signs) if field.name not in ("tiles", "script", "tile_set")]
    texts = {name: words(f"sign.{name}") for name in names}
    texts["flowers"] = words(own_key(words, "sign.flowers", rules))
    tiles = tuple(tile_word(words, tile) for tile in range(len(NAMES)))
    return Signs(**texts, tiles=tiles, tile_set="plain", script="hant" if words.language == "zh_Hant" else "hans")


_SAID = {
    "discarded": "event.discard",
    "chow": "event.chow",
    "pong": "event.pong",
    "kong": "event.kong",
    "added_kong": "event.added_kong",
    "concealed_kong": "event.concealed_kong",
    "locked": "event.locked",
    "robbed": "event.robbed",
    "flower": "event.flower",
}


def event_word(words: Words, event: Event) -> str | None:
    """What a seat did, without its name: 「打五万」; None for what is not worth a word."""
    key = _SAID.get(event.kind)
    if key is None:
        return None
    tiles = [tile for tile in event.tiles if tile is not None]
    if event.kind == "discarded" and not tiles:
        return words("event.discard_hidden")
    named = [tile_word(words, tile) for tile in tiles]
    return words(key, tile=named[0] if named else "", tiles=words("list.tiles").join(named))


def last_action(words: Words, view: View, names: FourWords) -> str | None:
    """The last thing that anybody did, with the name: 「老林 打三万」."""
    for event in reversed(view.events):
        what = event_word(words, event)
        if what is not None and event.kind not in ("flower", "locked") and event.seat is not None:
            return words("event.by", name=names[event.seat], what=what)
    return None


def since_my_turn(words: Words, view: View) -> str:
    """What the others did since the reader last acted, in order, each by its place: 「上家 打三万」.

    Without names, which the picture has, and flowers, which ask for nothing: on a phone each line of it hides tiles.
    """
    reader = view.reader
    assert reader is not None
    places = place_words(words, reader)
    done: list[tuple[Seat, list[str]]] = []
    for event in reversed(view.events):
        if event.seat is None or event.kind == "dealt":
            continue
        if event.seat == reader:
            if event.kind in _SAID and event.kind != "flower":
                break
            continue
        what = event_word(words, event) if event.kind != "flower" else None
        if what is None:
            continue
        if done and done[-1][0] == event.seat:
            done[-1][1].append(what)
        else:
            done.append((event.seat, [what]))
    return words("list.sep").join(
        words("event.by_place", place=places[seat], what=words("list.deeds").join(reversed(what)))
        for seat, what in reversed(done[:6])
    )


def win_word(words: Words, rules: str, by: str | None) -> str:
    """The name of a kind of win, as the game's players call it: three gold is 爆炸 in Putian open."""
    return words(own_key(words, f"win.{by}", rules))


def option_word(words: Words, name: str, value: object) -> str:
    """A value of a table option (``OptionSpec``) as it is called: 「留 8 墩」."""
    return words(f"option.{name}.{option_key(value)}")


def option_key(value: object) -> str:
    """A value of a table option as it stands in keys of the catalogues."""
    return str(value).lower()


def own_key(words: Words, key: str, rules: str) -> str:
    """The key of a text that a game may have of its own: with its name, or the nearest of its kin's, at the end; else
    the one that all share."""
    return next((own for name in RULESETS[rules].kin if (own := f"{key}.{name}") in words), key)


def signed(coins: int) -> str:
    """What was won or lost, with its sign; 0 has none.

    >>> signed(1200), signed(-40), signed(0)
    ('+1,200', '-40', '0')
    """
    return f"{coins:+,}" if coins else "0"
