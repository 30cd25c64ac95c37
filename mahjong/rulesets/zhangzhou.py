"""Zhangzhou mahjong 漳州麻将; numbers in brackets are sections of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from mahjong import shapes
from mahjong.dealing import replace_flowers, turn_gold
from mahjong.moves import MeldKind, Seat, in_order
from mahjong.rulesets.base import OptionSpec, Ruleset, tile_set
from mahjong.settlement import Due, Ending, Tally
from mahjong.tiles import FACES, FLOWERS, WHITE, Tile

if TYPE_CHECKING:
    from mahjong.hand import Hand
    from mahjong.state import SeatState

VALUES: Final = {
    "discard": 1,
    "self_draw": 2,
    "rob_gold": 2,
    "three_gold": 2,
    "rob_kong": 2,
    "single_you": 4,
    "heavenly": 4,
    "double_you": 8,
    "triple_you": 16,
}
"""What each kind of win is worth (10.1)."""
_YOU: Final = ("self_draw", "single_you", "double_you", "triple_you")
KONG_POINTS: Final = {"kong": 1, "added_kong": 1, "concealed_kong": 2}
FREE_FLOWERS: Final = 3
"""Flowers that earn nothing; each beyond them is a point (10.3)."""


class Zhangzhou(Ruleset):
    """144 tiles with flowers, one gold face, 游金, and payments by value, streak and points."""

    name = "zhangzhou"
    tiles = tile_set(range(FACES), FLOWERS)
    options: tuple[OptionSpec, ...] = (
        OptionSpec("dead_wall_stacks", (8, 13)),
        OptionSpec("rob_added_kong", (True, False)),
        OptionSpec("draw_pays_points", (False, True)),
    )
    outcomes = (*VALUES, "false_win", "draw")
    values = VALUES
    claims = frozenset({"hu", "kong", "pong", "chow"})

    # The deal

    def prepare(self, hand: Hand) -> None:
        """Flowers first, then the gold (3.1, 4.1)."""
        replace_flowers(hand)
        turn_gold(hand)

    def gold_places(self, throw: int) -> tuple[int, ...]:
        """The g-th tile from the tail (4.1)."""
        return (throw,)

    def gold_stands(self, hand: Hand, turned: Sequence[Tile]) -> bool:
        """A flower goes back (4.1)."""
        return turned[0] not in FLOWERS

    def stands_for(self, gold: tuple[Tile, ...]) -> tuple[Tile | None, ...]:
        """The white stands for the gold's face, unless it is the gold (4.3, 4.4)."""
        stands = list(super().stands_for(gold))
        if gold and WHITE not in gold:
            stands[WHITE] = gold[0]
        return tuple(stands)

    # Wall

    def drawable(self, hand: Hand) -> int:
        """Tiles in the wall, the turned-up one too, less the reserve 留墩 (8.1)."""
        stacks = hand.options["dead_wall_stacks"]
        for state in hand.seats:
            # As ``_points``, without a call for each seat: this is asked for every draw and every view.
            flowers = len(state.flowers)
            if flowers > FREE_FLOWERS:
                stacks += flowers - FREE_FLOWERS
            if state.melds:
                for meld in state.melds:
                    stacks += KONG_POINTS.get(meld.kind, 0)
        return len(hand.wall) + len(hand.turned) - 2 * stacks

    def before_draw(self, hand: Hand) -> None:
        """The last four begin with a draw taken when four or fewer are drawable (8.2)."""
        if not hand.last_four and hand.drawable <= 4:
            hand.last_four = True
            hand.emit("last_four", None)

    # Moves

    def level_after(self, hand: Hand, seat: Seat, tile: Tile) -> int:
        """7.2: a gold thrown out of the shape gives 双游, from there 三游; anything else gives or keeps 单游."""
        state = hand.seats[seat]
        face = hand.stands_for[tile]
        keys = state.keys.copy()
        if face is not None:
            keys[shapes.PARTS[face]] -= shapes.WEIGHTS[face]
        if not shapes.is_you_of(keys, state.jokers - (face is None), state.sets):
            return 0
        if face is None:
            return 3 if state.level >= 2 else 2
        return max(1, state.level)

    def win_at_level(self, level: int) -> str:
        """自摸, 单游, 双游, 三游 (10.1)."""
        return _YOU[level]

    def may_win_discard(self, hand: Hand, seat: Seat, tile: Tile) -> bool:
        """Not with two gold, nor in the shape of 游金 (5.6)."""
        state = hand.seats[seat]
        return not self.draws_alone_win(state.jokers) and hand.stands_for[tile] in state.waits and not state.you

    def draws_alone_win(self, jokers: int) -> bool:
        """With two gold (5.6)."""
        return jokers >= 2

    def rob_follows(self, hand: Hand, kind: MeldKind) -> bool:
        """9.1 for concealed kongs; 9.2, an option, for added ones."""
        return kind == "concealed_kong" or bool(hand.options["rob_added_kong"])

    def may_rob(self, hand: Hand, seat: Seat, kind: MeldKind, tile: Tile) -> bool:
        """A concealed kong may be guessed at when one short (9.1), an added one robbed by whom it completes (9.2);
        neither in the shape of 游金 (5.6)."""
        state = hand.seats[seat]
        if state.missing != 1 or state.you:
            return False
        return kind == "concealed_kong" or hand.stands_for[tile] in state.waits

    # Wins

    def opening(self, hand: Hand) -> list[tuple[str, Seat]]:
        """天胡, 三金倒, 抢金 by the idle, 抢金 by the dealer (6)."""
        order = in_order(hand.setup.dealer)
        dealer = hand.seats[order[0]]
        wins: list[tuple[str, Seat]] = []
        if dealer.complete:
            wins.append(("heavenly", order[0]))
        wins += [("three_gold", seat) for seat in order if hand.seats[seat].jokers == 3]
        wins += [("rob_gold", seat) for seat in (*order[1:], order[0]) if hand.seats[seat].missing <= 1]
        return wins

    def turn_win(self, hand: Hand, seat: Seat) -> str | None:
        """A completing draw at its level, or 三金倒 (6.2, 7.5, 10.1)."""
        state = hand.seats[seat]
        if state.drawn is not None and state.complete:
            return self.win_at_level(state.level)
        return "three_gold" if state.jokers == 3 else None

    def forced_win(self, hand: Hand, seat: Seat) -> str | None:
        """A gold drawn in 双游 is 三游 (7.4); in the last four a completing draw wins of itself (8.2)."""
        state = hand.seats[seat]
        if hand.lock == seat and state.drawn in hand.gold:
            return "triple_you"
        return self.turn_win(hand, seat) if hand.last_four and state.complete else None

    # Settlement

    def tally(self, hand: Hand, seat: Seat, ending: Ending) -> tuple[Tally, ...]:
        """Flower and kong points (10.3)."""
        return _tally(hand, seat)

    def points(self, hand: Hand, seat: Seat, ending: Ending) -> int:
        """Flower and kong points (10.3)."""
        return _points(hand.seats[seat])

    def fenbing(self, hand: Hand) -> int:
        """1 base for the first four alike, 2 more for the next, then 4 … (10.5)."""
        return _units(hand)

    def dues(self, hand: Hand, ending: Ending) -> list[Due]:
        """10, in the order of payment (10.8)."""
        match ending.outcome:
            case "win":
                return _win(hand, ending)
            case "false_win":
                return _false_win(hand, ending)
            case _:
                order = in_order((hand.setup.dealer + 1) % 4)
                dues = _fenbing(hand, order)
                return dues + (_between(hand, order) if hand.options["draw_pays_points"] else [])


def _tally(hand: Hand, seat: Seat) -> tuple[Tally, ...]:
    state = hand.seats[seat]
    exposed = sum(meld.kind in ("kong", "added_kong") for meld in state.melds)
    concealed = sum(meld.kind == "concealed_kong" for meld in state.melds)
    flowers = len(state.flowers)
    found = (
        Tally("flowers", flowers, max(0, flowers - FREE_FLOWERS)),
        Tally("exposed_kong", exposed, exposed),
        Tally("concealed_kong", concealed, 2 * concealed),
    )
    return tuple(item for item in found if item.count)


def _points(state: SeatState) -> int:
    flowers = len(state.flowers)
    points = flowers - FREE_FLOWERS if flowers > FREE_FLOWERS else 0
    for meld in state.melds:
        points += KONG_POINTS.get(meld.kind, 0)
    return points


def _fours(hand: Hand) -> int:
    """Rounds of four discards alike from the first on, nothing claimed or declared within a round (10.5)."""
    rounds = alike = 0
    face: Tile | None = None
    for move in hand.actions:
        if move.verb == "discard":
            if alike and move.tiles[0] != face:
                break
            face = move.tiles[0]
            alike += 1
            if alike == 4:
                rounds += 1
                alike = 0
        elif alike and move.verb in ("chow", "pong", "kong"):
            break
    return rounds


def _units(hand: Hand) -> int:
    """1 base for the first four, 2 more for the next, then 4 and so on (10.5)."""
    return int(2 ** _fours(hand)) - 1


def _factor(hand: Hand, one: Seat, other: Seat) -> int:
    """k of 10.2."""
    return hand.setup.streak + (hand.setup.dealer in (one, other))


def _win(hand: Hand, ending: Ending) -> list[Due]:
    winner = ending.winner
    assert winner is not None
    assert ending.by is not None
    base = hand.setup.base
    value = VALUES[ending.by]
    points = _points(hand.seats[winner])
    order = in_order((winner + 1) % 4)
    losers = order[:3]
    liable = ending.source if ending.by == "discard" and hand.last_four else None
    dues = []
    for loser in losers:
        factor = _factor(hand, winner, loser)
        share = None if liable is None or liable == loser else loser
        payer = loser if liable is None else liable
        amount = base * (value * factor + points)
        dues.append(Due(payer, winner, "win", value, factor, points, amount, share))
    return dues + _fenbing(hand, order, winner, liable) + _between(hand, losers)


def _fenbing(hand: Hand, order: Sequence[Seat], winner: Seat | None = None, liable: Seat | None = None) -> list[Due]:
    """What the dealer owes the others for 分饼 (10.5); what is due to the winner is the liable one's (8.3)."""
    units = _units(hand)
    dealer = hand.setup.dealer
    if not units:
        return []
    dues = []
    for payer in order:
        for payee in order:
            if payee == dealer:
                continue
            carried = liable is not None and payee == winner and liable != dealer
            if payer == (liable if carried else dealer):
                share = dealer if carried else None
                dues.append(Due(payer, payee, "fenbing", 0, 0, units, units * hand.setup.base, share))
    return dues


def _between(hand: Hand, order: Sequence[Seat]) -> list[Due]:
    """Differences of points, pairwise, the lower pays (10.4)."""
    points = {seat: _points(hand.seats[seat]) for seat in order}
    return [
        Due(payer, payee, "points", 0, 0, gap, gap * hand.setup.base)
        for payer in order
        for payee in order
        if (gap := points[payee] - points[payer]) > 0
    ]


def _false_win(hand: Hand, ending: Ending) -> list[Due]:
    """What each other player would get by self-draw, with points and 分饼 (10.6)."""
    caller = ending.source
    assert caller is not None
    base = hand.setup.base
    dues = []
    for payee in in_order((caller + 1) % 4)[:3]:
        factor = _factor(hand, caller, payee)
        points = _points(hand.seats[payee])
        if payee != hand.setup.dealer:
            points += _units(hand)
        value = VALUES["self_draw"]
        dues.append(Due(caller, payee, "false_win", value, factor, points, base * (value * factor + points)))
    return dues
