"""Speaks the Mandarin clips anew: ``make voices``. Needs Debian's ``espeak-ng`` and ``opus-tools``; the bot does not.

Each call is spoken by eSpeak NG from its Pinyin, cut free of silence, brought to one loudness, resampled to 48 kHz and
encoded as mono Opus. The same programs give the same bytes.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import wave
from array import array
from pathlib import Path
from typing import Final

from data.voice import RATE, SHIPPED, readings
from data.voice.ogg import read_voice

VOICE: Final = "cmn-latn-pinyin"
SPEED: Final = {1: 95, 2: 125, 3: 150, 4: 185, 5: 205}
"""Words a minute, by syllables: a short call may take its time."""
LOUDNESS: Final = -17.0
"""Level of what is spoken, in dB of full scale (RMS of the loud parts)."""
PEAK: Final = 0.89
"""No sample lies above this, as a part of full scale (−1 dB)."""
SILENCE: Final = 0.015
"""What is quieter than this part of the loudest sample is no speech."""
LEAD, TAIL, FADE = 0.03, 0.06, 0.02
"""Seconds kept before and after what is spoken, and over which the end fades."""
BITRATE: Final = "24"
TONES: Final = {"\u0304": "1", "\u0301": "2", "\u030c": "3", "\u0300": "4"}
TAPS: Final = 24

Samples = list[float]


def numbered(pinyin: str) -> str:
    """Pinyin with tones as numbers.

    >>> numbered("yóu jīn")
    'you2 jin1'
    """
    syllables = []
    for syllable in pinyin.split():
        parts = unicodedata.normalize("NFD", syllable)
        tone = next((TONES[mark] for mark in parts if mark in TONES), "5")
        syllables.append("".join(mark for mark in parts if mark not in TONES) + tone)
    return " ".join(syllables)


def spoken(pinyin: str, folder: Path) -> tuple[Samples, int]:
    """What eSpeak NG says, −1 to 1, and its rate in Hz."""
    file = folder / "spoken.wav"
    speed = SPEED[len(pinyin.split())]
    subprocess.run(["espeak-ng", "-v", VOICE, "-s", str(speed), "-w", file, numbered(pinyin)], check=True)
    with wave.open(str(file)) as sound:
        assert (sound.getnchannels(), sound.getsampwidth()) == (1, 2)
        samples = array("h", sound.readframes(sound.getnframes()))
        return [sample / 32768 for sample in samples], sound.getframerate()


def cut(samples: Samples, rate: int) -> Samples:
    """Without the silence around it, and with an end that fades."""
    floor = SILENCE * max(map(abs, samples))
    loud = [at for at, sample in enumerate(samples) if abs(sample) > floor]
    kept = samples[max(0, loud[0] - int(LEAD * rate)) : loud[-1] + int(TAIL * rate)]
    fade = int(FADE * rate)
    return kept[:-fade] + [sample * (fade - at) / fade for at, sample in enumerate(kept[-fade:])]


def levelled(samples: Samples, rate: int) -> Samples:
    """At one loudness: by the RMS of the loud parts, with peaks bent below ``PEAK``."""
    step = rate // 50
    powers = sorted(
        sum(sample * sample for sample in samples[at : at + step]) / step for at in range(0, len(samples), step)
    )
    loud = powers[len(powers) // 2 :]
    gain = 10 ** (LOUDNESS / 20) / math.sqrt(sum(loud) / len(loud))
    return [PEAK * math.tanh(sample * gain / PEAK) for sample in samples]


def resampled(samples: Samples, rate: int) -> Samples:
    """At 48 kHz, by a windowed sinc."""
    found = []
    for number in range(len(samples) * RATE // rate):
        place = number * rate / RATE
        first = int(place)
        total = 0.0
        for at in range(max(0, first - TAPS + 1), min(len(samples), first + TAPS + 1)):
            x = place - at
            sinc = math.sin(math.pi * x) / (math.pi * x) if x else 1.0
            total += samples[at] * sinc * (0.5 + 0.5 * math.cos(math.pi * x / (TAPS + 1)))
        found.append(total)
    return found


def encoded(samples: Samples, folder: Path) -> bytes:
    """OGG with mono Opus."""
    source, target = folder / "ready.wav", folder / "ready.ogg"
    with wave.open(str(source), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(array("h", [round(32767 * max(-1.0, min(1.0, sample))) for sample in samples]).tobytes())
    options = ["--quiet", "--bitrate", BITRATE, "--speech", "--serial", "1", "--padding", "0"]
    subprocess.run(["opusenc", *options, source, target], check=True)
    return target.read_bytes()


def main() -> int:
    """Make every clip. Returns the exit status."""
    missing = [program for program in ("espeak-ng", "opusenc") if shutil.which(program) is None]
    if missing:
        print(f"{' and '.join(missing)}: not there. On Debian: sudo apt install espeak-ng opus-tools", file=sys.stderr)
        return 1
    folder = SHIPPED / "mandarin"
    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for name, reading in readings().items():
        with tempfile.TemporaryDirectory() as scratch:
            samples, rate = spoken(reading.pinyin, Path(scratch))
            data = encoded(resampled(levelled(cut(samples, rate), rate), rate), Path(scratch))
        (folder / f"{name}.ogg").write_bytes(data)
        total += len(data)
        print(f"{name}: {numbered(reading.pinyin)}, {read_voice(data).seconds:.2f} s, {len(data):,} bytes")
    print(f"{total:,} bytes in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
