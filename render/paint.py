"""What the pictures are put together from: felt, panels, texts, badges, icons; all but the pasting is cached.

Places and sizes are in units, 960 to a picture's width; ``SCALE`` makes pixels of them. Functions that make sprites
(``rounded``, ``ring``, ``coin``, ``arrow``, ``padlock``) take pixels.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from PIL import Image, ImageDraw, ImageFilter

from mahjong.tiles import Tile
from render.grounds import Colour, felt, gradient, ramp
from render.sprites import SMALL, Fill, Piece, Sprite, cut, lay, tint
from render.text import BOLD, SMALLEST, Fit, Text, name_lines, shorten, text_mask, two_lines
from render.tiles import Body, TileSet, bare, height_of, in_use, inlay, sprite

Box = tuple[int, int, int, int]

CREAM: Final[Colour] = (255, 246, 220)
AMBER: Final[Colour] = (255, 205, 84)
MUTED: Final[Colour] = (170, 206, 188)
WHITE: Final[Colour] = (255, 255, 255)
PANEL: Final[Colour] = (12, 52, 39)
BROWN: Final[Colour] = (94, 62, 8)
"""Lit plates."""
UMBER: Final[Colour] = (52, 32, 4)
RED: Final[Colour] = (200, 36, 36)
BLUE: Final[Colour] = (22, 78, 158)
TEAL: Final[Colour] = (0, 126, 112)
PURPLE: Final[Colour] = (168, 30, 122)
WIN: Final[Colour] = (128, 236, 160)
LOSS: Final[Colour] = (255, 154, 138)
LINE: Final[Colour] = (62, 118, 92)

Anchor = Literal["l", "m", "r"]
SCALE: Final = 5 / 6
"""800 pixels: what a phone's bubble shows, and as many as the sizes in bytes allow."""
_OVER: Final = 4
"""Shapes are drawn this much larger and scaled down."""


@dataclass(frozen=True, slots=True)
class Ramp:
    """A ground whose colour runs from ``top`` to ``bottom`` between two heights of a picture, in units."""

    top: Colour
    bottom: Colour
    start: int
    end: int


Ground = Colour | Ramp


def px(units: float) -> int:
    """Pixels of a length in units."""
    return round(units * SCALE)


def _units(pixels: int) -> int:
    """The least number of units that hold so many pixels."""
    return math.ceil(pixels / SCALE)


def write(
    image: Image.Image, x: int, y: int, text: str, size: int, colour: Colour = CREAM, weight: int = BOLD,
    anchor: Anchor = "l", most: int | None = None, fit: Fit = "cut", on: Ground | None = None,
) -> int:  # fmt: skip
    """Write one line, its letters centred on ``y``; ``x`` is its left end, middle or right end. Returns its width.

    ``on``: what it is written on, if that is known: it is then drawn once and kept.
    """
    if not text:
        return 0
    drawn = text_mask(text, px(size), weight, None if most is None else px(max(most, 1)), fit)
    left = px(x) - (0 if anchor == "l" else drawn.advance // 2 if anchor == "m" else drawn.advance)
    # Ideographs and capitals have their middle 0.37 em above the baseline.
    top = round(px(y) + drawn.size * 0.37) - drawn.baseline
    # What rises or hangs far may lie over more than that ground.
    if on is None or drawn.mask.height > drawn.size * 1.2:
        tint(image, drawn.mask, colour, left, top)
    else:
        label, beside, below = _label(drawn, colour, on, top - px(on.start) if isinstance(on, Ramp) else 0)
        lay(image, label, left + beside, top + below)
    return _units(drawn.advance)


@lru_cache(maxsize=160)
def _label(drawn: Text, colour: Colour, on: Ground, below: int) -> tuple[Image.Image, int, int]:
    """A text on its ground, ``below`` pixels from where that begins; its ink alone, with where that is in the text.

    To copy it takes a tenth of the time that tinting does.
    """
    left, top, right, bottom = drawn.mask.getbbox() or (0, 0, 1, 1)
    size = (right - left, bottom - top)
    if isinstance(on, Ramp):
        whole = gradient(1, px(on.end) - px(on.start), on.top, on.bottom)
        image = whole.resize(size, Image.Resampling.NEAREST, (0, below + top, 1, below + bottom))
    else:
        image = Image.new("RGB", size, on)
    tint(image, drawn.mask.crop((left, top, right, bottom)), colour, 0, 0)
    return image, left, top


def width(text: str, size: int, most: int | None = None, fit: Fit = "cut", weight: int = BOLD) -> int:
    """How wide ``write`` would draw it."""
    if not text:
        return 0
    return _units(text_mask(text, px(size), weight, None if most is None else px(max(most, 1)), fit).advance)


def lines(text: str, size: int, most: int, weight: int = BOLD) -> tuple[str, ...]:
    """The text as one line, or as two if it would have to shrink much."""
    if not text:
        return ()
    if width(text, size, None, "cut", weight) * 0.85 <= most:
        return (text,)
    return tuple(line for line in two_lines(text, px(size), weight, px(most)) if line)


def name_in_lines(
    name: str, size: int, most: int, weight: int = BOLD, least: float = 0.6
) -> tuple[int, tuple[str, ...]]:
    """A name that does not fit in ``size``: a smaller size, at least that part of it, and its one line or two."""
    found, parts = name_lines(name, px(size), px(size * least), weight, px(max(most, 1)))
    return round(found / SCALE), parts


def short_names(
    text: str, names: tuple[str, ...], size: int, most: int, weight: int = BOLD, fit: Fit = "cut"
) -> str:  # fmt: skip
    """The text with ``names`` in it cut, not its end, where ``fit`` alone does not make it narrow enough."""
    smallest = max(8, round(px(size) * SMALLEST[fit]))
    return shorten(text, names, smallest, weight, px(most))


def put(image: Image.Image, sprite_: Sprite, x: int, y: int) -> None:
    """Paste a sprite at a point given in units."""
    sprite_.paste(image, px(x), px(y))


def fill(image: Image.Image, box: Box, colour: Colour) -> None:
    """Fill a rectangle."""
    image.paste(colour, (px(box[0]), px(box[1]), max(px(box[2]), px(box[0]) + 1), max(px(box[3]), px(box[1]) + 1)))


def blank(wide: int, high: int) -> Image.Image:
    """A picture of so many units with felt on it."""
    return felt(px(wide), px(high))


def unpainted(wide: int, high: int) -> Image.Image:
    """A picture of so many units that has yet to be covered all over."""
    return Image.new("RGB", (px(wide), px(high)), None)


def band(image: Image.Image, box: Box, top: Colour, bottom: Colour) -> Ramp:
    """A rectangle whose colour runs from ``top`` to ``bottom``."""
    lay(image, ramp(px(box[2]) - px(box[0]), px(box[3]) - px(box[1]), top, bottom), px(box[0]), px(box[1]))
    return Ramp(top, bottom, box[1], box[3])


@lru_cache(maxsize=64)
def rounded(wide: int, high: int, corner: int, colour: Colour, line: Colour | None = None, thick: int = 2) -> Sprite:
    """A rounded rectangle of ``wide`` × ``high`` pixels with an outline; only its corners are blended."""
    corner = min(corner, wide // 2, high // 2)
    corner = max(corner, thick, 1)
    if wide <= 2 * corner + 2 or high <= 2 * corner + 2:
        size = (wide, high)
    else:
        size = (2 * corner + 2, 2 * corner + 2)
    large = (size[0] * _OVER, size[1] * _OVER)
    mask = Image.new("L", large, 0)
    ImageDraw.Draw(mask).rounded_rectangle([0, 0, large[0] - 1, large[1] - 1], corner * _OVER, fill=255)
    colours = Image.new("RGB", large, line or colour)
    if line is not None:
        inset = thick * _OVER
        inner = [inset, inset, large[0] - 1 - inset, large[1] - 1 - inset]
        ImageDraw.Draw(colours).rounded_rectangle(inner, max(0, corner - thick) * _OVER, fill=colour)
    colours, mask = colours.resize(size, Image.Resampling.BOX), mask.resize(size, Image.Resampling.BOX)
    if size == (wide, high):
        return cut(colours, mask, 0, 0)
    sprite_ = _stretched(colours, mask, wide, high, corner, 0)
    return cut(*_flat(sprite_, wide, high), 0, 0) if wide * high < SMALL else sprite_


def _flat(parts: Sprite, wide: int, high: int) -> tuple[Image.Image, Image.Image]:
    """Colours and mask of a sprite in one piece."""
    colours, mask = Image.new("RGB", (wide, high)), Image.new("L", (wide, high), 0)
    if parts.fill is not None:
        colours.paste(parts.fill.colour, parts.fill.box)
        mask.paste(255, parts.fill.box)
    for piece in parts.pieces:
        colours.paste(piece.colours, (piece.left, piece.top))
        mask.paste(
            piece.mask or 255,
            (piece.left, piece.top, piece.left + piece.colours.width, piece.top + piece.colours.height),
        )
    return colours, mask


def _stretched(colours: Image.Image, mask: Image.Image, wide: int, high: int, corner: int, origin: int) -> Sprite:
    """A sprite of ``wide`` × ``high`` from a small one: corners kept, the two pixels between them drawn out."""
    pieces: list[Piece] = []
    fill: Fill | None = None
    near, far = (0, corner), (corner + 2, 2 * corner + 2)
    middle = (corner, corner + 2)
    columns = ((near, 0, corner), (middle, corner, wide - corner), (far, wide - corner, wide))
    rows = ((near, 0, corner), (middle, corner, high - corner), (far, high - corner, high))
    for (sx0, sx1), dx0, dx1 in columns:
        for (sy0, sy1), dy0, dy1 in rows:
            size = (dx1 - dx0, dy1 - dy0)
            part = mask.crop((sx0, sy0, sx1, sy1))
            least, most = part.getextrema()
            if most == 0:
                continue
            if least == 255 and (sx0, sy0) == (corner, corner):
                colour = colours.getpixel((sx0, sy0))
                assert isinstance(colour, tuple)
                box = (dx0 + origin, dy0 + origin, dx1 + origin, dy1 + origin)
                fill = Fill((colour[0], colour[1], colour[2]), box)
                continue
            piece = colours.crop((sx0, sy0, sx1, sy1)).resize(size, Image.Resampling.NEAREST)
            part = part.resize(size, Image.Resampling.NEAREST)
            pieces.append(Piece(piece, None if least == 255 else part, dx0 + origin, dy0 + origin))
    return Sprite(tuple(pieces), fill)


@lru_cache(maxsize=40)
def ring(wide: int, high: int, corner: int, colour: Colour, thick: int, glow: int = 0) -> Sprite:
    """A rounded frame of ``wide`` × ``high`` pixels, nothing inside, with a glow of ``glow`` pixels outwards."""
    corner = min(corner, wide // 2 - 1, high // 2 - 1)
    reach = corner + glow
    size = (2 * reach + 2, 2 * reach + 2)
    large = (size[0] * _OVER, size[1] * _OVER)
    mask = Image.new("L", large, 0)
    box = [glow * _OVER, glow * _OVER, large[0] - 1 - glow * _OVER, large[1] - 1 - glow * _OVER]
    ImageDraw.Draw(mask).rounded_rectangle(box, corner * _OVER, outline=255, width=thick * _OVER)
    mask = mask.resize(size, Image.Resampling.BOX)
    if glow:
        halo = mask.filter(ImageFilter.GaussianBlur(glow * 0.5)).point(lambda value: min(255, value * 3 // 2))
        mask = Image.composite(mask, halo, mask)
        hole = Image.new("L", mask.size, 0)
        edge = glow + thick
        inner = [edge, edge, mask.width - 1 - edge, mask.height - 1 - edge]
        ImageDraw.Draw(hole).rounded_rectangle(inner, max(1, corner - thick), fill=255)
        mask.paste(0, (0, 0), hole)
    colours = Image.new("RGB", mask.size, colour)
    return _stretched(colours, mask, wide + 2 * glow, high + 2 * glow, reach, -glow)


def panel(
    image: Image.Image, box: Box, colour: Colour = PANEL, line: Colour | None = LINE, corner: int = 18, thick: int = 2
) -> None:
    """A rounded panel at ``box`` (left, top, right, bottom)."""
    x0, y0, x1, y1 = (px(value) for value in box)
    rounded(max(1, x1 - x0), max(1, y1 - y0), px(corner), colour, line, max(1, px(thick))).paste(image, x0, y0)


def frame(
    image: Image.Image, box: Box, colour: Colour = AMBER, thick: int = 5, corner: int = 20, glow: int = 0
) -> None:
    """A frame round ``box``, nothing inside, with a glow outwards."""
    x0, y0, x1, y1 = (px(value) for value in box)
    ring(x1 - x0, y1 - y0, px(corner), colour, max(1, px(thick)), px(glow)).paste(image, x0, y0)


def pill(
    image: Image.Image, x: int, y: int, text: str, size: int, ground: Colour, colour: Colour = CREAM,
    line: Colour | None = None, most: int = 300, anchor: Anchor = "m",
) -> int:  # fmt: skip
    """A text on a rounded bar, centred on ``y``. Returns the bar's width."""
    high, wide = round(size * 1.36), pill_width(text, size, most)
    left = x - (0 if anchor == "l" else wide // 2 if anchor == "m" else wide)
    plaque(image, (left, y - high // 2, left + wide, y - high // 2 + high), text, size, ground, line, 3, colour, most)
    return wide


def pill_width(text: str, size: int, most: int = 300) -> int:
    """How wide ``pill`` would make the bar."""
    return width(text, size, most, "shrink") + round(size * 0.9)


def plaque(
    image: Image.Image, box: Box, text: str, size: int, ground: Colour, line: Colour | None, thick: int,
    colour: Colour, most: int | None = None,
) -> None:  # fmt: skip
    """A bar with round ends and a text in its middle, in one piece."""
    drawn = text_mask(text, px(size), BOLD, None if most is None else px(max(most, 1)), "shrink")
    across, down = max(1, px(box[2] - box[0])), max(1, px(box[3] - box[1]))
    put(image, _plaque(drawn, across, down, ground, line, max(1, px(thick)), colour), box[0], box[1])


@lru_cache(maxsize=48)
def _plaque(
    drawn: Text, wide: int, high: int, ground: Colour, line: Colour | None, thick: int, colour: Colour
) -> Sprite:  # fmt: skip
    corner = high // 2
    colours, mask = _flat(rounded(wide, high, corner, ground, line, thick), wide, high)
    tint(colours, drawn.mask, colour, (wide - drawn.advance) // 2, round(high / 2 + drawn.size * 0.37) - drawn.baseline)
    return cut(colours, mask, 0, 0, (corner, 0, wide - corner, high))


def badge(
    image: Image.Image, x: int, y: int, text: str, radius: int, ground: Colour = RED, line: Colour = CREAM
) -> None:
    """A short text on a round badge, or on a bar if it is longer than one character; ``x``, ``y`` is its middle."""
    size, thick = round(radius * 1.22), max(2, radius // 9)
    if len(text) > 1:
        size = round(radius * 0.95)
        wide = max(2 * radius, width(text, size) + radius)
        left = max(2, x - radius)
        high = round(radius * 1.6)
        box = (left, y - high // 2, left + wide, y - high // 2 + high)
    else:
        box = (x - radius, y - radius, x + radius, y + radius)
    plaque(image, box, text, size, ground, line, thick, CREAM)


def tile(
    image: Image.Image, x: int, y: int, face: Tile | None, wide: int, gold: tuple[Tile, ...] = (), sign: str = ""
) -> None:
    """A tile with its left upper corner at x, y; a gold one looks like gold and carries ``sign``."""
    body: Body = "gold" if face is not None and face in gold else "ivory"
    sprite(face, px(wide), body).paste(image, px(x), px(y))
    if body == "gold" and sign:
        gold_sign(image, x, y, sign, wide)


def tray(
    image: Image.Image, x: int, y: int, faces: tuple[Tile | None, ...], wide: int, colour: Colour, margin: int
) -> None:  # fmt: skip
    """Tiles side by side from x, y on a bar of one colour that reaches ``margin`` beyond them, in one piece."""
    put(image, _tray(in_use(), faces, wide, colour, margin), x - margin, y - margin)


@lru_cache(maxsize=40)
def _tray(tile_set: TileSet, faces: tuple[Tile | None, ...], wide: int, colour: Colour, margin: int) -> Sprite:
    """``tile_set`` is the one in use."""
    corner = px(12)
    across = px(len(faces) * (wide + 1) - 1 + 2 * margin)
    down = height_of(px(wide)) + 2 * px(margin)
    colours, mask = _flat(rounded(across, down, corner, colour), across, down)
    for at, face in enumerate(faces):
        sprite(face, px(wide)).paste(colours, px(margin + at * (wide + 1)), px(margin))
    return cut(colours, mask, 0, 0, (corner, 0, across - corner, down))


def gold_sign(image: Image.Image, x: int, y: int, sign: str, wide: int) -> None:
    """The badge of a gold tile: on its upper left corner and outside, so that it hides nothing of the face."""
    radius = max(9, round(wide * 0.175))
    # A word is lower than a round badge, and its bar goes as deep.
    deep = radius if len(sign) == 1 else round(radius * 0.8)
    badge(image, x + round(wide * 0.08), y + round(wide * 0.08) - deep, sign, radius)


Row = tuple[Body | None, ...]
"""The bodies of the tiles in a row; None where there is none."""


def bare_rows(
    image: Image.Image, x: int, y: int, rows: tuple[Row, ...], wide: int, across: int, down: int,
    ends: tuple[int, int],
) -> None:  # fmt: skip
    """Felt between two heights, ``ends``, and on it tiles with nothing on their faces.

    They are in rows from x, y, ``across`` and ``down`` units apart. What was there before is covered.
    """
    empty: Row = ()
    reach = height_of(px(wide)) + round(px(wide) * 0.17)
    # Only the rows are kept; above and below them is felt.
    first, last = px(y) - round(px(wide) * 0.17), px(y + (len(rows) - 1) * down) + reach
    _felt_between(image, px(ends[0]), first if rows else px(ends[1]))
    for at, row in enumerate(rows):
        above = rows[at - 1] if at else empty
        below = rows[at + 1] if at + 1 < len(rows) else empty
        tops = tuple(px(y + (at + step) * down) for step in (-1, 0, 1))
        lefts = tuple(px(x + column * across) for column in range(len(row)))
        start = (tops[0] + height_of(px(wide)) + tops[1]) // 2 if above else first
        end = (tops[1] + height_of(px(wide)) + tops[2]) // 2 if below else last
        lay(image, _bare_row(in_use(), image.size, (above, row, below), tops, lefts, px(wide), start, end), 0, start)
    if rows:
        _felt_between(image, last, px(ends[1]))


def _felt_between(image: Image.Image, top: int, bottom: int) -> None:
    """Felt, as ``blank`` has it there, between two heights in pixels."""
    if top < bottom:
        lay(image, _felt_part(image.size, top, bottom), 0, top)


@lru_cache(maxsize=4)
def _felt_part(size: tuple[int, int], top: int, bottom: int) -> Image.Image:
    return felt(*size).crop((0, top, size[0], bottom))


@lru_cache(maxsize=6)
def _bare_row(
    tile_set: TileSet, size: tuple[int, int], rows: tuple[Row, ...], tops: tuple[int, ...], lefts: tuple[int, ...],
    wide: int, start: int, end: int,
) -> Image.Image:  # fmt: skip
    """A row on its felt, with what glows into it from the rows above and below.

    ``tile_set`` is the one in use.
    """
    strip = felt(*size).crop((0, start, size[0], end))
    # All shadows first: a gold tile's glow must not fall on its neighbours.
    for shadow in (True, False):
        for row, top in zip(rows, tops, strict=True):
            for body, left in zip(row, lefts, strict=bool(row)):
                if body is not None:
                    bare(body, wide, shadow).paste(strip, left, top - start)
    return strip


def face_on_bare(image: Image.Image, x: int, y: int, face: Tile, wide: int, body: Body) -> None:
    """What is on a tile's face, where ``bare_rows`` has laid the tile."""
    inlay(face, px(wide), body).paste(image, px(x), px(y))


@lru_cache(maxsize=32)
def coin(size: int) -> Sprite:
    """A gold coin with a square hole."""
    n = size * _OVER
    picture = Image.new("RGBA", (n, n), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    draw.ellipse([0, 0, n - 1, n - 1], fill=(176, 104, 8, 255))
    draw.ellipse([n * 0.06, n * 0.05, n * 0.94, n * 0.92], fill=(240, 168, 30, 255))
    draw.ellipse([n * 0.16, n * 0.14, n * 0.84, n * 0.82], fill=(255, 208, 92, 255))
    draw.rectangle([n * 0.37, n * 0.35, n * 0.63, n * 0.61], fill=(150, 84, 4, 255))
    picture = picture.resize((size, size), Image.Resampling.BOX)
    return cut(picture.convert("RGB"), picture.getchannel("A"), 0, 0)


def coins(
    image: Image.Image, right: int, y: int, text: str, size: int, most: int, anchor: Anchor = "r",
    on: Ground | None = None,
) -> int:  # fmt: skip
    """A coin and a sum, ending (or with ``anchor`` l beginning) at ``right``. Returns the width of both."""
    if not text:
        return 0
    round_size = round(size * 0.84)
    gap = round(size * 0.14)
    inside = width(text, size, most - round_size - gap, "number")
    total = inside + gap + round_size
    left = right if anchor == "l" else right - total
    put(image, coin(px(round_size)), left, y - round_size // 2)
    write(image, left + round_size + gap, y, text, size, AMBER, most=most - round_size - gap, fit="number", on=on)
    return total


def amount(
    value: int, size: int, most: int, sign: bool = False, units: str = "K M B T P E", squeeze: float = 0.6
) -> str:
    """A sum that fits ``most`` units of width: with all its digits, or else rounded, counted in ``Signs.units``.

    ``squeeze``: to what part of its width all its digits may be shrunk before it is rounded.

    >>> amount(12_345_678, 40, 100, units="万 亿"), amount(12_345_678, 40, 100)
    ('1,234万', '12.3M')
    """
    front = ("+" if value > 0 else "−" if value < 0 else "") if sign else ("−" if value < 0 else "")
    text = f"{front}{abs(value):,}"
    if width(text, size) * squeeze <= most or abs(value) < 10_000:
        return text
    # Rounded down: nobody has more than it says.
    names = units.split()
    step = 3 if names[0].isascii() else 4
    power = min(len(names), (len(str(abs(value))) - 1) // step)
    whole, rest = divmod(abs(value), 10 ** (step * power))
    decimals = "" if whole >= 100 else f".{rest * 10 // 10 ** (step * power)}"
    text = f"{front}{whole:,}{decimals}{names[power - 1]}"
    return text if width(text, size) * squeeze <= most else f"{front}{whole:,}{names[power - 1]}"


@lru_cache(maxsize=64)
def arrow(size: int, degrees: int, colour: Colour) -> Sprite:
    """A triangle that points up, turned clockwise."""
    n = size * _OVER
    mask = Image.new("L", (n, n), 0)
    middle = n / 2
    points = []
    for px, py in ((0.0, -0.36), (0.46, 0.30), (-0.46, 0.30)):
        cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        points.append((middle + (px * cos - py * sin) * n, middle + (px * sin + py * cos) * n))
    ImageDraw.Draw(mask).polygon(points, fill=255)
    mask = mask.resize((size, size), Image.Resampling.BOX)
    return cut(Image.new("RGB", (size, size), colour), mask, -size // 2, -size // 2)


@lru_cache(maxsize=8)
def padlock(size: int, colour: Colour) -> Sprite:
    """A closed padlock."""
    n = size * _OVER
    mask = Image.new("L", (n, n), 0)
    draw = ImageDraw.Draw(mask)
    draw.rounded_rectangle([n * 0.26, n * 0.04, n * 0.74, n * 0.8], n * 0.24, outline=255, width=round(n * 0.11))
    draw.rounded_rectangle([n * 0.12, n * 0.44, n * 0.88, n * 0.97], n * 0.1, fill=255)
    draw.ellipse([n * 0.42, n * 0.58, n * 0.58, n * 0.74], fill=0)
    draw.rectangle([n * 0.46, n * 0.68, n * 0.54, n * 0.86], fill=0)
    mask = mask.resize((size, size), Image.Resampling.BOX)
    return cut(Image.new("RGB", (size, size), colour), mask, 0, 0)


def _chip_wides(sign: str, streak: str, size: int) -> tuple[int, int]:
    return (
        max(round(size * 1.55), width(sign, size, size * 4, "shrink") + round(size * 0.5)),
        width(streak, round(size * 0.84), size * 3, "shrink") + round(size * 0.7) if streak else 0,
    )


def dealer_chip_wide(sign: str, streak: str, size: int) -> int:
    """How wide ``dealer_chip`` draws it."""
    return sum(_chip_wides(sign, streak, size))


def dealer_chip(
    image: Image.Image, x: int, y: int, sign: str, streak: str, size: int, middle_of: int | None = None
) -> int:  # fmt: skip
    """庄, and the streak if there is one, centred on ``y``. Returns its width.

    ``middle_of``: ``x`` is the middle, and it shrinks to so many units.
    """
    high = round(size * 1.5)
    sign_wide, streak_wide = _chip_wides(sign, streak, size)
    if middle_of is not None:
        if sign_wide + streak_wide > middle_of and size > 20:
            return dealer_chip(image, x, y, sign, streak, size - 2, middle_of)
        x -= (sign_wide + streak_wide) // 2
    top = y - high // 2
    if streak:
        panel(image, (x, top, x + sign_wide + streak_wide, top + high), UMBER, AMBER, round(size * 0.36), 3)
    panel(image, (x, top, x + sign_wide, top + high), AMBER, None, round(size * 0.36))
    write(image, x + sign_wide // 2, y, sign, size, UMBER, anchor="m", most=size * 4, fit="shrink", on=AMBER)
    if streak:
        where = x + sign_wide + streak_wide // 2 - 1
        write(image, where, y, streak, round(size * 0.84), AMBER, anchor="m", most=size * 3, fit="shrink", on=UMBER)
    return sign_wide + streak_wide


@lru_cache(maxsize=2)
def _rim(wide: int, high: int) -> Sprite:
    """A wooden frame with rounded corners inside, nothing in it."""
    edge, corner, line = px(8), px(26), 2
    colours, mask = Image.new("RGB", (wide, high), (112, 68, 38)), Image.new("L", (wide, high), 255)
    colours.paste((74, 42, 22), (edge - 2, edge - 2, wide - edge + 2, high - edge + 2))
    ring(wide - 2 * edge, high - 2 * edge, corner, (158, 102, 52), line).paste(colours, edge, edge)
    inside = (wide - 2 * (edge + line), high - 2 * (edge + line))
    hole = Image.new("RGB", inside, WHITE)
    rounded(*inside, corner - line, (0, 0, 0)).paste(hole, 0, 0)
    mask.paste(hole.getchannel("R"), (edge + line, edge + line))
    # Four corners, and between them what is as thick as the frame.
    thick, reach = edge + line, edge + corner
    boxes = [(x, y, x + reach, y + reach) for x in (0, wide - reach) for y in (0, high - reach)]
    boxes += [(reach, y, wide - reach, y + thick) for y in (0, high - thick)]
    boxes += [(x, reach, x + thick, high - reach) for x in (0, wide - thick)]
    parts = [(colours.crop(box), mask.crop(box), box) for box in boxes]
    return Sprite(
        tuple(
            Piece(part, None if shape.getextrema() == (255, 255) else shape, box[0], box[1])
            for part, shape, box in parts
        )
    )


def wood(wide: int, high: int) -> Image.Image:
    """A picture of so many units: felt in a wooden frame."""
    image = blank(wide, high)
    put(image, _rim(px(wide), px(high)), 0, 0)
    return image


def jpeg(image: Image.Image, quality: int, most: int) -> bytes:
    """The picture as a JPEG file of at most ``most`` bytes if a lower quality, down to 50, can bring that about."""
    while True:
        out = io.BytesIO()
        image.save(out, "JPEG", quality=quality, subsampling="4:2:0")
        if out.tell() <= most or quality <= 50:
            return out.getvalue()
        quality -= 6
