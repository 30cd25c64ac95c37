"""What a coach explains to somebody who learns: the first time that a thing comes up, and one thing at a time.

All of it follows from the learner's view and from what has been explained, so that a restart changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from mahjong.advice import advice
from mahjong.moves import Question
from mahjong.rulesets import RULESETS
from mahjong.views import View

EXPLAINED = ("turn", "gold", "white", "flowers", "chow", "pong", "kong", "rob", "opening", "ready", "you", "win")
"""All that there is to explain; how a hand is paid stands under its sheet."""


def lesson_now(view: View, explained: Collection[str]) -> str | None:
    """What is explained at the reader's open question: the most urgent of what has come up; None: nothing new."""
    return next((topic for topic in topics(view) if topic not in explained), None)


def topics(view: View) -> Iterator[str]:
    """What the reader's question and hand give occasion to explain, the most urgent first."""
    question = view.question
    if question is None or view.reader is None:
        return
    if question.ask == "opening":
        yield "opening"
        return
    if any(option.move.verb == "hu" for option in question.options):
        yield "win"
    if question.ask != "turn":
        yield from _claims(view, question)
        return
    best = advice(view)
    if best is not None and best.option.level:
        yield "you"
    if best is not None and best.move.verb == "kong":
        yield "kong"
    yield "turn"
    me = view.seats[view.reader]
    tiles = {*(me.concealed or ()), *(() if me.drawn is None else (me.drawn,))}
    if tiles & set(view.gold):
        yield "gold"
    if best is not None and best.missing == 1:
        yield "ready"
    stands = RULESETS[view.rules].stands_for(view.gold)
    if any(stands[tile] not in (None, tile) for tile in tiles):
        yield "white"
    if me.flowers:
        yield "flowers"


def _claims(view: View, question: Question) -> Iterator[str]:
    """What is on offer, what would be taken first."""
    if question.ask == "rob":
        yield "rob"
        return
    best = advice(view)
    offered = {option.move.verb for option in question.options}
    yield from sorted(
        offered & {"chow", "pong", "kong"}, key=lambda verb: (best is None or verb != best.move.verb, verb)
    )
