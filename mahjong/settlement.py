"""Who owes whom what at the end of a hand, and what of it is paid (rules-zhangzhou 10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from mahjong.moves import Seat
from mahjong.tiles import Tile
from mahjong.values import value

if TYPE_CHECKING:
    from mahjong.hand import Hand

Outcome = Literal["win", "draw", "false_win"]
Four = tuple[int, int, int, int]


@value(frozen=True, slots=True)
class Ending:
    """How a hand ends, before it is settled; fields as in record.md (``source`` is its ``from``)."""

    outcome: Outcome
    winner: Seat | None = None
    by: str | None = None
    source: Seat | None = None
    tile: Tile | None = None


@value(frozen=True, slots=True)
class Due:
    """What one seat owes another; fields as in ``ScoreLine``."""

    payer: Seat
    payee: Seat
    item: str
    value: int
    factor: int
    points: int
    amount: int
    share: Seat | None = None


@value(frozen=True, slots=True)
class ScoreLine:
    """One due of a settlement, exact enough to print its sum (rules-zhangzhou 12).

    Zhangzhou win: due = base × value × factor + points × base. Putian win: due = (factor + points) × value points of
    base/10; a bomb: value points. ``item`` as in record.md.
    ``paid`` is less than ``due`` when the payer had less (10.8): the rest is the shortfall.
    ``share``: the seat whose share the payer carries by liability 承包 (8.3), else None.
    """

    payer: Seat
    payee: Seat
    item: str
    value: int
    factor: int
    points: int
    due: int
    paid: int
    share: Seat | None = None


@value(frozen=True, slots=True)
class Tally:
    """One thing a seat has points for: ``item``, how many, points.

    Items: ``flowers``, ``exposed_kong``, ``concealed_kong``, ``gold``, ``whites``.
    """

    item: str
    count: int
    points: int


@value(frozen=True, slots=True)
class Result:
    """How a hand ended; fields as in record.md. ``source`` is its ``from``; ``lines`` its ``payments`` and more."""

    outcome: Outcome
    winner: Seat | None
    by: str | None
    source: Seat | None
    tile: Tile | None
    points: Four
    fenbing: int
    lines: tuple[ScoreLine, ...]
    net: Four
    coins: Four
    next_dealer: Seat
    next_streak: int


def pay(dues: Iterable[Due], coins: Sequence[int]) -> tuple[tuple[ScoreLine, ...], Four]:
    """Pay dues in their order; nobody pays more than they have left at that moment (rules-zhangzhou 10.8).

    Returns the lines and the coins of the four seats afterwards.

    >>> lines, coins = pay([Due(0, 1, "win", 1, 1, 0, 70), Due(2, 0, "points", 0, 0, 1, 10)], (50, 0, 30, 0))
    >>> lines[0].paid, coins
    (50, (10, 50, 20, 0))
    """
    left = list(coins)
    lines = []
    for due in dues:
        paid = min(due.amount, left[due.payer])
        left[due.payer] -= paid
        left[due.payee] += paid
        lines.append(
            ScoreLine(due.payer, due.payee, due.item, due.value, due.factor, due.points, due.amount, paid, due.share)
        )
    return tuple(lines), (left[0], left[1], left[2], left[3])


def settled(hand: Hand, ending: Ending) -> Result:
    """What comes of a hand that ends so, by its game's dues, and who deals next: the dealer again after a win of
    theirs or a draw, with a hand more in the row."""
    rules, setup = hand.rules, hand.setup
    lines, coins = pay(rules.dues(hand, ending), setup.coins)
    stays = ending.outcome == "draw" or ending.winner == setup.dealer
    points = [rules.points(hand, seat, ending) for seat in range(4)]
    net = [after - before for after, before in zip(coins, setup.coins, strict=True)]
    return Result(
        ending.outcome,
        ending.winner,
        ending.by,
        ending.source,
        ending.tile,
        (points[0], points[1], points[2], points[3]),
        rules.fenbing(hand),
        lines,
        (net[0], net[1], net[2], net[3]),
        coins,
        setup.dealer if stays else (setup.dealer + 1) % 4,
        setup.streak + 1 if stays else 1,
    )
