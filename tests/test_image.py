"""The image, proved without a container engine: what the Dockerfile says is done in a clean folder, by a user who owns
nothing else, and the bot that comes of it plays."""

from __future__ import annotations

import asyncio
import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from playground.server import Playground
from playground.world import World
from tests.operate.test_web import buttons, free_port
from tests.support.patience import PATIENCE
from tests.support.process import ROOT, tell, until

NOBODY = 65534
BUILDER = 0o022
"""What a container's commands leave out of the rights of what they make, whatever the machine around it does."""
SYSTEM = ("apt-get", "useradd", "install -d")
"""What the steps of the operating system begin with: only a container has one to itself."""


class Step(NamedTuple):
    """An instruction of the Dockerfile."""

    name: str
    rest: str


def steps() -> list[list[Step]]:
    """The instructions, stage by stage."""
    text = re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    stages: list[list[Step]] = []
    for line in lines:
        step = Step(*line.split(None, 1))
        if step.name == "FROM":
            stages.append([])
        stages[-1].append(step)
    return stages


def context() -> list[str]:
    """The files that reach the builder: those of the repository which .dockerignore lets through."""
    patterns = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split("\n")
    # What no repository would hold, and what must never get into an image.
    listed += [".env", "var/mahjong.sqlite3", "data/__pycache__/x.pyc"]
    return [path for path in listed if path and not _ignored(path, patterns)]


def _ignored(path: str, patterns: list[str]) -> bool:
    """The last pattern that fits a path, or a folder above it, decides."""
    ignored = False
    parts = path.split("/")
    above = ["/".join(parts[: number + 1]) for number in range(len(parts))]
    for pattern in patterns:
        wanted = pattern.removeprefix("!").removeprefix("**/")
        anywhere = "**/" in pattern
        fits = any(
            fnmatch.fnmatchcase(name.rpartition("/")[2] if anywhere else name, wanted)
            for name in above
            if anywhere or name.count("/") == wanted.count("/")
        )
        if fits:
            ignored = not pattern.startswith("!")
    return ignored


def user() -> dict[str, int]:
    """Whom the steps are done by: nobody in particular, where a test may choose."""
    return {"user": NOBODY, "group": NOBODY} if os.geteuid() == 0 else {}


def interpreter() -> str:
    """A Python that this user may run, as the image's `python`."""
    for path in ("/usr/bin/python3", getattr(sys, "_base_executable", sys.executable)):
        command = [path, "-c", "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"]
        try:
            if subprocess.run(command, **user(), capture_output=True, cwd="/").returncode == 0:  # type: ignore[call-overload]
                return path
        except OSError:
            continue
    pytest.fail(
        "there is no Python 3.11 or newer with venv that everybody may run; on Debian: apt install python3-venv"
    )


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that belongs to the user who builds; nobody else's home is near."""
    folder = Path(tempfile.mkdtemp(prefix="image-"))
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    folder.chmod(0o755)
    before = os.umask(BUILDER)
    yield folder
    os.umask(before)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def app(place: Path) -> Path:
    """The image's /app, made by the steps of both stages."""
    tools = place / "bin"
    tools.mkdir()
    (tools / "python").symlink_to(interpreter())
    files = context()
    built: dict[str, Path] = {}
    for number, stage in enumerate(steps()):
        folder = place / str(number) / "app"
        folder.mkdir(parents=True)
        # A virtual environment knows where it stands, and both stages have it at the same place.
        link = place / "app"
        link.unlink(missing_ok=True)
        link.symlink_to(folder)
        _give(place)
        name = stage[0].rest.partition(" AS ")[2] or str(number)
        built[name] = folder
        for step in stage:
            if step.name == "COPY":
                _copy(step.rest, files, folder, built)
                _give(folder)
            elif step.name == "RUN" and not step.rest.startswith(SYSTEM):
                _run(step.rest, link, tools)
    return place / "app"


def _give(folder: Path, owner: int = NOBODY) -> None:
    if os.geteuid() == 0:
        subprocess.run(["chown", "-hR", f"{owner}:{owner}", str(folder)], check=True)


def _copy(rest: str, files: list[str], folder: Path, built: dict[str, Path]) -> None:
    stage = re.match(r"--from=(\w+) /app/(\S+) (\S+)$", rest)
    if stage is not None:
        # Nobody needs it in the first stage any more.
        (built[stage[1]] / stage[2]).rename(folder / stage[3])
        return
    *sources, target = rest.split()
    for source in sources:
        inside = [path for path in files if path == source or path.startswith(f"{source}/")]
        assert inside, f"{source} does not reach the builder"
        for path in inside:
            name = Path(path).name if target.endswith("/") else Path(target) / Path(path).relative_to(source)
            there = folder / (Path(target) / name if target.endswith("/") else name)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, there)
            # As it comes of a checkout that only its owner may read.
            there.chmod(there.stat().st_mode & 0o700)


def _run(command: str, folder: Path, tools: Path) -> None:
    environment = {**os.environ, "PATH": f"{tools}:/usr/bin:/bin", "HOME": str(folder), "PIP_NO_CACHE_DIR": "1"}
    # Half of the time, for what is the same everywhere.
    environment["PIP_NO_COMPILE"] = "1"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        umask=BUILDER,
        **user(),
    )  # type: ignore[call-overload]
    assert done.returncode == 0, f"{command}: {done.stderr or done.stdout}"


def test_only_what_the_image_is_made_of_reaches_the_builder() -> None:
    files = context()
    assert "bot.py" in files
    assert "deploy/mahjong-bot" in files
    assert not [path for path in files if path.startswith((".", "tests", "docs", "var", "playground", "deploy/nginx"))]
    assert not [path for path in files if "__pycache__" in path]


def test_the_steps_of_the_system_are_few_and_the_bot_is_nobody_in_particular() -> None:
    first, last = steps()
    assert re.fullmatch(r"python:3\.\d+-slim-\w+ AS build", first[0].rest)
    assert last[0].rest == first[0].rest.removesuffix(" AS build")
    system = [step.rest for step in (*first, *last) if step.name == "RUN" and step.rest.startswith(SYSTEM)]
    assert [line.split()[0] for line in system] == ["apt-get", "useradd", "install"]
    names = [step.name for step in last]
    assert names.index("USER") > max(at for at, name in enumerate(names) if name == "RUN")
    settings = dict(pair.split("=", 1) for step in last if step.name == "ENV" for pair in step.rest.split())
    (volume,) = [step.rest for step in last if step.name == "VOLUME"]
    assert settings["DATABASE_PATH"].startswith(f"{volume}/")
    assert f"-m 700 {volume}" in system[2]


async def test_the_bot_of_the_image_plays_as_a_user_who_owns_nothing_else(app: Path, place: Path) -> None:
    assert not list(app.glob(".venv/lib/python*/site-packages/pip"))
    assert not list(app.glob(".venv/lib/python*/site-packages/pytest"))
    data = place / "data"
    data.mkdir()
    _give(data)
    # As in a container: the program's files belong to somebody else.
    await asyncio.to_thread(_give, app.resolve().parent, 0)
    before = sorted(str(path) for path in app.resolve().rglob("*"))
    playground = Playground(World)
    playground.listen(0, "127.0.0.1")
    world = playground.world
    settings = dict(pair.split("=", 1) for step in steps()[1] if step.name == "ENV" for pair in step.rest.split())
    environment = {
        **settings,
        "PATH": f"{app}/.venv/bin:/usr/bin:/bin",
        "DATABASE_PATH": str(data / "mahjong.sqlite3"),
        "METRICS_PORT": str(free_port()),
        "TELEGRAM_BOT_TOKEN": world.token,
        "TELEGRAM_API_URL": f"http://127.0.0.1:{playground.port}",
        "RENDER_PROCESSES": "1",
    }

    async def command(*words: str) -> tuple[int, str]:
        process = await asyncio.create_subprocess_exec(
            *words, cwd=app, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, **user()
        )
        said, _ = await asyncio.wait_for(process.communicate(), PATIENCE)
        return process.returncode or 0, said.decode()

    entry = f"{app}/.venv/bin/mahjong-bot"
    status, said = await command(entry, "--version")
    assert (status, said[:12]) == (0, "mahjong-bot ")
    status, said = await command(entry, "check")
    assert status == 0, said
    bot = await asyncio.create_subprocess_exec(entry, cwd=app, env=environment, **user())
    try:
        await until(lambda: world.polling, "the bot to take updates")
        person = next(iter(world.people))
        world.crowd.start(person)
        world.crowd.say(person, person, "/newgame")
        await until(lambda: buttons(world, person, r"\|practice_0$"), "the table")
        world.crowd.press(person, person, *buttons(world, person, r"\|practice_0$")[0])
        await until(lambda: buttons(world, person, r"^m\|"), "the deal")
        assert await command(entry, "health") == (0, "ok\n")
        (check,) = [step.rest.partition(" CMD ")[2] for step in steps()[1] if step.name == "HEALTHCHECK"]
        asked, *words = json.loads(check)
        assert await command(f"{app}/.venv/bin/{asked}", *words) == (0, "ok\n")
    finally:
        tell(bot, signal.SIGTERM)
        status = await bot.wait()
        await playground.close()
    assert status == 0
    assert sorted(str(path) for path in app.resolve().rglob("*")) == before
    assert {path.name.split(".")[0] for path in data.iterdir()} == {"mahjong"}
