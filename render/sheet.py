"""The score sheet: who won how, what counted, who paid whom, and all hands open (rules-zhangzhou 12)."""

from __future__ import annotations

from typing import Final

from PIL import Image

from mahjong.tiles import Tile
from mahjong.views import SeatView, SheetView
from render import paint
from render.hand import HEADER_BOTTOM, HEADER_TOP, gold_in_header
from render.headline import embossed, rays
from render.melds import draw_meld, draw_row, meld_width, melds_width
from render.paint import AMBER, CREAM, LOSS, MUTED, WIN, Colour
from render.scenes import SheetScene
from render.text import BLACK, REGULAR
from render.tiles import height_of
from render.words import ItemWords, SheetWords, SumWords

WIDTH: Final = 960
EDGE: Final = 34
HEADER: Final = 162
SET_TILE: Final = 62
SET_ROW: Final = 150
MELD_ROW: Final = 92
ITEM: Final = 96
LINE_HIGH: Final = 52
ROW_HIGH: Final = 59
FOOTER: Final = 78
HAND_HIGH: Final = 60


def draw_sheet(scene: SheetScene, words: SheetWords) -> Image.Image:
    """The picture; parts with nothing in them are left out, so its height varies (about 1,300)."""
    sheet = scene.sheet
    winner = sheet.winner if sheet.outcome == "win" else None
    opened = [seat for seat in sheet.view.seats if seat.seat != winner or not sheet.sets]
    first = (winner if winner is not None else sheet.view.dealer) or 0
    opened.sort(key=lambda seat: (seat.seat - first) % 4)
    items, sums = words.items[:6], words.sums[:6]
    winning_high = _winning_high(sheet, winner)
    matrix_high = 76 + 4 * ROW_HIGH + 8
    hands_high = len(opened) * HAND_HIGH
    parts = [
        HEADER,
        winning_high + 18 if winning_high else 18,
        ITEM + 14 if items else 0,
        len(sums) * LINE_HIGH + 12 + 14 if sums else 0,
        matrix_high + 16,
        hands_high + 14,
        FOOTER,
    ]
    image = paint.blank(WIDTH, sum(parts))
    _header(image, sheet, words)
    y = HEADER + 18
    if winning_high and winner is not None:
        _winning_hand(image, y, sheet, winner, words)
        y += winning_high
    if items:
        _items(image, y, items)
        y += ITEM + 14
    if sums:
        _sums(image, y, sums)
        y += len(sums) * LINE_HIGH + 12 + 14
    _matrix(image, y, matrix_high, sheet, words)
    y += matrix_high + 16
    for seat in opened:
        _open_hand(image, y, seat, sheet, words)
        y += HAND_HIGH
    _footer(image, sum(parts) - FOOTER, words)
    return image


def _header(image: Image.Image, sheet: SheetView, words: SheetWords) -> None:
    image.paste(rays(sheet.outcome, paint.px(WIDTH), paint.px(HEADER)), (0, 0))
    kind_size, name_size = 92, 64
    gap = 36 if words.winner else 0
    kind_wide = paint.width(words.kind, kind_size, 560, "shrink", BLACK)
    name_wide = paint.width(words.winner, name_size, WIDTH - 80 - gap - kind_wide)
    left = (WIDTH - name_wide - gap - kind_wide) // 2
    y = 62
    embossed(
        image, left, y + 4, words.winner, name_size, (255, 248, 230), (255, 248, 230), WIDTH - 80 - gap - kind_wide
    )
    embossed(image, left + name_wide + gap, y, words.kind, kind_size, (255, 240, 170), (255, 188, 46), 560, BLACK, True)
    most = WIDTH - 60
    paint.write(image, WIDTH // 2, 132, words.subtitle, 34, (255, 224, 212), anchor="m", most=most, fit="shrink")


def _winning_high(sheet: SheetView, winner: int | None) -> int:
    if winner is None or not sheet.sets:
        return 0
    seat = sheet.view.seats[winner]
    return SET_ROW + (MELD_ROW if seat.melds or seat.flowers else 0)


def _winning_hand(image: Image.Image, y: int, sheet: SheetView, winner: int, words: SheetWords) -> None:
    """The winning hand set apart, what gold and whites stand for below them, the winning tile framed."""
    gold = sheet.view.gold
    count = sum(len(group) for group in sheet.sets)
    wide, gap = SET_TILE, 20
    while wide > 36 and count * (wide + 1) + gap * (len(sheet.sets) - 1) > WIDTH - 2 * EDGE - 12:
        wide, gap = wide - 1, max(10, gap - 1)
    high = height_of(wide)
    at_win = _winning_place(sheet)
    x = EDGE
    labels: list[tuple[int, str, Colour, Colour]] = []
    won_x = None
    for g, group in enumerate(sheet.sets):
        for t, (face, stands) in enumerate(group):
            tx = x + t * (wide + 1)
            paint.tile(image, tx, y, face, wide, gold, words.signs.gold)
            if (g, t) == at_win:
                won_x = tx
            elif stands != face:
                labels.append((tx + wide // 2, f"={words.signs.tiles[stands]}", AMBER, paint.UMBER))
        x += len(group) * (wide + 1) + gap
    if won_x is not None:
        paint.frame(image, (won_x - 6, y - 6, won_x + wide + 6, y + high + 6), (255, 226, 140), 5, 14, 6)
        labels.append((won_x + wide // 2, words.won, paint.RED, CREAM))
    seat = sheet.view.seats[winner]
    right = WIDTH - 12
    if not (seat.melds or seat.flowers):
        right = gold_in_header(image, WIDTH - EDGE, y + high + 34, gold, words.signs.gold, 36) - 20
    _labels_below(image, y + high + 30, right, [label for label in labels if label[1]])
    if seat.melds or seat.flowers:
        _melds_and_flowers(image, y + SET_ROW, seat, gold, words)


def _labels_below(image: Image.Image, y: int, right: int, labels: list[tuple[int, str, Colour, Colour]]) -> None:
    """Labels under the tiles at their middles, pushed apart where they would overlap."""
    size, gap = 27, 6
    labels.sort(key=lambda label: label[0])

    def widths() -> list[int]:
        return [paint.width(text, size, 180, "shrink") + round(size * 0.9) for _, text, _, _ in labels]

    wides = widths()
    while size > 12 and sum(wides) + gap * len(wides) > right - 12:
        size -= 1
        wides = widths()
    lefts = [middle - wide // 2 for (middle, _, _, _), wide in zip(labels, wides, strict=True)]
    edge = 12
    for at, wide in enumerate(wides):
        lefts[at] = max(lefts[at], edge)
        edge = lefts[at] + wide + gap
    edge = right
    for at in range(len(labels) - 1, -1, -1):
        lefts[at] = min(lefts[at], edge - wides[at])
        edge = lefts[at] - gap
    for left, (_, text, fill, colour) in zip(lefts, labels, strict=True):
        paint.pill(image, left, y, text, size, fill, colour, most=180, anchor="l")


def _winning_place(sheet: SheetView) -> tuple[int, int] | None:
    """Which tile of ``sheet.sets`` is the winning one: the last that looks like it, best one that stands for itself."""
    places = [
        (face == stands, g, t)
        for g, group in enumerate(sheet.sets)
        for t, (face, stands) in enumerate(group)
        if face == sheet.tile
    ]
    if not places:
        return None
    _, g, t = max(places)
    return g, t


def _melds_and_flowers(image: Image.Image, y: int, seat: SeatView, gold: tuple[Tile, ...], words: SheetWords) -> None:
    right = WIDTH - EDGE
    for face in reversed(gold):
        paint.tile(image, right - 50, y, face, 50, gold)
        right -= 58
    if gold:
        right -= 6 + paint.write(
            image, right - 6, y + 36, words.signs.gold, 36, AMBER, anchor="r", most=90, fit="shrink"
        )
    right -= 20
    melds, flowers = len(seat.melds), len(seat.flowers)
    label = paint.width(words.signs.flowers, 34, 100, "shrink") + 10 if flowers else 0
    wide, gap = 50, 16
    most = right - EDGE - label - (24 if flowers and melds else 0)
    while wide > 22 and melds_width(seat.melds, wide, gap, True) + flowers * (wide + 1) > most:
        wide, gap = wide - 1, max(8, gap - 1)
    x = EDGE
    for meld in seat.melds:
        draw_meld(image, x, y, meld, wide, words.signs.kong, gold, True)
        x += meld_width(meld, wide, True) + gap
    if flowers:
        x += 8 if melds else 0
        middle = y + height_of(wide) // 2
        x += paint.write(image, x, middle, words.signs.flowers, 34, MUTED, most=100, fit="shrink") + 10
        draw_row(image, x, y, seat.flowers, wide)


def _items(image: Image.Image, y: int, items: tuple[ItemWords, ...]) -> None:
    gap = 12
    wide = (WIDTH - 2 * 30 - gap * (len(items) - 1)) // len(items)
    for at, item in enumerate(items):
        left = 30 + at * (wide + gap)
        paint.panel(image, (left, y, left + wide, y + ITEM))
        middle = left + wide // 2
        paint.write(image, middle, y + 28, item.label, 29, CREAM, REGULAR, "m", wide - 20, "shrink")
        paint.write(image, middle, y + 66, item.value, 44, AMBER, anchor="m", most=wide - 20, fit="number")


def _sums(image: Image.Image, y: int, sums: tuple[SumWords, ...]) -> None:
    paint.panel(image, (30, y, WIDTH - 30, y + len(sums) * LINE_HIGH + 12))
    for at, line in enumerate(sums):
        middle = y + 6 + at * LINE_HIGH + LINE_HIGH // 2
        if at:
            paint.fill(image, (52, middle - LINE_HIGH // 2, WIDTH - 52, middle - LINE_HIGH // 2 + 1), paint.LINE)
        right = WIDTH - 52
        right -= paint.write(image, right, middle, line.result, 38, AMBER, anchor="r", most=240, fit="number")
        right -= 14
        tag_wide = paint.width(line.tag, 27, 160, "shrink") + 40 if line.tag else 0
        who_most = min(paint.width(line.who, 36), 360, right - 52 - tag_wide - 24 - min(300, paint.width(line.sum, 33)))
        sum_most = right - 52 - who_most - tag_wide - 24
        paint.write(image, right, middle, line.sum, 33, (216, 236, 224), REGULAR, "r", sum_most, "number")
        x = 52 + paint.write(image, 52, middle, line.who, 36, CREAM, most=who_most)
        if line.tag:
            paint.pill(image, x + 14, middle, line.tag, 27, (44, 82, 70), CREAM, most=160, anchor="l")


def _payees(sheet: SheetView) -> list[int]:
    """Who is paid, in the order of payment."""
    return list(dict.fromkeys(line.payee for line in sheet.lines if line.due))


def _matrix(image: Image.Image, y: int, high: int, sheet: SheetView, words: SheetWords) -> None:
    """Rows: the four, the winner first; columns: who is paid; then each one's total and coins."""
    paint.panel(image, (30, y, WIDTH - 30, y + high))
    payees = _payees(sheet)
    heads = dict(words.heads)
    now_right = WIDTH - 48
    total_right = now_right - (206 if words.now else 0)
    names_wide = 230 if len(payees) <= 2 else 212 if len(payees) == 3 else 184
    columns_left, columns_right = 48 + names_wide, total_right - 182
    pitch = (columns_right - columns_left) // max(1, len(payees))
    middles = {payee: columns_left + pitch * at + pitch // 2 for at, payee in enumerate(payees)}
    head_y = y + 40
    if payees:
        paint.write(image, 52, head_y, words.pay_to, 29, MUTED, REGULAR, most=names_wide - 16, fit="shrink")
    paint.write(image, total_right, head_y, words.total, 29, MUTED, REGULAR, "r", 180, "shrink")
    paint.write(image, now_right, head_y, words.now, 29, MUTED, REGULAR, "r", 180, "shrink")
    for payee, middle in middles.items():
        items = dict.fromkeys(line.item for line in sheet.lines if line.payee == payee and line.due)
        paint.write(image, middle, y + 26, words.names[payee], 30, CREAM, anchor="m", most=pitch - 8, fit="shrink")
        what = "+".join(heads.get(item, "") for item in items)
        paint.write(image, middle, y + 58, what, 25, MUTED, REGULAR, "m", pitch - 12, "shrink")
    first = sheet.winner if sheet.winner is not None else sheet.view.dealer
    for at in range(4):
        seat = (first + at) % 4
        top = y + 76 + at * ROW_HIGH
        middle = top + ROW_HIGH // 2
        if seat == sheet.winner:
            paint.panel(image, (38, top + 2, WIDTH - 38, top + ROW_HIGH - 4), paint.BROWN, AMBER, 14, 3)
        elif at and (first + at - 1) % 4 != sheet.winner:
            paint.fill(image, (52, top, WIDTH - 52, top + 1), paint.LINE)
        chip = seat == sheet.view.dealer
        chip_wide = (44 + (paint.width(words.streak, 21, 70, "shrink") + 18 if words.streak else 0)) if chip else 0
        x = 52 + paint.write(
            image, 52, middle, words.names[seat], 36, CREAM, most=names_wide - 14 - chip_wide, fit="shrink"
        )
        if chip:
            paint.dealer_chip(image, x + 10, middle, words.signs.dealer, words.streak, 25)
        for payee, column in middles.items():
            _cell(image, column, middle, pitch - 10, sheet, words, seat, payee)
        _total(image, total_right, middle, sheet.net[seat])
        if words.now:
            paint.coins(image, now_right, middle, paint.amount(sheet.coins[seat], 36, 150), 36, 190)


def _cell(
    image: Image.Image, x: int, y: int, most: int, sheet: SheetView, words: SheetWords, seat: int, payee: int
) -> None:  # fmt: skip
    """What ``seat`` paid to ``payee``, with what it could not pay below; in the payee's own row what came in."""
    if seat == payee:
        income = sum(line.paid for line in sheet.lines if line.payee == payee)
        text = f"{words.receives} {paint.amount(income, 34, most - 40)}".strip()
        paint.write(image, x, y, text, 34, WIN, anchor="m", most=most, fit="shrink")
        return
    lines = [line for line in sheet.lines if line.payer == seat and line.payee == payee and line.due]
    if not lines:
        paint.write(image, x, y, "–", 34, MUTED, anchor="m")
        return
    paid, short = sum(line.paid for line in lines), sum(line.due - line.paid for line in lines)
    paint.write(
        image, x, y - (10 if short else 0), paint.amount(paid, 34, most), 34, CREAM, anchor="m", most=most, fit="shrink"
    )
    if short:
        text = f"{words.short} {paint.amount(short, 21, most - 24)}".strip()
        paint.write(image, x, y + 18, text, 21, LOSS, anchor="m", most=most, fit="shrink")


def _total(image: Image.Image, right: int, y: int, net: int) -> None:
    """A sum with its sign and a triangle: never colour alone."""
    if not net:
        paint.write(image, right, y, "0", 40, MUTED, anchor="r")
        return
    colour = WIN if net > 0 else LOSS
    text = paint.amount(net, 42, 146, sign=True)
    wide = paint.write(image, right, y, text, 42, colour, anchor="r", most=150, fit="shrink")
    paint.put(image, paint.arrow(paint.px(24), 0 if net > 0 else 180, colour), right - wide - 20, y)


def _open_hand(image: Image.Image, y: int, seat: SeatView, sheet: SheetView, words: SheetWords) -> None:
    """One row: name, melds, the tiles in hand, flowers at the right end."""
    gold = sheet.view.gold
    left, right = 164, WIDTH - 30
    hand = (*(seat.concealed or ()), *((seat.drawn,) if seat.drawn is not None else ()))
    wide = 35
    while wide > 16:
        used = melds_width(seat.melds, wide, 8, True) + (8 if seat.melds else 0) + len(hand) * (wide + 1)
        used += (len(seat.flowers) * (wide + 1) + 16) if seat.flowers else 0
        if used <= right - left:
            break
        wide -= 1
    middle = y + HAND_HIGH // 2
    top = middle - height_of(wide) // 2
    paint.write(image, EDGE, middle, words.names[seat.seat], 28, MUTED, REGULAR, "l", left - EDGE - 10, "shrink")
    x = left
    for meld in seat.melds:
        draw_meld(image, x, top, meld, wide, words.signs.kong, gold, True)
        x += meld_width(meld, wide, True) + 8
    draw_row(image, x, top, hand, wide, gold)
    draw_row(image, right - len(seat.flowers) * (wide + 1), top, seat.flowers, wide)


def _footer(image: Image.Image, top: int, words: SheetWords) -> None:
    paint.band(image, (0, top, WIDTH, top + FOOTER), HEADER_BOTTOM, HEADER_TOP)
    y = top + FOOTER // 2
    right = WIDTH - EDGE
    right -= paint.write(image, right, y, words.next_base, 34, MUTED, anchor="r", most=320, fit="number") + 24
    x = EDGE
    x += paint.write(image, x, y, words.next_label, 34, MUTED, most=180, fit="shrink") + 18
    if words.next_dealer:
        x += paint.dealer_chip(image, x, y, words.signs.dealer, words.next_streak, 32) + 16
        paint.write(image, x, y, words.next_dealer, 38, CREAM, most=right - x)
