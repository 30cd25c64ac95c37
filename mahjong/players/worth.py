"""What a hand on the way is worth in coins: one player's chances, draw by draw, against the others' haste.

A *series* lists, by the number of own draws still to come, what 3k + 1 tiles are worth just after a discard: before
each own draw the three others have their turns, in which one of them may win (``Figures.hazard``) or throw what is
claimed. Ready hands are counted exactly by what each draw completes (自摸, 单游, 双游, by the ruleset's payments);
hands one away from ready by all draws and the best discard after each; what is further away by how many tiles help
now, and how many help on the average later.
"""

from __future__ import annotations

from typing import Final

from mahjong.players.stakes import Stakes
from mahjong.reach import Own, Reach, Rest
from mahjong.rulesets.zhangzhou import VALUES
from mahjong.shapes import PARTS, WEIGHTS, Keys, missing_of
from mahjong.tiles import FACES, Tile

Series = list[float]

WIDER: Final = 0.02
"""By how much a draw that helps nothing raises the chance of the next on the average, by what may be exchanged."""
DISCARDED: Final = 0.8
"""How often a tile that is claimed is thrown by one of three others within a round, against being drawn by one."""
CLAIMED: Final = 0.7
"""How often a claim on the way comes off, likewise."""

LOCKED: Final = 0.35
"""What is left of the others' chance to win in a round in which they only draw."""
MOST: Final = 0.95
"""A chance is never taken to be more."""
MOST_THROWN: Final = 0.9
"""Nor that of a discard."""
ANY: Final = 0.9
"""Who waits for more than this part of all tiles is in the shape of 游金: no win on a discard (rules-zhangzhou 5.6)."""
NOTHING: Final = -1e9
"""Less than anything is worth."""


class Worth:
    """Counts for one view; ``draws``: own draws still to come after a discard of one's own now."""

    def __init__(self, own: Own, stakes: Stakes) -> None:
        view = own.view
        self.own = own
        self.stakes = stakes
        self.zhangzhou = stakes.rules == "zhangzhou"
        self.open = stakes.rules == "putian-ming"
        self.draws = max(0, view.drawable) // 4
        thrown = sum(len(seat.river) for seat in view.seats)
        table = stakes.figures.hazard
        # hazard[t]: in the round that begins with t own draws to come.
        self.hazard = [0.0] * (self.draws + 2)
        for left in range(self.draws + 2):
            rounds = (thrown + 4 * (self.draws - left)) / 4
            at = min(len(table) - 1, max(0, int(rounds)))
            upper = table[min(len(table) - 1, at + 1)]
            self.hazard[left] = table[at] + (upper - table[at]) * max(0.0, min(1.0, rounds - at))
        self.hidden = max(1, own.hidden)
        self._ready: dict[tuple[tuple[int, ...], int, Tile | None], Series] = {}
        self._near: dict[tuple[tuple[int, ...], int], Series] = {}

    def floor(self, jokers: int) -> float:
        """What gold alone pays at any own turn; less than anything where it pays nothing."""
        own = self.own
        alike = max((own.tiles[tile] for tile in own.view.gold), default=0)
        return self.stakes.bomb(jokers, alike if jokers <= own.rest.jokers else 0) or NOTHING

    def series(self, rest: Rest, found: Reach | None = None) -> Series:
        """Of 3k + 1 tiles, to compare with others by the same ``Worth``."""
        number = missing_of(*rest) if found is None else found.missing
        if number <= 1:
            return self.ready(rest)
        if number == 2:
            return self.near(rest)
        return self.far(rest, found)

    # One short

    def ready(self, rest: Rest, drawn: Tile | None = None) -> Series:
        """One short of complete. ``drawn``: a tile that was live and is in the hand now."""
        key = (tuple(rest.keys), rest.jokers, drawn)
        known = self._ready.get(key)
        if known is None:
            known = self._ready[key] = self._count_ready(rest)
        return known

    def _count_ready(self, rest: Rest) -> Series:
        keys, jokers, sets = rest
        own, stakes = self.own, self.stakes
        hidden = self.hidden
        # Copies that complete the hand, by the highest level of 游金 that throwing on would give.
        levels = [0, 0, 0]
        for face in own.reach(rest).faces:
            if copies := own.live[face]:
                levels[self._level(_more(keys, face), jokers, sets) if jokers and self.zhangzhou else 0] += copies
        waits = sum(levels)
        gold = own.live_jokers
        drawn = 0.0
        if self.zhangzhou:
            levels[self._level(keys, jokers + 1, sets) if gold else 0] += gold
        else:
            drawn = gold * max(stakes.win(VALUES["self_draw"], jokers + 1), stakes.bomb(jokers + 1, 0)) / hidden
        plain, single, double = levels
        now = stakes.win(VALUES["self_draw"], jokers)
        drawn += plain * now / hidden
        thrown = on_discard = 0.0
        if self.open or (self.zhangzhou and jokers < 2 and waits + gold < ANY * hidden):
            thrown = min(MOST_THROWN, 3 * DISCARDED * waits / hidden)
            on_discard = stakes.by_discard(jokers)
        win = (waits + gold) / hidden
        floor = self.floor(jokers)
        value: Series = [0.0]
        for left in range(1, self.draws + 2):
            later = drawn + (1 - win) * max(value[-1], floor)
            if single or double:
                one = max(now, self.you(1, left - 1))
                later += (single * one + double * max(one, self.you(2, left - 1))) / hidden
            hazard = self.hazard[left]
            value.append(thrown * on_discard + (1 - thrown) * ((1 - hazard) * later - hazard * stakes.lost))
        return value

    def _level(self, keys: Keys, jokers: int, sets: int) -> int:
        """Of 3k + 2 tiles the highest level of 游金 that a discard may give: 0 to 2."""
        if jokers >= 2 and missing_of(keys, jokers - 2, sets, False) == 0:
            return 2
        return 1 if jokers and missing_of(keys, jokers - 1, sets, False) == 0 else 0

    def you(self, level: int, left: int) -> float:
        """What throwing for a level of 游金 is worth with so many own draws to come; 0 if none comes."""
        if left < 1:
            return 0.0
        stakes = self.stakes
        hazard = self.hazard[left]
        gold = self.own.live_jokers / self.hidden
        if level == 1:
            won = stakes.win(VALUES["single_you"], 1)
            if left > 1:
                won += gold * max(0.0, self.you(2, left - 1) - won)
        else:
            # Nobody claims: of a round's wins only those by own draw are left.
            hazard *= LOCKED
            won = stakes.win(VALUES["double_you" if level == 2 else "triple_you"], 1)
            if level == 2:
                won += gold * (stakes.win(VALUES["triple_you"], 1) - won)
        return (1 - hazard) * won - hazard * stakes.lost

    def is_you(self, rest: Rest) -> bool:
        """Whether 3k + 1 tiles are sets and a lone gold."""
        return rest.jokers > 0 and missing_of(rest.keys, rest.jokers - 1, rest.sets, False) == 0

    # One away from ready

    def near(self, rest: Rest) -> Series:
        """Two short: every draw that helps, with the best discard after it."""
        key = (tuple(rest.keys), rest.jokers)
        known = self._near.get(key)
        if known is None:
            known = self._near[key] = self._count_near(rest)
        return known

    def _count_near(self, rest: Rest) -> Series:
        own = self.own
        keys, jokers, sets = rest
        hidden = self.hidden
        size = self.draws + 2
        total = [0.0] * size
        chance = 0.0
        live = own.live
        for face in own.reach(rest).faces:
            if copies := live[face]:
                part = copies / hidden * (1 + self.claimable(keys, face))
                live[face] -= 1
                best = self.best_ready(_more(keys, face), jokers, sets, face)
                live[face] += 1
                chance += part
                for left in range(size):
                    total[left] += part * best[left]
        if own.live_jokers:
            part = own.live_jokers / hidden
            own.live_jokers -= 1
            best = self.best_ready(list(keys), jokers + 1, sets, None)
            own.live_jokers += 1
            chance += part
            for left in range(size):
                total[left] += part * best[left]
        if not chance:
            return self._step(self.typical(1, jokers), 0.0, self.floor(jokers), 2)
        return self._step([number / chance for number in total], chance, self.floor(jokers), 2)

    def best_ready(self, keys: list[int], jokers: int, sets: int, drawn: Tile | None) -> Series:
        """Of 3k + 2 tiles one short: the best discard that leaves them so, no gold. ``drawn``: the last of them."""
        best: Series | None = None
        limit = jokers + 1
        for face in range(FACES):
            part, weight = PARTS[face], WEIGHTS[face]
            if keys[part] // weight % 5:
                keys[part] -= weight
                if missing_of(keys, 0, sets) <= limit:
                    found = self.ready(Rest(tuple(keys), jokers, sets), drawn)
                    if best is None or found[self.draws] > best[self.draws]:
                        best = found
                keys[part] += weight
        return [0.0] * (self.draws + 2) if best is None else best

    def claimable(self, keys: Keys, face: Tile) -> float:
        """By how much claims raise the chance of a tile that helps: pongs from three, chows from one."""
        if not self.zhangzhou:
            return 0.0
        key, weight = keys[PARTS[face]], WEIGHTS[face]
        if key // weight % 5 >= 2:
            return 3 * CLAIMED
        if face >= 27:
            return 0.0
        rank = face % 9

        def held(by: int) -> bool:
            return 0 <= rank + by <= 8 and key // WEIGHTS[face + by] % 5 > 0

        chow = (held(-1) and held(1)) or (held(1) and held(2)) or (held(-1) and held(-2))
        return CLAIMED if chow else 0.0

    # Further away

    def weighted(self, rest: Rest, found: Reach) -> float:
        """How likely the hand comes nearer within a round."""
        own = self.own
        total = float(own.live_jokers)
        for face in found.faces:
            if copies := own.live[face]:
                total += copies * (1 + self.claimable(rest.keys, face))
        return min(MOST, total / self.hidden)

    def far(self, rest: Rest, found: Reach | None = None) -> Series:
        """Three or more short."""
        own = self.own
        if found is None:
            found = own.reach(rest)
        floor = self.floor(rest.jokers)
        series = self.typical(found.missing - 1, rest.jokers)
        return self._step(series, self.weighted(rest, found), floor, found.missing)

    def typical(self, missing: int, jokers: int) -> Series:
        """A hand so many short as they are on the average."""
        stakes = self.stakes
        figures = stakes.figures
        own, thrown = figures.ready
        now = stakes.win(VALUES["self_draw"], jokers)
        if self.zhangzhou and jokers:
            now = (now + stakes.win(VALUES["single_you"], jokers)) / 2
        on_discard = 0.0
        if (self.zhangzhou and jokers < 2) or self.open:
            on_discard = stakes.by_discard(jokers)
        else:
            thrown = 0.0
        floor = self.floor(jokers)
        value: Series = [0.0]
        for left in range(1, self.draws + 2):
            hazard = self.hazard[left]
            later = own * now + (1 - own) * max(floor, value[-1])
            value.append(thrown * on_discard + (1 - thrown) * ((1 - hazard) * later - hazard * stakes.lost))
        for short in range(2, missing + 1):
            value = self._step(value, figures.later[min(7, short)], floor, short)
        return value

    def _step(self, nearer: Series, chance: float, floor: float, short: int) -> Series:
        """So many short, with a chance to come nearer that grows a little by exchanges from round to round."""
        value: Series = [0.0]
        least = self.stakes.figures.least[min(3, short)]
        for left in range(1, self.draws + 2):
            hazard = self.hazard[left]
            rounds = self.draws - left
            now = chance if rounds <= 0 else max(chance, least) + WIDER * min(rounds, 4)
            now = min(MOST, now)
            later = now * nearer[left - 1] + (1 - now) * max(floor, value[-1])
            value.append((1 - hazard) * later - hazard * self.stakes.lost)
        return value

    # Kongs to come

    def rounds(self) -> float:
        """Rounds that the hand is expected to last."""
        total, alive = 0.0, 1.0
        for left in range(self.draws, 0, -1):
            alive *= 1 - self.hazard[left]
            total += alive
        return total


def _more(keys: Keys, face: Tile) -> list[int]:
    found = list(keys)
    found[PARTS[face]] += WEIGHTS[face]
    return found
