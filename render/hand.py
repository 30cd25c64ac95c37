"""The private picture of one's own hand."""

from __future__ import annotations

from typing import Final

from PIL import Image

from mahjong.tiles import Tile
from render import paint
from render.grid import cells
from render.grounds import Colour
from render.melds import draw_meld, draw_row, melds_width
from render.paint import AMBER, BLUE, CREAM, MUTED, PURPLE, RED, TEAL
from render.scenes import Deed, HandScene, Offer
from render.text import REGULAR
from render.tiles import Body, height_of
from render.words import HandWords, PriceWords, Signs

# Lengths in units (``render.paint``).
WIDTH: Final = 960
EDGE: Final = 26
HEADER: Final = 108
TILE: Final = 143
PITCH_X: Final = 153
PITCH_Y: Final = 226
STRIP: Final = 112
PANEL_HIGH: Final = 236
TALL_PANEL_HIGH: Final = 300
GAP: Final = 14
FOOT_TILE: Final = 62
MELDS: Final = 106
PILL: Final = 118
"""The widest text on a pill below a tile, which then is no wider than its cell."""
HEADER_TOP: Final[Colour] = (5, 32, 24)
HEADER_BOTTOM: Final[Colour] = (10, 46, 35)
MARKS: Final[dict[str, Colour]] = {
    "chow": TEAL,
    "pong": BLUE,
    "kong": (92, 56, 168),
    "hu": RED,
    "rob": RED,
    "you": PURPLE,
}
SHORT_CHIP: Final = 54
"""Of one character, with its gap."""
DEED_WIDTHS: Final = {106: 54, 93: 47, 80: 40}
"""Widths of a deed in the strip, and of the tile in it."""
# The deeds' colours in the strip: bright enough on a dark plate.
DEEDS: Final[dict[str, Colour]] = {"discarded": AMBER, "chow": (120, 230, 210), "pong": (134, 206, 255)}


def draw_hand(scene: HandScene, words: HandWords) -> Image.Image:
    """The picture; its height follows from the number of rows, and from what has to be said."""
    rows = cells(len(scene.concealed), scene.drawn is not None)
    offered = len(_offer_rows(scene.offers))
    panel_high = PANEL_HIGH if offered <= 3 else TALL_PANEL_HIGH
    top_high = panel_high if words.prices or scene.asked else STRIP
    grid_top = HEADER + GAP + top_high + 46
    notice_high = 62 if words.notice else 0
    # Never lower than three rows: the picture keeps its shape in the chat while melds are laid out.
    grid_high = max(2, len(rows)) * PITCH_Y
    foot_top = grid_top + grid_high + 8 + notice_high
    foot_high = 129 + (MELDS if scene.melds else 0)
    image = paint.unpainted(WIDTH, foot_top + foot_high)
    _header(image, scene, words)
    _ground(image, grid_top, rows, scene, (HEADER, foot_top))
    box_top = HEADER + GAP
    if words.prices:
        _prices(image, box_top, words.prices[:3])
    elif scene.asked:
        _claim(image, box_top, panel_high, scene, words)
    else:
        _strip(image, box_top, scene, words)
    _grid(image, grid_top, rows, scene, words.signs)
    if words.notice:
        paint.pill(image, WIDTH // 2, foot_top - 36, words.notice, 34, PURPLE, CREAM, (255, 178, 226), most=840)
    _footer(image, foot_top, foot_high, scene, words)
    return image


def _header(image: Image.Image, scene: HandScene, words: HandWords) -> None:
    on = paint.band(image, (0, 0, WIDTH, HEADER), HEADER_TOP, HEADER_BOTTOM)
    signs = words.signs
    middle = HEADER // 2
    right = WIDTH - EDGE
    if scene.left is not None:
        right -= paint.write(
            image, right, middle, str(scene.left), 50, AMBER, anchor="r", most=120, fit="shrink", on=on
        )
        right -= 10
        right -= paint.write(image, right, middle, signs.left, 36, MUTED, anchor="r", most=96, fit="shrink", on=on)
        right -= 30
    right = gold_in_header(image, right, middle, scene.gold, signs.gold, 62, on)
    x = EDGE
    if scene.is_dealer:
        x += paint.dealer_chip(image, x, middle, signs.dealer, words.streak, 36) + 22
    colour = CREAM if scene.mine or scene.asked or scene.offers else MUTED
    most = right - 30 - x
    if paint.width(words.title, 46) * 0.62 <= most:
        paint.write(image, x, middle, words.title, 46, colour, most=most, fit="shrink", on=on)
        return
    # Beside a long chip a title that would be cut stands in two lines.
    parts = paint.lines(words.title, 34, most)
    for row, line in enumerate(parts):
        y = middle + 42 * row - 21 * (len(parts) - 1)
        paint.write(image, x, y, line, 34, colour, most=most, fit="shrink", on=on)


def gold_in_header(
    image: Image.Image, right: int, middle: int, gold: tuple[Tile, ...], sign: str, wide: int,
    on: paint.Ground | None = None,
) -> int:  # fmt: skip
    """The turned-up gold and its word, ending at ``right``. Returns where it begins."""
    if not gold:
        return right
    for face in reversed(gold):
        right -= wide
        paint.tile(image, right, middle - height_of(wide) // 2 - 1, face, wide, gold)
        right -= 8
    right -= 8
    size = min(42, wide - 4)
    return right - paint.write(image, right, middle, sign, size, AMBER, anchor="r", most=100, fit="shrink", on=on)


def titled_header(image: Image.Image, title: str, left: int, gold: tuple[Tile, ...], signs: Signs) -> None:
    """The header of a picture that goes with the hand: a title, the gold, and how many tiles are left."""
    on = paint.band(image, (0, 0, WIDTH, HEADER), HEADER_TOP, HEADER_BOTTOM)
    middle, right = HEADER // 2, WIDTH - EDGE
    right -= paint.write(image, right, middle, str(left), 50, AMBER, anchor="r", most=120, fit="shrink", on=on) + 10
    right -= paint.write(image, right, middle, signs.left, 36, MUTED, anchor="r", most=96, fit="shrink", on=on)
    right = gold_in_header(image, right - 30, middle, gold, signs.gold, 62, on)
    paint.write(image, EDGE, middle, title, 46, CREAM, most=right - 30 - EDGE, fit="shrink", on=on)


def _strip(image: Image.Image, top: int, scene: HandScene, words: HandWords) -> None:
    """What the three others did, one plate each, from the lower house on."""
    signs = words.signs
    verbs = {
        "discarded": signs.discard, "chow": signs.chow, "pong": signs.pong, "kong": signs.kong,
        "added_kong": signs.kong, "concealed_kong": signs.kong,
    }  # fmt: skip
    # Beside the dealer's place stands the chip, and a gap; a long word on it leaves less room for deeds.
    chips = {scene.dealer: paint.dealer_chip_wide(signs.dealer, "", 24) + 17}
    longer = [max(0, chips.get(seat, 0) - SHORT_CHIP) for seat, _ in scene.others]
    counts = [min(len(deeds), 3) for _, deeds in scene.others]
    while sum(counts) > (4 if any(longer) else 6):
        counts[counts.index(max(counts))] -= 1
    room = WIDTH - 2 * 18 - 2 * 12 - 3 * 40
    wants = []
    for seat, _ in scene.others:
        chip = chips.get(seat, 0)
        wants.append(min(250, max(84, paint.width(words.names[seat], 38), paint.width(words.places[seat], 30) + chip)))
    # Each plate gets room for its deeds, which are smaller where names are long; what is left goes to the names.
    least = sum(min(want, 136) for want in wants)
    fitting = (wide for wide in DEED_WIDTHS if least <= room - wide * sum(counts))
    deed_wide = min(next(fitting, 80), 106 if sum(counts) <= 4 else 80)
    spare = room - deed_wide * sum(counts)
    while sum(wants) > spare:
        _, widest = max((want - more, -at) for at, (want, more) in enumerate(zip(wants, longer, strict=True)))
        wants[-widest] -= 1
    extra = (spare - sum(wants)) // 3
    left = 18
    for (seat, deeds), count, want in zip(scene.others, counts, wants, strict=True):
        wide = want + extra + 40 + deed_wide * count
        lit = seat == scene.last_seat
        fill, line = (paint.BROWN, AMBER) if lit else (paint.PANEL, paint.LINE)
        paint.panel(image, (left, top, left + wide, top + STRIP), fill, line, 18, 3 if lit else 2)
        name_most = wide - 32 - deed_wide * count - (8 if count else 0)
        place = words.places[seat]
        place_most = name_most - chips.get(seat, 0)
        beyond = paint.write(image, left + 18, top + 35, place, 30, MUTED, most=place_most, fit="shrink", on=fill)
        if seat == scene.dealer:
            paint.dealer_chip(image, left + 30 + beyond, top + 35, signs.dealer, "", 24)
        paint.write(image, left + 18, top + 78, words.names[seat], 38, CREAM, most=name_most, fit="shrink", on=fill)
        shown = deeds[len(deeds) - count :]
        for at, deed in enumerate(shown):
            x = left + wide - 12 - deed_wide * (count - at)
            _deed(image, x, top, deed, verbs[deed.kind], deed_wide, scene.gold, fill)
        left += wide + 12


def _deed(
    image: Image.Image, x: int, top: int, deed: Deed, verb: str, wide: int, gold: tuple[Tile, ...], on: Colour
) -> None:  # fmt: skip
    tile_wide = DEED_WIDTHS[wide]
    colour = DEEDS.get(deed.kind, (206, 186, 255))
    if len(verb) <= 1:
        size = round(tile_wide * 0.7)
        paint.write(image, x + wide - tile_wide - 5, top + STRIP // 2, verb, size, colour, anchor="r", on=on)
        paint.tile(image, x + wide - tile_wide, top + (STRIP - height_of(tile_wide)) // 2, deed.tile, tile_wide, gold)
        return
    # A longer word stands over its tile.
    tile_wide = min(tile_wide, 46)
    middle = x + wide // 2
    paint.write(image, middle, top + 22, verb, 24, colour, anchor="m", most=wide - 6, fit="shrink", on=on)
    paint.tile(image, middle - tile_wide // 2, top + 40, deed.tile, tile_wide, gold)


def _claim(image: Image.Image, top: int, panel_high: int, scene: HandScene, words: HandWords) -> None:
    """The tile that is asked about, who threw it, and what can be done with it."""
    assert scene.asked is not None
    ask, source, tile = scene.asked
    signs = words.signs
    paint.panel(image, (18, top, WIDTH - 18, top + panel_high), paint.PANEL, (112, 152, 124), 22)
    rows = _offer_rows(scene.offers)
    text_left = 46
    winning = any(offer.verb in ("hu", "rob") for offer in scene.offers)
    # At the opening there is nothing but the gold to look at.
    shown = scene.gold[-1] if ask == "opening" and scene.gold else tile
    if source is not None or shown is not None:
        # A gold tile's badge stands above it.
        wide = 128 if shown in scene.gold else 148
        y = top + (14 if shown in scene.gold else 0) + (panel_high - height_of(wide)) // 2
        colour = (255, 120, 96) if winning else AMBER
        if shown not in scene.gold:
            paint.frame(image, (42, y - 4, 50 + wide, y + height_of(wide) + 4), colour, 5, 22, 14)
        paint.tile(image, 46 + (148 - wide) // 2, y, shown, wide, scene.gold, signs.gold)
        text_left = 226
    rows_left = 552
    most = rows_left - 24 - text_left
    middle = top + panel_high // 2
    if source is not None:
        who = words.called[source] or f"{words.places[source]} {words.names[source]}".strip()
        paint.write(image, text_left, middle - 46, who, 38, MUTED, REGULAR, most=most, fit="name", on=paint.PANEL)
        middle += 34
    verb = {"claim": signs.discard, "rob": signs.kong}.get(ask, signs.gold)
    what = verb if shown is None else f"{verb} {signs.tiles[shown]}"
    paint.write(image, text_left, middle, what, 68, AMBER, most=most, fit="shrink", on=paint.PANEL)
    gap = 14 if len(rows) <= 2 else 8
    high = min(98, (panel_high - 24 - gap * (len(rows) - 1)) // max(1, len(rows)))
    y = top + (panel_high - high * len(rows) - gap * (len(rows) - 1)) // 2
    for row in rows:
        _offer_row(image, rows_left, y, WIDTH - 36, high, row, tile, scene, signs)
        y += high + gap


def _offer_rows(offers: tuple[Offer, ...]) -> list[tuple[Offer, ...]]:
    """One row for each verb, best first; chows share theirs."""
    order = ("hu", "rob", "kong", "pong", "chow")
    rows = [tuple(offer for offer in offers if offer.verb == verb) for verb in order]
    return [row for row in rows if row]


def _offer_row(
    image: Image.Image, left: int, top: int, right: int, high: int, row: tuple[Offer, ...], asked: Tile | None,
    scene: HandScene, signs: Signs,
) -> None:  # fmt: skip
    verb = row[0].verb
    colour = MARKS[verb]
    corner = min(22, high // 3)
    paint.panel(image, (left, top, right, top + high), (38, 74, 62), colour, corner, 4)
    label_wide = 96
    paint.panel(image, (left, top, left + label_wide, top + high), colour, None, corner)
    size = min(52, round(high * 0.6))
    middle = top + high // 2
    label = {"hu": signs.hu, "rob": signs.rob, "kong": signs.kong, "pong": signs.pong, "chow": signs.chow}[verb]
    centre = left + label_wide // 2
    paint.write(image, centre, middle, label, size, paint.WHITE, anchor="m", most=84, fit="shrink", on=colour)
    inner, most = left + label_wide + 12, right - left - label_wide - 24
    sets: list[tuple[Tile | None, ...]]
    if verb in ("hu", "rob"):
        gain = max((offer.gain for offer in row if offer.gain is not None), default=None)
        if gain is not None:
            paint.write(
                image, inner + most // 2, middle, f"{gain:+,}", size + 4, paint.WIN, anchor="m", most=most, fit="number"
            )
        return
    if verb == "chow" and asked is not None:
        sets = [tuple(offer.tiles) for offer in row]
        if len(sets) == 1:
            sets = [tuple(row[0].run)]
    elif verb == "pong" and asked is not None:
        sets = [(asked,) * 3]
    else:
        faces = [asked if asked is not None else offer.tiles[0] if offer.tiles else None for offer in row]
        sets = [(face,) * 4 for face in faces]
    count = sum(len(tiles) for tiles in sets)
    wide = min(58, round((high - 16) * 512 / 700), (most - 14 * (len(sets) - 1)) // max(1, count) - 5)
    total = count * (wide + 5) + 14 * (len(sets) - 1)
    x = inner + (most - total) // 2
    y = middle - height_of(wide) // 2
    for tiles in sets:
        marked = False
        for face in tiles:
            paint.tile(image, x, y, face, wide, scene.gold)
            if face == asked and not marked and len(sets) == 1:
                paint.frame(image, (x - 4, y - 4, x + wide + 4, y + height_of(wide) + 4), AMBER, 4, 10)
                marked = True
            x += wide + 5
        x += 14


def _prices(image: Image.Image, top: int, prices: tuple[PriceWords, ...]) -> None:
    wide = (WIDTH - 36 - 16 * (len(prices) - 1)) // len(prices)
    for at, price in enumerate(prices):
        left = 18 + at * (wide + 16)
        tones = {
            "win": ((12, 74, 54), (128, 236, 160), paint.WIN, (196, 240, 210)),
            "you": ((92, 20, 64), (255, 170, 214), AMBER, (255, 210, 234)),
            "plain": (paint.PANEL, paint.LINE, AMBER, MUTED),
        }
        fill, line, loud, soft = tones[price.tone]
        paint.panel(image, (left, top, left + wide, top + PANEL_HIGH), fill, line, 24, 4)
        middle = left + wide // 2
        most = wide - 44
        # Without a note the rest stands lower.
        lower = 0 if price.note else 22
        title_y = top + 52 + lower
        tile_wide = 50 if price.tile is not None else 0
        title_most = most - (tile_wide + 14 if tile_wide else 0)
        title = paint.lines(price.title, 50, title_most) if tile_wide else (price.title,)
        size = 50 if len(title) == 1 else 38
        title_wide = max((paint.width(part, size, title_most, "shrink") for part in title), default=0)
        x = middle - (title_wide + (tile_wide + 14 if tile_wide else 0)) // 2
        if price.tile is not None:
            paint.tile(image, x, title_y - height_of(tile_wide) // 2, price.tile, tile_wide)
            x += tile_wide + 14
        for row, part in enumerate(title):
            y = title_y + 42 * row - 21 * (len(title) - 1)
            paint.write(image, x, y, part.strip(" ·"), size, CREAM, most=title_most, fit="shrink", on=fill)
        amount_y = top + 134 + lower
        paint.write(image, middle, amount_y, price.amount, 76, loud, anchor="m", most=most, fit="number", on=fill)
        paint.write(image, middle, top + 200, price.note, 34, soft, REGULAR, "m", most=most, fit="shrink", on=fill)


def _marks(scene: HandScene, signs: Signs) -> dict[int, list[tuple[str, Colour]]]:
    """Signs under tiles, by index in the hand (the drawn tile's is the number of the others)."""
    hand = (*scene.concealed, *((scene.drawn,) if scene.drawn is not None else ()))
    marks: dict[int, list[tuple[str, Colour]]] = {}

    def mark(face: Tile, count: int, verb: str, sign: str) -> None:
        # From the end, so that a drawn tile is among those that are marked.
        where = [at for at in range(len(hand) - 1, -1, -1) if hand[at] == face][:count]
        for at in where:
            here = marks.setdefault(at, [])
            if (sign, MARKS[verb]) not in here:
                here.append((sign, MARKS[verb]))

    asked = scene.asked[2] if scene.asked else None
    for offer in scene.offers:
        if offer.verb == "kong":
            face = offer.tiles[0] if offer.tiles else asked
            if face is not None and face not in scene.gold:
                mark(face, 4, "kong", signs.kong)
        elif offer.verb == "pong" and asked is not None:
            mark(asked, 2, "pong", signs.pong)
        elif offer.verb == "chow":
            for face in offer.tiles:
                mark(face, 1, "chow", signs.chow)
    for face in scene.you_tiles:
        mark(face, 1, "you", signs.you)
    return marks


def _bodies(scene: HandScene) -> tuple[Body, ...]:
    """Of the tiles in hand, the drawn one last."""
    hand = (*scene.concealed, *((scene.drawn,) if scene.drawn is not None else ()))
    return tuple("gold" if face in scene.gold else "ivory" for face in hand)


def _ground(
    image: Image.Image, top: int, rows: tuple[tuple[int | None, ...], ...], scene: HandScene, ends: tuple[int, int]
) -> None:
    """Felt between two heights with the tiles of the grid on it, nothing on their faces."""
    bodies = _bodies(scene)
    bare = tuple(tuple(None if at is None else bodies[at] for at in row) for row in rows)
    paint.bare_rows(image, EDGE, top, bare, TILE, PITCH_X, PITCH_Y, ends)


def _grid(
    image: Image.Image, top: int, rows: tuple[tuple[int | None, ...], ...], scene: HandScene, signs: Signs
) -> None:
    hand = (*scene.concealed, *((scene.drawn,) if scene.drawn is not None else ()))
    marks = _marks(scene, signs)
    high = height_of(TILE)
    bodies = _bodies(scene)
    pills: list[tuple[int, int, str, Colour]] = []
    can_win = scene.asked is None and any(offer.verb == "hu" for offer in scene.offers)
    for r, row in enumerate(rows):
        for c, at in enumerate(row):
            if at is None:
                continue
            x, y = EDGE + c * PITCH_X, top + r * PITCH_Y
            here = marks.get(at, [])
            drawn = scene.drawn is not None and at == len(scene.concealed)
            if here:
                paint.frame(image, (x - 8, y - 8, x + TILE + 8, y + high + 8), CREAM, 3, 27, 6)
            paint.face_on_bare(image, x, y, hand[at], TILE, bodies[at])
            if hand[at] in scene.barred:
                _bar(image, x, y)
            if bodies[at] == "gold":
                paint.gold_sign(image, x, y, signs.gold, TILE)
            if here and hand[at] not in scene.gold:
                paint.frame(image, (x - 5, y - 5, x + TILE + 5, y + high + 5), here[-1][1], 6, 24)
            if drawn:
                colour = (255, 120, 96) if can_win else AMBER
                paint.frame(image, (x - 12, y - 12, x + TILE + 12, y + high + 12), colour, 5, 28)
            text = "·".join(dict.fromkeys(sign for sign, _ in here))
            if paint.width(text, 36) > PILL * 1.5:
                # Words: only what is best, since nobody could read two.
                text = here[0][0]
            fill = here[-1][1] if here else BLUE
            if drawn:
                fill = RED if can_win else fill
                text = signs.hu if can_win else f"{signs.drawn}·{text}" if text else signs.drawn
            if text:
                pills.append((x + TILE // 2, y + high + 6, text, fill))
    # Over the frames of the row below.
    for x, y, text, fill in pills:
        paint.pill(image, x, y, text, 36, fill, CREAM, CREAM, most=PILL)


def _bar(image: Image.Image, x: int, y: int) -> None:
    """A lock on the corner of a tile that may not be thrown, where it hides nothing of the face."""
    middle_x, middle_y = x + TILE - 26, y + height_of(TILE) - 8
    paint.panel(image, (middle_x - 27, middle_y - 27, middle_x + 27, middle_y + 27), paint.PANEL, CREAM, 27, 3)
    paint.put(image, paint.padlock(paint.px(34), AMBER), middle_x - 17, middle_y - 18)


def _footer(image: Image.Image, top: int, high: int, scene: HandScene, words: HandWords) -> None:
    on = paint.band(image, (0, top, WIDTH, top + high), HEADER_BOTTOM, HEADER_TOP)
    signs = words.signs
    y = top + 20
    if scene.melds:
        wide, gap = FOOT_TILE, 16
        while wide > 40 and melds_width(scene.melds, wide, gap) > WIDTH - 2 * EDGE:
            wide, gap = wide - 1, max(8, gap - 1)
        x = EDGE
        for meld in scene.melds:
            x += draw_meld(image, x, y, meld, wide, signs.kong, scene.gold) + gap
        y += MELDS
    middle = y + height_of(FOOT_TILE) // 2 + 2
    x = EDGE
    if scene.flowers:
        x += paint.write(image, x, middle, signs.flowers, 38, MUTED, most=120, fit="shrink", on=on) + 10
        wide = FOOT_TILE if len(scene.flowers) <= 5 else 50 if len(words.coins) <= 11 else 36
        x += draw_row(image, x, middle - height_of(wide) // 2, scene.flowers, wide)
    right = WIDTH - EDGE
    room = right - x - 24
    most = room // 2 if len(words.base) > 6 else room * 3 // 5
    used = paint.coins(image, right, middle, words.coins, 48, most, on=on)
    right -= used + (32 if used else 0)
    if words.base:
        most = max(60, right - x - 24 - 80)
        right -= paint.write(image, right, middle, words.base, 46, CREAM, anchor="r", most=most, fit="number", on=on)
        paint.write(image, right - 10, middle, signs.base, 38, MUTED, anchor="r", most=90, fit="shrink", on=on)
