"""Sounds: what ships are voice notes as Telegram wants them; an operator's recordings go first, unless broken."""

from __future__ import annotations

import json
import logging
import struct
from pathlib import Path

import pytest

import bot
from data.voice import FOLDER, LARGEST, SHIPPED, Clips, readings, survey
from data.voice.make import numbered
from data.voice.ogg import RATE, BadVoice, read_voice
from mahjong.calls import CALLS
from operate import commands

FILES = sorted(SHIPPED.rglob("*.ogg"))
PONG = SHIPPED / "mandarin" / "pong.ogg"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_ships_is_mono_opus_at_48_khz_of_a_calls_length(path: Path) -> None:
    voice = read_voice(path.read_bytes())
    assert voice.rate == RATE
    assert 0.4 <= voice.seconds <= 1.2


def test_every_call_is_read_in_both_tongues_and_ships_in_mandarin() -> None:
    assert list(json.loads((FOLDER / "calls.json").read_text("utf-8"))) == list(CALLS) == list(readings())
    assert {path.stem for path in FILES} == set(CALLS)
    assert sum(path.stat().st_size for path in FILES) <= 400_000
    for reading in readings().values():
        assert "5" not in numbered(reading.pinyin), "each syllable has a tone"


BROKEN = {
    "empty": (b"", "no sound"),
    "no OGG": (b"RIFF" + bytes(100), "not OGG"),
    "cut off": (PONG.read_bytes()[:-100], "cut off"),
    "a byte changed": (PONG.read_bytes()[:900] + b"\0" + PONG.read_bytes()[901:], "checksum"),
    "its head alone": (PONG.read_bytes()[:47], "no sound"),
    "noise behind it": (PONG.read_bytes() + b"noise", "damaged"),
    "two in one": (PONG.read_bytes() * 2, "more than one stream"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_voice_note_is_told_by_what_is_wrong(name: str) -> None:
    data, words = BROKEN[name]
    with pytest.raises(BadVoice, match=words):
        read_voice(data)


def page(number: int, flags: int, granule: int, body: bytes) -> bytes:
    """A page of OGG with one packet."""
    from data.voice.ogg import _checksum

    lacing = bytes([255] * (len(body) // 255) + [len(body) % 255])
    head = b"OggS\0" + struct.pack("<BqII", flags, granule, 7, number)
    rest = bytes([len(lacing)]) + lacing + body
    return head + struct.pack("<I", _checksum(head + bytes(4) + rest)) + rest


FRAME = bytes([1 << 3, 0])
"""20 ms of silence (SILK)."""


def first_page(channels: int = 1, head: bytes = b"OpusHead") -> bytes:
    """The first page of a stream, of whose sound the first 312 samples are skipped."""
    return page(0, 2, 0, head + struct.pack("<BBHIHB", 1, channels, 312, RATE, 0, 0))


def song(seconds: float, channels: int = 1, head: bytes = b"OpusHead") -> bytes:
    """A file with so much silence (frames of 20 ms, SILK)."""
    frames = round(seconds * 50)
    pages = [first_page(channels, head), page(1, 0, 0, b"OpusTags" + bytes(8))]
    for number in range(frames):
        last = number == frames - 1
        pages.append(page(number + 2, 4 if last else 0, 960 * (number + 1), FRAME))
    return b"".join(pages)


@pytest.mark.parametrize(
    ("pages", "words"),
    [
        ([first_page(), page(1, 0, 0, b"NoTags.."), page(2, 4, 960, FRAME)], "tags"),
        ([first_page(), page(1, 0, 0, b"OpusTags"), page(2, 0, 960, FRAME)], "its end is missing"),
        ([first_page(), page(1, 0, 0, b"OpusTags"), page(2, 4, 961, FRAME)], "length"),
        ([first_page(), page(1, 0, 0, b"OpusTags"), page(2, 4, 312, FRAME)], "length"),
        ([first_page(), page(1, 0, 0, b"OpusTags"), page(2, 4, 960, b"")], "an empty packet"),
    ],
)
def test_a_stream_that_is_not_whole_is_told_by_what_is_wrong(pages: list[bytes], words: str) -> None:
    with pytest.raises(BadVoice, match=words):
        read_voice(b"".join(pages))


@pytest.mark.parametrize(
    ("configuration", "milliseconds"), [(0, 10), (3, 60), (12, 10), (13, 20), (16, 2.5), (19, 20), (31, 20)]
)
def test_a_packets_length_is_that_of_its_frames(configuration: int, milliseconds: float) -> None:
    """RFC 6716, 3.1 and 3.2: one frame, two alike, two that differ, or as many as the second byte says."""
    for code, rest, frames in ((0, b"", 1), (1, b"", 2), (2, b"", 2), (3, b"\x03", 3)):
        samples = round(frames * milliseconds * RATE / 1000)
        packets = [bytes([configuration << 3 | code]) + rest] * 20
        body = [page(at + 2, 4 * (at == 19), samples * (at + 1), packet) for at, packet in enumerate(packets)]
        voice = read_voice(b"".join([first_page(), page(1, 0, 0, b"OpusTags"), *body]))
        assert voice.seconds == pytest.approx((20 * samples - 312) / RATE)


def test_length_channels_and_codec_are_read() -> None:
    assert read_voice(song(2)).seconds == pytest.approx(2 - 312 / RATE)
    with pytest.raises(BadVoice, match="2 channels"):
        read_voice(song(1, channels=2))
    with pytest.raises(BadVoice, match="not Opus"):
        read_voice(song(1, head=b"\x01vorbis."))


def test_an_operators_recording_goes_first_and_a_broken_one_is_left_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "shipped").symlink_to(SHIPPED)
    for tongue in ("mandarin", "zhangzhou"):
        (tmp_path / tongue).mkdir()
    (tmp_path / "mandarin" / "pong.ogg").write_bytes(song(1))
    (tmp_path / "mandarin" / "kong.ogg").write_bytes(b"mp3")
    (tmp_path / "zhangzhou" / "hu.ogg").write_bytes(song(5.5))
    (tmp_path / "zhangzhou" / "pong.ogg").write_bytes(song(0.7))
    (tmp_path / "zhangzhou" / "gold.ogg").write_bytes(bytes(LARGEST + 1))
    with caplog.at_level(logging.WARNING):
        clips = Clips.load(tmp_path)
    shipped = Clips.load()
    pong, kong = clips.clip("mandarin", "pong"), clips.clip("mandarin", "kong")
    assert pong is not None
    assert pong.data == song(1)
    assert kong == shipped.clip("mandarin", "kong"), "what ships takes the place of a broken one"
    assert clips.clip("zhangzhou", "pong") is not None
    assert clips.clip("zhangzhou", "hu") is None
    assert shipped.clip("zhangzhou", "pong") is None
    assert clips.reading("zhangzhou", "pong") == "phòng"
    assert clips.reading("mandarin", "pong") is None
    wrong = {(file.tongue, file.call): file.wrong for file in survey(tmp_path) if file.wrong is not None}
    assert set(wrong) == {("mandarin", "kong"), ("zhangzhou", "hu"), ("zhangzhou", "gold")}
    assert len(caplog.records) == 3


def test_the_list_names_every_call_and_what_is_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert bot.main(["voices"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 * len(CALLS)
    assert "data/voice/mandarin/pong.ogg\t碰\tpèng\tcomes with the bot, 0.6 s" in lines
    assert "data/voice/zhangzhou/rob_gold.ogg\t搶金\ttshiónn-kim\tmissing: said in words" in lines
    (tmp_path / "zhangzhou").mkdir()
    (tmp_path / "zhangzhou" / "hu.ogg").write_bytes(b"no")
    monkeypatch.setattr(commands, "survey", lambda: survey(tmp_path))
    assert bot.main(["voices"]) == 1
    printed = capsys.readouterr()
    assert "broken: it is not OGG" in printed.out
    assert "1 broken" in printed.err
