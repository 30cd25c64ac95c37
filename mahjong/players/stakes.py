"""What a hand comes to in coins, by the rules of each game, and how soon others end it: *hard*'s count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mahjong.players.figures import FIGURES, Figures
from mahjong.reach import Own
from mahjong.rulesets import nearest
from mahjong.rulesets.putian import FLAT
from mahjong.rulesets.zhangzhou import VALUES
from mahjong.tiles import WHITE
from mahjong.views import SeatView

CONCEALED_KONG: Final = 2


@dataclass(frozen=True, slots=True)
class Stakes:
    """Coins. ``rules``: the game by whose ``figures`` it is counted, the view's or the nearest of its kin. ``factor``:
    the sum of k or of stakes over the three who pay; ``unit``: coins of a base or of a point.

    ``items``: the seat's points (Zhangzhou) or priced items without gold (Putian).
    """

    rules: str
    figures: Figures
    factor: int
    unit: int
    items: int
    gold_price: float
    lost: float

    def win(self, value: int, jokers: int) -> float:
        """All that three losers pay for a win of a value (rules-zhangzhou 10.1) with so many gold in hand."""
        if self.rules == "zhangzhou":
            return self.unit * (value * self.factor + 3 * self.items)
        return 2 * self.unit * (self.factor + 3 * (self.items + self.gold_price * jokers))

    def by_discard(self, jokers: int) -> float:
        """The same for a win on a discard: in Putian open only its thrower pays."""
        if self.rules == "zhangzhou":
            return self.win(VALUES["discard"], jokers)
        return self.win(2, jokers) / 3 if self.rules == "putian-ming" else 0.0

    def bomb(self, jokers: int, alike: int) -> float:
        """What may be had at any turn of one's own for gold alone; 0 if nothing. ``alike``: most gold of one face."""
        if self.rules == "zhangzhou":
            return self.win(VALUES["three_gold"], jokers) if jokers == 3 else 0.0
        if self.rules == "putian-an" and jokers >= 5:
            return 3.0 * self.unit * FLAT["big_bomb" if jokers == 5 else "super_bomb"]
        return self.win(2, jokers) if alike >= 3 or jokers >= 4 else 0.0

    def kong(self, points: int, winning: float) -> float:
        """What points of a kong bring whoever wins: from all three on one's own win, from two on another's."""
        if self.rules == "zhangzhou":
            return self.unit * points * (3 * winning + 2 * (1 - winning))
        own = 6 * points * winning
        return self.unit * (
            own + (2 * points * (1 - winning) if points == CONCEALED_KONG and self.rules == "putian-an" else 0)
        )


def stakes_of(own: Own) -> Stakes:
    """The stakes of the reader of a view."""
    view, me = own.view, own.me
    rules = nearest(view.rules, FIGURES)
    figures = FIGURES[rules]
    zhangzhou = rules == "zhangzhou"
    factor = 0
    for seat in range(4):
        if seat != me.seat:
            deals = view.dealer in (seat, me.seat)
            factor += view.streak + deals if zhangzhou else view.streak + 1 if deals else 1
    items = _points(me) if zhangzhou else _items(me)
    unit = view.base if zhangzhou else max(1, view.base // 10)
    # A loss is what one pays alone: a third of the factor, and in Putian what the winner has for gold and the like.
    lost = figures.lost * factor / 3 if zhangzhou else figures.lost + figures.share * factor / 3
    gold_price = 2.0 if WHITE in view.gold and len(view.gold) == 1 else 1.0
    return Stakes(rules, figures, factor, unit, items, gold_price, lost * unit)


def _points(seat: SeatView) -> int:
    flowers = len(seat.flowers)
    return max(0, flowers - 3) + sum(_kong_points(meld.kind) for meld in seat.melds)


def _items(seat: SeatView) -> int:
    whites = len(seat.flowers)
    return (5 if whites == 4 else whites) + sum(_kong_points(meld.kind) for meld in seat.melds)


def _kong_points(kind: str) -> int:
    return CONCEALED_KONG if kind == "concealed_kong" else 1 if kind in ("kong", "added_kong") else 0
