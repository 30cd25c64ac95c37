"""Looks for hands to learn by (``mahjong.lessons``): ``python -m tests.lessons 0-50000``.

The learner follows the advice of ``mahjong.advice``; the others are computers whose chance is the seed's, as at a
table.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from random import Random

from mahjong import lessons
from mahjong.advice import advice
from mahjong.hand import Hand, Setup
from mahjong.moves import Move
from mahjong.outlook import outlook
from mahjong.players import PLAYERS, Player, Weighed
from mahjong.rulesets import RULESETS
from mahjong.simulate import BASE, COINS
from mahjong.tiles import NAMES
from mahjong.views import View, view
from mahjong.wall import shuffle

LONG = 600
"""More steps than any hand has."""


@dataclass(slots=True)
class Lesson:
    """A hand that was played: what the learner was asked and told to do; the tiles held when it began."""

    hand: Hand
    begun: list[int]
    told: list[tuple[View, Weighed]] = field(default_factory=list)
    overtaken: int = 0
    """Offers that others settled before the learner had answered: buttons that would flash by."""

    @property
    def turns(self) -> int:
        return sum(seen.question is not None and seen.question.ask == "turn" for seen, _ in self.told)

    def taken(self, verb: str) -> int:
        return sum(best.move.verb == verb for _, best in self.told)

    def asked(self, ask: str) -> int:
        return sum(seen.question is not None and seen.question.ask == ask for seen, _ in self.told)


def dealt(number: int) -> Hand:
    """The hand of a number (``lessons.seed``) before anything was thrown."""
    rules = RULESETS[lessons.GAME]
    deal = shuffle(lessons.seed(number), (), rules, lessons.DEALER)
    return Hand.deal(
        Setup(rules, dealer=lessons.DEALER, base=BASE, coins=COINS, wall=deal.wall, gold_dice=deal.gold_dice)
    )


def played(number: int) -> Lesson:
    """Play a hand by the advice to its end."""
    hand = dealt(number)
    lesson = Lesson(hand, hand.seats[lessons.LEARNER].held())
    player, key = PLAYERS[lessons.COMPUTERS], lessons.seed(number).hex()
    for _ in range(LONG):
        if hand.result is not None:
            break
        asked = sorted(hand.questions, key=lambda seat: seat == lessons.LEARNER)
        window = hand.number
        for seat in asked:
            if seat == lessons.LEARNER and hand.in_window and hand.can_close:
                lesson.overtaken += 1
            while hand.result is None and hand.number == window and seat in hand.questions:
                hand.apply(_answer(lesson, seat, player, key))
        if hand.result is None and hand.number == window and hand.in_window:
            hand.close()
    return lesson


def _answer(lesson: Lesson, seat: int, player: Player, key: str) -> Move:
    hand = lesson.hand
    if hand.questions[seat].hopeless:
        return Move(seat, "pass")
    seen = view(hand, seat)
    if seat != lessons.LEARNER:
        return player.choose(seen, Random(f"{key}:{hand.number}:{seat}"))
    best = advice(seen)
    assert best is not None
    lesson.told.append((seen, best))
    return best.move


def promising(number: int) -> bool:
    """Whether a deal is worth playing: gold and a flower, no white, and near enough to be ready in time."""
    hand = dealt(number)
    if hand.result is not None or (hand.in_window and lessons.LEARNER in hand.questions):
        return False
    held = [NAMES[tile] for tile in hand.seats[lessons.LEARNER].held()]
    gold = NAMES[hand.gold[0]]
    look = outlook(view(hand, lessons.LEARNER))
    flowers = len(hand.seats[lessons.LEARNER].flowers)
    return (
        held.count(gold) == 1
        and gold[1] != "z"
        and "5z" not in held
        and 1 <= flowers <= 3
        and look is not None
        and look.missing <= 4
    )


def teaches(lesson: Lesson) -> bool:
    """Whether it shows what a beginner should see, without what would only puzzle them."""
    result = lesson.hand.result
    first = [NAMES[best.move.tiles[0]] for _, best in lesson.told if best.move.verb == "discard"][:2]
    ready = sum(best.move.verb == "discard" and best.missing == 1 for _, best in lesson.told)
    return (
        result is not None
        and result.winner == lessons.LEARNER
        and 6 <= lesson.turns <= 9
        and lesson.taken("chow") > 0
        and lesson.taken("pong") > 0
        and lesson.taken("kong") == lesson.asked("rob") == lesson.asked("opening") == lesson.overtaken == 0
        and ready >= 2
        # Lone honours go first, as anybody can see.
        and all(name[1] == "z" for name in first)
    )


def main(span: str) -> None:
    """Print the numbers that teach, with what is told in them."""
    low, _, high = span.partition("-")
    for number in range(int(low), int(high) + 1):
        if not promising(number):
            continue
        lesson = played(number)
        if teaches(lesson):
            told = " ".join(
                f"{best.move.verb}:{''.join(NAMES[tile] for tile in best.move.tiles)}" for _, best in lesson.told
            )
            assert lesson.hand.result is not None
            print(number, lesson.hand.result.by, lesson.hand.result.net, told, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
