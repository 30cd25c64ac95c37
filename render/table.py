"""The table, for the group or for one of the four.

The reader's seat (for the group seat 0) is below; its lower house 下家 to the right, then above, then to the left.
Every tile stands upright: turned ones cannot be read on a phone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PIL import Image

from mahjong.tiles import Tile
from mahjong.views import MeldView, SeatView
from render import paint
from render.grounds import Colour
from render.hand import gold_in_header
from render.melds import draw_meld, draw_row, hanging, kong_badge, meld_width, melds_width
from render.opening import draw_opening
from render.paint import AMBER, CREAM, MUTED, UMBER
from render.scenes import TableScene
from render.text import Fit
from render.tiles import height_of
from render.words import TableWords

WIDTH: Final = 960
HEIGHT: Final = 1280
EDGE: Final = 20
HEADER: Final = 96
PLATE: Final = (368, 92)
LONGEST_RIVER: Final = 20
"""Discards of one seat that are shown; before them stands how many more there were."""
CENTRE: Final = (400, 560)
RIVER: Final = 68
RIVER_LONG: Final = 52
HIDDEN_HEIGHT: Final = 1000
HEAP: Final = 430
"""Width of a heap of hidden discards with their number."""
MELD: Final = 60
TRAY: Final[Colour] = (122, 78, 40)
"""What a meld stands on, so that it is not taken for discards."""
WELL: Final[Colour] = (7, 44, 33)
"""What the last discard lies on."""
LOCKED: Final[tuple[Colour, Colour]] = ((176, 28, 30), (112, 14, 20))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a seat is: its angle from the centre (0 up, clockwise), and its plate's corner."""

    degrees: int
    x: int
    y: int


def draw_table(scene: TableScene, words: TableWords) -> Image.Image:
    """The picture, ``WIDTH`` × ``HEIGHT``; where discards are hidden there is less to show and it is lower."""
    below, right, above, left = ((scene.bottom + step) % 4 for step in range(4))
    low_high = 30 + PLATE[1] + 92
    # Where what lies hidden does not fit beside the melds below, it has a row of its own.
    beside = melds_width(scene.seats[below].melds, MELD, 14)
    own_row = 92 if scene.hidden and beside > WIDTH - 2 * EDGE - HEAP else 0
    high = _hidden_high(scene, above, (left, right), low_high + own_row) if scene.hidden else HEIGHT
    opening = words.opening if scene.opening else None
    image = paint.wood(WIDTH, high)
    draw_header(image, scene, words)
    top_rows = _rows(scene.seats[above], scene.hidden)
    low_rows = _rows(scene.seats[below], scene.hidden)
    top_river = 300 if not scene.hidden else 206
    low_melds = high - low_high
    low_river = low_melds - 10 - low_rows
    middle = (top_river + top_rows + 14, low_river - 14)
    if scene.hidden:
        top_river += 92 if scene.seats[above].melds else 0
        middle = (top_river + 92, low_melds - own_row - 14)
    places = {
        below: Place(180, EDGE, high - 24 - PLATE[1]),
        right: Place(90, WIDTH - EDGE - PLATE[0], middle[0]),
        above: Place(0, EDGE, 106),
        left: Place(270, EDGE, middle[0]),
    }
    for seat, place in places.items():
        draw_plate(image, scene, words, seat, place)
    for seat in (above, below):
        place = places[seat]
        draw_flowers_beside(image, scene.seats[seat], words, place)
        melds_y = 202 if seat == above else low_melds - 4
        _melds_in_row(image, scene.seats[seat].melds, EDGE, melds_y, WIDTH - 2 * EDGE, words, scene.gold)
    if scene.hidden:
        _hidden_river(image, scene, words, above, EDGE, top_river)
        heap = (EDGE, low_melds - own_row) if own_row else (EDGE + (beside + 24 if beside else 0), low_melds + 4)
        _hidden_river(image, scene, words, below, *heap)
        for seat in (left, right):
            if not opening:
                _hidden_side(image, scene, words, seat, places[seat])
    else:
        _river_across(image, scene, words.signs.gold, above, top_river)
        _river_across(image, scene, words.signs.gold, below, low_river)
        for seat in (left, right):
            if not opening:
                _side(image, scene, words, seat, places[seat], (middle[1], low_melds - 18))
    if opening is not None:
        for seat in (left, right):
            _flowers_under(image, scene.seats[seat], words, places[seat])
        arrows = {place.degrees: seat == scene.turn for seat, place in places.items()}
        draw_opening(image, (middle[0] + PLATE[1] + 92, low_melds - 30), scene, words, opening, arrows)
    else:
        draw_centre(image, scene, words, places, middle)
    return image


def _hidden_high(scene: TableScene, above: int, sides: tuple[int, int], low: int) -> int:
    """Height of a table whose discards lie hidden: ``HIDDEN_HEIGHT`` but for a hand with many kongs."""
    top = 298 + (92 if scene.seats[above].melds else 0)
    column = 0
    for seat in (scene.seats[side] for side in sides):
        wide, per_row = _hidden_melds(seat)
        rows = -(-len(seat.melds) // per_row)
        column = max(column, (86 if seat.flowers else 0) + rows * (height_of(wide) + 14))
    return max(HIDDEN_HEIGHT, top + PLATE[1] + 14 + column + 80 + 14 + low)


def _hidden_melds(seat: SeatView) -> tuple[int, int]:
    """Tile width of a side's melds where discards lie hidden, and how many stand in a row."""
    return (46, 2) if len(seat.melds) <= 4 else (34, 3)


def draw_header(image: Image.Image, scene: TableScene, words: TableWords) -> None:
    """The strip at the top: title, streak and stake, gold, tiles left."""
    top, bottom = LOCKED if scene.lock is not None else ((6, 36, 27), (9, 46, 34))
    paint.panel(image, (10, 10, WIDTH - 10, 60), top, None, 24)
    on = paint.band(image, (10, 28, WIDTH - 10, HEADER), top, bottom)
    signs = words.signs
    y = 54
    right = WIDTH - 30
    right -= paint.write(image, right, y, str(scene.left), 50, AMBER, anchor="r", most=110, fit="shrink", on=on) + 10
    right -= paint.write(image, right, y, signs.left, 34, MUTED, anchor="r", most=90, fit="shrink", on=on)
    right = gold_in_header(image, right - 26, y, scene.gold, signs.gold, 54, on) - 26
    if words.base:
        right -= paint.write(image, right, y, words.base, 46, CREAM, anchor="r", most=170, fit="number", on=on) + 10
        right -= paint.write(image, right, y, signs.base, 34, MUTED, anchor="r", most=90, fit="shrink", on=on)
    left = 24
    most = right - 30 - left
    title = paint.short_names(words.title, words.names, 42, most - (82 if scene.lock is not None else 40), fit="shrink")
    if scene.lock is not None:
        paint.fill(image, (9, HEADER, WIDTH - 9, HEADER + 4), AMBER)
        paint.put(image, paint.padlock(paint.px(60), AMBER), left + 8, y - 32)
        paint.write(image, left + 82, y, title, 52, (255, 226, 140), most=most - 82, fit="shrink", on=on)
    elif scene.turn is not None:
        wide = paint.width(title, 42, most - 40, "shrink") + 40
        paint.panel(image, (left, y - 32, left + wide, y + 32), AMBER, None, 32)
        paint.write(image, left + 20, y, title, 42, UMBER, most=most - 40, fit="shrink", on=AMBER)
    else:
        paint.write(image, left + 8, y, title, 44, CREAM, most=most, fit="shrink", on=on)


def draw_plate(image: Image.Image, scene: TableScene, words: TableWords, seat: int, place: Place) -> None:
    """Name, coins, number of tiles in hand; lit on the seat's turn; the dealer's has a chip."""
    x, y = place.x, place.y
    wide, high = PLATE
    lit = scene.turn == seat
    dealer = scene.dealer == seat
    locked = scene.lock == seat
    if lit:
        paint.frame(image, (x, y, x + wide, y + high), AMBER, 5, 20, 16)
    fill = paint.BROWN if lit else (86, 18, 24) if locked else (10, 38, 30)
    line = AMBER if lit or locked else paint.LINE
    paint.panel(image, (x, y, x + wide, y + high), fill, line, 18, 5 if lit else 3 if locked else 2)
    inner = x + 18
    if dealer:
        # As wide as a streak in words needs to be read.
        badge = max(74, min(96, paint.width(words.streak, 22) + 8))
        paint.panel(image, (x, y, x + badge, y + high), AMBER, None, 18)
        paint.fill(image, (x + badge - 20, y, x + badge, y + high), AMBER)
        sign_y, middle, most = y + (36 if words.streak else high // 2), x + badge // 2, badge - 8
        sign = words.signs.dealer_short
        paint.write(image, middle, sign_y, sign, 46, UMBER, anchor="m", most=most, fit="shrink", on=AMBER)
        paint.write(image, middle, y + 73, words.streak, 26, UMBER, anchor="m", most=most, fit="shrink", on=AMBER)
        inner = x + badge + 14
    right = x + wide - 16
    name, most = words.names[seat], right - inner
    # One of 16 letters is whole beside the badge; what is longer is cut, rather than made very small.
    fit: Fit = "shrink" if paint.width(name, 36) * 0.74 <= most else "name"
    paint.write(image, inner, y + 28, name, 36, CREAM, most=most, fit=fit, on=fill)
    count = str(scene.seats[seat].concealed_count)
    count_wide = paint.width(count, 36)
    paint.write(image, right, y + 67, count, 36, CREAM, anchor="r", on=fill)
    tile_x = right - count_wide - 36
    paint.tile(image, tile_x, y + 67 - height_of(25) // 2, None, 25)
    paint.coins(image, inner, y + 67, words.coins[seat], 34, tile_x - 14 - inner, "l", fill)


def draw_flowers_beside(image: Image.Image, seat: SeatView, words: TableWords, place: Place) -> None:
    """A seat's flowers in a row to the right of its plate; nothing without flowers."""
    if not seat.flowers:
        return
    x = place.x + PLATE[0] + 22
    x += paint.write(image, x, place.y + PLATE[1] // 2, words.signs.flowers, 34, MUTED, most=110, fit="shrink") + 10
    wide = min(56, (WIDTH - 30 - x) // len(seat.flowers) - 1)
    draw_row(image, x, place.y + (PLATE[1] - height_of(wide)) // 2, seat.flowers, wide)


def _melds_in_row(
    image: Image.Image, melds: tuple[MeldView, ...], x: int, y: int, most: int, words: TableWords,
    gold: tuple[Tile, ...],
) -> None:  # fmt: skip
    wide, gap = MELD, 14
    while wide > 34 and melds_width(melds, wide, gap) > most:
        wide -= 1
    for meld in melds:
        top = y + height_of(MELD) - height_of(wide)
        draw_meld(image, x, top, meld, wide, words.signs.kong, gold, on=TRAY)
        x += meld_width(meld, wide) + gap


def lying(seat: SeatView) -> tuple[tuple[Tile | None, ...], int]:
    """The tiles in the river, the last ``LONGEST_RIVER`` of them, and how many more there are."""
    river = tuple(discard.tile for discard in seat.river if discard.claimed_by is None)
    more = max(0, len(river) - LONGEST_RIVER)
    return river[more:], more


def _rows(seat: SeatView, hidden: bool) -> int:
    """Height of the river above or below."""
    if hidden:
        return 80
    count = len(lying(seat)[0])
    return height_of(RIVER) if count <= 12 else 2 * (height_of(RIVER_LONG) + 4)


def _is_last(scene: TableScene, seat: int) -> bool:
    """Whether the last discard is the last tile in that seat's river."""
    river = scene.seats[seat].river
    last = scene.last_discard
    return last is not None and last[0] == seat and bool(river) and river[-1].claimed_by is None


def draw_river(
    image: Image.Image, scene: TableScene, sign: str, seat: int, x: int, y: int, wide: int, columns: int, pitch_y: int,
    beside: bool = False,
) -> None:  # fmt: skip
    """``beside``: how many tiles more there were stands to the left, else above."""
    river, more = lying(scene.seats[seat])
    for at, face in enumerate(river):
        tx, ty = x + at % columns * (wide + 2), y + at // columns * pitch_y
        paint.tile(image, tx, ty, face, wide, scene.gold, sign)
        if at == len(river) - 1 and _is_last(scene, seat):
            paint.frame(image, (tx - 4, ty - 4, tx + wide + 4, ty + height_of(wide) + 4), AMBER, 4, 12, 8)
    if more and beside:
        paint.pill(image, x - 10, y + height_of(wide) // 2, f"+{more}", 26, paint.BLUE, CREAM, CREAM, 70, "r")
    elif more:
        paint.pill(image, x + 2, y - 15, f"+{more}", 22, paint.BLUE, CREAM, CREAM, 70, "l")


def _across(count: int) -> tuple[int, int]:
    """Tile width and columns of a river above or below."""
    return (RIVER, max(count, 1)) if count <= 12 else (RIVER_LONG, max(10, -(-count // 2)))


def _beside_river(count: int) -> int:
    """What a river of so many tiles leaves free between it and the table's edges."""
    wide, columns = _across(count)
    return (WIDTH - min(count, columns) * (wide + 2)) // 2 - EDGE


def _river_across(image: Image.Image, scene: TableScene, sign: str, seat: int, y: int) -> None:
    count = len(lying(scene.seats[seat])[0])
    wide, columns = _across(count)
    x = (WIDTH - min(count, columns) * (wide + 2)) // 2
    draw_river(image, scene, sign, seat, x, y, wide, columns, height_of(wide) + 4, True)


def _side(
    image: Image.Image, scene: TableScene, words: TableWords, seat: int, place: Place, bottoms: tuple[int, int]
) -> None:  # fmt: skip
    """Melds and flowers in a column at the edge, the river in a block towards the centre.

    ``bottoms``: how far down it may reach, and how far where the river below leaves the edge free.
    """
    here = scene.seats[seat]
    top = place.y + PLATE[1] + 14
    room = bottoms[0] - top
    low, low_more = lying(scene.seats[scene.bottom])
    free = _beside_river(len(low)) - (90 if low_more else 0)
    river, more = lying(here)
    river_top = top + (30 if more else 0)
    for meld_wide, columns, wide in ((56, 3, 60), (50, 4, 49), (46, 4, 52), (42, 5, 44), (38, 5, 44), (36, 6, 38)):
        meld_pitch = height_of(meld_wide) + max(8, hanging(here.melds, meld_wide))
        flower_wide = meld_wide - 2 if len(here.flowers) <= 3 else 3 * (meld_wide + 1) // 4 - 1
        per_row = 3 if len(here.flowers) <= 3 else 4
        flower_rows = -(-len(here.flowers) // per_row)
        column = len(here.melds) * meld_pitch + flower_rows * (height_of(flower_wide) + 5)
        river_rows = -(-len(river) // columns)
        column_room = bottoms[1] - top if 3 * (meld_wide + 1) + 24 <= free else room
        fits = column <= column_room and river_top - top + river_rows * (height_of(wide) + 5) <= room
        if fits:
            break
    on_left = place.degrees == 270
    meld_x = EDGE if on_left else WIDTH - EDGE - 3 * (meld_wide + 1)
    river_wide = columns * (wide + 2)
    river_x = EDGE + PLATE[0] - river_wide if on_left else WIDTH - EDGE - PLATE[0]
    for at, meld in enumerate(here.melds):
        draw_meld(image, meld_x, top + at * meld_pitch, meld, meld_wide, "", scene.gold, on=TRAY)
    # Badges hang over the tray below.
    for at, meld in enumerate(here.melds):
        kong_badge(image, meld_x, top + at * meld_pitch, meld, meld_wide, words.signs.kong)
    y = top + len(here.melds) * meld_pitch
    for row in range(flower_rows):
        draw_row(image, meld_x, y, here.flowers[row * per_row : (row + 1) * per_row], flower_wide)
        y += height_of(flower_wide) + 5
    draw_river(image, scene, words.signs.gold, seat, river_x, river_top, wide, columns, height_of(wide) + 5)


def _hidden_river(image: Image.Image, scene: TableScene, words: TableWords, seat: int, x: int, y: int) -> None:
    """Discards that nobody may see: a fanned heap and their number in words."""
    count = len(scene.seats[seat].river)
    text = words.river_counts[seat] or str(count)
    shown, wide = min(count, 5), 54
    number = paint.pill_width(text, 34, 200)
    # So far apart that the sign in the middle of each back can be seen, if there is room for it.
    step = min(37, (PLATE[0] - number - 18 - wide) // max(1, shown - 1))
    for at in range(shown):
        paint.tile(image, x + at * step, y, None, wide)
    end = x + (shown - 1) * step + wide if shown else x
    if shown and _is_last(scene, seat):
        left = end - wide
        paint.frame(image, (left - 4, y - 4, end + 4, y + height_of(wide) + 4), AMBER, 4, 12, 8)
    if shown:
        paint.pill(image, end + 18, y + height_of(wide) // 2, text, 34, (10, 38, 30), CREAM, paint.LINE, 200, "l")


def _flowers_under(image: Image.Image, seat: SeatView, words: TableWords, place: Place) -> None:
    """Flowers in one row under a plate at the side."""
    if seat.flowers:
        x, y = place.x, place.y + PLATE[1] + 14
        x += paint.write(image, x, y + 38, words.signs.flowers, 34, MUTED, most=100, fit="shrink") + 10
        draw_row(image, x, y, seat.flowers, min(54, (place.x + PLATE[0] - x) // len(seat.flowers) - 1))


def _hidden_side(image: Image.Image, scene: TableScene, words: TableWords, seat: int, place: Place) -> None:
    here = scene.seats[seat]
    y = place.y + PLATE[1] + 14
    if here.flowers:
        _flowers_under(image, here, words, place)
        y += 86
    x = place.x
    wide, per_row = _hidden_melds(here)
    places: list[tuple[int, int]] = []
    for at, meld in enumerate(here.melds):
        if at and at % per_row == 0:
            x, y = place.x, y + height_of(wide) + 14
        draw_meld(image, x, y, meld, wide, "", scene.gold, on=TRAY)
        places.append((x, y))
        x += 3 * (wide + 1) + 16
    for meld, corner in zip(here.melds, places, strict=True):
        kong_badge(image, *corner, meld, wide, words.signs.kong)
    if here.melds:
        y += height_of(wide) + 14
    _hidden_river(image, scene, words, seat, place.x, y)


def draw_centre(
    image: Image.Image, scene: TableScene, words: TableWords, places: dict[int, Place], middle: tuple[int, int]
) -> None:
    """The last discard large, with who threw it; whose turn it is as an arrow; in a lock who has drawn."""
    left, right = CENTRE
    x = (left + right) // 2
    top = middle[0]
    bottom = min(middle[1], top + 560)
    paint.panel(image, (left, top, right, bottom), WELL, paint.LINE, 22)
    most = right - left - 16
    y = top + 12
    if scene.last_discard is not None:
        seat, face = scene.last_discard
        name = words.in_short[seat] or words.names[seat]
        verb = words.signs.discard if face is not None or not scene.hidden else words.signs.hidden_discard
        # Names, the large tile, arrows and chips one below the other.
        tight = scene.hidden or scene.lock is not None
        room = bottom - top - 258 - 48 * len([text for text in words.notices[:2] if text])
        wide = 92 if scene.lock is not None else 104 if tight else max(104, min(144, round(room * 512 / 700)))
        if scene.lock is not None:
            said = f"{name} {verb}"
            paint.write(image, x, y + 22, said, 34, CREAM, anchor="m", most=most, fit="shrink", on=WELL)
            y += 54
        else:
            paint.write(image, x, y + 24, name, 34, CREAM, anchor="m", most=most, fit="name", on=WELL)
            paint.write(image, x, y + 70, verb, 36, AMBER, anchor="m", most=most, fit="shrink", on=WELL)
            y += 100
        high = height_of(wide)
        # Room for a gold tile's badge, which stands above it.
        y += round(wide * 0.2) if face in scene.gold else 0
        if face not in scene.gold:
            paint.frame(image, (x - wide // 2, y, x - wide // 2 + wide, y + high), AMBER, 4, 18, 16)
        paint.tile(image, x - wide // 2, y, face, wide, scene.gold, words.signs.gold)
        y += high + 20
    if scene.lock is not None:
        _lock_list(image, scene, words, x, y, bottom, most)
        return
    chips = [text for text in words.notices[:2] if text]
    chip_top = bottom - 16 - 48 * len(chips)
    arrows = y + (chip_top - y) // 2
    if chip_top - y >= 100:
        for seat, place in places.items():
            lit = seat == scene.turn
            size = (66 if lit else 32) if chip_top - y >= 170 else (44 if lit else 24)
            away = 44 if chip_top - y >= 170 else 32
            dx, dy = {0: (0, -1), 90: (1, 0), 180: (0, 1), 270: (-1, 0)}[place.degrees]
            colour = AMBER if lit else (70, 108, 92)
            arrow = paint.arrow(paint.px(size), place.degrees, colour)
            paint.put(image, arrow, x + dx * away, arrows + dy * away)
        paint.panel(image, (x - 10, arrows - 10, x + 10, arrows + 10), (70, 108, 92), None, 10)
    for at, text in enumerate(chips):
        paint.pill(image, x, chip_top + 24 + at * 48, text, 28, (120, 30, 26), CREAM, AMBER, most=most - 30)


def _lock_list(
    image: Image.Image, scene: TableScene, words: TableWords, x: int, y: int, bottom: int, most: int
) -> None:
    """Who draws in a lock: the three others in order, then the one who locked."""
    assert scene.lock is not None
    order = [(scene.lock + step) % 4 for step in (1, 2, 3, 4)]
    pitch = min(84, max(30, (bottom - 8 - y) // 4))
    left, right = x - most // 2 + 2, x + most // 2 - 2
    for seat in order:
        lit = seat == scene.turn
        ground, line = (paint.BROWN, AMBER) if lit else ((5, 32, 24), (20, 62, 48))
        high = pitch - (8 if pitch >= 56 else 3)
        paint.panel(image, (left, y, right, y + high), ground, line, min(14, high // 2), 3 if lit else 1)
        colour = AMBER if lit else MUTED
        room = most - 20
        if pitch >= 56:
            # Far enough apart for letters that hang deep.
            size = 28 if pitch > 70 else 22
            above, below = y + round(high * 0.24), y + round(high * 0.77)
            paint.write(
                image,
                x,
                above,
                words.in_short[seat] or words.names[seat],
                size,
                CREAM,
                anchor="m",
                most=room,
                fit="shrink",
            )
            paint.write(image, x, below, words.draws[seat], size - 2, colour, anchor="m", most=room, fit="shrink")
        else:
            # Too low for two lines: side by side.
            half = room // 2 - 3
            middle = y + high // 2
            paint.write(
                image, left + 8, middle, words.in_short[seat] or words.names[seat], 22, CREAM, most=half, fit="shrink"
            )
            paint.write(image, right - 8, middle, words.draws[seat], 20, colour, anchor="r", most=half, fit="shrink")
        y += pitch
