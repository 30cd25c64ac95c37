"""Putian mahjong 莆田麻将, dark 暗胡 and open 明胡; numbers in brackets are sections of its rules."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Final

from mahjong.dealing import replace_flowers, turn_gold
from mahjong.moves import IllegalRecord, Seat, in_order
from mahjong.rulesets.base import OptionSpec, Ruleset, tile_set
from mahjong.settlement import Due, Ending, Tally
from mahjong.tiles import WHITE, Tile

if TYPE_CHECKING:
    from mahjong.hand import Hand

FLAT: Final = {"big_bomb": 50, "super_bomb": 100}
"""Points that each loser pays for a bomb, nothing added or doubled (6.2)."""
FOUR_WHITES: Final = 5
"""Points of all four whites together (6.1)."""
WHITE_GOLD: Final = 2
"""Points of each white that is gold (6.1)."""


class Putian(Ruleset):
    """What the two modes share: 112 tiles, gold that is kept, whites as flowers, payments in points of base/10."""

    tiles = tile_set((*range(27), WHITE))
    keeps_gold = True  # 2.3
    flat = FLAT
    options: tuple[OptionSpec, ...] = (
        OptionSpec("discard_win_multiplier", (2, 1)),
        OptionSpec("count_single_whites_between_losers", (True, False)),
    )

    def check_base(self, base: int) -> None:
        """A point is base/10 coins (6.6)."""
        if base % 10:
            raise IllegalRecord(f"base: a multiple of 10 in {self.name}, not {base}")

    # The deal

    def prepare(self, hand: Hand) -> None:
        """Gold first, then the whites, unless they are gold (2, 3)."""
        turn_gold(hand)
        replace_flowers(hand)

    def flowers(self, gold: tuple[Tile, ...]) -> Container[Tile]:
        """Whites, unless they are gold (3)."""
        return () if WHITE in gold else (WHITE,)

    # Wins

    def bomb(self, hand: Hand, seat: Seat) -> str | None:
        """The bomb that the seat holds, as ``by`` in record.md (5.2)."""
        raise NotImplementedError

    def opening(self, hand: Hand) -> list[tuple[str, Seat]]:
        """天胡, bombs by size, 双金, 抢金 by the idle, 抢金 by the dealer (5.5)."""
        order = in_order(hand.setup.dealer)
        wins: list[tuple[str, Seat]] = []
        if hand.seats[order[0]].complete:
            wins.append((self._better("heavenly", hand, order[0]), order[0]))
        bombs = {seat: self.bomb(hand, seat) for seat in order}
        for kind in ("super_bomb", "big_bomb", "small_bomb", "three_gold"):
            # A complete dealer was offered a bomb that pays more already, in the place of 天胡.
            wins += [(kind, seat) for seat, by in bombs.items() if by == kind and (kind, seat) not in wins]
        alike = len(hand.turned) == 2 and len(hand.gold) == 1
        wins += [("two_gold", seat) for seat in order if alike and hand.seats[seat].jokers == 2]
        wins += [("rob_gold", seat) for seat in (*order[1:], order[0]) if hand.seats[seat].missing <= 1]
        return wins

    def turn_win(self, hand: Hand, seat: Seat) -> str | None:
        """A completing draw or a bomb, whichever pays more (5.2, 5.4)."""
        state = hand.seats[seat]
        if state.drawn is not None and state.complete:
            return self._better("self_draw", hand, seat)
        return self.bomb(hand, seat)

    def _better(self, by: str, hand: Hand, seat: Seat) -> str:
        """The better paid of a complete hand and a big or super bomb (record.md, ``by``)."""
        bomb = self.bomb(hand, seat)
        if bomb not in FLAT:
            return by
        complete = sum(due.amount for due in _win(hand, Ending("win", seat, by)))
        return bomb if sum(due.amount for due in _win(hand, Ending("win", seat, bomb))) > complete else by

    # Settlement

    def tally(self, hand: Hand, seat: Seat, ending: Ending) -> tuple[Tally, ...]:
        """What the winner is paid for (6.1), what the others settle by (6.4)."""
        return _tally(hand, seat, ending, winning=seat == ending.winner)

    def points(self, hand: Hand, seat: Seat, ending: Ending) -> int:
        """What the seat has for 算花 (6.4)."""
        return _suanhua(hand, seat, ending)

    def dues(self, hand: Hand, ending: Ending) -> list[Due]:
        """6, in the order of payment (6.6). A drawn hand pays nothing (6.5)."""
        if ending.winner is None:
            return []
        dues = _win(hand, ending)
        if ending.by != "discard":
            losers = in_order((ending.winner + 1) % 4)[:3]
            points = {seat: _suanhua(hand, seat, ending) for seat in losers}
            dues += [
                Due(payer, payee, "suanhua", 0, 0, gap, gap * _unit(hand))
                for payer in losers
                for payee in losers
                if (gap := points[payee] - points[payer]) > 0
            ]
        return dues


class PutianDark(Putian):
    """暗胡: two gold faces, discards unseen, wins by own draw only, concealed kongs only."""

    name = "putian-an"
    outcomes = ("self_draw", "heavenly", "rob_gold", "two_gold", "small_bomb", "big_bomb", "super_bomb", "draw")
    hidden_discards = True

    @property
    def table_options(self) -> tuple[OptionSpec, ...]:
        """Nobody wins on a discard (4.2), so that its multiplier is none to choose."""
        return tuple(spec for spec in self.options if spec.name != "discard_win_multiplier")

    def gold_places(self, throw: int) -> tuple[int, ...]:
        """Both tiles of the g-th stack from the tail, the top one first (2.1)."""
        return 2 * throw - 1, 2 * throw

    def gold_stands(self, hand: Hand, turned: Sequence[Tile]) -> bool:
        """Two tiles alike stay only if somebody holds the other two (2.2)."""
        top, below = turned
        return top != below or any(state.tiles[top] == 2 for state in hand.seats)

    def robbed_gold(self, hand: Hand) -> Tile:
        """The dearer of the two, else the top one (5.3, 6.1)."""
        return WHITE if WHITE in hand.turned else hand.turned[0]

    def bomb(self, hand: Hand, seat: Seat) -> str | None:
        """Three gold of one face or any four; five; six (5.2)."""
        tiles = hand.seats[seat].tiles
        held = [tiles[face] for face in hand.gold]
        match sum(held):
            case 6:
                return "super_bomb"
            case 5:
                return "big_bomb"
            case number:
                return "small_bomb" if number == 4 or 3 in held else None


class PutianOpen(Putian):
    """明胡: one gold face, discards may be won on or konged."""

    name = "putian-ming"
    outcomes = ("discard", "self_draw", "heavenly", "rob_gold", "three_gold", "draw")
    claims = frozenset({"hu", "kong"})

    def gold_places(self, throw: int) -> tuple[int, ...]:
        """The top tile of the g-th stack from the tail (2.1)."""
        return (2 * throw - 1,)

    def gold_stands(self, hand: Hand, turned: Sequence[Tile]) -> bool:
        """Any face may be gold (2.1)."""
        return True

    def bomb(self, hand: Hand, seat: Seat) -> str | None:
        """爆炸: three gold (5.2)."""
        return "three_gold" if hand.seats[seat].jokers == 3 else None


def _unit(hand: Hand) -> int:
    """Coins a point (6.6)."""
    return hand.setup.base // 10


def _tally(hand: Hand, seat: Seat, ending: Ending, *, winning: bool) -> tuple[Tally, ...]:
    """6.1 for the winner; 6.4 for those who settle between themselves: no exposed kong, perhaps no single whites."""
    state = hand.seats[seat]
    golds = [face for face in hand.gold for _ in range(state.tiles[face])]
    if ending.by == "rob_gold" and ending.winner == seat:
        golds.append(hand.rules.robbed_gold(hand))
    whites = len(state.flowers)
    singles = winning or hand.options["count_single_whites_between_losers"]
    exposed = sum(meld.kind == "kong" for meld in state.melds) if winning else 0
    concealed = sum(meld.kind == "concealed_kong" for meld in state.melds)
    found = (
        Tally("gold", len(golds), sum(WHITE_GOLD if face == WHITE else 1 for face in golds)),
        Tally("whites", whites, FOUR_WHITES if whites == 4 else whites if singles else 0),
        Tally("concealed_kong", concealed, 2 * concealed),
        Tally("exposed_kong", exposed, exposed),
    )
    return tuple(item for item in found if item.count)


def _suanhua(hand: Hand, seat: Seat, ending: Ending) -> int:
    return sum(item.points for item in _tally(hand, seat, ending, winning=False))


def _win(hand: Hand, ending: Ending) -> list[Due]:
    winner, by = ending.winner, ending.by
    assert winner is not None
    assert by is not None
    flat = FLAT.get(by)
    items = sum(item.points for item in _tally(hand, winner, ending, winning=True))
    value = int(hand.options["discard_win_multiplier"]) if by == "discard" else 2
    dues = []
    for loser in in_order((winner + 1) % 4)[:3]:
        if by == "discard" and loser != ending.source:
            continue
        stake = hand.setup.streak + 1 if hand.setup.dealer in (winner, loser) else 1
        if flat is None:
            dues.append(Due(loser, winner, "win", value, stake, items, (stake + items) * value * _unit(hand)))
        else:
            dues.append(Due(loser, winner, "win", flat, 1, 0, flat * _unit(hand)))
    return dues
