"""Contrast of texts on what they stand on (WCAG 2.2 ratios)."""

from __future__ import annotations

import pytest

from render import hand, headline, paint, table
from render.grounds import Colour
from tests.render.colours import ratio


@pytest.mark.parametrize("ground", [hand.HEADER_TOP, hand.HEADER_BOTTOM])
@pytest.mark.parametrize("colour", [paint.CREAM, paint.AMBER, paint.MUTED])
def test_header_and_footer(colour: Colour, ground: Colour) -> None:
    assert ratio(colour, ground) >= 8


@pytest.mark.parametrize(
    ("colour", "ground", "least"),
    [
        (paint.CREAM, paint.PANEL, 8),
        (paint.MUTED, paint.PANEL, 7),
        (paint.WIN, paint.PANEL, 8),
        (paint.LOSS, paint.PANEL, 6),
        (paint.CREAM, paint.BROWN, 7),
        (paint.AMBER, paint.BROWN, 5),
        (paint.WIN, paint.BROWN, 5),
        (paint.UMBER, paint.AMBER, 8),
        (paint.CREAM, paint.RED, 4.5),
        (paint.CREAM, paint.BLUE, 6),
        (paint.CREAM, paint.TEAL, 4.5),
        (paint.CREAM, paint.PURPLE, 4.5),
        (paint.CREAM, table.LOCKED[0], 4.5),
        *((paint.CREAM, colours[0], 4.5) for colours in headline.HEADERS.values()),
        *((colour, paint.PANEL, 6) for colour in hand.DEEDS.values()),
        *((paint.CREAM, colour, 4.5) for colour in hand.MARKS.values()),
    ],
)
def test_texts_on_their_grounds(colour: Colour, ground: Colour, least: float) -> None:
    assert ratio(colour, ground) >= least
