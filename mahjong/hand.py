"""One hand 一局: state + move → events, deterministic; everything that can be done is listed by the state itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING, Final

from mahjong.dealing import hand_out
from mahjong.moves import (
    Ask,
    Event,
    EventKind,
    IllegalMove,
    IllegalRecord,
    MeldKind,
    MissingThrow,
    Move,
    Option,
    Phase,
    Question,
    Seat,
    in_order,
)
from mahjong.notation import write_move
from mahjong.rulesets.base import NO_TILE, Ruleset, check_wall
from mahjong.settlement import Ending, Result, pay, settled
from mahjong.state import Discard, Meld, SeatState
from mahjong.tiles import ALL_FACES, Tile, in_run
from mahjong.windows import Offers, Window

if TYPE_CHECKING:
    from mahjong.views import SeatView

__all__ = ["Hand", "IllegalMove", "IllegalRecord", "MissingThrow", "Setup"]


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything that decides a hand but the moves. ``options`` may name only what differs from the defaults.

    ``wall``: all tiles, head first. ``gold_dice``: totals thrown for the gold; all but the last were put back.
    """

    rules: Ruleset
    options: Mapping[str, object] = field(default_factory=dict)
    dealer: Seat = 0
    streak: int = 1
    base: int = 10
    coins: tuple[int, int, int, int] = (2000, 2000, 2000, 2000)
    wall: tuple[Tile, ...] = ()
    gold_dice: tuple[int, ...] = ()


_DISCARDS: Final = [[Option(Move(seat, "discard", (tile,))) for tile in range(ALL_FACES)] for seat in range(4)]
_RIVER: Final = [Discard(tile) for tile in range(ALL_FACES)]


def _among(options: Sequence[Option], move: Move) -> Option | None:
    """The option whose move is this; most often the very move of one is given."""
    for option in options:
        if option.move is move:
            return option
    return next((option for option in options if option.move == move), None)


class Hand:
    """A hand in play.

    ``phase`` is ``turn`` (one seat is asked, its answer acts at once), ``ended`` (``result`` is there), or a *window*:
    ``opening``, ``claim`` (after a discard), ``rob`` (after a kong), ``lock`` (after each draw of the others while 双游
    has locked play). In a window ``questions`` may be empty; answers stay secret until ``close``.

    In an opening every seat sees the first question it can be asked; who declines it is asked the next at once, under
    the same ``number`` (so that nobody else's buttons go stale) and the next ``step``. The answers are settled in the
    order of the rules, whoever was quicker.
    """

    def __init__(self, setup: Setup) -> None:
        rules = setup.rules
        check_wall(rules, setup.wall)
        rules.check_base(setup.base)
        self.setup = setup
        self.rules = rules
        self.options = rules.complete_options(setup.options)
        self.wall = deque(setup.wall)
        """Tiles left, head first, without the turned-up ones."""
        self.turned: tuple[Tile, ...] = ()
        """The tiles turned up for the gold, where they lie in the rules' order."""
        self.gold: tuple[Tile, ...] = ()
        """The faces that are wild."""
        self.flowers = rules.flowers(())
        """Tiles that are laid out and replaced."""
        self.stands_for: tuple[Tile | None, ...] = ()
        """What each tile stands for in a set, None for a wild one (by tile)."""
        self.seats = [SeatState() for _ in range(4)]
        self.phase: Phase = "opening"
        self.number = 0
        """Question number: rises with each new turn and window, not when somebody answers."""
        self.questions: dict[Seat, Question] = {}
        """Open questions, unanswered, by seat."""
        self.turn: Seat | None = None
        """Whose turn it is; None in a window and when the hand is over."""
        self.last_discard: tuple[Seat, Tile] | None = None
        self.lock: Seat | None = None
        """The seat that locked play by 双游."""
        self.last_four = False
        """rules-zhangzhou 8.2 has begun."""
        self.events: list[Event] = []
        self.actions: list[Move] = []
        """The moves that took effect, as record.md writes them (passes only where they are needed)."""
        self.result: Result | None = None
        self.ending: Ending | None = None
        self.shown: dict[Seat | None, list[Event]] = {}
        """The events as each reader may see them: a memory of ``mahjong.views``."""
        self.outsides: dict[Seat, tuple[object, SeatView]] = {}
        """Seats as all others see them: another memory of ``mahjong.views``."""
        self._window: Window | None = None
        self._answered: frozenset[Seat] = frozenset()
        self._let_go: list[tuple[Seat, Offers]] = []
        self._kong: tuple[Seat, MeldKind, Tile] | None = None

    @classmethod
    def deal(cls, setup: Setup) -> Hand:
        """Deal, replace flowers, turn up the gold, and stop at the opening window.

        Raises ``IllegalRecord`` for a wrong wall, dice or options; ``MissingThrow`` where another throw must follow.
        """
        hand = cls.before_opening(setup)
        hand._open_opening()
        return hand

    @classmethod
    def before_opening(cls, setup: Setup) -> Hand:
        """As ``deal``, with nobody asked anything yet."""
        hand = cls(setup)
        hand_out(hand)
        setup.rules.prepare(hand)
        return hand

    def copy(self) -> Hand:
        """An independent hand in the same state."""
        other = Hand.__new__(Hand)
        other.__dict__.update(self.__dict__)
        other.wall = self.wall.copy()
        other.seats = [seat.copy() for seat in self.seats]
        other.questions = self.questions.copy()
        other.events = self.events.copy()
        other.shown = {}
        other.outsides = {}
        other.actions = self.actions.copy()
        other._let_go = self._let_go.copy()
        other._window = self._window and self._window.copy()
        return other

    # What may be done

    @property
    def drawable(self) -> int:
        """Tiles that turns may still draw; may be negative where replacements ate into a reserve."""
        return self.rules.drawable(self)

    @property
    def in_window(self) -> bool:
        """Whether a window is open, to be ended by ``close``."""
        return self._window is not None

    @property
    def answered(self) -> frozenset[Seat]:
        """Seats that were asked in the open window and have nothing more to answer."""
        return self._answered

    @property
    def has_answer(self) -> bool:
        """Whether any answer but a pass was given in the open window."""
        return self._window is not None and self._window.best is not None

    def offered(self) -> tuple[tuple[int, Option], ...]:
        """All that the open window offers to anybody but passes, each with its rank: the lower beats the higher."""
        window = self._window
        if window is None:
            return ()
        return tuple(offer for queue in window.queues.values() for offers in queue for offer in offers)

    def legal(self, seat: Seat) -> tuple[Move, ...]:
        """The moves open to a seat now; empty if it is not asked or has answered."""
        question = self.questions.get(seat)
        return tuple(option.move for option in question.options) if question else ()

    def lies_for(self, face: Tile) -> Tile | None:
        """The tile that is laid out for a face in a meld; None if there is none (no tile but gold has that face)."""
        if face in self.gold:
            return next((tile for tile, stands in enumerate(self.stands_for) if stands == face), None)
        return face if self.stands_for[face] == face else None

    def default_move(self, seat: Seat) -> Move:
        """What a time-out does: pass in a window; in a turn throw the drawn tile, but no gold if there is another.

        Raises ``ValueError`` if the seat is not asked.
        """
        moves = self.legal(seat)
        if not moves:
            raise ValueError(f"seat {seat} is not asked")
        passing = Move(seat, "pass")
        if passing in moves:
            return passing
        discards = [move for move in moves if move.verb == "discard"]
        if not discards:
            return moves[0]
        drawn = [move for move in discards if move.tiles[0] == self.seats[seat].drawn]
        plain = [move for move in (*drawn, *reversed(discards)) if move.tiles[0] not in self.gold]
        return (plain or drawn or discards)[0]

    # Answers

    def apply(self, move: Move) -> list[Event]:
        """Take an answer. Returns the events that followed (none in a window, where it waits for ``close``).

        Raises ``IllegalMove`` naming what would have been legal; the hand is then unchanged.
        """
        question = self.questions.get(move.seat)
        option = _among(question.options, move) if question is not None else None
        if question is None or option is None:
            raise IllegalMove(self._refusal(move))
        since = len(self.events)
        if self._window is not None:
            self._answer(self._window, move.seat, option)
            return []
        self._write(move)
        self.questions = {}
        match move.verb:
            case "discard":
                self._discard(move.seat, move.tiles[0])
            case "kong":
                self._declare_kong(move.seat, move.tiles[0])
            case _:
                self._win(move.seat, option.by or "self_draw", self.seats[move.seat].drawn)
        return self.events[since:]

    def _refusal(self, move: Move) -> str:
        if self.phase == "ended":
            return f"{write_move(move)}: the hand is over"
        moves = [write_move(legal) for seat in sorted(self.questions) for legal in self.legal(seat)]
        return f"{write_move(move)} is not on offer; legal: {', '.join(moves) or 'nothing until the window closes'}"

    def _answer(self, window: Window, seat: Seat, option: Option) -> None:
        del self.questions[seat]
        if window.answer(seat, option):
            self._put(window, seat)
        else:
            self._answered |= {seat}

    @property
    def can_close(self) -> bool:
        """Whether a window is open and nobody still unanswered could better the best answer."""
        return self._window is not None and self._window.settled(self.questions)

    def close(self) -> list[Event]:
        """End the window: the unanswered have passed, the best answer stands. Returns the events that followed.

        Raises ``IllegalMove`` when no window is open.
        """
        window = self._window
        if window is None:
            raise IllegalMove("no window is open")
        since = len(self.events)
        self._window = None
        self._answered = frozenset()
        self.questions = {}
        option = window.best and window.best[1]
        if option is not None:
            self._write(option.move, window.declined())
        if window.queues:
            self._let_go += window.let_go()
        match window.ask:
            case "claim":
                self._after_claims(window, option)
            case "rob":
                self._after_rob(option)
            case "lock":
                self._after_lock(window, option)
            case _:
                self._after_opening(option)
        return self.events[since:]

    def _write(self, move: Move, declined: Sequence[Offers] = ()) -> None:
        """Note a move that takes effect, after the passes without which it would be read as an answer to something
        that its seat let go."""
        if self._let_go or declined:
            for offers in (*(offers for seat, offers in self._let_go if seat == move.seat), *declined):
                if any(offer.move == move for _, offer in offers):
                    self.actions.append(Move(move.seat, "pass"))
            self._let_go = []
        self.actions.append(move)

    # Windows

    def _open(
        self,
        ask: Ask,
        queues: dict[Seat, list[Offers]],
        tile: Tile | None = None,
        source: Seat | None = None,
    ) -> None:
        self.phase = ask
        self.turn = None
        self.number += 1
        self._window = window = Window(ask, tile, source, queues, dict.fromkeys(queues, 0))
        for seat in queues:
            self._put(window, seat)

    def _put(self, window: Window, seat: Seat) -> None:
        options = (*(option for _, option in window.offers(seat)), Option(Move(seat, "pass")))
        hopeless = window.ask == "rob" and window.tile is None and self._hopeless(seat)
        self.questions[seat] = Question(
            self.number, seat, window.ask, options, window.tile, window.source, window.steps[seat], hopeless
        )

    def _open_opening(self) -> None:
        queues: dict[Seat, list[Offers]] = {}
        for rank, (by, seat) in enumerate(self.rules.opening(self)):
            queues.setdefault(seat, []).append(((rank, self._hu(seat, by, self.rules.robbed_gold(self))),))
        self._open("opening", queues)

    def _after_opening(self, option: Option | None) -> None:
        if option is None:
            self._ask_turn(self.setup.dealer)
        else:
            self._win(option.move.seat, option.by or "heavenly", self.rules.robbed_gold(self))

    def _open_claims(self, source: Seat, tile: Tile) -> None:
        queues: dict[Seat, list[Offers]] = {}
        rules = self.rules
        winnable = "hu" in rules.claims and tile not in self.gold
        for distance, seat in enumerate(in_order(source)[1:]):
            offers = []
            if winnable and self.can_win_discard(seat, tile):
                offers.append((distance, self._hu(seat, "discard", tile, source)))
            for move in rules.claims_for(self, seat, source, tile):
                offers.append((5 if move.verb == "chow" else 4, Option(move)))
            if offers:
                queues[seat] = [tuple(offers)]
        self._open("claim", queues, tile, source)

    def can_win_discard(self, seat: Seat, tile: Tile) -> bool:
        """Whether the seat may win on this discard (rules-zhangzhou 5.5, 5.6)."""
        return (
            "hu" in self.rules.claims
            and tile not in self.gold
            and not self.seats[seat].passed_win
            and self.rules.may_win_discard(self, seat, tile)
        )

    def _after_claims(self, window: Window, option: Option | None) -> None:
        assert window.source is not None
        assert window.tile is not None
        source, tile = window.source, window.tile
        for other, queue in window.queues.items():
            if any(offer.move.verb == "hu" for _, offer in queue[0]):
                self.seats[other].passed_win = True
        if option is None:
            self._begin_turn((source + 1) % 4)
            return
        move = option.move
        seat = move.seat
        state = self.seats[seat]
        self.seats[source].river[-1] = Discard(tile, seat)
        if move.verb == "hu":
            self._win(seat, "discard", tile, source)
            return
        state.passed_win = False
        state.drawn = None
        used = move.tiles if move.verb == "chow" else (tile,) * (3 if move.verb == "kong" else 2)
        state.remove(used)
        kind: MeldKind = "chow" if move.verb == "chow" else "kong" if move.verb == "kong" else "pong"
        tiles = in_run((*used, tile), self.stands_for)
        state.melds.append(Meld(kind, tiles, tiles.index(tile), source))
        self.emit(kind, seat, tiles, source)
        if kind == "kong":
            self._replace(seat)
        else:
            self._ask_turn(seat)

    # Turns

    def _begin_turn(self, seat: Seat) -> None:
        if self.drawable <= 0:
            self._end(Ending("draw"))
            return
        self.seats[seat].passed_win = False
        if self.draw(seat, from_tail=False):
            self._after_draw(seat)

    def draw(self, seat: Seat, *, from_tail: bool) -> bool:
        """Draw a tile, lay out and replace flowers. False if the wall ran out, which ends the hand."""
        state = self.seats[seat]
        while self.wall:
            self.rules.before_draw(self)
            tile = self.wall.pop() if from_tail else self.wall.popleft()
            self.emit("replaced" if from_tail else "drew", seat, (tile,))
            if tile not in self.flowers:
                state.add(tile)
                state.drawn = tile
                return True
            state.flowers.append(tile)
            self.emit("flower", seat, (tile,))
            from_tail = True
        self._end(Ending("draw"))
        return False

    def _after_draw(self, seat: Seat) -> None:
        by = self.rules.forced_win(self, seat)
        if by is not None:
            self._win(seat, by, self.seats[seat].drawn)
        elif self.lock is not None and seat != self.lock:
            win = self.rules.turn_win(self, seat)
            offers = ((0, self._hu(seat, win, self.seats[seat].drawn)),) if win else ()
            self._open("lock", {seat: [offers]} if offers else {}, source=seat)
        else:
            self._ask_turn(seat)

    def _after_lock(self, window: Window, option: Option | None) -> None:
        assert window.source is not None
        if option is None:
            self._begin_turn((window.source + 1) % 4)
        else:
            self._win(window.source, option.by or "self_draw", self.seats[window.source].drawn)

    def _ask_turn(self, seat: Seat) -> None:
        state = self.seats[seat]
        rules = self.rules
        options: list[Option] = []
        by = rules.turn_win(self, seat)
        if by is not None:
            options.append(self._hu(seat, by, state.drawn))
        if self.lock is None:
            options += [Option(Move(seat, "kong", (tile,))) for tile in self._kongs(seat)]
            discards = list(compress(_DISCARDS[seat], state.tiles))
            if rules.keeps_gold:
                discards = [option for option in discards if option.move.tiles[0] not in self.gold]
            options += map(self._with_level, discards) if state.complete else discards
        self.phase = "turn"
        self.turn = seat
        self.number += 1
        self.questions = {seat: Question(self.number, seat, "turn", tuple(options))}

    def _with_level(self, discard: Option) -> Option:
        """A discard out of a full hand, with what it would come to if it leaves the shape of 游金."""
        seat = discard.move.seat
        level = self.rules.level_after(self, seat, discard.move.tiles[0])
        if not level:
            return discard
        win = self.rules.win_at_level(level)
        return Option(discard.move, win, level, self.net_of(Ending("win", seat, win), seat))

    def _kongs(self, seat: Seat) -> list[Tile]:
        """The tiles of which a kong may be declared, ascending."""
        state = self.seats[seat]
        tiles = state.tiles
        found = [meld.tiles[0] for meld in state.melds if meld.kind == "pong" and tiles[meld.tiles[0]]]
        if 4 in tiles:
            found += [tile for tile, copies in enumerate(tiles) if copies == 4]
        return sorted(tile for tile in found if tile not in self.gold) if found and self.drawable > 0 else []

    def _discard(self, seat: Seat, tile: Tile) -> None:
        state = self.seats[seat]
        level = self.rules.level_after(self, seat, tile) if state.complete else 0
        state.remove((tile,))
        state.river.append(_RIVER[tile])
        state.drawn = None
        state.level = level
        self.last_discard = seat, tile
        self.emit("discarded", seat, (tile,), level=level)
        if level >= 2:
            self.lock = seat
            self.emit("locked", seat, level=level)
        if self.rules.claims:
            self._open_claims(seat, tile)
        else:
            self._begin_turn((seat + 1) % 4)

    # Kongs

    def _declare_kong(self, seat: Seat, tile: Tile) -> None:
        state = self.seats[seat]
        state.drawn = None
        kind: MeldKind
        if state.tiles[tile] == 4:
            kind = "concealed_kong"
            state.remove((tile,) * 4)
            state.melds.append(Meld(kind, (tile,) * 4))
        else:
            kind = "added_kong"
            state.remove((tile,))
            at = next(i for i, meld in enumerate(state.melds) if meld.kind == "pong" and meld.tiles[0] == tile)
            pong = state.melds[at]
            state.melds[at] = Meld(kind, (tile,) * 4, pong.claimed, pong.source)
        self._kong = seat, kind, tile
        self.emit(kind, seat, (tile,) * 4)
        if self.rules.rob_follows(self, kind):
            self._open_rob(seat, kind, tile)
        else:
            self._replace(seat)

    def _replace(self, seat: Seat) -> None:
        if self.draw(seat, from_tail=True):
            self._after_draw(seat)

    def _open_rob(self, owner: Seat, kind: MeldKind, tile: Tile) -> None:
        queues: dict[Seat, list[Offers]] = {}
        hidden = kind == "concealed_kong"
        for distance, seat in enumerate(in_order(owner)[1:]):
            if self.rules.may_rob(self, seat, kind, tile):
                undone = self.copy()
                undone._undo_kong()
                gain = undone.net_of(Ending("win", seat, "rob_kong", owner, tile), seat)
                loss = -self.net_of(Ending("false_win", source=seat), seat) if hidden else None
                queues[seat] = [((distance, Option(Move(seat, "rob"), "rob_kong", gain=gain, loss=loss)),)]
        self._open("rob", queues, None if hidden else tile, owner)

    def _after_rob(self, option: Option | None) -> None:
        assert self._kong is not None
        owner, _, tile = self._kong
        if option is None:
            self._replace(owner)
            return
        robber = option.move.seat
        if self.stands_for[tile] in self.seats[robber].waits:
            self._undo_kong()
            self.emit("robbed", robber, (tile,), owner)
            self._win(robber, "rob_kong", tile, owner)
        else:
            self._end(Ending("false_win", source=robber))

    def _undo_kong(self) -> None:
        """Take the last kong back: the robbed tile goes, the other three lie or stand as before (9.3)."""
        assert self._kong is not None
        owner, kind, tile = self._kong
        state = self.seats[owner]
        at = next(i for i, meld in enumerate(state.melds) if meld.kind == kind and meld.tiles[0] == tile)
        if kind == "added_kong":
            kong = state.melds[at]
            state.melds[at] = Meld("pong", (tile,) * 3, kong.claimed, kong.source)
        else:
            del state.melds[at]
            for _ in range(3):
                state.add(tile)

    def _hopeless(self, seat: Seat) -> bool:
        """Whether no face that the seat waits for can be that of a concealed kong, by what the seat sees."""
        seen: set[Tile | None] = set(self.turned)
        seen |= {tile for tile, copies in enumerate(self.seats[seat].tiles) if copies}
        for other, state in enumerate(self.seats):
            seen |= {tile.tile for tile in state.river}
            for meld in state.melds:
                if other == seat or meld.kind != "concealed_kong":
                    seen |= set(meld.tiles)
        waited = (self.lies_for(face) for face in self.seats[seat].waits)
        return all(tile is None or tile in seen for tile in waited)

    # The end

    def _hu(self, seat: Seat, by: str, tile: Tile | None, source: Seat | None = None) -> Option:
        ending = Ending("win", seat, by, source, None if by in NO_TILE else tile)
        return Option(Move(seat, "hu"), by, gain=self.net_of(ending, seat))

    def net_of(self, ending: Ending, seat: Seat) -> int:
        """Coins that a seat would win or lose if the hand ended like this now."""
        _, coins = pay(self.rules.dues(self, ending), self.setup.coins)
        return coins[seat] - self.setup.coins[seat]

    def _win(self, seat: Seat, by: str, tile: Tile | None, source: Seat | None = None) -> None:
        self._end(Ending("win", seat, by, source, None if by in NO_TILE else tile))

    def _end(self, ending: Ending) -> None:
        self.ending = ending
        self.result = settled(self, ending)
        self.phase = "ended"
        self.turn = None
        self.questions = {}
        self._window = None
        self.emit("ended", ending.winner)

    def emit(
        self,
        kind: EventKind,
        seat: Seat | None,
        tiles: tuple[Tile, ...] = (),
        source: Seat | None = None,
        level: int = 0,
    ) -> None:
        """Note that something happened."""
        self.events.append(Event(kind, seat, tiles, source, level))
