"""The tile itself: ivory face, side and jade back; gold; the back."""

from __future__ import annotations

from PIL import Image, ImageDraw, ImageFilter

from render.art.canvas import SCALE

WIDTH, HEIGHT = 512, 700
FACE = 634
SIDE = 660
CORNER = 64
Colour = tuple[int, int, int]
STARK_WHITE: Colour = (255, 255, 255)
STARK_GOLD: Colour = (255, 238, 138)


def _rounded(box: tuple[float, float, float, float], corner: float) -> Image.Image:
    mask = Image.new("L", (WIDTH * SCALE, HEIGHT * SCALE), 0)
    ImageDraw.Draw(mask).rounded_rectangle([value * SCALE for value in box], corner * SCALE, fill=255)
    return mask


def _ramp(top: Colour, bottom: Colour, start: float, end: float) -> Image.Image:
    """A vertical run of colour from unit ``start`` to ``end``."""
    column = Image.new("RGB", (1, HEIGHT * SCALE))
    for y in range(HEIGHT * SCALE):
        t = min(1.0, max(0.0, (y / SCALE - start) / (end - start)))
        column.putpixel((0, y), tuple(round(a + (b - a) * t) for a, b in zip(top, bottom, strict=True)))
    return column.resize((WIDTH * SCALE, HEIGHT * SCALE))


def _ring(box: tuple[float, float, float, float], corner: float, width: float) -> Image.Image:
    mask = Image.new("L", (WIDTH * SCALE, HEIGHT * SCALE), 0)
    draw = ImageDraw.Draw(mask)
    draw.rounded_rectangle([v * SCALE for v in box], corner * SCALE, outline=255, width=round(width * SCALE))
    return mask


def _stack(back: tuple[Colour, Colour], side: tuple[Colour, Colour], face: tuple[Colour, Colour]) -> Image.Image:
    image = Image.new("RGBA", (WIDTH * SCALE, HEIGHT * SCALE), (0, 0, 0, 0))
    image.paste(_ramp(*back, SIDE - 30, HEIGHT), (0, 0), _rounded((0, 60, WIDTH - 1, HEIGHT - 1), CORNER))
    image.paste(_ramp(*side, FACE - 40, SIDE), (0, 0), _rounded((0, 30, WIDTH - 1, SIDE), CORNER))
    image.paste(_ramp(*face, 0, FACE), (0, 0), _rounded((0, 0, WIDTH - 1, FACE), CORNER))
    return image


def ivory() -> Image.Image:
    """The plain tile without its art."""
    image = _stack(
        ((58, 190, 136), (24, 128, 88)), ((214, 196, 158), (190, 168, 124)), ((255, 254, 249), (244, 236, 216))
    )
    image.paste((255, 255, 255), (0, 0), _ring((7, 7, WIDTH - 8, FACE - 7), CORNER - 7, 7))
    image.paste((222, 210, 180), (0, 0), _ring((0, 0, WIDTH - 1, FACE), CORNER, 4))
    return image


def gold(low: Colour = (255, 214, 92)) -> Image.Image:
    """A tile of the gold: yellow face, down to ``low`` at its lower edge, in a thick amber border."""
    image = _stack(((196, 116, 8), (130, 70, 0)), ((226, 150, 24), (176, 104, 8)), ((255, 246, 186), low))
    image.paste((255, 252, 224), (0, 0), _ring((26, 26, WIDTH - 27, FACE - 26), CORNER - 22, 10))
    image.paste(_ramp((246, 178, 36), (216, 134, 8), 0, FACE), (0, 0), _ring((0, 0, WIDTH - 1, FACE), CORNER, 30))
    image.paste((255, 226, 130), (0, 0), _ring((5, 5, WIDTH - 6, FACE - 5), CORNER - 4, 6))
    return image


def stark_ivory() -> Image.Image:
    """The plain tile of high contrast: white, with a dark rim that parts it from its neighbours."""
    image = _stack(((30, 120, 84), (8, 74, 48)), ((150, 138, 110), (110, 98, 72)), (STARK_WHITE, STARK_WHITE))
    image.paste((30, 52, 44), (0, 0), _ring((0, 0, WIDTH - 1, FACE), CORNER, 9))
    return image


def stark_gold() -> Image.Image:
    """A tile of the gold in high contrast: pale yellow in a border of dark and amber."""
    image = _stack(((140, 76, 0), (84, 42, 0)), ((170, 100, 8), (120, 64, 0)), (STARK_GOLD, STARK_GOLD))
    image.paste((255, 176, 0), (0, 0), _ring((0, 0, WIDTH - 1, FACE), CORNER, 32))
    for inset, line in ((0, 12), (28, 8)):
        box = (inset, inset, WIDTH - 1 - inset, FACE - inset)
        image.paste((104, 52, 0), (0, 0), _ring(box, CORNER - inset * 0.8, line))
    return image


def stark_back() -> Image.Image:
    """The back in high contrast: dark, with one white diamond."""
    image = _stack(((150, 138, 110), (110, 98, 72)), ((240, 236, 224), (214, 206, 186)), ((8, 74, 52), (8, 74, 52)))
    image.paste((240, 248, 244), (0, 0), _ring((0, 0, WIDTH - 1, FACE), CORNER, 12))
    draw = ImageDraw.Draw(image)
    cx, cy = WIDTH * SCALE / 2, FACE * SCALE / 2
    for across, along, colour in ((176, 226, (240, 248, 244)), (120, 154, (8, 74, 52)), (62, 80, (240, 248, 244))):
        dx, dy = across * SCALE, along * SCALE
        draw.polygon([(cx, cy - dy), (cx + dx, cy), (cx, cy + dy), (cx - dx, cy)], fill=(*colour, 255))
    return image


def back() -> Image.Image:
    """The back: jade with a lattice and a rosette."""
    image = _stack(
        ((214, 198, 160), (186, 164, 120)), ((246, 238, 218), (228, 214, 182)), ((46, 170, 122), (18, 112, 76))
    )
    size = image.size
    lattice = Image.new("L", size, 0)
    draw = ImageDraw.Draw(lattice)
    step = 74 * SCALE
    for offset in range(-size[1], size[0] + size[1], step):
        draw.line([(offset, 0), (offset + size[1], size[1])], fill=120, width=5 * SCALE)
        draw.line([(offset, size[1]), (offset + size[1], 0)], fill=120, width=5 * SCALE)
    inner = _rounded((62, 62, WIDTH - 63, FACE - 62), 34)
    clear = Image.new("L", size, 0)
    lattice = Image.composite(lattice, clear, inner)
    image.paste((142, 222, 184), (0, 0), lattice)
    image.paste((160, 230, 196), (0, 0), _ring((50, 50, WIDTH - 51, FACE - 50), 40, 9))
    image.paste((96, 204, 158), (0, 0), _ring((4, 4, WIDTH - 5, FACE - 4), CORNER - 4, 7))
    # A rosette in the middle, so that a back is a back even at 20 px.
    cx, cy = WIDTH * SCALE // 2, FACE * SCALE // 2
    for radius, colour in ((92, (14, 96, 64)), (80, (160, 230, 196)), (68, (20, 116, 80))):
        r = radius * SCALE
        ImageDraw.Draw(image).ellipse([cx - r, cy - r, cx + r, cy + r], fill=(*colour, 255))
    for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0), (0.7, 0.7), (-0.7, 0.7), (0.7, -0.7), (-0.7, -0.7)):
        x, y, r = cx + dx * 42 * SCALE, cy + dy * 42 * SCALE, 14 * SCALE
        ImageDraw.Draw(image).ellipse([x - r, y - r, x + r, y + r], fill=(160, 230, 196, 255))
    r = 20 * SCALE
    ImageDraw.Draw(image).ellipse([cx - r, cy - r, cx + r, cy + r], fill=(230, 250, 236, 255))
    return image


def engraved(art: Image.Image) -> Image.Image:
    """Art cut into ivory: a light edge below each stroke, the colour a little darker along its upper edge."""
    alpha = art.getchannel("A")
    light = Image.new("RGBA", art.size, (255, 255, 255, 0))
    lower = Image.new("L", art.size, 0)
    lower.paste(alpha, (0, 4 * SCALE))
    light.putalpha(lower.filter(ImageFilter.GaussianBlur(SCALE)))
    out = Image.alpha_composite(light, art)
    shifted = Image.new("L", art.size, 0)
    shifted.paste(alpha, (0, 7 * SCALE))
    shade = Image.composite(Image.new("L", art.size, 0), alpha, shifted.filter(ImageFilter.GaussianBlur(2 * SCALE)))
    dark = Image.new("RGBA", art.size, (0, 0, 0, 0))
    dark.putalpha(shade.point(lambda value: value * 70 // 255))
    return Image.alpha_composite(out, dark)
