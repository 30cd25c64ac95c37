"""A finished hand step by step: what happened, what everybody held, and what they let go."""

from __future__ import annotations

from dataclasses import dataclass

from mahjong.hand import Hand
from mahjong.moves import Ask, Event, Move, Option, Phase, Seat
from mahjong.records import IllegalRecord, Record, replay
from mahjong.views import View, opened

QUIET = frozenset({"dealt", "ended", "last_four", "locked"})
"""Events that a step's other events say already, or its view."""


@dataclass(frozen=True, slots=True)
class Declined:
    """What a seat was offered and did not take. ``ask``: in which question; ``tile``: which it was about, if one.

    ``wrong``: it would have been a false win: the guess at a hidden kong of another face (rules-zhangzhou 9.2).
    """

    seat: Seat
    ask: Ask
    option: Option
    tile: int | None = None
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One moment of a hand that is over, at which somebody was asked something, or drew in a lock; the last one is its
    end.

    ``view``: with everything open. ``events``: what happened since the step before. ``asked``: who has a choice now,
    hopeless guesses left out. ``taken``: the move that was made next, if one. ``declined``: what was let go for it, as
    far as that is certain: whoever was outbid may have answered too. ``matters``: whether somebody had a choice other
    than which tile to throw.
    ``turn``: number of the turn, counted from 1 through all four.
    """

    view: View
    phase: Phase
    events: tuple[Event, ...]
    asked: tuple[Seat, ...]
    taken: Move | None
    declined: tuple[Declined, ...]
    matters: bool
    turn: int


def steps(record: Record) -> tuple[Step, ...]:
    """The steps of a hand, first the opening or, where that offered nothing, the first turn; last the end.

    Raises ``IllegalRecord`` if the record is wrong or the hand is not over.
    """
    moments, ended = moments_of(record)
    found: list[Step] = []
    turn = 0
    for at, moment in enumerate(moments):
        before = moments[at - 1] if at else None
        after = moments[at + 1] if at + 1 < len(moments) else None
        turn += moment.phase in ("turn", "lock")
        taken = taken_at(moment, after)
        declined = () if after is None else tuple(_declined(moment, taken))
        since = len(before.events) if before is not None else 0
        choice = moment.phase != "turn" and after is not None and bool(moment.questions)
        found.append(
            Step(
                view=opened(moment, ended),
                phase=moment.phase,
                events=tuple(event for event in moment.events[since:] if event.kind not in QUIET),
                asked=tuple(seat for seat, question in sorted(moment.questions.items()) if not question.hopeless),
                taken=taken,
                declined=declined,
                matters=choice or any(_special(option) for option in _options(moment)),
                turn=turn,
            )
        )
    return tuple(found)


def moments_of(record: Record) -> tuple[list[Hand], Hand]:
    """The hand at each of its steps, and at its end. Raises as ``steps`` does."""
    moments: list[Hand] = []

    def watch(hand: Hand) -> None:
        asked = any(not question.hopeless for question in hand.questions.values())
        # In a lock everybody waits for what the others draw.
        if hand.result is None and not asked and hand.phase != "lock":
            return
        if not moments or hand.number != moments[-1].number or hand.result is not None:
            moments.append(hand.copy())

    ended = replay(record, watch)
    if ended.result is None:
        raise IllegalRecord("the hand is not over")
    return moments, ended


def taken_at(moment: Hand, after: Hand | None) -> Move | None:
    """What was done next; None if all passed."""
    if after is None:
        return None
    new = [move for move in after.actions[len(moment.actions) :] if move.verb != "pass"]
    # An answer to a window that was skipped, since nobody in it had a hope, is not one to this.
    if not new or (moment.phase != "turn" and all(option.move != new[0] for _, option in moment.offered())):
        return None
    return new[0]


def _special(option: Option) -> bool:
    """Whether an option of a turn is more than throwing a tile."""
    return option.move.verb != "discard" or bool(option.level)


def _options(moment: Hand) -> list[Option]:
    return [option for question in moment.questions.values() for option in question.options]


def _declined(moment: Hand, taken: Move | None) -> list[Declined]:
    if moment.phase == "turn":
        options = [option for option in _options(moment) if _special(option)]
        chosen = next((option for option in options if option.move == taken), None)
        if chosen is not None and (chosen.move.verb == "hu" or chosen.level):
            # Whoever wins has not turned anything down; who goes for 游金, the win alone.
            options = [option for option in options if option.move.verb == "hu" and chosen.level]
        return [Declined(option.move.seat, "turn", option) for option in options if option is not chosen]
    offers = moment.offered()
    best = min((rank for rank, option in offers if option.move == taken), default=None)
    hopeless = {seat for seat, question in moment.questions.items() if question.hopeless}
    found = []
    for rank, option in offers:
        if option.move.seat not in hopeless and (best is None or rank < best):
            question = next(iter(moment.questions.values()))
            wrong = option.move.verb == "rob" and question.tile is None and _false(moment, option.move)
            found.append(Declined(option.move.seat, question.ask, option, question.tile, wrong))
    return found


def _false(moment: Hand, guess: Move) -> bool:
    """Whether a guess would have been wrong, had it been made."""
    tried = moment.copy()
    tried.apply(guess)
    tried.close()
    return tried.result is not None and tried.result.outcome == "false_win"
