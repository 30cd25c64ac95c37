"""What the documentation says can be done is done here: its commands run, its links lead somewhere."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from data.settings import Settings
from data.store import Store
from handlers.commands import COMMANDS
from playground.server import Playground
from playground.world import World
from tests.support.patience import PATIENCE
from tests.support.process import ROOT, tell

PAGES = [
    *sorted(ROOT.glob("README*.md")),
    *(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "docs/design/README.md",
]
ELSEWHERE = {
    "sudo ": "wants root",
    "docker ": "wants a Docker engine; tests/test_image.py does what the Dockerfile says",
    "journalctl ": "wants systemd; tests/test_release.py has it read the unit",
    "git clone ": "wants the address of the repository",
    "git pull": "wants the address of the repository",
    "cd /opt/": "names the folder of an installation",
    "WEBHOOK_": "a line of .env; tests/operate/test_web.py sets it",
    ".venv/bin/python -m pytest ": "tests of this very run",
    ".venv/bin/python -m mahjong simulate --rules plain ": "a game of its page; tests/mahjong/test_new_game.py runs it",
    ".venv/bin/python -m mahjong play plain.jsonl": "likewise",
    ".venv/bin/mypy": "a minute from cold; `make test` runs it",
    ".venv/bin/python -m tests.bench --shapes": "takes minutes, and installs what it compares with",
    ".venv/bin/python -m tests.bench --load": "a minute of load; tests/bench is measured, not tested",
}
"""Commands that are not run here, by what they begin with, and why."""

SMALLER = (
    (r"(tests\.simulate .*)--hands \S+", r"\1--hands 1"),
    (r"(mahjong simulate .*)--hands \S+", r"\1--hands 8"),
    (r"\bRULES\b", "zhangzhou"),
    (r"--seed (\d+)(.*)--records FILE", r"--seed \1\2--records strength-\1.jsonl"),
    (r"strength FILE …", "strength strength-*.jsonl"),
    (r"^python -m playground \[.*", ".venv/bin/python -m playground --help"),
    (r"^(\S*mahjong-bot)$", r"exec \1"),
    (r"^(\S*mahjong-bot restore .*)2026-05-01", r"DATABASE_PATH=var/back.sqlite3 \1$(date +%F)"),
)
"""What is made smaller, or given what its words stand for, before a command runs."""


class Line(NamedTuple):
    """A command of a page."""

    page: Path
    number: int
    command: str


def commands(page: Path) -> list[Line]:
    """The shell lines of a page: what is indented by four after an empty line, outside of fences."""
    found, fenced, inside, kept = [], False, False, ""
    above = ""
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        inside = line.startswith("    ") and not fenced and (inside or not above)
        if inside:
            kept += line.strip()
            if kept.endswith("\\"):
                kept = kept[:-1]
            else:
                found.append(Line(page, number, kept))
                kept = ""
        above = line
    return found


def own(page: Path) -> list[str]:
    """The commands of a page that no page before it has."""
    before = {line.command for other in PAGES[: PAGES.index(page)] for line in commands(other)}
    return [line.command for line in commands(page) if line.command not in before]


EVERY = [line for page in PAGES for line in commands(page)]


def elsewhere(command: str) -> bool:
    return any(command.startswith(start) for start in ELSEWHERE)


def target(command: str) -> str | None:
    """The target of a ``make`` command."""
    found = re.match(r"make ([a-z]+)", command)
    return found[1] if found else None


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the working tree as it is, with the environment, and a database."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split("\n")
    there = tmp_path / "checkout"
    for path in filter(None, listed):
        if not path.startswith(("tests/render/golden/", "docs/pictures/")) and (ROOT / path).is_file():
            (there / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, there / path)
    real = ROOT / ".venv"
    (there / ".venv/bin").mkdir(parents=True)
    for entry in (*real.iterdir(), *(real / "bin").iterdir()):
        copy = there / ".venv" / entry.relative_to(real)
        if not copy.exists():
            copy.symlink_to(entry.readlink() if entry.name == "mahjong-bot" else entry.absolute())

    async def begin() -> None:
        (there / "var").mkdir()
        await (await Store.open(there / "var/mahjong.sqlite3")).close()
        (there / "var/mahjong.sqlite3").chmod(0o600)

    asyncio.run(begin())
    return there


@pytest.mark.parametrize("page", [page for page in PAGES if own(page)], ids=name)
def test_every_command_of_a_page_runs(page: Path, checkout: Path) -> None:
    fresh = own(page)
    lines = [
        line
        for line in commands(page)
        if line.command in fresh and not elsewhere(line.command) and not target(line.command)
    ]

    async def run() -> None:
        playground = Playground(World)
        playground.listen(0, "127.0.0.1")
        operator = next(iter(playground.world.people))
        playground.world.crowd.start(operator)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(checkout),
            "TELEGRAM_BOT_TOKEN": playground.world.token,
            "TELEGRAM_API_URL": f"http://127.0.0.1:{playground.port}",
            "ADMIN_IDS": str(operator),
            "RENDER_PROCESSES": "0",
        }
        for line in lines:
            command = line.command
            for old, new in SMALLER:
                command = re.sub(old, new, command)
            process = await asyncio.create_subprocess_exec(
                "bash", "-ec", command, cwd=checkout, env=environment,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            )  # fmt: skip
            if command.startswith("exec "):
                # The bot itself: it runs until it is told to stop.
                assert process.stdout is not None
                while b"is running" not in await asyncio.wait_for(process.stdout.readline(), PATIENCE):
                    assert process.returncode is None, command
                tell(process, signal.SIGTERM)
            said, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
            assert process.returncode == 0, f"{name(page)}:{line.number}: {command}\n{said.decode()[-2000:]}"
        await playground.close()

    asyncio.run(run())


def test_every_reason_to_leave_a_command_out_is_needed() -> None:
    for start, why in ELSEWHERE.items():
        assert why
        assert any(line.command.startswith(start) for line in EVERY), start
    for old, _ in SMALLER:
        assert any(re.search(old, line.command) for line in EVERY), old


def test_every_target_that_is_named_is_one_of_the_makefile() -> None:
    named = {wanted for line in EVERY if (wanted := target(line.command))}
    for page in PAGES:
        named |= set(re.findall(r"`(?:[A-Z_]+=\S+ )?make ([a-z]+)`", page.read_text("utf-8")))
    assert {"run", "test", "setup"} <= named
    done = subprocess.run(["make", "-n", *sorted(named)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_what_is_named_within_a_sentence_is_there(page: Path) -> None:
    """Modules of ``python -m``, tests, and commands of the bot's program."""
    text = page.read_text("utf-8")
    for module in set(re.findall(r"python -m ([a-z_.]+[a-z_])", text)):
        assert find_spec(module) is not None, module
    for path in set(re.findall(r"\btests/[\w./*]*\w", text)):
        assert list(ROOT.glob(path)), path
    known = set(re.findall(r"^\| `mahjong-bot ([a-z]+)", (ROOT / "docs/operate.md").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"(?:mahjong-bot|bot\.py) ([a-z]+)[ `\n]", text)) <= known


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), link
        assert not anchor or anchor in re.findall(r"^#+ (.*)", there.read_text("utf-8"), re.MULTILINE), link


def test_every_page_that_code_names_is_in_the_docs() -> None:
    there = {path.name for path in (ROOT / "docs").rglob("*.md")} | {path.name for path in ROOT.glob("*.md")}
    there |= {path.name for path in (ROOT / "tests").rglob("*.md")}
    listed = subprocess.run(["git", "ls-files", "-z", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    named = {
        (file, page)
        for file in filter(None, listed.stdout.split("\0"))
        for page in re.findall(r"(?<![\w.*-])\w[\w-]*(?:\.zh)?\.md\b", (ROOT / file).read_text("utf-8"))
        if page not in there
    }
    assert named == set()


def test_every_page_and_picture_is_reached_from_the_readme() -> None:
    linked: set[Path] = set()
    wanted = [ROOT / "README.md", ROOT / "README.zh.md"]
    while wanted:
        page = wanted.pop()
        links = re.findall(r"\]\(([^)\s:#]+)[^)]*\)", page.read_text("utf-8"))
        new = {(page.parent / link).resolve() for link in links} - linked
        linked |= new
        wanted += [path for path in new if path.suffix == ".md" and path.exists()]
    assert {path for path in PAGES if path.name not in ("README.md", "README.zh.md")} <= linked
    assert set((ROOT / "docs/pictures").iterdir()) <= linked


@pytest.mark.parametrize(("one", "other"), [("README", "README.zh"), ("docs/playing", "docs/playing.zh")])
def test_a_page_says_the_same_in_both_languages(one: str, other: str) -> None:
    pages = [ROOT / f"{page}.md" for page in (one, other)]

    def said(page: Path) -> tuple[list[str], set[str], set[str], int]:
        text = page.read_text("utf-8")
        shell = [re.sub(r"\s+#.*", "", line.command) for line in commands(page)]
        links = {link.replace(".zh.md", ".md") for link in re.findall(r"\]\(([^)]+)\)", text)}
        return shell, set(re.findall(r"`(/[a-z]+)", text)), links - {"README.md", "playing.md"}, text.count("\n## ")

    first, second = map(said, pages)
    assert first[0] == second[0]
    assert first[1] == second[1]
    assert first[2] - second[2] <= {"glossary.md"}
    assert first[3] == second[3]


@pytest.mark.parametrize("page", ["README", "README.zh", "docs/playing", "docs/playing.zh"])
def test_the_pages_for_players_name_every_command(page: str) -> None:
    text = (ROOT / f"{page}.md").read_text("utf-8")
    listed = {command.name for command in COMMANDS if command.listed_for("private") or command.listed_for("group")}
    assert not [one for one in listed - {"admin"} if f"`/{one}" not in text]


def test_the_changelog_is_about_this_version() -> None:
    version = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version is not None
    assert f"## [{version[1]}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_settings_of_the_environment_that_pages_name_exist() -> None:
    """So that no page tells of a setting that has another name by now."""
    fields = {field.upper() for field in Settings.model_fields}
    own = {"PLAYGROUND_PORT", "PLAYGROUND_STATE"}
    for page in PAGES:
        for setting in re.findall(r"`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`", page.read_text("utf-8")):
            assert setting in fields | own, f"{name(page)}: {setting}"
