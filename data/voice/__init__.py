"""The calls as sound: which files there are for each tongue, and how each call is read (render.md, *Sound*).

A call is looked up in the operator's ``data/voice/TONGUE/CALL.ogg``, then among the clips that come with the bot
(``data/voice/shipped``); where there is neither, it is said in words.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, get_args

from data.voice.ogg import RATE, BadVoice, read_voice
from mahjong.calls import CALLS

__all__ = ["RATE", "SHIPPED", "TONGUES", "Clip", "Clips", "File", "Reading", "Tongue", "readings", "survey"]

log = logging.getLogger(__name__)

Tongue = Literal["mandarin", "zhangzhou"]
TONGUES: Final[tuple[Tongue, ...]] = get_args(Tongue)
FOLDER: Final = Path(__file__).parent
SHIPPED: Final = FOLDER / "shipped"
LONGEST: Final = 5.0
"""Seconds that a call may take."""
LARGEST: Final = 64_000
"""Bytes that a clip may have."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How a call is read aloud: Mandarin in Pinyin, Zhangzhou in Tâi-lô."""

    pinyin: str
    tailo: str


@dataclass(frozen=True, slots=True)
class Clip:
    """A voice note to upload. ``digest`` names its sound; ``seconds`` as whole ones, as the Bot API wants them."""

    name: str
    digest: str
    seconds: int
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class File:
    """What there is for one call in one tongue. ``path``: of the file that is used, or of the one that is broken.

    ``wrong``: what is wrong with an operator's file; it is left aside then. ``seconds``: 0.0 where there is no sound.
    """

    call: str
    tongue: Tongue
    path: Path | None
    own: bool = False
    seconds: float = 0.0
    wrong: str | None = None


def readings() -> dict[str, Reading]:
    """All calls in their order, with their readings."""
    kept = json.loads((FOLDER / "calls.json").read_text("utf-8"))
    return {name: Reading(**kept[name]) for name in CALLS}


class Clips:
    """The sounds there are, read once."""

    def __init__(self, clips: dict[tuple[str, str], Clip]) -> None:
        self._clips = clips
        self._readings = readings()

    @classmethod
    def load(cls, folder: Path = FOLDER) -> Clips:
        """Read all files; what is broken is logged and left aside."""
        found: dict[tuple[str, str], Clip] = {}
        for file in survey(folder):
            if file.wrong is not None:
                log.warning("%s is left aside: %s", file.path, file.wrong)
        for file in survey(folder, broken=False):
            if file.path is not None:
                data = file.path.read_bytes()
                seconds = max(1, round(file.seconds))
                found[file.tongue, file.call] = Clip(file.call, sha256(data).hexdigest(), seconds, data)
        return cls(found)

    def clip(self, tongue: str, call: str) -> Clip | None:
        """The sound of a call; None if it is to be said in words."""
        return self._clips.get((tongue, call))

    def reading(self, tongue: str, call: str) -> str | None:
        """How a call is read, where its characters do not tell: in Zhangzhou's tongue."""
        return self._readings[call].tailo if tongue == "zhangzhou" else None


def survey(folder: Path = FOLDER, *, broken: bool = True) -> list[File]:
    """What there is for each call in each tongue. ``broken``: an operator's broken file stands for its call, else what
    takes its place."""
    found = []
    for tongue in TONGUES:
        for call in CALLS:
            own = look(folder / tongue / f"{call}.ogg", call, tongue, own=True)
            shipped = look(folder / "shipped" / tongue / f"{call}.ogg", call, tongue)
            if own.path is not None and (own.wrong is None or broken):
                found.append(own)
            else:
                found.append(shipped if shipped.wrong is None else File(call, tongue, None))
    return found


def look(path: Path, call: str, tongue: Tongue, *, own: bool = False) -> File:
    """One file as it is."""
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= LARGEST else b""
    except FileNotFoundError:
        return File(call, tongue, None)
    except OSError as error:
        return File(call, tongue, path, own, wrong=f"it cannot be read ({error.strerror})")
    if size > LARGEST:
        return File(call, tongue, path, own, wrong=f"it has {size:,} bytes; {LARGEST:,} at most")
    try:
        voice = read_voice(data)
    except BadVoice as error:
        return File(call, tongue, path, own, wrong=str(error))
    if voice.seconds > LONGEST:
        return File(call, tongue, path, own, voice.seconds, f"it takes {voice.seconds:.1f} s; {LONGEST:g} at most")
    return File(call, tongue, path, own, voice.seconds)
