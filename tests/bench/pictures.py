"""What the pictures cost, each beside its floor: pasting ready tiles on a ready ground, and encoding the result.

The floors are measured in the same run, interleaved with the pictures, so that a busy machine slows both; times are
of the processor. The measuring is done in a process of its own, warmed as a drawing process is.
"""

from __future__ import annotations

import asyncio
import io
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from PIL import Image

from mahjong.views import View
from render import paint, tiles
from render.pictures import BYTES, SHEET_BYTES, SHEET_QUALITY, warm
from render.pool import Renderer
from tests.bench.figures import Figure, at_most
from tests.bench.usage import usage
from tests.render.gallery import SAMPLES, Sample
from tests.render.layout import layout

SPELLS, ROUNDS = 5, 10
"""The best median of so many spells of so many rounds: what the drawing costs, not what else the machine does."""
MEASURED: dict[str, tuple[str, float | None, float | None, float]] = {
    "hand": ("hand turn", 1.5, 8, 150),
    "table": ("table group", 4, 12, 200),
    "full table": ("table full", None, None, 200),
    "sheet": ("sheet win", None, 20, 250),
    "opening": ("table opening", None, 20, 200),
    "replay": ("replay turn", None, 20, 200),
    "seen": ("seen full", None, 20, 150),
    "lobby": ("lobby lobby", None, 20, 250),
    "ranking": ("ranking ranking", None, 20, 250),
    "profile": ("profile profile", None, 20, 250),
    "diagram": ("diagram sets", None, 20, 250),
    "pays": ("pays Zhangzhou", None, 20, 250),
}
"""The sample, the targets of composing and in all in milliseconds, and of its size in KB."""
BUSY = 90
"""Pictures that a process has drawn when its memory is measured."""


def pictures() -> Iterator[Figure]:
    """Times with their floors, the first picture, memory, sizes, and what a second JPEG pass leaves of red strokes."""
    found = _alone("measure")
    for kind, (_, compose_most, whole_most, _) in MEASURED.items():
        composed, whole = found[f"{kind} composed"], found[f"{kind} whole"]
        floor, encoded = found[f"{kind} floor"], found[f"{kind} encoded"]
        yield at_most(f"{kind} picture: composed", composed, "ms", compose_most)
        yield Figure(f"{kind} picture: floor of composing", floor, "ms", f"×{composed / floor:.1f}")
        yield at_most(f"{kind} picture: composed and encoded", whole, "ms", whole_most)
        yield Figure(f"{kind} picture: floor of both", floor + encoded, "ms", f"×{whole / (floor + encoded):.2f}")
    first_ms = statistics.median(_alone("first")["first"] for _ in range(3))
    yield at_most("first picture of a warmed process", first_ms, "ms", 150)
    used = _alone("memory")
    yield at_most("memory of a drawing process", used["plain"], "MB", 80)
    yield at_most("the same once it has drawn all three sets of tiles", used["all"], "MB")
    for kind, (name, _, _, most) in MEASURED.items():
        picture = SAMPLES[name].jpeg()
        yield at_most(f"{kind} picture: size", len(picture) / 1024, "KB", most)
        kept = red_kept(SAMPLES[name].image(), picture)
        yield Figure(f"{kind} picture: red strokes after a second pass", kept * 100, "%", "≥ 80", kept >= 0.8)


def red_kept(drawn: Image.Image, sent: bytes) -> float:
    """How much of the redness of red strokes is left once Telegram has encoded what was sent again, as a share of what
    would be left had the picture been sent without loss: 1 is as clean as can be."""
    with Image.open(io.BytesIO(sent)) as once:
        return _redness(drawn, _second_pass(once)) / _redness(drawn, _second_pass(drawn))


def _second_pass(image: Image.Image) -> Image.Image:
    """What Telegram makes of a picture: JPEG of quality 87, 4:2:0."""
    again = io.BytesIO()
    image.save(again, "JPEG", quality=87, subsampling="4:2:0")
    with Image.open(again) as twice:
        return twice.convert("RGB")


def _redness(drawn: Image.Image, seen: Image.Image) -> float:
    """How much redder than grey a picture is, where the drawn one has red strokes."""
    red = 0.0
    for was, now in zip(_pixels(drawn), _pixels(seen), strict=True):
        if was[0] > 180 and was[1] < 80 and was[2] < 80:
            red += now[0] - (now[1] + now[2]) / 2
    return red


def _pixels(image: Image.Image) -> Iterator[tuple[int, int, int]]:
    data = image.convert("RGB").tobytes()
    return zip(data[0::3], data[1::3], data[2::3], strict=True)


def measure() -> dict[str, float]:
    """Milliseconds by kind: ``composed``, ``whole``, ``encoded`` (the encoder alone) and ``floor`` (pasting alone)."""
    warm()
    found: dict[str, float] = {}
    for kind, (name, *_) in MEASURED.items():
        sample = SAMPLES[name]
        image = sample.image()
        quality, most = BYTES.get(sample.kind, (SHEET_QUALITY, SHEET_BYTES))
        works: dict[str, Callable[[], object]] = {
            "composed": sample.image,
            "whole": sample.jpeg,
            "encoded": lambda image=image, quality=quality, most=most: paint.jpeg(image, quality, most),
            "floor": floor_of(sample),
        }
        for _ in range(SPELLS):
            spent: dict[str, list[float]] = {what: [] for what in works}
            for _ in range(ROUNDS):
                for what, work in works.items():
                    start = time.process_time()
                    work()
                    spent[what].append((time.process_time() - start) * 1000)
            for what, times in spent.items():
                name, median = f"{kind} {what}", statistics.median(times)
                found[name] = min(median, found.get(name, median))
    return found


def floor_of(sample: Sample) -> Callable[[], Image.Image]:
    """The least that a picture like this can cost: its ground copied, its tiles pasted as opaque rectangles."""
    ground = sample.image()
    pieces = []
    for item in layout(sample).of("tile"):
        tile = tiles.face(4, item.right - item.left)
        flat = Image.new("RGB", tile.size, (20, 100, 72))
        flat.paste(tile, (0, 0), tile)
        pieces.append((flat, (item.left, item.top)))

    def paste() -> Image.Image:
        image = ground.copy()
        for piece, at in pieces:
            image.paste(piece, at)
        return image

    return paste


def first() -> dict[str, float]:
    """Milliseconds from asking a warmed process for a picture that nobody has drawn yet to having it."""
    warm()
    start = time.process_time()
    SAMPLES["hand turn"].jpeg()
    return {"first": (time.process_time() - start) * 1000}


async def memory() -> dict[str, float]:
    """Megabytes of one drawing process, pages that it shares by their share.

    ``plain``: once it has drawn ``BUSY`` pictures of every kind with the plain tiles; ``all``: as many with all sets.
    """
    renderer = Renderer(1)
    await renderer.start()
    try:
        every = [sample for name, sample in SAMPLES.items() if "extreme" not in name]
        plain = [sample for sample in every if sample.words.signs.tile_set == "plain"]
        found = {}
        for what, samples in (("plain", plain), ("all", every)):
            for at in range(BUSY):
                sample = samples[at % len(samples)]
                # Each with another number of tiles left, or the cache would answer.
                view = replace(sample.view, drawable=at) if isinstance(sample.view, View) else sample.view
                await renderer.picture(sample.kind, view, sample.words)
            assert renderer._pool is not None
            found[what] = max(usage(process).megabytes for process in renderer._pool._processes)
        return found
    finally:
        renderer.close()


def _alone(what: str) -> dict[str, float]:
    """The figures of ``measure``, ``first`` or ``memory``, found in a process of its own."""
    command = [sys.executable, "-m", "tests.bench.pictures", what]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {name: float(value) for name, value in json.loads(answer).items()}


if __name__ == "__main__":
    found = {"measure": measure, "first": first}.get(sys.argv[1])
    json.dump(found() if found is not None else asyncio.run(memory()), sys.stdout)
