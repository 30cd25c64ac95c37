"""What a release is made of: one version, one command, lock files that agree, licences that are told, a unit that
systemd understands."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.licences import ALL, RUN, TARGET, licence, locked, page
from tests.support.patience import PATIENCE
from tests.support.process import ROOT

PERMISSIVE = re.compile(r"(MIT(-CMU)?|BSD-\d-Clause|Apache-2\.0|PSF-2\.0|CNRI-Python|OFL-1\.1|MPL-2\.0|LGPL-3\.0-only)")


def test_the_command_tells_the_version_that_stands_in_one_place() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    done = subprocess.run([ROOT / "deploy/mahjong-bot", "--version"], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == f"mahjong-bot {version}\n"
    named = [
        path.name for path in (*ROOT.glob("*.py"), *ROOT.glob("operate/*.py")) if f'"{version}"' in path.read_text()
    ]
    assert named == []


def test_setup_puts_the_command_into_the_environment() -> None:
    assert "ln -sf ../../deploy/mahjong-bot $(BIN)/mahjong-bot" in (ROOT / "Makefile").read_text()
    assert (ROOT / "deploy/mahjong-bot").stat().st_mode & 0o100


def test_what_the_bot_runs_with_is_locked_as_it_is_tested() -> None:
    run, everything = locked(RUN), locked(ALL)
    assert run.items() <= everything.items()
    assert {"pytest", "mypy", "playwright"} & run.keys() == set()
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert {re.split(r"[\[~>=]", name.lower())[0] for name in wanted} <= run.keys()
    for path in (RUN, ALL):
        blocks = re.split(r"^(?=[a-z0-9.-]+==)", path.read_text(), flags=re.MULTILINE)[1:]
        assert all("--hash=sha256:" in block for block in blocks)


def test_the_list_of_licences_is_that_of_the_lock_files() -> None:
    assert TARGET.read_text() == page(), "run: make licences"


@pytest.mark.parametrize("name", sorted(locked(ALL)))
def test_every_dependency_may_be_used_like_this(name: str) -> None:
    said, home = licence(name)
    assert all(PERMISSIVE.fullmatch(part) for part in re.split(r" AND | OR ", said)), said
    assert home.startswith("http")


@pytest.mark.parametrize("package", ["manimgx-fonts", "manimgx-fonts-cjk"])
def test_fonts_come_with_their_licence(package: str) -> None:
    texts = [file.read_text() for file in distribution(package).files or [] if file.name.startswith("LICENSE")]
    assert any("SIL OPEN FONT LICENSE" in text.upper() for text in texts)


def test_sounds_come_with_their_licence() -> None:
    assert "licence" in (ROOT / "data/voice/README.md").read_text()


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("no systemd here, so its unit is not verified")
    text = (ROOT / "deploy/mahjong-bot.service").read_text()
    here = text.replace("/opt/mahjong-bot/.venv/bin/python", sys.executable).replace("/opt/mahjong-bot", str(ROOT))
    unit = tmp_path / "mahjong-bot.service"
    unit.write_text(here)
    done = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    # The .env of the checkout is for whoever set it up: the unit's user cannot read it.
    assert "WorkingDirectory=/var/lib/mahjong-bot" in text
    # What it names is there, and the paths are the same throughout.
    assert "ExecStart=/opt/mahjong-bot/.venv/bin/python /opt/mahjong-bot/bot.py" in text
    state = re.search(r"StateDirectory=(\S+)", text)
    assert state is not None
    assert f"DATABASE_PATH=/var/lib/{state[1]}/" in text
