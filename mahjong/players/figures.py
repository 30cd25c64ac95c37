"""What *hard* counts with in each game: ``FIGURES``, counted in 3,000 hands of four *normal* players.

``python -m mahjong simulate --players normal,normal,normal,normal --records FILE`` plays such hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Figures:
    """One game's figures. A *round* is one turn of each of the four.

    ``hazard``: how likely one of the three others wins within a round, after so many rounds of discards.
    ``later``: how likely a hand comes nearer within a round, by tiles missing, on the average.
    ``least``: the chance that even the narrowest hand has after a draw that helps nothing, by tiles missing up to 3.
    ``ready``: how likely a ready hand wins by its own draw, and on a discard, within a round.
    ``lost``: what another's win costs on the average, in base × k (Zhangzhou) or in points without stakes.
    ``share``: how often a stake is paid on such a win; not asked in Zhangzhou.
    ``margin``: points by which a throw must be worth more than *normal*'s to be made: the count is not finer than that.
    """

    hazard: tuple[float, ...]
    later: tuple[float, ...]
    least: tuple[float, float, float, float]
    ready: tuple[float, float]
    lost: float
    share: float = 0.0
    margin: float = 0.0


ZHANGZHOU: Final = Figures(
    hazard=(0.003, 0.008, 0.019, 0.05, 0.095, 0.16, 0.2, 0.26, 0.31, 0.36, 0.4, 0.5),
    later=(0.0, 0.0, 0.35, 0.49, 0.58, 0.65, 0.7, 0.75),
    least=(0.0, 0.0, 0.17, 0.3),
    ready=(0.09, 0.17),
    lost=1.6,
)
PUTIAN_DARK: Final = Figures(
    hazard=(0.011, 0.052, 0.119, 0.175, 0.257, 0.32, 0.35, 0.4, 0.43, 0.43),
    later=(0.0, 0.0, 0.31, 0.42, 0.5, 0.56, 0.6, 0.65),
    least=(0.0, 0.0, 0.2, 0.24),
    ready=(0.2, 0.0),
    lost=6.05,
    share=2,
    margin=0.7,
)
PUTIAN_OPEN: Final = Figures(
    hazard=(0.016, 0.061, 0.132, 0.187, 0.256, 0.31, 0.33, 0.41, 0.43, 0.43),
    later=(0.0, 0.0, 0.27, 0.36, 0.45, 0.52, 0.58, 0.62),
    least=(0.0, 0.0, 0.18, 0.24),
    ready=(0.12, 0.25),
    lost=2.5,
    share=1,  # Not by those who did not throw the tile.
)

FIGURES: Final[Mapping[str, Figures]] = {
    "zhangzhou": ZHANGZHOU, "putian-an": PUTIAN_DARK, "putian-ming": PUTIAN_OPEN,
}  # fmt: skip
"""By game; a game made from another has that one's (``mahjong.rulesets.nearest``)."""
