"""Settings: whatever stands in the environment or in `.env`, they are read, or one line says which is wrong."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from unittest.mock import patch

from hypothesis import strategies as st

from data.settings import Settings, SettingsError, load_settings
from tests.fuzz.entrances import entrance, perhaps_refused
from tests.fuzz.made_up import damaged, odd_texts

SECRETS = ("TELEGRAM_BOT_TOKEN", "WEBHOOK_SECRET")
NAMES = sorted(name.upper() for name in Settings.model_fields)
EXAMPLE = (Path(__file__).parents[2] / "tests/fuzz/example.env").read_bytes()
"""Every setting with a value that will do."""
likely = st.one_of(
    odd_texts,
    st.integers().map(str),
    st.sampled_from(
        ["https://x/y", "http://[::1", "http://x:99999", "http://x:0", "https://\0", "::1", "Asia/", "/etc/passwd",
         "../../etc", ".", "Europe/Berlin", "1,,2", "1 2", ":memory:", "a/", "DEBUG", "json", "1.5", "0x10"]
    ),
)  # fmt: skip


@entrance(60, given=st.dictionaries(st.sampled_from(NAMES), likely, max_size=5))
def test_an_environment_is_read_or_refused_in_a_line(given: dict[str, str]) -> None:
    can_be = {name: value.replace("\0", "").encode("utf-8", "replace").decode() for name, value in given.items()}
    others = "".join(value for name, value in can_be.items() if name not in SECRETS)
    secrets = [
        can_be[name] for name in SECRETS if len(can_be.get(name, "").strip()) > 30 and can_be[name] not in others
    ]
    with patch.dict(os.environ, can_be, clear=True), perhaps_refused(SettingsError, *secrets):
        load_settings(None)


@entrance(60, data=damaged(EXAMPLE))
def test_a_file_is_read_or_refused_in_a_line(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, {}, clear=True):
        file = Path(folder, ".env")
        file.write_bytes(data)
        with perhaps_refused(SettingsError):
            load_settings(file)
