"""The parts by themselves: the engine, the pictures, an evening in virtual time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from random import Random

from data.texts import Texts
from handlers.screens.hand import hand_message
from handlers.table_state import Seat, TableState
from mahjong.hand import Hand, Setup
from mahjong.players import PLAYERS
from mahjong.rulesets import RULESETS
from mahjong.simulate import Plan, Statistics
from mahjong.simulate import simulate as play
from mahjong.views import view
from mahjong.wall import shuffle
from render.pool import Renderer
from tests.bench.figures import Figure, at_most
from tests.bench.pictures import pictures
from tests.bench.played import played
from tests.bench.store import store
from tests.simulate.run import simulate


def median_ms(work: Callable[[], object], times: int) -> float:
    """The median time of some work, in milliseconds, after one warm-up."""
    work()
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        spent.append(time.perf_counter() - start)
    return statistics.median(spent) * 1000


def hands_per_second(level: str, hands: int) -> float:
    """How many hands of Zhangzhou four computers of a level play in a second of one core's time, as *simulate* does."""
    start = time.process_time()
    for _ in play(Plan("zhangzhou", 1, hands, (level,) * 4), Statistics()):
        pass
    return hands / (time.process_time() - start)


def decision_ms(level: str, rules: str, hands: int) -> float:
    """The median time of a decision of a level in hands of four of them, questions with one answer aside."""
    player = PLAYERS[level]
    spent = []
    for seed in range(hands):
        hand = _dealt(rules, seed)
        while hand.result is None:
            for seat in list(hand.questions):
                while seat in hand.questions:
                    shown = view(hand, seat)
                    start = time.perf_counter()
                    move = player.choose(shown, Random(seed))
                    if len(hand.questions[seat].options) > 1:
                        spent.append(time.perf_counter() - start)
                    hand.apply(move)
            if hand.in_window:
                hand.close()
    return statistics.median(spent) * 1000


def _dealt(rules: str, seed: int) -> Hand:
    game, rng = RULESETS[rules], Random(seed)
    made = shuffle(rng.randbytes(32), (), game, seed % 4)
    return Hand.deal(Setup(game, {}, seed % 4, 1, 10, (2000,) * 4, made.wall, made.gold_dice))


def parts() -> Iterator[Figure]:
    """All of them, one after the other."""
    rate = hands_per_second("random", 300)
    yield Figure("hands a second, four random players", rate, "hands/s", "≥ 300", rate >= 300)
    yield Figure("hands a second, four easy players", hands_per_second("easy", 100), "hands/s")
    rate = hands_per_second("normal", 100)
    yield Figure("hands a second, four normal players", rate, "hands/s", "≥ 60", rate >= 60)

    for level, most in (("easy", 0.3), ("normal", 0.3), ("hard", 10.0)):
        for rules in RULESETS:
            yield at_most(f"a decision, {level}, {rules}", decision_ms(level, rules, 12), "ms", most)

    yield from pictures()
    yield from store()

    words = Texts.load().get("zh_Hans")
    state = TableState(table=1, group=1, phase="playing", hand=1)
    state.seats = [
        Seat(person=i + 1, name=name, wallet=1500) for i, name in enumerate(("阿明", "阿珍", "老林", "Xiaohong"))
    ]
    middle = played("easy", 3, lambda hand: hand.phase == "turn" and len(hand.events) > 60)
    (seat,) = middle.questions or {0: None}
    renderer = Renderer(0)
    yield Figure(
        "view and message of one seat",
        median_ms(lambda: hand_message(renderer, 1, state, view(middle, seat), words), 60),
        "ms",
    )

    start = time.perf_counter()
    evening = simulate(2, hands=2, tables=1, calm=True)
    spent = time.perf_counter() - start
    yield Figure("calls a hand, simulated", evening.calls / evening.hands, "calls")
    yield Figure("virtual play against real time", evening.days * 86_400 / spent, "×")
