"""A finished hand as a short animation (GIF): its moments one after the other, drawn small and in few colours."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageOps

from render.pictures import compose
from render.scenes import Kind, Scene
from render.words import Words

WIDTH: Final = 480
"""Pixels across; as high as it comes."""
COLOURS: Final = 120
"""Of the 256 that a GIF may have, one must be left for what stays as it was; fewer make it smaller."""
FILM_BYTES: Final = 1_500_000
"""A film that is larger loses frames, every other one but the last, whose time the others get."""
COUNTED: Final = 10
"""A GIF counts time in hundredths of a second; milliseconds are rounded to them."""

Frame = tuple[tuple[int, int], bytes]
"""Size and, for each pixel, the number of its colour."""


Moment = tuple[Kind, Scene, Words]
"""One picture of a film."""


def palette_of(moments: Sequence[Moment]) -> tuple[bytes, tuple[int, int]]:
    """The colours that these moments need, and the size of the first one's frame, which is the film's."""
    images = [_small(moment) for moment in moments]
    together = Image.new("RGB", (WIDTH, sum(image.height for image in images)))
    top = 0
    for image in images:
        together.paste(image, (0, top))
        top += image.height
    # Refined by k-means, or the little blue that there is among so much green would turn grey.
    found = together.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, kmeans=3, dither=Image.Dither.NONE)
    return bytes(found.getpalette() or ()), images[0].size


def frame_of(moment: Moment, palette: bytes, size: tuple[int, int]) -> Frame:
    """One moment in the film's colours; one of another shape in the middle of its ground colour."""
    image = _small(moment)
    if image.size != size:
        ground = Image.new("RGB", size, image.getpixel((0, image.height - 1)))
        fitting = ImageOps.contain(image, size, Image.Resampling.LANCZOS)
        ground.paste(fitting, ((size[0] - fitting.width) // 2, (size[1] - fitting.height) // 2))
        image = ground
    image = image.quantize(palette=_bearer(palette), dither=Image.Dither.NONE)
    return image.size, image.tobytes()


def gif_of(frames: Sequence[Frame], palette: bytes, seconds: Sequence[float]) -> bytes:
    """The film, which begins anew at its end, at most ``FILM_BYTES`` long. ``seconds``: for which each frame stands."""
    shown, times = list(frames), [round(time * 1000 / COUNTED) * COUNTED for time in seconds]
    while True:
        film = _gif([_image(frame, palette) for frame in shown], times)
        if len(film) <= FILM_BYTES or len(shown) < 3:
            return film
        # Counted from the end, so that the last one stays; what goes leaves its time to the one before it.
        kept = sorted(range(len(shown) - 1, -1, -2))
        kept = kept if kept[0] == 0 else [0, *kept]
        times = [sum(times[at:then]) for at, then in zip(kept, [*kept[1:], len(times)], strict=True)]
        shown = [shown[at] for at in kept]


def _small(moment: Moment) -> Image.Image:
    image = compose(*moment)
    return image.resize((WIDTH, round(image.height * WIDTH / image.width)), Image.Resampling.LANCZOS)


def _bearer(palette: bytes) -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette(palette)
    return image


def _image(frame: Frame, palette: bytes) -> Image.Image:
    image = Image.frombytes("P", *frame)
    image.putpalette(palette)
    return image


def _gif(images: list[Image.Image], times: list[int]) -> bytes:
    out = io.BytesIO()
    # Optimized, of each frame only what differs from the one before is kept.
    images[0].save(out, "GIF", save_all=True, append_images=images[1:], duration=times, loop=0, optimize=True)
    return out.getvalue()
