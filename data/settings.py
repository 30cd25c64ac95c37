"""The settings, from the environment and a ``.env`` file in the working directory (the environment wins)."""

from __future__ import annotations

import re
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from dotenv.parser import parse_stream
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

_TOKEN: Final = re.compile(r"[0-9]+:[A-Za-z0-9_-]{20,}")
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{1,256}")

_EXPECTED: Final = {
    "telegram_bot_token": "a token as BotFather gives it, like 123456789:AAE…",
    "telegram_api_url": "an address like http://127.0.0.1:8081, without /bot",
    "database_path": "the path of a file",
    "webhook_url": "an address like https://bot.example.org/hook, not with /healthz",
    "webhook_secret": "1 to 256 of the letters A-Z a-z 0-9 _ -; it is needed with WEBHOOK_URL",
    "webhook_listen": "an IP address of this machine, like 127.0.0.1 or 0.0.0.0",
    "port": "a whole number from 1 to 65535",
    "metrics_port": "a whole number from 1 to 65535, another one than PORT",
    "metrics_listen": "an IP address of this machine, like 127.0.0.1 or 0.0.0.0",
    "admin_ids": "Telegram user ids, like 12345,67890",
    "log_level": "DEBUG, INFO, WARNING or ERROR",
    "log_format": "text or json",
    "timezone": "a name of the time zone database, like Asia/Shanghai",
    "render_processes": "a whole number from 0 to 64",
}
HEALTH: Final = "/healthz"
"""Where the bot tells its health, beside the webhook or the figures."""
_SECRETS: Final = frozenset({"telegram_bot_token", "webhook_secret"})


class SettingsError(Exception):
    """A setting is wrong; ``str()`` is one line that names it and what was expected, and never shows a secret."""


class Settings(BaseSettings):
    """What the operator may set (telegram.md, Settings); names in upper case in the environment.

    ``telegram_api_url``: None is Telegram's own server. ``render_processes``: None is by cores and memory.
    ``webhook_url``: None is long polling; ``webhook_listen`` and ``port`` are where the webhook listens, by default
    for a reverse proxy on the same machine. ``metrics_listen`` and ``metrics_port``: where figures and health are
    served; None: they are not.
    """

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", frozen=True
    )

    telegram_bot_token: SecretStr | None = None
    telegram_api_url: str | None = None
    database_path: Path = Path("var/mahjong.sqlite3")
    webhook_url: str | None = None
    webhook_secret: SecretStr | None = None
    webhook_listen: str = "127.0.0.1"
    port: int = Field(default=8080, ge=1, le=65535)
    metrics_listen: str = "127.0.0.1"
    metrics_port: int | None = Field(default=None, ge=1, le=65535)
    admin_ids: Annotated[frozenset[int], NoDecode] = frozenset()
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    timezone: ZoneInfo = ZoneInfo("Asia/Shanghai")
    render_processes: int | None = Field(default=None, ge=0, le=64)

    @field_validator("*", mode="before")
    @classmethod
    def _trimmed(cls, value: object) -> object:
        return value.strip() if isinstance(value, str) else value

    @field_validator("database_path")
    @classmethod
    def _file(cls, path: Path) -> Path:
        if path.name in ("", ":memory:"):
            raise ValueError("another form")
        return path

    @field_validator("telegram_bot_token")
    @classmethod
    def _token(cls, token: SecretStr | None) -> SecretStr | None:
        return _matching(token, _TOKEN)

    @field_validator("webhook_secret")
    @classmethod
    def _secret(cls, secret: SecretStr | None) -> SecretStr | None:
        return _matching(secret, _SECRET)

    @field_validator("telegram_api_url")
    @classmethod
    def _api_url(cls, url: str | None) -> str | None:
        url = url and _address(url, {"http", "https"}).rstrip("/")
        if url and url.endswith("/bot"):
            raise ValueError("another form")
        return url

    @field_validator("webhook_url")
    @classmethod
    def _webhook_url(cls, url: str | None) -> str | None:
        # Health is served beside it.
        if url and urlsplit(url).path == HEALTH:
            raise ValueError("another form")
        return url and _address(url, {"http", "https"})

    @field_validator("webhook_listen", "metrics_listen")
    @classmethod
    def _listens(cls, address: str) -> str:
        return str(ip_address(address))

    @field_validator("admin_ids", mode="before")
    @classmethod
    def _ids(cls, ids: object) -> object:
        return [part for part in re.split(r"[\s,，、]+", ids) if part] if isinstance(ids, str) else ids

    @field_validator("admin_ids")
    @classmethod
    def _people(cls, ids: frozenset[int]) -> frozenset[int]:
        # Ids of groups are negative; no id has more than 52 bits.
        if not all(0 < number < 1 << 52 for number in ids):
            raise ValueError("another form")
        return ids

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, level: object) -> object:
        return level.strip().upper() if isinstance(level, str) else level

    @field_validator("log_format", mode="before")
    @classmethod
    def _lower(cls, form: object) -> object:
        return form.strip().lower() if isinstance(form, str) else form

    @field_validator("timezone", mode="before")
    @classmethod
    def _zone(cls, name: object) -> object:
        try:
            return ZoneInfo(name) if isinstance(name, str) else name
        except (LookupError, OSError, ValueError) as error:
            raise ValueError(str(error)) from error

    @model_validator(mode="after")
    def _guarded(self) -> Settings:
        # Only a Bot API server of one's own delivers without encryption.
        if self.webhook_url and not self.telegram_api_url and not self.webhook_url.startswith("https:"):
            raise ValueError("webhook_url")
        if self.webhook_url and not self.webhook_secret:
            raise ValueError("webhook_secret")
        if self.metrics_port == self.port and self.webhook_url:
            raise ValueError("metrics_port")
        return self


def _matching(secret: SecretStr | None, pattern: re.Pattern[str]) -> SecretStr | None:
    if secret is not None and not pattern.fullmatch(secret.get_secret_value()):
        raise ValueError("another form")
    return secret


def _address(url: str, schemes: set[str]) -> str:
    parts = urlsplit(url)
    # Asking for the port raises ValueError for one that cannot be.
    plain = url.isascii() and url.isprintable() and " " not in url and not parts.query and not parts.fragment
    if not plain or parts.scheme not in schemes or not parts.hostname or parts.port == 0:
        raise ValueError("another form")
    return url


def load_settings(env_file: Path | None = Path(".env")) -> Settings:
    """Read the settings. Raises ``SettingsError`` with one line for the first setting that is wrong."""
    options: dict[str, Any] = {"_env_file": env_file}
    try:
        _understood(env_file)
        return Settings(**options)
    except ValidationError as error:
        first = error.errors()[0]
        # A rule over several settings names the one that breaks it.
        name = str(first["loc"][0]) if first["loc"] else str(first["ctx"]["error"])
        value = first["input"] if first["loc"] else first["input"].get(name)
        found = "" if name in _SECRETS else f", found {value!r:.80}"
        raise SettingsError(f"{name.upper()}: expected {_EXPECTED[name]}{found}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{env_file} cannot be read: {error}") from None


def _understood(env_file: Path | None) -> None:
    """Raise ``SettingsError`` for a line that would be passed over."""
    if env_file is None or not env_file.exists():
        return
    with env_file.open(encoding="utf-8") as lines:
        for binding in parse_stream(lines):
            if binding.error:
                raise SettingsError(f"{env_file}, line {binding.original.line}: expected NAME=value")
