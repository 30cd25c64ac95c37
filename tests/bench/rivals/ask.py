"""One library that answers questions about hands, alone in its process: ``python -I ask.py NAME``.

Reads a JSON object of hands (by set of hands, each hand a list of faces 0 to 33 ascending, −1 for jokers), writes what
it answers (by question, a list of shantens); then, for each line read, asks every question of all hands a few times
and writes the seconds that a call took in each pass, by question.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from time import perf_counter
from typing import Any

PASSES = 4


@dataclass
class Question:
    """``hands``: the set that is asked about. ``prepare``: makes of a hand what ``ask`` takes; not measured.

    ``shanten``: what an answer means, with −1 for a win and 0 where only that it is none is known. ``forget``: clears
    answers kept of whole hands before all are asked again; not measured.
    """

    hands: str
    prepare: Callable[[Sequence[int]], Any]
    ask: Callable[[Any], Any]
    shanten: Callable[[Any], int] = int
    forget: Callable[[list[Any]], object] = id

    def answers(self, things: list[Any]) -> list[int]:
        """What is answered, as shantens."""
        return [self.shanten(self.ask(thing)) for thing in things]

    def times(self, things: list[Any]) -> list[float]:
        """Seconds a call in each of a few passes, after one that fetches what another process has driven out."""
        spent = []
        ask = self.ask
        for _ in range(PASSES + 1):
            self.forget(things)
            start = perf_counter()
            for thing in things:
                ask(thing)
            spent.append((perf_counter() - start) / len(things))
        return spent[1:]


def counts(hand: Sequence[int]) -> list[int]:
    """Copies of each face."""
    return [hand.count(face) for face in range(34)]


def text(hand: Sequence[int]) -> list[str]:
    """Digits by suit, for libraries that read tiles."""
    return ["".join(str(face % 9 + 1) for face in hand if face // 9 == suit) for suit in range(4)]


def won(answer: bool) -> int:
    """A win as a shanten."""
    return -1 if answer else 0


def mahjong() -> dict[str, Question]:
    """Written in Python."""
    shanten = import_module("mahjong.shanten").Shanten.calculate_shanten
    is_agari = import_module("mahjong.agari").Agari.is_agari
    return {
        "shanten": Question("14", counts, lambda hand: shanten(hand, False, False)),
        "win": Question("complete", counts, is_agari, won),
        "win or none": Question("14", counts, is_agari, won),
    }


def riichienv() -> dict[str, Question]:
    """Written in Rust."""

    def tiles(hand: Sequence[int]) -> list[int]:
        # Each of the four copies of a face has a number.
        return [4 * face + list(hand[:at]).count(face) for at, face in enumerate(hand)]

    return {"shanten": Question("14", tiles, import_module("riichienv").calculate_shanten)}


def cmajiang() -> dict[str, Question]:
    """Written in C++."""
    library = import_module("cmajiang")

    def hand_of(hand: Sequence[int]) -> Any:
        return library.Shoupai(
            "".join(suit + digits for suit, digits in zip("mpsz", text(hand), strict=True) if digits)
        )

    return {"shanten": Question("14", hand_of, library.xiangting)}


def PyMahjongGB() -> dict[str, Question]:
    """Written in C++; for hands between turns."""
    library = import_module("MahjongGB")
    names = [f"{suit}{rank}" for suit in "WTB" for rank in range(1, 10)]
    names += ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]

    def tiles(hand: Sequence[int]) -> tuple[str, ...]:
        return tuple(names[face] for face in hand)

    return {"shanten": Question("13", tiles, lambda hand: library.MahjongShanten((), hand))}


def jansou() -> dict[str, Question]:
    """Written in Python."""
    parse = import_module("jansou.core.notation").parse_mpsz
    make = import_module("jansou.core.hand").Hand
    module = import_module("jansou.analysis.shanten")

    def hand_of(hand: Sequence[int]) -> Any:
        parts = zip("mpsz", text(hand), strict=True)
        return make(parse("".join(digits + suit for suit, digits in parts if digits)))

    return {"shanten": Question("14", hand_of, module.shanten, int, lambda hands: module._COUNT_MEMO.clear())}


def ours() -> dict[str, Question]:
    """Written in Python; hands of 17 tiles, up to six of them jokers."""
    sys.path.insert(0, str(Path(__file__).parents[3]))
    shapes = import_module("mahjong.shapes")
    state = import_module("mahjong.state").SeatState

    def kept(hand: Sequence[int]) -> Any:
        made = state()
        for face in hand:
            if face >= 0:
                made.add(face)
        made.jokers = hand.count(-1)
        made.size = len(hand)
        return made

    def forget(hands: list[Any]) -> None:
        for hand in hands:
            hand._missing = None

    def counted(hand: Sequence[int]) -> tuple[list[int], int, int]:
        return counts(hand), hand.count(-1), len(hand) // 3

    def best(asked: tuple[list[int], int, int]) -> int:
        held, jokers, sets = asked
        live = [4 - copies for copies in held]
        keys = shapes.keys_of(held)
        after = [shapes.improving_of(keys, jokers - 1, sets)] if jokers else []
        for face, copies in enumerate(held):
            if copies:
                part, weight = shapes.PARTS[face], shapes.WEIGHTS[face]
                keys[part] -= weight
                after.append(shapes.improving_of(keys, jokers, sets))
                keys[part] += weight
        missing, _ = min((made.missing, -sum([live[face] for face in made.faces])) for made in after)
        return int(missing) - 1

    return {
        "shanten, hand": Question("17", kept, attrgetter("missing"), lambda answer: answer - 1, forget),
        "win, hand": Question("17", kept, attrgetter("complete"), won, forget),
        "shanten": Question("17", counted, lambda hand: shapes.shanten(*hand)),
        "win": Question("17", counted, lambda hand: shapes.is_complete(*hand), won),
        "14": Question("14", counted, lambda hand: shapes.shanten(*hand)),
        "13": Question("13", counted, lambda hand: shapes.shanten(*hand)),
        "complete": Question("complete", counted, lambda hand: shapes.shanten(*hand)),
        "best discard": Question("17", counted, best),
    }


def main(name: str) -> None:
    """Answer until nothing more is read."""
    libraries = (ours, mahjong, riichienv, cmajiang, PyMahjongGB, jansou)
    questions = {library.__name__: library for library in libraries}[name]()
    hands = json.loads(sys.stdin.readline())
    things = {
        asked: [question.prepare(hand) for hand in hands[question.hands]] for asked, question in questions.items()
    }
    print(json.dumps({asked: questions[asked].answers(all_of) for asked, all_of in things.items()}), flush=True)
    for _ in sys.stdin:
        print(json.dumps({asked: questions[asked].times(all_of) for asked, all_of in things.items()}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
