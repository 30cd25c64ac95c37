"""A hint in words: what a good player would do and why, and what a hand waits for; short enough for a toast."""

from __future__ import annotations

from collections.abc import Sequence

from data.texts import Words
from handlers.screens.pictures import YOU_LEVELS
from handlers.wording import tile_word, tile_words, win_word
from mahjong.advice import advised
from mahjong.moves import Move, Question
from mahjong.outlook import Outlook, after_discards, nearness, outlook
from mahjong.players import Weighed
from mahjong.views import View

TOAST = 200
"""Characters of an answer to a press at most (Bot API, answerCallbackQuery)."""
NAMED = 6
"""So many kinds of tiles are named; of more there is only a count."""


def hint_text(view: View, weighed: Sequence[Weighed], words: Words) -> str:
    """What is best now. ``weighed``: the answers to the reader's question, best first; empty where nothing is asked."""
    question = view.question
    if question is None or not weighed:
        look = outlook(view)
        return words("hint.now", look=look_word(look, words, naming=True)) if look is not None else words("hint.none")
    best = advised(weighed)
    said = [_said(view, question, best, words)]
    other = next((other for other in weighed if (other.move.verb == "pass") != (best.move.verb == "pass")), None)
    # That a kong changes nothing is said of it already.
    same = other is not None and best.reason == "kong" and other.improving == best.improving
    if question.ask == "claim" and other and not same and not {best.move.verb, other.move.verb} & {"hu", "rob"}:
        # Why: what comes of it otherwise.
        what = move_word(question, other.move, words)
        said.append(words("hint.else", what=what, look=look_word(_look(view, other), words)))
    return _fitting(said)


def _look(view: View, weighed: Weighed) -> Outlook:
    you = bool(weighed.option.level)
    after = None
    if not you and weighed.missing == 1:
        # The shape of 游金 is left by claims too, and kept by passing.
        after = outlook(view, weighed.move)
        you = after is not None and after.you and weighed.then in (None, after.discard)
    draw_alone = after.draw_alone if after is not None else False
    return Outlook(weighed.missing, weighed.improving, you, weighed.then, draw_alone)


def waits_text(view: View, words: Words) -> str:
    """What completes the reader's hand, or what would after each discard, with the copies not seen."""
    if view.question is None or view.question.ask != "turn":
        look = outlook(view)
        return words("waits.none") if look is None or look.missing > 1 else waiting_word(look, words)
    found = sorted((look for look in after_discards(view).values() if look.missing <= 1), key=nearness)
    if not found:
        return words("waits.none")
    return _fitting(
        [
            words("waits.after", tile=tile_word(words, look.discard), look=waiting_word(look, words))
            for look in found
            if look.discard is not None
        ]
    )


def waits_at_all(view: View) -> bool:
    """Whether the reader's hand waits, or would after some discard."""
    if view.question is not None and view.question.ask == "turn":
        return any(look.missing <= 1 for look in after_discards(view).values())
    look = outlook(view)
    return look is not None and look.missing <= 1


def weighed_word(view: View, weighed: Weighed, words: Words, *, counted: bool = False) -> str:
    """What a move of a turn leads to. ``counted``: tiles that are waited for are only counted."""
    option = weighed.option
    gain = f"{option.gain:+,}" if option.gain is not None else ""
    if option.level:
        return words("review.you", win=win_word(words, view.rules, YOU_LEVELS[option.level]), gain=gain)
    if option.move.verb == "hu":
        return words("review.hu", win=win_word(words, view.rules, option.by), gain=gain)
    look = _look(view, weighed)
    if counted and look.missing <= 1 and not look.you:
        return words("waits.many", **_counts(look, words))
    return look_word(look, words)


def look_word(look: Outlook, words: Words, *, naming: bool = False) -> str:
    """「还差 2 张听牌，进张 5 种 14 张」, 「听三万×2、六万×3，共 5 张」. ``naming``: also of a hand that does not wait
    yet, which tiles help."""
    if look.missing <= 1:
        return waiting_word(look, words)
    text = words("hint.far", n=look.missing - 1, **_counts(look, words))
    live = sorted((draw for draw in look.draws if draw[1]), key=lambda draw: -draw[1])
    if naming and live:
        best = tile_words(words, [tile for tile, _ in live[:NAMED]])
        text = words("hint.far_named" if len(live) <= NAMED else "hint.far_best", look=text, tiles=best)
    return text


def waiting_word(look: Outlook, words: Words) -> str:
    """What a hand waits for: 「听三万 2、六万 3，共 5 张」, and whether only its own draw will do."""
    if look.you:
        return words("waits.any")
    told = _waits_for(look, words)
    return words("waits.draw_alone", look=told) if look.draw_alone and look.live else told


def _waits_for(look: Outlook, words: Words) -> str:
    if look.kinds > NAMED:
        return words("waits.many", **_counts(look, words))
    comma = words("list.comma")
    if not look.live:
        gone = comma.join(tile_word(words, tile) for tile, _ in look.draws[:NAMED])
        # A fifth copy is all that would do.
        return words("waits.gone", tiles=gone) if gone else words("waits.nothing")
    tiles = comma.join(
        words("waits.tile", tile=tile_word(words, tile), n=copies) for tile, copies in look.draws if copies
    )
    return words("waits.tiles", tiles=tiles, live=look.live)


def _counts(look: Outlook, words: Words) -> dict[str, str]:
    """How many kinds of tiles help, and how many copies of them nobody has seen."""
    return {"kinds": words.n("count.kinds", look.kinds), "live": words.n("count.tiles", look.live)}


def _said(view: View, question: Question, best: Weighed, words: Words) -> str:
    option = best.option
    what = move_word(question, option.move, words)
    what = what[:1].upper() + what[1:]
    if option.level:
        gain = f"{option.gain:+,}" if option.gain is not None else ""
        return words("hint.you", what=what, win=win_word(words, view.rules, YOU_LEVELS[option.level]), gain=gain)
    if option.move.verb in ("hu", "rob"):
        gain = f"{option.gain:+,}" if option.gain is not None else ""
        return words(f"hint.{option.move.verb}", win=win_word(words, view.rules, option.by), gain=gain)
    if question.ask == "rob":
        return words("hint.no_rob")
    if best.reason == "kong":
        what = words("hint.kong", what=what)
    if best.then is not None:
        what = words("hint.then", what=what, tile=tile_word(words, best.then))
    return words("hint.does", what=what, look=look_word(_look(view, best), words))


def move_word(question: Question, move: Move, words: Words) -> str:
    """A move as advice: 「打五万」, 「碰二筒」, 「过」."""
    tile = move.tiles[0] if move.tiles else question.tile
    return words(
        f"hint.move.{move.verb}",
        tile=tile_word(words, tile) if tile is not None else "",
        tiles=tile_words(words, move.tiles),
    )


def _fitting(said: list[str]) -> str:
    """As many lines as a toast holds; at least the first, cut if it must be."""
    while len(said) > 1 and len("\n".join(said)) > TOAST:
        said.pop()
    return "\n".join(said)[:TOAST]
