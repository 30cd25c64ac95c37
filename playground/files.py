"""Media: what was uploaded, checked as Telegram does, and found again by ``file_id``."""

from __future__ import annotations

import base64
import hashlib
import io
from dataclasses import dataclass
from typing import Any

from PIL import Image

from playground.errors import ApiError, bad_request

MEGABYTE = 1024 * 1024
MAX_UPLOAD = 50 * MEGABYTE
MAX_PHOTO = 10 * MEGABYTE
MAX_DOWNLOAD = 20 * MEGABYTE
KEPT_BYTES = 256 * MEGABYTE
"""All files together; above it the oldest are forgotten."""
PHOTO_SIZES = ((90, "s"), (320, "m"), (800, "x"), (1280, "y"), (2560, "w"))
EXTENSIONS = {
    "image/jpeg": ".jpg", "image/png": ".png", "image/webp": ".webp", "image/gif": ".gif", "video/mp4": ".mp4",
    "audio/ogg": ".ogg", "audio/mpeg": ".mp3", "audio/mp4": ".m4a",
}  # fmt: skip
FOLDERS = {"photo": "photos", "document": "documents", "voice": "voice", "animation": "animations"}
# The first letters of a file_id tell its kind, as in Telegram.
PREFIXES = {"photo": "AgACAgUAAxk", "document": "BQACAgUAAxk", "voice": "AwACAgUAAxk", "animation": "CgACAgUAAxk"}


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came in with a call."""

    name: str
    data: bytes
    mime_type: str | None = None


@dataclass(frozen=True, slots=True)
class Media:
    """A stored file. ``unique_id`` names it for good; ``width`` and ``height`` in pixels, ``duration`` in seconds."""

    kind: str
    file_id: str
    unique_id: str
    path: str
    data: bytes
    file_name: str
    mime_type: str
    width: int | None = None
    height: int | None = None
    duration: int | None = None

    @property
    def name(self) -> str:
        """The last part of its address at the control interface."""
        return self.unique_id + EXTENSIONS.get(self.mime_type, ".bin")

    def object(self) -> Any:
        """The Bot API object: PhotoSize list, Document, Voice or Animation."""
        if self.kind == "photo":
            return self._sizes()
        found: dict[str, Any] = {"file_id": self.file_id, "file_unique_id": self.unique_id}
        if self.kind == "animation":
            found |= {"width": self.width or 320, "height": self.height or 240, "duration": self.duration or 0}
        if self.kind == "voice":
            found["duration"] = self.duration or 0
        else:
            found["file_name"] = self.file_name
        return found | {"mime_type": self.mime_type, "file_size": len(self.data)}

    def _sizes(self) -> list[dict[str, Any]]:
        width, height = self.width or 1, self.height or 1
        longest = max(width, height)
        sizes = []
        for limit, letter in PHOTO_SIZES:
            scale = min(1.0, limit / longest)
            whole = longest <= limit or limit == PHOTO_SIZES[-1][0]
            sizes.append(
                {
                    "file_id": self.file_id if whole else f"{self.file_id}{letter}",
                    "file_unique_id": self.unique_id if whole else f"{self.unique_id}{letter}",
                    "width": max(1, round(width * scale)),
                    "height": max(1, round(height * scale)),
                    "file_size": len(self.data) if whole else max(1, int(len(self.data) * scale * scale)),
                }
            )
            if whole:
                break
        return sizes


class Files:
    """All media of a world, by file id and by path. Ids count up, so that the same calls give the same ids."""

    def __init__(self) -> None:
        self._by_id: dict[str, Media] = {}
        self._by_path: dict[str, Media] = {}
        self._by_name: dict[str, Media] = {}
        self.count = 0
        self._bytes = 0

    def store(self, kind: str, upload: Upload, **about: int | None) -> Media:
        """Checks and keeps an upload. Raises ApiError 400 for what is not a file of that kind."""
        data = upload.data
        if not data:
            raise bad_request("file must be non-empty")
        if len(data) > MAX_UPLOAD:
            raise ApiError(413, "Request Entity Too Large")
        mime_type = upload.mime_type or "application/octet-stream"
        width = height = None
        if kind == "photo":
            if len(data) > MAX_PHOTO:
                raise bad_request(
                    f"file of size {len(data)} bytes is too big for a photo; the maximum size is {MAX_PHOTO} bytes"
                )
            mime_type, width, height = picture(data)
            if width + height > 10_000 or max(width, height) > 20 * min(width, height):
                raise bad_request("PHOTO_INVALID_DIMENSIONS")
        elif kind == "voice":
            mime_type = audio(data)
        elif kind == "animation":
            mime_type, width, height = animation(data)
            width, height = about.get("width") or width, about.get("height") or height
        self.count += 1
        digest = hashlib.sha256(b"%d:%s" % (self.count, hashlib.sha256(data).digest())).digest()
        code = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        name = upload.name or f"file_{self.count}"
        media = Media(
            kind=kind,
            file_id=PREFIXES[kind] + code,
            unique_id="AQAD" + code[:12],
            path=f"{FOLDERS[kind]}/file_{self.count}{EXTENSIONS.get(mime_type, '.bin')}",
            data=data,
            file_name=name,
            mime_type=mime_type,
            width=width,
            height=height,
            duration=about.get("duration"),
        )
        self.put(media)
        return media

    def put(self, media: Media) -> None:
        """Keeps a file as it is."""
        self._by_id[media.file_id] = self._by_path[media.path] = self._by_name[media.name] = media
        self._bytes += len(media.data)
        while self._bytes > KEPT_BYTES:
            self._forget(next(iter(self._by_id.values())))

    def all(self) -> list[Media]:
        """All that is kept, the oldest first."""
        return list(self._by_id.values())

    def _forget(self, media: Media) -> None:
        del self._by_id[media.file_id], self._by_path[media.path], self._by_name[media.name]
        self._bytes -= len(media.data)

    def by_id(self, file_id: str) -> Media | None:
        """The file of a file_id, also of a smaller size of a photo."""
        return self._by_id.get(file_id) or self._by_id.get(file_id[:-1])

    def by_path(self, path: str) -> Media | None:
        """For ``/file/bot<token>/<path>``."""
        return self._by_path.get(path)

    def by_name(self, name: str) -> Media | None:
        """For ``/control/media/<name>``."""
        return self._by_name.get(name)


def picture(data: bytes) -> tuple[str, int, int]:
    """Type and size of a JPEG, PNG or WEBP; only its head is read. Raises ApiError 400 if it is none."""
    try:
        with Image.open(io.BytesIO(data), formats=("JPEG", "PNG", "WEBP")) as image:
            return str(Image.MIME[image.format or ""]), image.width, image.height
    except (OSError, KeyError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise bad_request("IMAGE_PROCESS_FAILED") from None


def audio(data: bytes) -> str:
    """Type of a voice note. Raises ApiError 400 if it is none that Telegram plays as one."""
    if data[:4] == b"OggS":
        return "audio/ogg"
    if data[:3] == b"ID3" or (data[0] == 0xFF and len(data) > 1 and data[1] & 0xE0 == 0xE0):
        return "audio/mpeg"
    if data[4:8] == b"ftyp":
        return "audio/mp4"
    raise bad_request("VOICE_FILE_INVALID: voice notes are OGG with Opus, MP3 or M4A")


def animation(data: bytes) -> tuple[str, int | None, int | None]:
    """Type and size of a GIF or an MP4 (whose size is not read)."""
    if data[4:8] == b"ftyp":
        return "video/mp4", None, None
    try:
        with Image.open(io.BytesIO(data), formats=("GIF",)) as image:
            return "image/gif", image.width, image.height
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise bad_request("ANIMATION_FILE_INVALID: animations are GIF or MP4 without sound") from None
