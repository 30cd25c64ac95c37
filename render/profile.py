"""A person's own card: coins, what they have played and won, their place over time, their best hand."""

from __future__ import annotations

from typing import Final

from PIL import Image, ImageDraw

from mahjong.views import SheetView
from render import paint
from render.cards import AVATARS, draw_avatar
from render.grounds import Colour
from render.headline import rays
from render.melds import draw_meld, draw_row, meld_width, melds_width
from render.paint import AMBER, CREAM, MUTED
from render.scenes import ProfileScene
from render.sheet import draw_winning_hand, winning_high
from render.text import REGULAR
from render.tiles import height_of
from render.words import ItemWords, ProfileWords, Signs, Win

WIDTH: Final = 960
EDGE: Final = 34
HEADER: Final = 190
FACT: Final = 106
GAP: Final = 14
MOST_WINS: Final = 7
WIN_ROW: Final = 50
CHARTS: Final = 80 + MOST_WINS * WIN_ROW
SPLIT: Final = 470
"""Where the wins end and the plot of places begins."""
BEST_HEAD: Final = 74
MOST_PLACES: Final = 60
GRID: Final[Colour] = (36, 84, 66)


def draw_profile(scene: ProfileScene, words: ProfileWords) -> Image.Image:
    """The picture; the best hand is left out where there is none, so its height varies."""
    facts = words.facts[:6]
    facts_high = -(-len(facts) // 3) * (FACT + GAP)
    best_high = _best_high(scene.best)
    high = HEADER + 18 + facts_high + CHARTS + GAP + (BEST_HEAD + best_high + 10 if best_high else 4)
    image = paint.blank(WIDTH, high)
    _header(image, words)
    y = HEADER + 18
    _facts(image, y, facts)
    y += facts_high
    _wins(image, (EDGE - 4, y, SPLIT, y + CHARTS), words)
    _places(image, (SPLIT + GAP, y, WIDTH - EDGE + 4, y + CHARTS), words)
    y += CHARTS + GAP
    if scene.best is not None and best_high:
        _best(image, y, scene.best, words)
    return image


def _header(image: Image.Image, words: ProfileWords) -> None:
    image.paste(rays("win", paint.px(WIDTH), paint.px(HEADER)), (0, 0))
    middle = HEADER // 2 - 2
    draw_avatar(image, EDGE + 64, middle, words.name, AVATARS[1], 62)
    x, right = EDGE + 152, WIDTH - EDGE
    coins = paint.coins(image, right, middle - 26 if words.coins_label else middle, words.coins, 62, 330)
    label = paint.write(image, right, middle + 40, words.coins_label, 34, (255, 224, 212), REGULAR, "r", 330, "shrink")
    most = right - max(coins, label) - 30 - x
    name_y = middle - 30 if words.subtitle else middle
    paint.write(image, x, name_y, words.name, 60, CREAM, most=most, fit="name")
    paint.write(image, x, middle + 40, words.subtitle, 34, (255, 224, 212), REGULAR, most=most, fit="shrink")


def _facts(image: Image.Image, top: int, facts: tuple[ItemWords, ...]) -> None:
    wide = (WIDTH - 2 * (EDGE - 4) - 2 * GAP) // 3
    for at, fact in enumerate(facts):
        x, y = EDGE - 4 + at % 3 * (wide + GAP), top + at // 3 * (FACT + GAP)
        paint.panel(image, (x, y, x + wide, y + FACT))
        middle = x + wide // 2
        paint.write(image, middle, y + 30, fact.label, 32, MUTED, REGULAR, "m", wide - 24, "shrink", paint.PANEL)
        paint.write(image, middle, y + 72, fact.value, 48, AMBER, anchor="m", most=wide - 24, fit="number")


def _wins(image: Image.Image, box: paint.Box, words: ProfileWords) -> None:
    """Wins by kind: a bar for each, its length by the number, which stands beside it."""
    left, top, right, _ = box
    paint.panel(image, box)
    paint.write(image, left + 22, top + 36, words.wins_title, 36, CREAM, most=right - left - 44, fit="shrink")
    wins = words.wins[:MOST_WINS]
    if not wins:
        _nothing(image, box, words.no_wins)
        return
    label = min(170, max(paint.width(win.label, 34, None, "cut", REGULAR) for win in wins))
    number = min(96, max(paint.width(f"{win.count:,}", 36) for win in wins))
    start = left + 22 + label + 16
    longest = right - 22 - number - 14 - start
    most = max(1, *(win.count for win in wins))
    for at, win in enumerate(wins):
        y = top + 92 + at * WIN_ROW
        _win(
            image,
            (left + 22, start, y, right - 22),
            win,
            label,
            number,
            max(8, longest * win.count // most) if win.count else 0,
        )


def _win(
    image: Image.Image, where: tuple[int, int, int, int], win: Win, label: int, number: int, long: int
) -> None:  # fmt: skip
    left, start, y, right = where
    paint.write(image, left, y, win.label, 34, CREAM, REGULAR, most=label, fit="shrink")
    if long:
        paint.panel(image, (start, y - 14, start + long, y + 14), AMBER, None, 8)
    text = paint.amount(win.count, 36, number)
    paint.write(image, right, y, text, 36, CREAM, anchor="r", most=number, fit="number")


def _nothing(image: Image.Image, box: paint.Box, text: str) -> None:
    left, top, right, bottom = box
    for at, line in enumerate(paint.lines(text, 34, right - left - 60, REGULAR)):
        y = (top + bottom) // 2 + 20 + 44 * at
        paint.write(image, (left + right) // 2, y, line, 34, MUTED, REGULAR, "m", right - left - 40, "shrink")


def _places(image: Image.Image, box: paint.Box, words: ProfileWords) -> None:
    """The place over time, the first above; the last is marked and named."""
    left, top, right, bottom = box
    paint.panel(image, box)
    title = right - left - 44
    places = words.ranks[-MOST_PLACES:]
    if len(places) < 2:
        paint.write(image, left + 22, top + 36, words.rank_title, 36, CREAM, most=title, fit="shrink")
        _nothing(image, box, words.no_ranks)
        return
    now = str(places[-1])
    wide = paint.width(now, 54, 150, "shrink")
    paint.write(image, right - 22, top + 38, now, 54, AMBER, anchor="r", most=150, fit="shrink")
    paint.write(image, left + 22, top + 36, words.rank_title, 36, CREAM, most=title - wide - 20, fit="shrink")
    best, worst = min(places), max(places)
    scale = sorted({best, (best + worst) // 2, worst} if worst - best > 2 else range(best, worst + 1))
    numbers = max(paint.width(str(place), 30, 90, "shrink") for place in scale)
    area = (left + 22 + numbers + 16, top + 96, right - 34, bottom - 70)
    high = area[3] - area[1]

    def level(place: int) -> int:
        return area[1] + (high * (place - best) // (worst - best) if worst > best else high // 2)

    for place in scale:
        paint.fill(image, (area[0], level(place) - 1, area[2] + 12, level(place) + 1), GRID)
        at = area[0] - 16
        paint.write(image, at, level(place), str(place), 30, MUTED, REGULAR, "r", 90, "shrink")
    step = (area[2] - area[0]) / (len(places) - 1)
    _line(image, [(area[0] + step * at, level(place)) for at, place in enumerate(places)], area[3])
    half = (area[2] - area[0]) // 2 - 10
    paint.write(image, area[0], bottom - 34, words.rank_from, 30, MUTED, REGULAR, most=half, fit="shrink")
    paint.write(image, area[2] + 12, bottom - 34, words.rank_to, 30, MUTED, REGULAR, "r", half, "shrink")


def _line(image: Image.Image, points: list[tuple[float, int]], floor: int) -> None:
    """A line through points, the ground under it lit, its end a disc."""
    over = 3
    x0, y0 = paint.px(points[0][0]) - 12, paint.px(min(y for _, y in points)) - 14
    x1, y1 = paint.px(points[-1][0]) + 14, paint.px(floor) + 10
    size = (x1 - x0, y1 - y0)
    placed = [(x * paint.SCALE - x0, y * paint.SCALE - y0) for x, y in points]
    scaled = [(x * over, y * over) for x, y in placed]
    # The edge of the lit ground lies under the line.
    ground, line = Image.new("L", size, 0), Image.new("L", (size[0] * over, size[1] * over), 0)
    low = paint.px(floor) - y0
    ImageDraw.Draw(ground).polygon([(placed[0][0], low), *placed, (placed[-1][0], low)], fill=46)
    draw = ImageDraw.Draw(line)
    draw.line(scaled, fill=255, width=4 * over, joint="curve")
    for (x, y), radius in ((scaled[0], 4), (scaled[-1], 9)):
        draw.ellipse([x - radius * over, y - radius * over, x + radius * over, y + radius * over], fill=255)
    for mask in (ground, line.reduce(over)):
        image.paste(AMBER, (x0, y0), mask)


def _best_high(best: SheetView | None) -> int:
    if best is None or best.winner is None:
        return 0
    return winning_high(best) or height_of(50) + 30


def _best(image: Image.Image, y: int, best: SheetView, words: ProfileWords) -> None:
    """The hand that brought the most, set apart as on its sheet; laid open if it was no complete hand."""
    right = WIDTH - EDGE
    x = EDGE + paint.write(image, EDGE, y + 24, words.best_title, 38, CREAM, most=400, fit="shrink") + 24
    paint.write(image, x, y + 24, words.best_note, 40, AMBER, most=right - x, fit="shrink")
    y += BEST_HEAD
    if winning_high(best):
        draw_winning_hand(image, y, best, words.signs, words.won, ())
    else:
        _laid_open(image, y, best, words.signs)


def _laid_open(image: Image.Image, y: int, best: SheetView, signs: Signs) -> None:
    seat = best.view.seats[best.winner or 0]
    hand = (*(seat.concealed or ()), *((seat.drawn,) if seat.drawn is not None else ()))
    wide = 50
    while wide > 16 and melds_width(seat.melds, wide, 10, True) + 10 + len(hand) * (wide + 1) > WIDTH - 2 * EDGE:
        wide -= 1
    x = EDGE
    for meld in seat.melds:
        draw_meld(image, x, y, meld, wide, signs.kong, best.view.gold, True)
        x += meld_width(meld, wide, True) + 10
    draw_row(image, x, y, hand, wide, best.view.gold)
