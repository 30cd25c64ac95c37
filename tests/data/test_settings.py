"""Settings: defaults, ``.env``, and one line for what is wrong."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from data.settings import Settings, SettingsError, load_settings

TOKEN = "123456789:AAE" + "x" * 32
SECRET = "a-Secret_1"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
        monkeypatch.delenv(name, raising=False)


def test_defaults(tmp_path: Path) -> None:
    settings = load_settings(tmp_path / ".env")
    assert settings.model_dump() == {
        "telegram_bot_token": None,
        "telegram_api_url": None,
        "database_path": Path("var/mahjong.sqlite3"),
        "webhook_url": None,
        "webhook_secret": None,
        "webhook_listen": "127.0.0.1",
        "port": 8080,
        "metrics_listen": "127.0.0.1",
        "metrics_port": None,
        "admin_ids": frozenset(),
        "log_level": "INFO",
        "log_format": "text",
        "timezone": ZoneInfo("Asia/Shanghai"),
        "render_processes": None,
    }


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = tmp_path / ".env"
    env.write_text(
        f"TELEGRAM_BOT_TOKEN={TOKEN}\nTELEGRAM_API_URL=http://127.0.0.1:8081/\nDATABASE_PATH='a b.sqlite3'\n"
        f"WEBHOOK_URL=https://bot.example.org/hook\nWEBHOOK_SECRET={SECRET}\nPORT=9000\nADMIN_IDS=1, 22,333\n"
        "LOG_LEVEL=debug\nLOG_FORMAT=json\nTIMEZONE=Europe/Berlin\nRENDER_PROCESSES=0\nOTHER=x\n"
    )
    monkeypatch.setenv("PORT", " 9001 ")
    settings = load_settings(env)
    assert settings.telegram_bot_token is not None
    assert settings.telegram_bot_token.get_secret_value() == TOKEN
    assert settings.webhook_secret is not None
    assert settings.webhook_secret.get_secret_value() == SECRET
    assert settings.telegram_api_url == "http://127.0.0.1:8081"
    assert settings.database_path == Path("a b.sqlite3")
    assert settings.port == 9001
    assert settings.admin_ids == {1, 22, 333}
    assert (settings.log_level, settings.log_format) == ("DEBUG", "json")
    assert settings.timezone.key == "Europe/Berlin"
    assert settings.render_processes == 0


def test_no_secret_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", TOKEN)
    monkeypatch.setenv("WEBHOOK_SECRET", SECRET)
    settings = load_settings(None)
    assert TOKEN not in f"{settings} {settings!r}"
    assert SECRET not in f"{settings} {settings!r}"


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("TELEGRAM_BOT_TOKEN", "mistyped", "TELEGRAM_BOT_TOKEN: expected a token as BotFather gives it, like 123"),
        ("TELEGRAM_BOT_TOKEN", TOKEN[1:] + "!", "TELEGRAM_BOT_TOKEN: expected"),
        (
            "TELEGRAM_API_URL",
            "localhost",
            "TELEGRAM_API_URL: expected an address like http://127.0.0.1:8081, without /bot, found",
        ),
        ("TELEGRAM_API_URL", "http://x.org/bot/", "TELEGRAM_API_URL: expected"),
        ("TELEGRAM_API_URL", "http://x org", "TELEGRAM_API_URL: expected"),
        ("WEBHOOK_URL", "http://x.org", "WEBHOOK_URL: expected an address like https://bot.example.org/hook, not with"),
        ("WEBHOOK_URL", "https://x.org/healthz", "WEBHOOK_URL: expected"),
        ("WEBHOOK_URL", "https://x.org/牌", "WEBHOOK_URL: expected"),
        ("WEBHOOK_URL", "https://x.org/h", "WEBHOOK_SECRET: expected 1 to 256 of the letters A-Z a-z 0-9 _ -; it is"),
        ("WEBHOOK_LISTEN", "localhost", "WEBHOOK_LISTEN: expected an IP address of this machine, like 127.0.0.1 or"),
        ("METRICS_LISTEN", "eth0", "METRICS_LISTEN: expected an IP address"),
        (
            "METRICS_PORT",
            "0",
            "METRICS_PORT: expected a whole number from 1 to 65535, another one than PORT, found '0'",
        ),
        ("WEBHOOK_SECRET", "päss wörd", "WEBHOOK_SECRET: expected 1 to 256 of the letters"),
        ("PORT", "70000", "PORT: expected a whole number from 1 to 65535, found '70000'"),
        ("PORT", "80.5", "PORT: expected a whole number from 1 to 65535, found '80.5'"),
        ("ADMIN_IDS", "1;2", "ADMIN_IDS: expected Telegram user ids, like 12345,67890, found '1;2'"),
        ("ADMIN_IDS", "-1001234567890", "ADMIN_IDS: expected"),
        ("ADMIN_IDS", "1,0", "ADMIN_IDS: expected"),
        ("ADMIN_IDS", "9" * 20, "ADMIN_IDS: expected"),
        ("LOG_LEVEL", "loud", "LOG_LEVEL: expected DEBUG, INFO, WARNING or ERROR, found 'LOUD'"),
        ("LOG_FORMAT", "xml", "LOG_FORMAT: expected text or json, found 'xml'"),
        ("TIMEZONE", "Mars/Olympus", "TIMEZONE: expected a name of the time zone database, like Asia/Shanghai, found"),
        ("TIMEZONE", "../../etc/passwd", "TIMEZONE: expected"),
        ("RENDER_PROCESSES", "-1", "RENDER_PROCESSES: expected a whole number from 0 to 64, found '-1'"),
    ],
)
def test_a_wrong_setting_is_named_in_one_line(tmp_path: Path, name: str, value: str, line: str) -> None:
    env = tmp_path / ".env"
    env.write_text(f"{name}={value}\n", "utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(env)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)
    assert TOKEN[1:] not in str(caught.value)
    assert "päss" not in str(caught.value)


def test_ids_may_be_parted_as_a_chinese_keyboard_does_and_names_be_in_capitals(tmp_path: Path) -> None:
    env = tmp_path / ".env"
    env.write_text("ADMIN_IDS=12345，67890、7\nLOG_FORMAT=JSON\n", "utf-8")
    settings = load_settings(env)
    assert (settings.admin_ids, settings.log_format) == ({12345, 67890, 7}, "json")


def test_a_server_of_ones_own_may_deliver_without_encryption(tmp_path: Path) -> None:
    env = tmp_path / ".env"
    env.write_text(f"TELEGRAM_API_URL=http://127.0.0.1:8081\nWEBHOOK_URL=http://127.0.0.1/h\nWEBHOOK_SECRET={SECRET}\n")
    assert load_settings(env).webhook_url == "http://127.0.0.1/h"


def test_figures_and_the_webhook_want_two_ports(tmp_path: Path) -> None:
    env = tmp_path / ".env"
    env.write_text(f"WEBHOOK_URL=https://x.org/h\nWEBHOOK_SECRET={SECRET}\nPORT=9000\nMETRICS_PORT=9000\n")
    with pytest.raises(SettingsError, match=r"^METRICS_PORT: expected .* another one than PORT, found '9000'$"):
        load_settings(env)


@pytest.mark.parametrize(("text", "line"), [("PORT=9000\nLOG LEVEL=INFO\n", 2), ('A=1\n\nADMIN_IDS="12\nPORT=1\n', 2)])
def test_a_line_that_says_nothing_is_not_passed_over(tmp_path: Path, text: str, line: int) -> None:
    env = tmp_path / ".env"
    env.write_text(text)
    with pytest.raises(SettingsError, match=rf"\.env, line {line}: expected NAME=value$"):
        load_settings(env)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    env = tmp_path / ".env"
    env.write_bytes(b"PORT=\xff\n")
    with pytest.raises(SettingsError, match=r"\.env cannot be read"):
        load_settings(env)


def test_an_empty_value_is_no_value(tmp_path: Path) -> None:
    env = tmp_path / ".env"
    env.write_text("TELEGRAM_BOT_TOKEN=\nPORT=\nADMIN_IDS=\n")
    assert load_settings(env).telegram_bot_token is None


def test_a_folder_in_place_of_the_file_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    with pytest.raises(SettingsError, match=r"\.env cannot be read: .*[Dd]irectory"):
        load_settings(tmp_path / ".env")
