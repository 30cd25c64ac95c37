"""Reads what a voice note must be: OGG with one mono stream of Opus (RFC 3533, RFC 7845; Bot API: sendVoice)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

RATE: Final = 48_000
"""Opus counts its samples at this rate, whatever was recorded."""
_LAST: Final = 4
_POLYNOMIAL: Final = 0x04C11DB7
# Samples a frame at 48 kHz by the configuration of a packet (RFC 6716, table 2).
_SILK: Final = (480, 960, 1920, 2880)
_HYBRID: Final = (480, 960)
_CELT: Final = (120, 240, 480, 960)


class BadVoice(ValueError):
    """No voice note: the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Voice:
    """What the headers of a voice note tell. ``seconds``: how long it plays; ``rate``: of what was recorded, in Hz."""

    seconds: float
    rate: int


def read_voice(data: bytes) -> Voice:
    """Read a file; every page's checksum is looked at, and the length of every packet. Raises ``BadVoice``."""
    packets, granule, ended = _packets(data)
    if len(packets) < 3:
        raise BadVoice("there is no sound in it")
    head = packets[0]
    if len(head) < 19 or head[:8] != b"OpusHead" or head[8] >> 4:
        raise BadVoice("it is OGG, but not Opus")
    channels, skipped, rate = head[9], *struct.unpack("<HI", head[10:16])
    if channels != 1:
        raise BadVoice(f"it has {channels} channels; one is wanted (mono)")
    if packets[1][:8] != b"OpusTags":
        raise BadVoice("its second packet is not the one with the tags")
    if not ended:
        raise BadVoice("its end is missing")
    samples = sum(map(_samples, packets[2:]))
    if not skipped < granule <= samples:
        raise BadVoice("its length is not that of its packets")
    return Voice((granule - skipped) / RATE, rate)


def _packets(data: bytes) -> tuple[list[bytes], int, bool]:
    """The packets of the one stream, the samples at its end, and whether its last page is there."""
    packets: list[bytes] = []
    open_packet = b""
    serial, granule, ended, at, number = None, 0, False, 0, 0
    while at < len(data):
        page = data[at : at + 27]
        if len(page) < 27 or page[:5] != b"OggS\0":
            raise BadVoice("it is not OGG" if at == 0 else "it is damaged: a page does not begin where it should")
        flags, position, whose, order, checksum, segments = struct.unpack("<BqIIIB", page[5:27])
        lacing = data[at + 27 : at + 27 + segments]
        body_at = at + 27 + segments
        end = body_at + sum(lacing)
        if len(lacing) < segments or end > len(data):
            raise BadVoice("it is cut off")
        if _checksum(data[at : at + 22] + bytes(4) + data[at + 26 : end]) != checksum:
            raise BadVoice("it is damaged: a checksum is wrong")
        if serial is None:
            serial = whose
        if whose != serial or order != number:
            raise BadVoice("it has more than one stream, or a page is missing")
        for length in lacing:
            open_packet += data[body_at : body_at + length]
            body_at += length
            if length < 255:
                packets.append(open_packet)
                open_packet = b""
        if position >= 0:
            granule = position
        ended = bool(flags & _LAST)
        number += 1
        at = end
    return packets, granule, ended


def _samples(packet: bytes) -> int:
    """How long a packet of Opus plays, by its first bytes (RFC 6716, 3.1)."""
    if not packet:
        raise BadVoice("it has an empty packet")
    configuration, code = packet[0] >> 3, packet[0] & 3
    if configuration < 12:
        frame = _SILK[configuration % 4]
    elif configuration < 16:
        frame = _HYBRID[configuration % 2]
    else:
        frame = _CELT[configuration % 4]
    if code < 3:
        return frame * (1, 2, 2)[code]
    return frame * (packet[1] & 63 if len(packet) > 1 else 0)


def _table() -> tuple[int, ...]:
    values = []
    for byte in range(256):
        value = byte << 24
        for _ in range(8):
            value = (value << 1 ^ _POLYNOMIAL if value & 0x80000000 else value << 1) & 0xFFFFFFFF
        values.append(value)
    return tuple(values)


_TABLE: Final = _table()


def _checksum(page: bytes) -> int:
    value = 0
    for byte in page:
        value = (value << 8 & 0xFFFFFFFF) ^ _TABLE[value >> 24 ^ byte]
    return value
