"""How fast shapes are read, beside libraries from PyPI in the same run.

Each library has its own environment (under ``var/rivals``, made when first needed from pinned requirements) and its
own process, since one of them bears our package's name. They are asked in turn, all hands each time; medians count.
They answer for 13 or 14 tiles without jokers, ours for 17 with up to six. Where they answer otherwise, they count seven
pairs and the like, too.
"""

from __future__ import annotations

import hashlib
import json
import statistics
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.bench.figures import Figure, at_most

RIVALS = Path(__file__).parent / "rivals"
HOME = Path("var/rivals")
LIBRARIES = {"mahjong": "Python", "jansou": "Python", "riichienv": "Rust", "cmajiang": "C++", "PyMahjongGB": "C++"}
ASKED = {name: {"shanten": ("14", "shanten")} for name in LIBRARIES} | {
    "mahjong": {"shanten": ("14", "shanten"), "win": ("complete", "win"), "win or none": ("14", "win")},
    "PyMahjongGB": {"shanten": ("13", "shanten")},
}
"""By library and question the hands that are asked about and the question that ours answers.

A win is asked of complete hands; of hands most of which a glance at the honours rules out, too, where that is a matter
of chance and no target."""
ROUNDS = 10
HANDS = 500
AHEAD = 10.0
"""How many times as fast as those written in Python ours should be."""


def shapes() -> Iterator[Figure]:
    """All figures; libraries that cannot be had are named on standard error and have none."""
    yield at_most("shapes: loading the tables", _loading(), "s", 0.3)
    hands = _hands(Random(1))
    players = {"ours": _Player("ours", Path(sys.executable), hands)}
    for name in LIBRARIES:
        try:
            players[name] = _Player(name, _environment(name), hands)
        except _Missing as error:
            print(f"SKIPPED {name}: {error}", file=sys.stderr, flush=True)
    spent: dict[tuple[str, str], list[float]] = {}
    for _ in range(ROUNDS):
        for name, player in players.items():
            for question, passes in player.go().items():
                spent.setdefault((name, question), []).extend(seconds * 1e6 for seconds in passes)
    for player in players.values():
        player.end()
    times = {key: statistics.median(values) for key, values in spent.items()}
    for question, limit in (
        ("shanten, hand", 0.5),
        ("win, hand", 0.5),
        ("shanten", 2.0),
        ("win", 2.0),
        ("best discard", 200.0),
    ):
        yield at_most(f"shapes: {question} of 17 with jokers", times["ours", question], "µs", limit)
    for name, language in LIBRARIES.items():
        if name not in players:
            yield Figure(f"shapes: {name} ({language})", None, "µs")
            continue
        for question, (asked, kind) in ASKED[name].items():
            theirs = times[name, question]
            yield Figure(f"shapes: {name} ({language}), {question}", theirs, "µs")
            ratio = theirs / times["ours", f"{kind}, hand"]
            wanted = language == "Python" and question != "win or none"
            target, holds = (f"≥ {AHEAD:g}", ratio >= AHEAD) if wanted else ("", None)
            yield Figure(f"shapes: {name}, {question}, over ours", ratio, "×", target, holds)
            answers = zip(players["ours"].answers[asked], players[name].answers[question], strict=True)
            same = [(min(one, 0) if kind == "win" else one) == other for one, other in answers]
            yield Figure(f"shapes: {name}, {question}, same answers", 100 * sum(same) / len(same), "%")


def _loading() -> float:
    """Seconds that importing shapes takes, the median of new processes, what an empty one has imported left out."""
    code = "import time; start = time.perf_counter(); import mahjong.shapes; print(time.perf_counter() - start)"
    done = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5)]
    return statistics.median(float(one.stdout) for one in done)


def _hands(rng: Random) -> dict[str, list[list[int]]]:
    """Of each size half drawn at random, half complete but for some tiles; those of 17 with none to six jokers."""
    found: dict[str, list[list[int]]] = {"13": [], "14": [], "17": [], "complete": []}
    for number in range(HANDS):
        found["complete"].append(sorted(_near(rng, 14, 0)))
        for size in (14, 17):
            tiles = _any(rng, size) if number % 2 else _near(rng, size, number // 2 % 3)
            if size == 14:
                found["14"].append(sorted(tiles))
                found["13"].append(sorted(tiles[1:]))
            else:
                jokers = number % 7
                found["17"].append([*sorted(tiles[jokers:]), *[-1] * jokers])
    return found


def _any(rng: Random, size: int) -> list[int]:
    return [tile // 4 for tile in rng.sample(range(136), size)]


def _near(rng: Random, size: int, wrong: int) -> list[int]:
    """A complete hand of which some tiles were exchanged."""
    while True:
        tiles = [rng.randrange(34)] * 2
        while len(tiles) < size:
            face = rng.randrange(34)
            runs = face < 27 and face % 9 < 7 and rng.random() < 0.8
            tiles += [face, face + 1, face + 2] if runs else [face] * 3
        for _ in range(wrong):
            tiles[rng.randrange(size)] = rng.randrange(34)
        if all(tiles.count(face) <= 4 for face in tiles):
            rng.shuffle(tiles)
            return tiles


class _Missing(Exception):
    """A library cannot be installed or does not run here."""


def _environment(name: str) -> Path:
    """The interpreter of a library's environment, made now if it is not there. Raises ``_Missing``."""
    pins = RIVALS / f"{name}.txt"
    home = HOME / f"{name}-{hashlib.sha256(pins.read_bytes()).hexdigest()[:12]}"
    python = home.absolute() / "bin" / "python"
    ready = home / ".ready"
    if not ready.exists():
        print(f"installing {name} into {home}", file=sys.stderr, flush=True)
        try:
            venv.create(home, clear=True, with_pip=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise _Missing(f"no environment: {error}") from None
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run(
            [*install, "--no-deps", "--require-hashes", "-r", pins], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise _Missing((done.stderr.strip().splitlines() or ["pip failed"])[-1])
        ready.touch()
    return python


class _Player:
    """A library in its process."""

    def __init__(self, name: str, python: Path, hands: dict[str, list[list[int]]]) -> None:
        self.process = subprocess.Popen(
            [python, "-I", RIVALS / "ask.py", name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.answers: dict[str, list[int]] = self._say(json.dumps(hands))

    def go(self) -> dict[str, list[float]]:
        """Ask everything; seconds a call in each pass, by question."""
        found: dict[str, list[float]] = self._say("go")
        return found

    def end(self) -> None:
        """Let the process go."""
        self.process.communicate()

    def _say(self, line: str) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            self.process.kill()
            self.process.wait()
            raise _Missing("it does not answer here") from None
