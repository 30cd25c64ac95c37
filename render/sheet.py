"""The score sheet: who won how, what counted, who paid whom, and all hands open (rules-zhangzhou 12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PIL import Image

from mahjong.tiles import Tile
from mahjong.views import SeatView, SheetView
from render import paint
from render.grounds import Colour
from render.hand import HEADER_BOTTOM, HEADER_TOP, gold_in_header
from render.headline import embossed, headline_width, rays
from render.melds import draw_meld, draw_row, meld_width, melds_width
from render.paint import AMBER, CREAM, LOSS, MUTED, WIN
from render.scenes import SheetScene
from render.text import BLACK, BOLD, REGULAR, SMALLEST
from render.tiles import height_of
from render.words import FourWords, ItemWords, SheetWords, Signs, SumWords

# Lengths in units (``render.paint``).
WIDTH: Final = 960
EDGE: Final = 34
HEADER: Final = 162
HEADER_TWO: Final = 222
"""Height of a headline in two lines."""
SET_TILE: Final = 62
SET_ROW: Final = 150
APART: Final = 12
MELD_ROW: Final = 92
KIND: Final = 92
WINNER: Final = 64
"""The sizes of the headline's two parts side by side."""
HEADLINE_GAP: Final = 36
HEADLINE_LEAST: Final = 0.75
"""The part of their sizes to which both may shrink before each has a line of its own."""
ITEM: Final = 96
LINE_HIGH: Final = 52
ROW_HIGH: Final = 59
FOOTER: Final = 78
NAME_SMALL: Final = 22
NAME_PITCH: Final = 23
"""The size of a name in two lines, and how far these are apart: both stand inside the winner's frame."""
HAND_HIGH: Final = 64
HAND_NAME: Final = 206
"""The widest a name beside an open hand may be."""
SUM_ROWS: Final = 13
"""Lines that the sums may take in all."""
BOX: Final = 300
"""The widest a box of the settlement may be: one alone does not fill the row."""


def draw_sheet(scene: SheetScene, words: SheetWords) -> Image.Image:
    """The picture; parts with nothing in them are left out, so its height varies (about 1,300)."""
    sheet = scene.sheet
    winner = sheet.winner if sheet.outcome == "win" else None
    opened = [seat for seat in sheet.view.seats if seat.seat != winner or not sheet.sets]
    first = (winner if winner is not None else sheet.view.dealer) or 0
    opened.sort(key=lambda seat: (seat.seat - first) % 4)
    items, sums = words.items[:7], _laid_out(words.sums[:12], words.names)
    sums_high = sum(line.high for line in sums) + 12
    hand_high = winning_high(sheet)
    gold = () if hand_high else sheet.view.gold
    left = max(0, sheet.view.drawable) if sheet.outcome == "draw" else None
    boxes = bool(items or gold or left is not None)
    matrix = _Matrix.of(sheet, words)
    matrix_high = matrix.head_high + 4 * ROW_HIGH + 8
    hands_high = len(opened) * HAND_HIGH
    in_two = _in_two_lines(words)
    header_high = HEADER_TWO if in_two else HEADER
    parts = [
        header_high,
        hand_high + 18,
        ITEM + 14 if boxes else 0,
        sums_high + 14 if sums else 0,
        matrix_high + 16,
        hands_high + 14,
        FOOTER,
    ]
    image = paint.blank(WIDTH, sum(parts))
    _header(image, sheet, words, header_high, in_two)
    y = header_high + 18
    if hand_high:
        draw_winning_hand(image, y, sheet, words.signs, words.won, words.names)
        y += hand_high
    if boxes:
        _boxes(image, y, items, gold, left, words.signs)
        y += ITEM + 14
    if sums:
        _sums(image, y, sums_high, sums)
        y += sums_high + 14
    _draw_matrix(image, y, matrix_high, matrix, sheet, words)
    y += matrix_high + 16
    names_wide = min(HAND_NAME, max(paint.width(words.names[seat.seat], 34, None, "cut", REGULAR) for seat in opened))
    for seat in opened:
        _open_hand(image, y, seat, sheet, words, EDGE + names_wide + 16)
        y += HAND_HIGH
    _footer(image, sum(parts) - FOOTER, words)
    return image


def _in_two_lines(words: SheetWords) -> bool:
    """Whether name and kind would have to shrink much to stand side by side in the headline."""
    if not words.winner:
        return False
    kind, name = headline_width(words.kind, KIND, 9 * WIDTH), paint.width(words.winner, WINNER)
    return (kind + name) * HEADLINE_LEAST > WIDTH - 80 - HEADLINE_GAP


def _header(image: Image.Image, sheet: SheetView, words: SheetWords, high: int, in_two: bool) -> None:
    """The headline, which names are cut for last, and below it who deals and what the stake is."""
    image.paste(rays(sheet.outcome, paint.px(WIDTH), paint.px(high)), (0, 0))
    room = WIDTH - 80
    gap = HEADLINE_GAP if words.winner and not in_two else 0
    if in_two:
        kind_size, name_size, kind_most, name_most, y, name_y = 80, 54, room, room, 126, 48
        kind_wide = headline_width(words.kind, kind_size, kind_most)
        name_wide = paint.width(words.winner, name_size, name_most, "shrink")
        name_left, kind_left = (WIDTH - name_wide) // 2, (WIDTH - kind_wide) // 2
    else:
        kind_size, name_size, y, name_y = KIND, WINNER, 62, 66
        # A long kind shrinks, and the name with it.
        kind_most = max(400, room - gap - round(paint.width(words.winner, name_size) * SMALLEST["name"]))
        kind_wide = headline_width(words.kind, kind_size, kind_most)
        name_most = room - gap - kind_wide
        name_wide = paint.width(words.winner, name_size, name_most, "shrink")
        name_left = (WIDTH - name_wide - gap - kind_wide) // 2
        kind_left = name_left + name_wide + gap
    pale = (255, 248, 230)
    embossed(image, name_left, name_y, words.winner, name_size, pale, pale, name_most, shrink=True)
    embossed(image, kind_left, y, words.kind, kind_size, (255, 240, 170), (255, 188, 46), kind_most, BLACK, True)
    most = WIDTH - 60
    subtitle = paint.short_names(words.subtitle, words.names, 34, most, fit="shrink")
    paint.write(image, WIDTH // 2, high - 30, subtitle, 34, (255, 224, 212), anchor="m", most=most, fit="shrink")


def winning_high(sheet: SheetView) -> int:
    """Height of ``draw_winning_hand``; 0 if nobody won by a complete hand."""
    winner = sheet.winner if sheet.outcome == "win" else None
    if winner is None or not sheet.sets:
        return 0
    seat = sheet.view.seats[winner]
    return SET_ROW + (MELD_ROW if seat.melds or seat.flowers else 0)


def draw_winning_hand(
    image: Image.Image, y: int, sheet: SheetView, signs: Signs, won: str, names: tuple[str, ...]
) -> None:  # fmt: skip
    """The winning hand set apart, what gold and whites stand for below them, the winning tile framed.

    ``won``: what stands at that, in which ``names`` may be cut. Raises ``ValueError`` where ``winning_high`` is 0.
    """
    if not winning_high(sheet) or sheet.winner is None:
        raise ValueError("nobody won by a complete hand")
    gold = sheet.view.gold
    count = sum(len(group) for group in sheet.sets)
    wide, gap = SET_TILE, 20
    at_win = _winning_place(sheet)
    apart = APART * (2 if at_win is not None else 0)
    while wide > 36 and count * (wide + 1) + gap * (len(sheet.sets) - 1) + apart > WIDTH - 2 * EDGE - 12:
        wide, gap = wide - 1, max(10, gap - 1)
    high = height_of(wide)
    x = EDGE
    labels: list[tuple[int, str, Colour, Colour]] = []
    won_x = None
    for g, group in enumerate(sheet.sets):
        for t, (face, stands) in enumerate(group):
            # The tile that was won on stands a little apart from those beside it.
            if (g, t) == at_win and t:
                x += APART
            tx = x
            paint.tile(image, tx, y, face, wide, gold, signs.gold)
            x += wide + 1
            if (g, t) == at_win:
                won_x = tx
                x += APART
            elif stands != face:
                labels.append((tx + wide // 2, f"={signs.tiles[stands]}", AMBER, paint.UMBER))
        x += gap
    if won_x is not None:
        paint.frame(image, (won_x - 6, y - 6, won_x + wide + 6, y + high + 6), (255, 226, 140), 5, 14, 6)
        won = paint.short_names(won, names, 27, 240, fit="shrink")
        labels.append((won_x + wide // 2, won, paint.RED, CREAM))
    seat = sheet.view.seats[sheet.winner]
    right = WIDTH - EDGE
    if not (seat.melds or seat.flowers):
        right = gold_in_header(image, WIDTH - EDGE, y + high + 34, gold, signs.gold, 36) - 20
    _labels_below(image, y + high + 30, right, [label for label in labels if label[1]])
    if seat.melds or seat.flowers:
        _melds_and_flowers(image, y + SET_ROW, seat, gold, signs)


def _labels_below(image: Image.Image, y: int, right: int, labels: list[tuple[int, str, Colour, Colour]]) -> None:
    """Labels under the tiles at their middles, pushed apart where they would overlap."""
    size, gap = 27, 6
    labels.sort(key=lambda label: label[0])

    def widths() -> list[int]:
        return [paint.width(text, size, 240, "shrink") + round(size * 0.9) for _, text, _, _ in labels]

    wides = widths()
    while size > 12 and sum(wides) + gap * len(wides) > right - EDGE:
        size -= 1
        wides = widths()
    lefts = [middle - wide // 2 for (middle, _, _, _), wide in zip(labels, wides, strict=True)]
    edge = EDGE
    for at, wide in enumerate(wides):
        lefts[at] = max(lefts[at], edge)
        edge = lefts[at] + wide + gap
    edge = right
    for at in range(len(labels) - 1, -1, -1):
        lefts[at] = min(lefts[at], edge - wides[at])
        edge = lefts[at] - gap
    for left, (_, text, fill, colour) in zip(lefts, labels, strict=True):
        paint.pill(image, left, y, text, size, fill, colour, most=240, anchor="l")


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


def _melds_and_flowers(image: Image.Image, y: int, seat: SeatView, gold: tuple[Tile, ...], signs: Signs) -> None:
    right = WIDTH - EDGE
    for face in reversed(gold):
        paint.tile(image, right - 50, y, face, 50, gold)
        right -= 58
    if gold:
        right -= 6 + paint.write(image, right - 6, y + 36, signs.gold, 36, AMBER, anchor="r", most=90, fit="shrink")
    right -= 20
    melds, flowers = len(seat.melds), len(seat.flowers)
    label = paint.width(signs.flowers, 34, 100, "shrink") + 10 if flowers else 0
    wide, gap = 50, 16
    most = right - EDGE - label - (24 if flowers and melds else 0)
    while wide > 22 and melds_width(seat.melds, wide, gap, True) + flowers * (wide + 1) > most:
        wide, gap = wide - 1, max(8, gap - 1)
    x = EDGE
    for meld in seat.melds:
        draw_meld(image, x, y, meld, wide, signs.kong, gold, True)
        x += meld_width(meld, wide, True) + gap
    if flowers:
        x += 8 if melds else 0
        middle = y + height_of(wide) // 2
        x += paint.write(image, x, middle, signs.flowers, 34, MUTED, most=100, fit="shrink") + 10
        draw_row(image, x, y, seat.flowers, wide)


def _boxes(
    image: Image.Image, y: int, items: tuple[ItemWords, ...], gold: tuple[Tile, ...], left: int | None, signs: Signs
) -> None:
    """What counted; before it the gold and the number of tiles left, where nothing else shows them."""
    drawn = len(gold) * 58 + paint.width(signs.gold, 36, 100, "shrink") + 10 if gold else 0
    if left is not None:
        items = (ItemWords(signs.left, str(left)), *items)
    wants = [drawn + 40] if gold else []
    for item in items:
        label = paint.width(item.label, 29, None, "cut", REGULAR)
        wants.append(max(label, max(paint.width(line, 44) for line in _value_lines(item.value))) + 36)
    gap = 12
    room = WIDTH - 60 - gap * (len(wants) - 1)
    while sum(wants) > room:
        at = wants.index(max(wants))
        wants[at] -= max(1, min(20, sum(wants) - room))
    spare = (room - sum(wants)) // len(wants)
    # Three fill the row; fewer would be stretched to no purpose.
    wides = [want + spare if len(wants) > 2 else min(max(BOX, want), want + spare) for want in wants]
    x = (WIDTH - sum(wides) - gap * (len(wides) - 1)) // 2
    if gold:
        wide = wides.pop(0)
        paint.panel(image, (x, y, x + wide, y + ITEM))
        at = x + (wide - drawn) // 2
        at += paint.write(image, at, y + ITEM // 2, signs.gold, 36, AMBER, most=100, fit="shrink", on=paint.PANEL) + 10
        for face in gold:
            paint.tile(image, at, y + (ITEM - height_of(50)) // 2 - 1, face, 50, gold)
            at += 58
        x += wide + gap
    on = paint.PANEL
    for item, wide in zip(items, wides, strict=True):
        paint.panel(image, (x, y, x + wide, y + ITEM), on)
        middle, most = x + wide // 2, wide - 20
        lines = _value_lines(item.value)
        if len(lines) == 1 or paint.width(item.value, 44) * 0.75 <= most:
            paint.write(image, middle, y + 28, item.label, 29, CREAM, REGULAR, "m", most, "shrink", on)
            paint.write(image, middle, y + 66, item.value, 44, AMBER, anchor="m", most=most, fit="number", on=on)
        else:
            paint.write(image, middle, y + 19, item.label, 25, CREAM, REGULAR, "m", most, "shrink", on)
            for row, line in enumerate(lines):
                low = y + 47 + 31 * row
                paint.write(image, middle, low, line, 31, AMBER, anchor="m", most=most, fit="number", on=on)
        x += wide + gap


def _value_lines(value: str) -> tuple[str, ...]:
    """A value's words in two lines, where it has two or four (「闲×2 庄×3」)."""
    words = value.split()
    if len(words) not in (2, 4) or paint.width(value, 44) < 200:
        return (value,)
    return " ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])


@dataclass(frozen=True, slots=True)
class _Sum:
    """A line that works out a due, laid out: on one row, or on two where the payers' names need the room."""

    line: SumWords
    who: str
    tag: int
    sum: int
    result: int
    rows: int

    @property
    def high(self) -> int:
        return LINE_HIGH if self.rows == 1 else 2 * LINE_HIGH - 10

    @classmethod
    def of(cls, line: SumWords, names: FourWords, rows: int) -> _Sum:
        """On at most ``rows``. Every payer is named: a name is cut, and never one left out."""
        all_wide = WIDTH - 2 * 52
        tag = paint.width(line.tag, 27, 160, "shrink") + 40 if line.tag else 0
        result = paint.width(line.result, 38, 240, "number") + 14
        sum_wide = paint.width(line.sum, 33, None, "cut", REGULAR)
        who_wide = paint.width(line.who, 36)
        room = all_wide - tag - result - 24
        if who_wide * 0.9 + sum_wide * 0.85 <= room:
            sum_most = min(sum_wide, max(room - who_wide, round(sum_wide * 0.85)))
            return cls(line, line.who, tag, sum_most, result, 1)
        if rows == 1:
            sum_most = min(sum_wide, max(room // 2, room - who_wide))
            who = paint.short_names(line.who, names, 36, room - sum_most, fit="shrink")
            return cls(line, who, tag, sum_most, result, 1)
        who = paint.short_names(line.who, names, 36, all_wide - tag, fit="shrink")
        return cls(line, who, tag, all_wide - result, result, 2)


def _laid_out(sums: tuple[SumWords, ...], names: FourWords) -> list[_Sum]:
    """The lines of the sums; the last have one row each where all together would make the picture too high."""
    found: list[_Sum] = []
    for at, line in enumerate(sums):
        spare = SUM_ROWS - sum(one.rows for one in found) - (len(sums) - at)
        found.append(_Sum.of(line, names, 2 if spare > 0 else 1))
    return found


def _sums(image: Image.Image, y: int, high: int, sums: list[_Sum]) -> None:
    on = paint.PANEL
    paint.panel(image, (30, y, WIDTH - 30, y + high), on)
    y += 6
    for at, line in enumerate(sums):
        if at:
            paint.fill(image, (52, y, WIDTH - 52, y + 1), paint.LINE)
        top, low = y + LINE_HIGH // 2, y + line.high - LINE_HIGH // 2
        right = WIDTH - 52
        paint.write(image, right, low, line.line.result, 38, AMBER, anchor="r", most=240, fit="number", on=on)
        right -= line.result
        most = max(1, line.sum)
        paint.write(image, right, low, line.line.sum, 33, (216, 236, 224), REGULAR, "r", most, "number", on)
        used = line.tag + (0 if line.rows == 2 else line.result + line.sum + 24)
        x = 52 + paint.write(image, 52, top, line.who, 36, CREAM, most=WIDTH - 2 * 52 - used, fit="shrink", on=on)
        if line.line.tag:
            paint.pill(image, x + 14, top, line.line.tag, 27, (44, 82, 70), CREAM, most=160, anchor="l")
        y += line.high


def _payees(sheet: SheetView) -> list[int]:
    """Who is paid, in the order of payment."""
    return list(dict.fromkeys(line.payee for line in sheet.lines if line.due))


@dataclass(frozen=True, slots=True)
class _Matrix:
    """Where the matrix's columns are: measured, so that the payees get all the room that the others leave."""

    payees: list[int]
    heads: list[tuple[int, tuple[str, ...]]]
    """By column: the size of its head, and the head's lines."""
    names_wide: int
    left: int
    pitch: int
    total_right: int
    head_high: int

    @classmethod
    def of(cls, sheet: SheetView, words: SheetWords) -> _Matrix:
        payees = _payees(sheet)
        now = max(
            paint.width(words.now, 31, 190, "shrink", REGULAR),
            max(paint.width(_coins(coins, words), 36, 150, "number") for coins in sheet.coins) + 36,
        ) if words.now else 0  # fmt: skip
        total = max(
            paint.width(words.total, 31, 190, "shrink", REGULAR),
            max(paint.width(_net(net, words.signs.units), 42, 150, "shrink") for net in sheet.net) + 34,
        )
        total_right = WIDTH - 48 - (now + 26 if now else 0)
        chip = _chip_width(words)
        names = [
            paint.width(name, 36) + (chip if seat == sheet.view.dealer else 0) for seat, name in enumerate(words.names)
        ]
        most = (330, 320, 260, 210, 172)[len(payees)]
        names_wide = min(most, max(*names, paint.width(words.pay_to, 31, 200, "shrink", REGULAR)))
        left = 52 + names_wide + 12
        pitch = (total_right - total - 12 - left) // max(1, len(payees))
        heads: list[tuple[int, tuple[str, ...]]] = [(30, (words.names[payee],)) for payee in payees]
        if any(paint.width(name, 30) * SMALLEST["name"] > pitch - 10 for _, (name,) in heads):
            heads = [paint.name_in_lines(name, 30, pitch - 8, least=0.4) for _, (name,) in heads]
        high = 82 + (32 if any(len(head) > 1 for _, head in heads) else 0)
        return cls(payees, heads, names_wide, left, pitch, total_right, high)


def _chip_width(words: SheetWords) -> int:
    sign = max(39, paint.width(words.signs.dealer_short, 25, 100, "shrink") + 13)
    return 12 + sign + (paint.width(words.streak, 21, 75, "shrink") + 18 if words.streak else 0)


def _coins(coins: int, words: SheetWords) -> str:
    return paint.amount(coins, 36, 150, units=words.signs.units)


def _net(net: int, units: str) -> str:
    return paint.amount(net, 42, 146, sign=True, units=units) if net else "0"


def _draw_matrix(
    image: Image.Image, y: int, high: int, matrix: _Matrix, sheet: SheetView, words: SheetWords
) -> None:  # fmt: skip
    """Rows: the four, the winner first; columns: who is paid; then each one's total and coins."""
    on = paint.PANEL
    paint.panel(image, (30, y, WIDTH - 30, y + high), on)
    item_heads = dict(words.heads)
    now_right, total_right, pitch = WIDTH - 48, matrix.total_right, matrix.pitch
    middles = {payee: matrix.left + pitch * at + pitch // 2 for at, payee in enumerate(matrix.payees)}
    head_y = y + matrix.head_high // 2 + 2
    if matrix.payees:
        paint.write(image, 52, head_y, words.pay_to, 31, MUTED, REGULAR, "l", matrix.names_wide, "shrink", on)
    paint.write(image, total_right, head_y, words.total, 31, MUTED, REGULAR, "r", 190, "shrink", on)
    paint.write(image, now_right, head_y, words.now, 31, MUTED, REGULAR, "r", 190, "shrink", on)
    for (size, head), (payee, middle) in zip(matrix.heads, middles.items(), strict=True):
        apart = min(32, size + 8)
        first_y = y + matrix.head_high - 54 - apart * (len(head) - 1)
        for row, line in enumerate(head):
            line_y = first_y + apart * row
            paint.write(image, middle, line_y, line, size, CREAM, anchor="m", most=pitch - 8, fit="name", on=on)
        items = dict.fromkeys(line.item for line in sheet.lines if line.payee == payee and line.due)
        what = "+".join(item_heads.get(item, "") for item in items)
        paint.write(image, middle, y + matrix.head_high - 20, what, 27, MUTED, REGULAR, "m", pitch - 8, "number", on)
    first = sheet.winner if sheet.winner is not None else sheet.view.dealer
    for at in range(4):
        seat = (first + at) % 4
        top = y + matrix.head_high + at * ROW_HIGH
        middle = top + ROW_HIGH // 2
        on = paint.BROWN if seat == sheet.winner else paint.PANEL
        if seat == sheet.winner:
            paint.panel(image, (38, top + 2, WIDTH - 38, top + ROW_HIGH - 4), on, AMBER, 14, 3)
        elif at and (first + at - 1) % 4 != sheet.winner:
            paint.fill(image, (52, top, WIDTH - 52, top + 1), paint.LINE)
        chip = seat == sheet.view.dealer
        most = matrix.names_wide - (_chip_width(words) if chip else 0)
        streak = words.streak
        if chip and paint.width(words.names[seat], 36) * SMALLEST["name"] > most:
            # The name before the streak, which the subtitle says as well.
            most, streak = matrix.names_wide - 55, ""
        x = 52 + _name(image, 52, middle, words.names[seat], 36, most, on=on)
        if chip:
            paint.dealer_chip(image, x + 10, middle, words.signs.dealer_short, streak, 25)
        for payee, column in middles.items():
            _cell(image, column, middle, pitch - 8, sheet, words, seat, payee, on)
        _total(image, total_right, middle, sheet.net[seat], on, words.signs.units)
        if words.now:
            paint.coins(
                image,
                now_right,
                middle,
                _coins(sheet.coins[seat], words),
                36,
                190,
                on=on,
            )


def _name(
    image: Image.Image, x: int, y: int, name: str, size: int, most: int, weight: int = BOLD, on: Colour | None = None
) -> int:  # fmt: skip
    """A name that begins at ``x``, in two lines where one would be too small. Returns its width."""
    if paint.width(name, size, None, "cut", weight) * 0.65 <= most:
        return paint.write(image, x, y, name, size, CREAM, weight, most=most, fit="shrink", on=on)
    small, parts = paint.name_in_lines(name, NAME_SMALL, most, weight)
    tops = (y,) if len(parts) == 1 else (y - NAME_PITCH + NAME_PITCH // 2, y + NAME_PITCH // 2)
    return max(
        paint.write(image, x, top, part, small, CREAM, weight, most=most, fit="name", on=on)
        for top, part in zip(tops, parts, strict=True)
    )


def _cell(
    image: Image.Image, x: int, y: int, most: int, sheet: SheetView, words: SheetWords, seat: int, payee: int,
    on: Colour,
) -> None:  # fmt: skip
    """What ``seat`` paid to ``payee``, with what it could not pay below; in the payee's own row what came in."""
    if seat == payee:
        income = sum(line.paid for line in sheet.lines if line.payee == payee)
        text = f"{words.receives} {paint.amount(income, 34, most - 40, units=words.signs.units)}".strip()
        paint.write(image, x, y, text, 34, WIN, anchor="m", most=most, fit="number", on=on)
        return
    lines = [line for line in sheet.lines if line.payer == seat and line.payee == payee and line.due]
    if not lines:
        paint.write(image, x, y, "–", 34, MUTED, anchor="m", on=on)
        return
    paid, short = sum(line.paid for line in lines), sum(line.due - line.paid for line in lines)
    text = paint.amount(paid, 34, most, units=words.signs.units)
    paint.write(image, x, y - (11 if short else 0), text, 34, CREAM, anchor="m", most=most, fit="number", on=on)
    if short:
        text = f"{words.short} {paint.amount(short, 24, most - 30, units=words.signs.units)}".strip()
        paint.write(image, x, y + 18, text, 24, LOSS, anchor="m", most=most, fit="number")


def _total(image: Image.Image, right: int, y: int, net: int, on: Colour, units: str) -> None:
    """A sum with its sign and a triangle: never colour alone."""
    if not net:
        paint.write(image, right, y, "0", 40, MUTED, anchor="r", on=on)
        return
    colour = WIN if net > 0 else LOSS
    wide = paint.write(image, right, y, _net(net, units), 42, colour, anchor="r", most=150, fit="shrink", on=on)
    paint.put(image, paint.arrow(paint.px(24), 0 if net > 0 else 180, colour), right - wide - 20, y)


def _open_hand(image: Image.Image, y: int, seat: SeatView, sheet: SheetView, words: SheetWords, left: int) -> None:
    """One row: name, from ``left`` on melds and the tiles in hand, flowers at the right end."""
    gold = sheet.view.gold
    right = WIDTH - 30
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
    _name(image, EDGE, middle, words.names[seat.seat], 34, left - EDGE - 14, REGULAR)
    x = left
    for meld in seat.melds:
        draw_meld(image, x, top, meld, wide, words.signs.kong, gold, True)
        x += meld_width(meld, wide, True) + 8
    draw_row(image, x, top, hand, wide, gold)
    draw_row(image, right - len(seat.flowers) * (wide + 1), top, seat.flowers, wide)


def _footer(image: Image.Image, top: int, words: SheetWords) -> None:
    on = paint.band(image, (0, top, WIDTH, top + FOOTER), HEADER_BOTTOM, HEADER_TOP)
    y = top + FOOTER // 2
    right = WIDTH - EDGE
    right -= paint.write(image, right, y, words.next_base, 34, MUTED, anchor="r", most=320, fit="number", on=on) + 24
    x = EDGE
    x += paint.write(image, x, y, words.next_label, 34, MUTED, most=180, fit="shrink", on=on) + 18
    if words.next_dealer:
        x += paint.dealer_chip(image, x, y, words.signs.dealer, words.next_streak, 32) + 16
        dealer = paint.short_names(words.next_dealer, words.names, 38, right - x, fit="shrink")
        paint.write(image, x, y, dealer, 38, CREAM, most=right - x, fit="shrink", on=on)
