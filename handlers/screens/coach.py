"""What a coach says in words: under a learner's hand, and under the sheet; short enough for a phone."""

from __future__ import annotations

from data.texts import Html, Words
from handlers.outbox import Button, Keyboard
from handlers.presses import move_data, page_data
from handlers.screens.pictures import YOU_LEVELS
from handlers.screens.seating import lines
from handlers.table_state import TableState
from handlers.wording import signed, tile_word, win_word
from mahjong.advice import advice
from mahjong.outlook import Outlook, outlook
from mahjong.players import Weighed
from mahjong.rulesets import RULESETS
from mahjong.tiles import Tile, in_run
from mahjong.views import ScoreLine, SheetView, View
from render.words import FourWords

NAMED = 4
"""So many kinds of tiles that a hand waits for are named."""


def coach_text(state: TableState, view: View, words: Words) -> Html:
    """What is new (``handlers.coach``), and what is best to do and why; to who waits, what for."""
    best = advice(view)
    new = words.html(f"coach.new.{state.teaching}", **_topic_fields(view, words)) if state.teaching else None
    if best is None:
        look = outlook(view)
        ready = look is not None and look.missing == 1 and "ready" in state.taught
        return (
            words.html("coach.waits", tiles=_awaited(look, view.gold, words))
            if ready and look
            else words.html("coach.rests")
        )
    return lines(new, words.html("coach.do", what=_advice(view, best, words)))


def _topic_fields(view: View, words: Words) -> dict[str, str]:
    return {"gold": tile_word(words, view.gold[0]) if view.gold else ""}


def _advice(view: View, best: Weighed, words: Words) -> str:
    option, question = best.option, view.question
    assert question is not None
    gain = signed(option.gain) if option.gain is not None else ""
    tile = tile_word(words, option.move.tiles[0]) if option.move.tiles else ""
    match option.move.verb:
        case "hu":
            return words("coach.do.hu", win=win_word(words, view.rules, option.by), gain=gain)
        case "discard" if option.level:
            win = win_word(words, view.rules, YOU_LEVELS[option.level])
            return words("coach.do.you", tile=tile, win=win, gain=gain)
        case "discard" if best.missing == 1:
            look = outlook(view, option.move)
            return words("coach.do.ready", tile=tile, tiles=_awaited(look, view.gold, words))
        case "discard" if alone(view, option.move.tiles[0]):
            return words("coach.do.alone", tile=tile)
        case "discard":
            return words.n("coach.do.discard", best.missing - 1, tile=tile)
        case "chow":
            run = in_run(option.move.tiles, RULESETS[view.rules].stands_for(view.gold))
            return words("coach.do.chow", tiles=words("list.comma").join(tile_word(words, tile) for tile in run))
        case "pass" if question.ask == "rob":
            return words("hint.no_rob")
    return words(f"coach.do.{option.move.verb}")


def alone(view: View, tile: Tile) -> bool:
    """Whether a tile of the reader's hand has no other like it, and none beside it or one further."""
    assert view.reader is not None
    me = view.seats[view.reader]
    stands = RULESETS[view.rules].stands_for(view.gold)
    faces = [stands[held] for held in (*(me.concealed or ()), *(() if me.drawn is None else (me.drawn,)))]
    face = stands[tile]
    if face is None or faces.count(face) > 1:
        return False
    suit = range(face // 9 * 9, min(27, face // 9 * 9 + 9))
    return not any(near != face and near in suit and near in faces for near in range(face - 2, face + 3))


def _awaited(look: Outlook | None, gold: tuple[Tile, ...], words: Words) -> str:
    """The tiles that a hand waits for, those first of which most may come."""
    if look is None or look.you:
        return words("coach.any")
    draws = sorted((draw for draw in look.draws if draw[1]), key=lambda draw: -draw[1])
    # That gold helps goes without saying.
    draws = [draw for draw in draws if draw[0] not in gold] or draws
    named = words("list.comma").join(tile_word(words, tile) for tile, _ in draws[:NAMED])
    return named if len(draws) <= NAMED else words("coach.kinds", tiles=named, n=len(draws))


def pointed(state: TableState, view: View, keyboard: Keyboard) -> Keyboard:
    """The keyboard with the button that the coach means in colour, and no other."""
    best = advice(view)
    if best is None or view.question is None:
        return keyboard
    number, step = view.question.number, view.question.step
    meant = {
        move_data(state.table, state.hand, number, best.move, step, declared=declared) for declared in (False, True)
    }
    found = [button for row in keyboard for button in row if button.data in meant]
    # Of several copies of a tile one is enough; 游金 has a button of its own above them.
    first = found[0] if found else None
    rows = []
    for row in keyboard:
        buttons = []
        for button in row:
            chosen = button is first
            buttons.append(Button(button.text, button.data, button.url, style="success" if chosen else None))
        rows.append(tuple(buttons))
    return tuple(rows)


def sheet_coach(state: TableState, sheet: SheetView, names: FourWords, words: Words) -> Html:
    """Who pays what, to somebody who sees their first sheet."""
    reader = next((seat for seat, owner in enumerate(state.players) if owner.person is not None), 0)
    view = sheet.view
    said: Html
    if sheet.outcome != "win" or sheet.winner is None:
        said = words.html("coach.sheet.draw" if sheet.outcome == "draw" else "coach.sheet.false_win")
    else:
        wins = [line for line in sheet.lines if line.item == "win" and line.due]
        value = wins[0].value if wins else 1
        fields = {
            "name": names[sheet.winner],
            "win": win_word(words, view.rules, sheet.by),
            "base": view.base,
            "value": value,
            "dealer": names[view.dealer],
        }
        key = "coach.sheet.won" if sheet.winner == reader else "coach.sheet.lost"
        said = lines(
            words.html(key, **fields),
            words.html("coach.sheet.pay", **fields),
            words.html(_doubled(wins, sheet.winner, view.dealer), **fields),
        )
    return lines(said, words.html("coach.sheet.arranged"))


def _doubled(wins: list[ScoreLine], winner: int, dealer: int) -> str:
    """The catalogue key of why the dealer pays, or is paid, more."""
    return "coach.sheet.dealer_wins" if winner == dealer else "coach.sheet.dealer_pays"


def sheet_ways(words: Words) -> Keyboard:
    """What to do after a hand with a coach."""
    return (
        (Button(words("button.again"), page_data("l", "deal"), style="success"),),
        (
            Button(words("button.freely"), page_data("l", "free")),
            Button(words("button.in_group"), page_data("l", "group")),
        ),
    )
