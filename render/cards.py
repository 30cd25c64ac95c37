"""Cards that show words alone: the lobby, a group's ranking."""

from __future__ import annotations

from typing import Final

from PIL import Image

from render import paint
from render.grounds import Colour
from render.hand import HEADER_BOTTOM, HEADER_TOP
from render.headline import embossed, headline_width, rays
from render.paint import AMBER, BLUE, CREAM, LOSS, MUTED, RED, TEAL, UMBER, WIN
from render.text import BLACK, REGULAR, initial
from render.words import ItemWords, LobbySeatWords, LobbyWords, RankingRow, RankingWords

WIDTH: Final = 960
EDGE: Final = 34
HEADER: Final = 136
SEAT: Final = 116
ROW: Final = 88
AVATARS: Final[tuple[Colour, ...]] = (RED, BLUE, TEAL, (120, 66, 150))
MEDALS: Final[dict[int, Colour]] = {1: AMBER, 2: (206, 214, 224), 3: (222, 148, 92)}


def draw_lobby(words: LobbyWords) -> Image.Image:
    """Title, the four seats two by two, the terms, a note."""
    facts = words.facts[:4]
    seats_top = HEADER + 24
    facts_top = seats_top + 2 * (SEAT + 18)
    note_top = facts_top + (114 if facts else 0)
    most = WIDTH - 2 * EDGE
    note = paint.lines(words.note, 34, most, REGULAR)
    image = paint.blank(WIDTH, note_top + (22 + 44 * len(note) if note else 0) + 10)
    image.paste(rays("win", paint.px(WIDTH), paint.px(HEADER)), (0, 0))
    right = WIDTH - EDGE
    count_wide = paint.width(words.count, 42, 260, "shrink")
    title_wide = headline_width(words.title, 82, 2 * WIDTH)
    # The title before the ornament.
    if title_wide * 0.75 <= right - 3 * 58 - 26 - count_wide - 30 - EDGE:
        right -= 3 * 58
        for at, face in enumerate((33, 32, 31)):
            paint.tile(image, right + at * 58, 24, face, 56)
        right -= 26
    paint.write(image, right, 66, words.count, 42, CREAM, anchor="r", most=260, fit="shrink")
    title_most = right - count_wide - 30 - EDGE
    embossed(image, EDGE, 62, words.title, 82, (255, 240, 170), (255, 188, 46), title_most, BLACK, True)
    wide = (WIDTH - 2 * EDGE - 20) // 2
    for at in range(4):
        left = EDGE + at % 2 * (wide + 20)
        top = seats_top + at // 2 * (SEAT + 18)
        seat = words.seats[at] if at < len(words.seats) else None
        if seat is None:
            paint.panel(image, (left, top, left + wide, top + SEAT), (14, 84, 60), (104, 168, 138), 22, 4)
            middle = (left + wide // 2, top + SEAT // 2)
            paint.write(
                image, *middle, words.empty, 42, MUTED, anchor="m", most=wide - 40, fit="shrink", on=(14, 84, 60)
            )
        else:
            _lobby_seat(image, left, top, wide, seat, AVATARS[at])
    if facts:
        _facts(image, facts_top, facts)
    if words.note:
        for at, line in enumerate(note):
            paint.write(image, WIDTH // 2, note_top + 32 + 44 * at, line, 34, CREAM, REGULAR, "m", most, "shrink")
    return image


def _lobby_seat(image: Image.Image, left: int, top: int, wide: int, seat: LobbySeatWords, colour: Colour) -> None:
    paint.panel(image, (left, top, left + wide, top + SEAT), (10, 38, 30), paint.LINE, 22)
    middle = top + SEAT // 2
    draw_avatar(image, left + 58, middle, seat.badge or seat.name, colour)
    x = left + 116
    right = left + wide - 18
    name_y = top + (38 if seat.coins or seat.chip else SEAT // 2)
    paint.write(image, x, name_y, seat.name, 42, CREAM, most=right - x, fit="name", on=(10, 38, 30))
    # The chip stands below, where it takes nothing from the name.
    chip = 0
    if seat.chip and seat.coins:
        chip = 12 + paint.pill(image, right, top + 84, seat.chip, 28, AMBER, UMBER, None, 110, "r")
    elif seat.chip:
        paint.pill(image, x, top + 84, seat.chip, 28, AMBER, UMBER, None, 220, "l")
    paint.coins(image, x, top + 84, seat.coins, 38, right - x - chip, "l", (10, 38, 30))


def draw_avatar(image: Image.Image, x: int, y: int, name: str, colour: Colour, radius: int = 40) -> None:
    """A round badge with what stands for a name."""
    paint.panel(image, (x - radius, y - radius, x + radius, y + radius), colour, CREAM, radius, 3)
    size, most = round(radius * 1.1), round(radius * 1.5)
    paint.write(image, x, y, initial(name).upper(), size, CREAM, anchor="m", most=most, fit="shrink")


def _facts(image: Image.Image, top: int, facts: tuple[ItemWords, ...]) -> None:
    paint.panel(image, (EDGE, top, WIDTH - EDGE, top + 98))
    wants = [max(paint.width(fact.label, 32, None, "cut", REGULAR), paint.width(fact.value, 42)) for fact in facts]
    room = WIDTH - 2 * EDGE - 24 * len(facts)
    while sum(wants) > room:
        wants[wants.index(max(wants))] -= max(1, min(20, sum(wants) - room))
    spare = (room - sum(wants)) // len(facts)
    left = EDGE
    for fact, want in zip(facts, wants, strict=True):
        wide = want + spare + 24
        middle = left + wide // 2
        paint.write(image, middle, top + 28, fact.label, 32, MUTED, REGULAR, "m", wide - 16, "shrink", paint.PANEL)
        most = wide - 16
        paint.write(image, middle, top + 68, fact.value, 42, AMBER, anchor="m", most=most, fit="number", on=paint.PANEL)
        left += wide


def draw_ranking(words: RankingWords) -> Image.Image:
    """Places with medals, hands, today's and all winnings; the reader's own row is lit."""
    rows = words.rows[:11]
    header, heads, footer = 150, 54, 80
    note = paint.lines(words.note, 40, WIDTH - 2 * EDGE, REGULAR)[:3] if not rows else []
    middle = len(rows) * ROW if rows else 60 + 54 * len(note)
    high = header + heads + middle + 16 + (footer if words.mine or words.coins else 0)
    image = paint.blank(WIDTH, high)
    image.paste(rays("win", paint.px(WIDTH), paint.px(header)), (0, 0))
    right = WIDTH - EDGE
    # The title leaves more room for the group's name if it is short, and shrinks for a long one.
    title_wide = headline_width(words.title, 92, 2 * WIDTH)
    side_most = max(470, WIDTH - 2 * EDGE - 30 - title_wide)
    side = max(paint.width(words.group, 42, side_most, "shrink"), paint.width(words.subtitle, 34, side_most, "shrink"))
    paint.write(image, right, 52, words.group, 42, CREAM, anchor="r", most=side_most, fit="shrink")
    paint.write(image, right, 104, words.subtitle, 34, (255, 224, 212), REGULAR, "r", side_most, "shrink")
    most = right - side - 30 - EDGE
    embossed(image, EDGE, 72, words.title, 92, (255, 240, 170), (255, 188, 46), most, BLACK, True)
    head_y = header + heads // 2 + 4
    name, hands, today, total = words.heads
    paint.write(image, 120, head_y, name, 33, MUTED, REGULAR, most=300, fit="shrink")
    paint.write(image, 548, head_y, hands, 33, MUTED, REGULAR, "r", 120, "shrink")
    paint.write(image, 718, head_y, today, 33, MUTED, REGULAR, "r", 170, "shrink")
    paint.write(image, WIDTH - 44, head_y, total, 33, MUTED, REGULAR, "r", 170, "shrink")
    for at, row in enumerate(rows):
        _ranking_row(image, header + heads + at * ROW, row, words.me, bool(today), words.signs.units)
    for at, line in enumerate(note):
        y = header + heads + 60 + 54 * at
        paint.write(image, WIDTH // 2, y, line, 40, MUTED, REGULAR, "m", WIDTH - 2 * EDGE, "shrink")
    if words.mine or words.coins:
        top = high - footer
        paint.band(image, (0, top, WIDTH, high), HEADER_BOTTOM, HEADER_TOP)
        y = top + footer // 2
        right -= paint.coins(image, right, y, words.coins, 42, 300) + 14
        right -= paint.write(image, right, y, words.coins_label, 34, MUTED, anchor="r", most=200, fit="shrink")
        paint.write(image, EDGE, y, words.mine, 38, CREAM, most=right - 30 - EDGE, fit="shrink")
    return image


def _ranking_row(image: Image.Image, top: int, row: RankingRow, me: str, today: bool, units: str) -> None:
    ground, line = (paint.BROWN, AMBER) if row.me else ((10, 46, 35), paint.LINE)
    paint.panel(image, (24, top, WIDTH - 24, top + ROW - 8), ground, line, 18, 4 if row.me else 2)
    middle = top + (ROW - 8) // 2
    medal = MEDALS.get(row.place)
    if medal:
        paint.panel(image, (42, middle - 28, 98, middle + 28), medal, (120, 90, 40), 28, 3)
    number = str(row.place)
    paint.write(image, 70, middle, number, 38, UMBER if medal else MUTED, anchor="m", most=60, fit="shrink")
    chip_wide = paint.width(me, 28, 80, "shrink") + 44 if row.me and me else 0
    x = 120 + paint.write(image, 120, middle, row.name, 42, CREAM, most=330 - chip_wide, fit="name", on=ground)
    if chip_wide:
        paint.pill(image, x + 14, middle, me, 28, AMBER, UMBER, most=80, anchor="l")
    hands = paint.amount(row.hands, 36, 92, units=units, squeeze=1.0)
    paint.write(image, 548, middle, hands, 36, MUTED, anchor="r", most=92, fit="number", on=ground)
    if today and row.today is None:
        paint.write(image, 718, middle, "–", 36, MUTED, anchor="r", on=ground)
    elif today:
        _winnings(image, 718, middle, row.today or 0, 36, 120, True, ground, units)
    _winnings(image, WIDTH - 44, middle, row.total, 42, 168, False, ground, units)


def _winnings(
    image: Image.Image, right: int, y: int, value: int, size: int, most: int, arrow: bool, on: Colour, units: str
) -> None:  # fmt: skip
    colour = WIN if value > 0 else LOSS if value < 0 else MUTED
    text = paint.amount(value, size, most, sign=True, units=units, squeeze=1.0)
    wide = paint.write(image, right, y, text, size, colour, anchor="r", most=most, fit="number", on=on)
    if arrow and value:
        paint.put(image, paint.arrow(paint.px(22), 0 if value > 0 else 180, colour), right - wide - 18, y)
