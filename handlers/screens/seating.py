"""Who sits where, in words; shared by all screens of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from data.texts import Html, Words
from handlers.names import shown_name
from handlers.table_state import Seat, TableState
from mahjong.match import tier_of
from render.words import FourWords

ROBOT = "🤖"


def seat_names(seats: Sequence[Seat | None], words: Words, *, plain: bool = False, levels: bool = False) -> FourWords:
    """The four names as shown; a free seat's is empty. ``plain``: without the mark of a computer, for pictures.

    ``levels``: computers say how strong they are: where one looks who sits here, but not in every line of what they do.
    """
    names = ["", "", "", ""]
    computers = 0
    seen: Counter[str] = Counter()
    for index, seat in enumerate(seats):
        if seat is not None and seat.computer is not None:
            computers += 1
            name = computer_name(computers, seat.computer if levels else None, words)
            names[index] = name if plain else words("computer.name", name=name)
            seen[name] += 1
    for index, seat in enumerate(seats):
        if seat is not None and seat.computer is None:
            name = names[index] = person_name(seat.name, words)
            seen[name] += 1
            if seen[name] > 1:
                # Several of one name at one table are told apart by a number, also one who is called like a computer.
                names[index] = words("computer.same_name", name=name, n=seen[name])
    return (names[0], names[1], names[2], names[3])


def computer_name(number: int, level: str | None, words: Words) -> str:
    """The first, second … computer at a table, with how strong it is if that is asked for: 「电脑甲·普通」."""
    name, strength = words(f"computer.{number}"), f"level.{level}"
    return words("computer.of_level", name=name, level=words(strength)) if strength in words else name


def person_name(name: str, words: Words) -> str:
    """A person's name as shown; of one who has been forgotten, and bears none any more, a neutral word.

    The sign of a computer is left out of it: nobody shall pass for one.
    """
    return shown_name(name.replace(ROBOT, "")) if name else words("name.forgotten")


def seat_coins(state: TableState) -> FourWords:
    """The coins that each seat has on the table, in figures: virtual ones at a friendly table."""
    coins = ["" if seat is None else f"{state.coins_of(seat):,}" for seat in state.seats]
    return (coins[0], coins[1], coins[2], coins[3])


def joined(words: Words, names: list[str]) -> str:
    """Names in a row."""
    return words("list.comma").join(names)


def held_line(state: TableState, words: Words) -> Html:
    """Whose coins the next deal waits for."""
    names = seat_names(state.seats, words)
    waited = [names[i] for i, seat in enumerate(state.seats) if seat is not None and seat.person in state.held]
    return words.html("held.line", name=joined(words, waited))


def operator_line(names: Sequence[str], words: Words) -> Html | None:
    """机主在座: whoever plays with an operator should know whose the database is (telegram.md, *Fair deals*)."""
    return words.html("table.operator", names=joined(words, list(names))) if names else None


def relief_line(state: TableState, words: Words) -> Html:
    """Who is offered coins before the next deal."""
    names = seat_names(state.seats, words)
    asked = [names[i] for i, seat in enumerate(state.seats) if seat is not None and str(seat.person) in state.relief]
    return words.html("relief.line", name=joined(words, asked))


def tier_words(base: int) -> dict[str, str]:
    """The fields ``base``, ``low`` and ``high`` of a text about a stake and the coins it goes with."""
    low, high = tier_of(base)
    return {"base": f"{base:,}", "low": f"{low:,}", "high": f"{high:,}"}


def lines(*texts: str | None) -> Html:
    """Lines of a message's HTML; None and empty ones are left out. The caller has escaped what needs it."""
    return Html("\n".join(text for text in texts if text))
