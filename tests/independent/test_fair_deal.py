"""docs/fair-deal.md is enough: programs that share no code with the bot come to the same walls and results."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mahjong.cli import main
from mahjong.rulesets import RULESETS
from mahjong.tiles import format_tiles
from mahjong.wall import commitment, shuffle

HERE = Path(__file__).parent
LINES = 60
"""That an independent program may need."""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Hands of the three games, played out."""
    found: list[dict[str, Any]] = []
    for rules in RULESETS:
        path = tmp_path_factory.mktemp("records") / "records.jsonl"
        assert main(["simulate", "--rules", rules, "--hands", "25", "--seed", "31", "--records", str(path)]) == 0
        found += [json.loads(line) for line in path.read_text().splitlines()]
    return found


def answers(program: list[str], records: list[dict[str, Any]]) -> list[list[str]]:
    """What a program says of records: for each its commitment, then "ok" or "wrong" for wall, gold and result."""
    given = "".join(json.dumps(record) + "\n" for record in records)
    done = subprocess.run(program, input=given, capture_output=True, text=True, check=True)
    assert not done.stderr
    return [line.split() for line in done.stdout.splitlines()]


def perl(records: list[dict[str, Any]]) -> list[list[str]]:
    return answers(["perl", str(HERE / "fair.pl")], records)


def test_it_is_as_short_as_was_promised() -> None:
    assert len((HERE / "fair.pl").read_text().splitlines()) <= LINES


def test_perl_comes_to_the_same_walls_and_results(records: list[dict[str, Any]]) -> None:
    for record, found in zip(records, perl(records), strict=True):
        assert found == [commitment(bytes.fromhex(record["seed"])), "ok", "ok", "ok"], record


def test_perl_finds_every_throw_that_does_not_stand() -> None:
    """Also with every dealer, with dice and without, and where the gold is thrown more than once."""
    random = Random(4)
    made: list[dict[str, Any]] = []
    while sum(len(record["gold_dice"]) > 1 for record in made) < 4 or len(made) < 60:
        rules, dealer, seed = random.choice(list(RULESETS)), random.randrange(4), random.randbytes(32)
        dice = () if random.random() < 0.3 else (random.randint(1, 6), random.randint(1, 6))
        deal = shuffle(seed, dice, RULESETS[rules], dealer)
        made.append(
            {
                "rules": rules,
                "dealer": dealer,
                "coins": [5, 6, 7, 8],
                "wall": format_tiles(deal.wall),
                "gold_dice": deal.gold_dice,
                "seed": seed.hex(),
                "dice": dice,
                "result": {"payments": [], "net": [0, 0, 0, 0], "coins": [5, 6, 7, 8]},
            }
        )
    assert [found[1:] for found in perl(made)] == [["ok", "ok", "ok"]] * len(made)


def moved(record: dict[str, Any], name: str, by: Callable[[Any], Any]) -> dict[str, Any]:
    return record | {name: by(record[name])}


@pytest.mark.parametrize(
    ("place", "change"),
    [
        (1, lambda record: moved(record, "seed", lambda seed: "00" + seed[2:])),
        (1, lambda record: moved(record, "dice", lambda dice: [] if dice else [1, 1])),
        (1, lambda record: moved(record, "wall", lambda wall: wall[-2:] + wall[:-2])),
        (2, lambda record: moved(record, "gold_dice", lambda throws: [throws[0] % 11 + 2])),
        (3, lambda record: moved(record, "coins", lambda coins: [coins[0] + 1, *coins[1:]])),
        (3, lambda record: moved(record, "result", lambda it: it | {"net": [it["net"][0] + 1, *it["net"][1:]]})),
        (3, lambda record: moved(record, "result", lambda it: it | {"payments": it["payments"][1:]})),
    ],
)
def test_perl_finds_what_was_tampered_with(
    records: list[dict[str, Any]], place: int, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    paid = next(record for record in records if record["result"]["payments"])
    (found,) = perl([change(paid)])
    assert found[place] == "wrong"
