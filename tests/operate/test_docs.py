"""docs/operate.md tells of every setting, command and figure that there is, and of no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

import bot
from data.settings import Settings
from operate.metrics import HouseFigures, Metrics
from tests.support.process import ROOT

PAGE = (ROOT / "docs/operate.md").read_text()


def test_every_setting_stands_in_the_table() -> None:
    table = PAGE[PAGE.index("## Settings") : PAGE.index("## systemd")]
    told = set(re.findall(r"`([A-Z][A-Z_]+)`", "\n".join(re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE))))
    ours = {name.upper() for name in Settings.model_fields}
    assert told == ours | {"PLAYGROUND_PORT", "PLAYGROUND_STATE"}


def test_every_command_stands_in_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bot.main(["--help"])
    said = capsys.readouterr().out
    commands = set(re.findall(r"^    ([a-z]+) ", said, re.MULTILINE))
    assert {"check", "health", "audit", "backup", "restore"} <= commands
    assert set(re.findall(r"^\| `mahjong-bot ([a-z]+)", PAGE, re.MULTILINE)) == commands


class Nowhere:
    """A house with nothing in it."""

    tables = ()
    outbox = type("Outbox", (), {"depth": 0, "oldest": 0.0})
    renderer = type("Renderer", (), {"pending": 0})


def test_every_figure_stands_in_the_table_and_is_called_as_is_the_custom() -> None:
    metrics = Metrics()
    metrics.registry.register(HouseFigures(Nowhere()))  # type: ignore[arg-type]
    families = list(text_string_to_metric_families(metrics.latest().decode()))
    ours = {family.name + ("_total" if family.type == "counter" else "") for family in families}
    ours = {name for name in ours if name.startswith("mahjong_")}
    told = set(re.findall(r"mahjong_[a-z_]+", PAGE[PAGE.index("| figure |") : PAGE.index("Worth an alarm")]))
    assert told == ours
    for family in families:
        assert family.documentation
        assert family.type != "gauge" or not family.name.endswith("_total")


@pytest.mark.parametrize("name", ["operate.md", "operate.zh.md", "../deploy/mahjong-bot.service"])
def test_what_is_named_is_there(name: str) -> None:
    text = (ROOT / "docs" / name).read_text()
    named = set(re.findall(r"\b(?:deploy|docs)/[a-z.-]+[a-z]", text)) | set(re.findall(r"\]\(([^):]+)\)", text))
    for path in named:
        assert (ROOT / path).exists() or (ROOT / "docs" / path).exists(), path
    assert Path(ROOT / "compose.yaml").exists()
