"""How the clips are made: silence cut off, one loudness, 48 kHz; without the programs that speak and encode."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from data.voice import make
from data.voice.make import LOUDNESS, PEAK, cut, levelled, resampled
from data.voice.ogg import RATE

SPOKEN = 22_050
"""Hz, as eSpeak NG speaks."""


def tone(pitch: float, seconds: float, loud: float = 0.1) -> list[float]:
    return [loud * math.sin(2 * math.pi * pitch * at / SPOKEN) for at in range(round(seconds * SPOKEN))]


def rms(samples: list[float]) -> float:
    return math.sqrt(sum(sample * sample for sample in samples) / len(samples))


def crossings(samples: list[float]) -> int:
    """How often it goes from below 0 to above."""
    return sum(one < 0 <= other for one, other in pairwise(samples))


def test_the_silence_around_is_cut_off_and_the_end_fades() -> None:
    silence = [0.0] * SPOKEN
    kept = cut(silence + tone(400, 0.5) + silence, SPOKEN)
    assert 0.5 <= len(kept) / SPOKEN <= 0.5 + make.LEAD + make.TAIL + 0.01
    assert max(map(abs, kept)) == pytest.approx(0.1, rel=0.01)
    assert abs(kept[-1]) < 0.001


@pytest.mark.parametrize("loud", [0.02, 0.3])
def test_all_are_of_one_loudness_and_no_peak_is_cut(loud: float) -> None:
    found = levelled(tone(400, 0.5, loud), SPOKEN)
    assert 20 * math.log10(rms(found)) == pytest.approx(LOUDNESS, abs=1.5)
    assert max(map(abs, found)) < PEAK


def test_a_tone_keeps_its_pitch_and_loudness_at_48_khz() -> None:
    found = resampled(tone(400, 0.2), SPOKEN)
    assert len(found) == pytest.approx(0.2 * RATE, abs=2)
    assert crossings(found) == pytest.approx(0.2 * 400, abs=1)
    inner = found[len(found) // 4 : -len(found) // 4]
    assert rms(inner) == pytest.approx(0.1 / math.sqrt(2), rel=0.02)


def test_without_the_programs_nothing_is_made_and_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert make.main() == 1
    assert capsys.readouterr().err == (
        "espeak-ng and opusenc: not there. On Debian: sudo apt install espeak-ng opus-tools\n"
    )
