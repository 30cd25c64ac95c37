"""复盘: one's own discards that cost most, each with the hand before it, what was thrown and what was better."""

from __future__ import annotations

from collections.abc import Sequence

from data.texts import Html, Words
from handlers.finished import Finished
from handlers.names import shown_name
from handlers.outbox import Button, Keyboard, Message
from handlers.presses import page_data
from handlers.screens.hints import move_word, weighed_word
from handlers.screens.pictures import picture
from handlers.screens.replay import ROUND_OF
from handlers.screens.seating import lines
from handlers.wording import signs
from mahjong.players import Weighed
from mahjong.review import Slip
from render.pool import Renderer
from render.tiles import TileSet
from render.words import ReviewSide, ReviewWords

MANY = 10
"""Coins from which on their fractions are left out."""


def review_message(
    renderer: Renderer,
    chat_id: int,
    hand: Finished,
    slips: Sequence[Slip],
    at: int,
    words: Words,
    *,
    tiles: TileSet,
    group: str | None,
) -> Message:
    """The slip of this number, from 0; without any, that there is nothing to find fault with. ``group``: the title of
    the table's."""
    head = words.html("review.title", n=hand.state.hand)
    if group is not None:
        head = words.html("review.title_in", group=shown_name(group), n=hand.state.hand)
    if not slips:
        return Message(chat_id, lines(head, words.html("review.none")), (_close(hand, words),), silent=True)
    slip = slips[at]
    shown = picture(renderer, "review", slip.turn.view, review_words(slip, words), tiles)
    text = lines(
        words.html("list.pair", first=head, second=words("review.place", at=at + 1, of=len(slips))),
        words.html("review.round_cost", n=_round(slip), cost=_cost(slip)),
        _line(slip, slip.thrown, "review.thrown", words),
        _line(slip, slip.better, "review.better", words),
    )
    return Message(chat_id, text, _buttons(hand, slips, at, words), shown, silent=True)


def review_words(slip: Slip, words: Words) -> ReviewWords:
    """The words of a slip's picture."""
    return ReviewWords(
        signs=signs(words, slip.turn.view.rules),
        title=words("review.round_cost", n=_round(slip), cost=_cost(slip)),
        thrown=_side(slip, slip.thrown, words("review.mark.thrown"), words),
        better=_side(slip, slip.better, words("review.mark.better"), words),
    )


def _side(slip: Slip, weighed: Weighed, label: str, words: Words) -> ReviewSide:
    move = weighed.move
    draws = () if weighed.option.level else tuple(draw for draw in weighed.improving if draw[1])
    return ReviewSide(
        label=label,
        tile=move.tiles[0] if move.verb == "discard" else None,
        note=weighed_word(slip.turn.view, weighed, words, counted=True),
        draws=draws,
        what="" if move.verb == "discard" else words(f"hint.move.{move.verb}", tile="", tiles=""),
    )


def _line(slip: Slip, weighed: Weighed, key: str, words: Words) -> Html:
    question = slip.turn.view.question
    assert question is not None
    what = move_word(question, weighed.move, words)
    return words.html(key, what=what, look=weighed_word(slip.turn.view, weighed, words))


def _round(slip: Slip) -> int:
    return (slip.turn.number - 1) // ROUND_OF + 1


def _cost(slip: Slip) -> str:
    """Coins, with a decimal as long as that tells anything."""
    return f"{slip.cost:,.0f}" if slip.cost >= MANY else f"{slip.cost:.1f}"


def _buttons(hand: Finished, slips: Sequence[Slip], at: int, words: Words) -> Keyboard:
    """The others, and the way into the replay at this very move."""
    rows: list[tuple[Button, ...]] = []
    if len(slips) > 1:
        # Round and round, so that both buttons always do something.
        rows.append(
            tuple(
                Button(words(f"replay.button.{key}"), page_data("v", hand.row.id, "review", (at + step) % len(slips)))
                for key, step in (("back", -1), ("on", 1))
            )
        )
    see = Button(words("review.button.replay"), page_data("v", hand.row.id, "at", slips[at].turn.step))
    return (*rows, (see, *_close(hand, words)))


def _close(hand: Finished, words: Words) -> tuple[Button, ...]:
    return (Button(words("replay.button.close"), page_data("v", hand.row.id, "unreview")),)
