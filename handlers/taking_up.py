"""A table taken up after a start where its last committed move left it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from data.errors import StoreUnwritable
from data.model import HandRow
from handlers.answers import Answer
from handlers.draft import Draft
from handlers.table_state import TableState
from mahjong.hand import Hand
from mahjong.notation import read_move

if TYPE_CHECKING:
    from handlers.house import House


log = logging.getLogger(__name__)


async def hand_of(house: House, state: TableState) -> tuple[Hand | None, bytes | None]:
    """The running or last hand of a table as its journal tells it, and its seed; None without one, or before its dice
    have fallen.

    Raises ``StoreUnwritable``, and whatever else when the hand cannot be read. Where none is needed to go on, one that
    cannot be read is as if there had been none.
    """
    try:
        return await _kept(house, state)
    except StoreUnwritable:
        raise
    except Exception:
        if state.phase not in ("lobby", "countdown", "paused"):
            raise
        log.exception("the last hand of table %d cannot be read; it goes on without", state.table)
        return None, None


async def _kept(house: House, state: TableState) -> tuple[Hand | None, bytes | None]:
    kept = await house.store.hand(state.hand_id) if state.hand_id is not None else None
    fits = kept is not None and kept.ended_at is None and (kept.dice is None) == (state.phase == "dice")
    if state.phase in ("dice", "playing") and not fits:
        raise ValueError(f"hand {state.hand_id} is not as its table says, which is at {state.phase}")
    if kept is None:
        return None, None
    return (None if kept.dice is None else await _replay(house, kept)), kept.seed


async def _replay(house: House, kept: HandRow) -> Hand:
    """Dealt anew from the seed, then every answer and every closed window again."""
    hand = Hand.deal(
        house.dealing(
            kept.rules,
            kept.options,
            kept.dealer,
            kept.streak,
            kept.base,
            kept.coins,
            kept.seed,
            kept.dice or (),
        )
    )
    for entry in await house.store.journal(kept.id):
        if entry.kind in ("move", "timeout"):
            hand.apply(read_move(entry.body["move"]))
        elif entry.kind == "close":
            hand.close()
    return hand


def resumed(draft: Draft) -> Answer:
    """After a restart every open deadline gets a full turn more (house.md); where hours are given, what was left of
    them, or a good part."""
    state = draft.state
    draft.note("resumed")
    if state.phase == "playing":
        left = state.deadlines
        state.deadlines = {}
        draft.asked(state.answer_by)
        if "still" in left and "still" in state.deadlines:
            # However often there is a restart, somebody who does not come back is played for at last.
            del state.deadlines["remind"]
            state.deadlines |= {name: left[name] for name in ("remind", "still") if name in left}
    elif state.phase in ("lobby", "between") or state.relief:
        for name in list(state.deadlines):
            draft.due_at_least(name, 60)
    return Answer()
