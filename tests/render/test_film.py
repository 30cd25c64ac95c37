"""Films of finished hands: short, small, and what they show is what the pictures show."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from PIL import Image, ImageChops

from mahjong.records import record_of
from mahjong.steps import steps
from mahjong.views import View
from render import film
from render.pictures import compose
from render.pool import Renderer
from render.scenes import replay_scene
from render.words import TableWords
from tests.mahjong.play import deal
from tests.mahjong.play import steps as played
from tests.render.replays import FULL, TURN, WORDS


def a_hand(number: int) -> tuple[View, ...]:
    """All moments of a hand played at random."""
    hand = deal("zhangzhou", number)
    for _ in played(hand, Random(number)):
        pass
    return tuple(step.view for step in steps(record_of(hand)))


def filmed(views: Sequence[View], words: Sequence[TableWords], seconds: Sequence[float], processes: int = 0) -> bytes:
    async def make() -> bytes:
        renderer = Renderer(processes)
        try:
            return await renderer.film(views, words, seconds)
        finally:
            renderer.close()

    return asyncio.run(make())


def shown(gif: bytes) -> list[tuple[Image.Image, float]]:
    """The frames as they are seen, and for how many seconds each."""
    with Image.open(io.BytesIO(gif)) as image:
        found = []
        for at in range(image.n_frames):  # type: ignore[attr-defined]
            image.seek(at)
            found.append((image.convert("RGB"), image.info["duration"] / 1000))
        return found


def test_each_frame_shows_its_moment_for_its_time() -> None:
    views = (TURN, FULL, replace(TURN, turn=1))
    frames = shown(filmed(views, (WORDS,) * 3, (0.5, 0.75, 2.0)))
    assert [seconds for _, seconds in frames] == [0.5, 0.75, 2.0]
    for view, (frame, _) in zip(views, frames, strict=True):
        picture = (
            compose("replay", replay_scene(view), WORDS).convert("RGB").resize(frame.size, Image.Resampling.LANCZOS)
        )
        # Few colours, so not quite the same ones: by blocks of 8 × 8 pixels they agree.
        differs = ImageChops.difference(picture, frame).reduce(8)
        assert max(high for _, high in differs.getextrema()) < 40  # type: ignore[misc, operator]


def test_a_long_hand_keeps_within_the_bytes_of_a_film() -> None:
    views = a_hand(3)
    views = tuple(views[place * (len(views) - 1) // 35] for place in range(36))
    words = [replace(WORDS, title=f"{number}") for number in range(36)]
    gif = filmed(views, words, [0.7] * 35 + [3.0])
    assert len(gif) <= film.FILM_BYTES
    assert sum(seconds for _, seconds in shown(gif)) == pytest.approx(0.7 * 35 + 3.0)


def test_a_film_too_large_loses_frames_and_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    views = a_hand(5)[:9]
    words = [replace(WORDS, title=f"{number}") for number in range(len(views))]
    whole = filmed(views, words, [0.5] * len(views))
    monkeypatch.setattr(film, "FILM_BYTES", len(whole) - 1)
    frames = shown(filmed(views, words, [0.5] * len(views)))
    assert len(frames) < len(views)
    assert sum(seconds for _, seconds in frames) == pytest.approx(0.5 * len(views))
    last = shown(whole)[-1][0]
    assert ImageChops.difference(frames[-1][0], last).getbbox() is None


def test_processes_make_the_same_film() -> None:
    views = (TURN, FULL)
    assert filmed(views, (WORDS, WORDS), (0.5, 1.0), 1) == filmed(views, (WORDS, WORDS), (0.5, 1.0))


def test_a_hand_that_is_not_open_makes_no_replay() -> None:
    hidden = replace(TURN, seats=(replace(TURN.seats[0], concealed=None), *TURN.seats[1:]))
    with pytest.raises(ValueError, match="open"):
        replay_scene(hidden)
