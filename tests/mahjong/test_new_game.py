"""docs/new-game.md can be done as it stands: its game, in a tree of its own, is played, shown and explained."""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from mahjong.examples import EXAMPLES, worked
from mahjong.hand import Hand, Setup
from mahjong.players import PLAYERS
from mahjong.rulesets import RULESETS, Ruleset, nearest
from mahjong.rulesets.base import OptionSpec
from mahjong.rulesets.putian import PutianOpen
from mahjong.views import view
from mahjong.wall import shuffle
from tests.catalogues import in_order

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8")
TABLES = {
    "mahjong/players/figures.py": "FIGURES",
    "mahjong/examples.py": "EXAMPLES",
    "handlers/screens/rules_pages.py": "PAGES",
}
"""Where the page has a row put, in its order."""

SHOWN = """
from data.texts import Texts
from handlers.screens import lobby, rules_pages
from handlers.screens.pictures import lobby_words
from handlers.screens.rules import index_text
from handlers.screens.rules_terms import Terms
from handlers.table_state import TableState
from mahjong.rulesets import RULESETS

texts = Texts.load(strict=True)
for language in texts.languages:
    words = texts.get(language)
    for rules in RULESETS:
        state = TableState(1, 2, 3, rules=rules, choosing=True)
        assert any(words("game.short.plain") in button.text for row in lobby.choices(state, words) for button in row)
        assert lobby_words(state, words).title
    topic = rules_pages.Topic("plain", Terms({}).of("plain"), 10, words)
    assert rules_pages.pays(topic).rows and index_text(topic)
    for name, page in rules_pages.PAGES["plain"].items():
        assert rules_pages.title(words, "plain", name) and page(topic).text
"""


def blocks(language: str) -> list[str]:
    """The page's blocks of code in a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def put(path: Path, before: str, text: str) -> None:
    """Put a text in the place of another that stands there once."""
    code = path.read_text("utf-8")
    assert code.count(before) == 1
    path.write_text(code.replace(before, text), "utf-8")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program with the page's game in it, put there as the page says."""
    root = tmp_path_factory.mktemp("tree")
    for part in ("mahjong", "data", "handlers", "render"):
        shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    (code, registered, *rows), (names,) = blocks("python"), blocks("po")
    (root / "mahjong" / "rulesets" / "plain.py").write_text(code, "utf-8")
    imported, listed = registered.strip().split("\n\n")
    entry = root / "mahjong" / "rulesets" / "__init__.py"
    first = "from mahjong.rulesets.putian"
    put(entry, first, f"{imported}\n{first}")
    games = re.search(r"^_GAMES.*$", entry.read_text("utf-8"), re.MULTILINE)
    assert games is not None
    put(entry, games[0], listed)
    for (file, table), row in zip(TABLES.items(), rows, strict=True):
        code = (root / file).read_text("utf-8")
        head = re.search(rf"^{table}: .* = \{{$", code, re.MULTILINE)
        assert head is not None
        put(root / file, head[0], f"{head[0]}\n{row.rstrip()}")
    for catalogue in (root / "data" / "texts").glob("*.po"):
        catalogue.write_text(in_order(f"{catalogue.read_text('utf-8')}\n{names}"), "utf-8")
    return root


def run(tree: Path, *command: str) -> str:
    """What a program says in the tree."""
    done = subprocess.run([sys.executable, *command], cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_example_is_written_as_code_is_here(tree: Path) -> None:
    run(tree, "-m", "ruff", "check", "mahjong")
    run(tree, "-m", "ruff", "format", "--check", "mahjong")
    run(tree, "-m", "mypy", "mahjong/rulesets/plain.py")


def test_the_example_is_played_by_every_player_with_the_pages_own_commands(tree: Path) -> None:
    simulate, play = (line.strip().split()[1:] for line in PAGE.splitlines() if "python -m mahjong" in line)
    run(tree, *simulate)
    records = [line for line in (tree / "plain.jsonl").read_text("utf-8").splitlines() if line]
    assert len(records) == int(simulate[simulate.index("--hands") + 1])
    assert len(run(tree, *play).splitlines()) >= len(records)
    simulate[simulate.index("--players") + 1] = ",".join(sorted(PLAYERS))
    run(tree, *simulate[: simulate.index("--records")])


def test_the_example_is_in_every_lobby_and_its_rules_can_be_read(tree: Path) -> None:
    run(tree, "-c", SHOWN)


def test_every_hook_is_in_the_list_with_what_it_takes_and_gives() -> None:
    table = PAGE.partition("## The hooks")[2].replace("\\|", "|")
    hooks = {name for name in (*vars(Ruleset), *Ruleset.__annotations__) if not name.startswith("_")}
    hooks -= {"complete_options", "kin"}
    for name in hooks:
        hook = getattr(Ruleset, name, None)
        if not inspect.isfunction(hook):
            assert f"`{name}`" in table
            continue
        signature = inspect.signature(hook)
        takes = ", ".join(list(signature.parameters)[1:])
        assert f"`{name}({takes}) -> {signature.return_annotation}`" in table


def test_who_lacks_figures_is_told_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bare(Ruleset):
        name = "bare"

    monkeypatch.setitem(RULESETS, "bare", Bare())
    with pytest.raises(LookupError, match=r"bare is not among .*zhangzhou.*new-game\.md"):
        nearest("bare", EXAMPLES)


class Variant(PutianOpen):
    """Putian open with an option more, and nothing else."""

    name = "variant"
    options = (*PutianOpen.options, OptionSpec("more", (1, 2)))


@pytest.fixture
def variant(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    rules = Variant()
    monkeypatch.setitem(RULESETS, rules.name, rules)
    return rules


@pytest.mark.parametrize("level", sorted(PLAYERS))
def test_computers_play_a_variant_as_they_play_what_it_varies(level: str, variant: Ruleset) -> None:
    chosen = []
    for name in ("variant", "putian-ming"):
        rules, chance = RULESETS[name], Random(4)
        made = shuffle(Random(4).randbytes(32), (), rules)
        hand = Hand.deal(Setup(rules, wall=made.wall, gold_dice=made.gold_dice))
        for _ in range(12):
            asked = next(iter(hand.questions), None)
            if asked is None:
                hand.close()
            else:
                chosen.append(PLAYERS[level].choose(view(hand, asked), chance))
                hand.apply(chosen[-1])
    assert chosen[: len(chosen) // 2] == chosen[len(chosen) // 2 :]


def test_a_variant_has_the_examples_of_what_it_varies_settled_by_its_own_rules(variant: Ruleset) -> None:
    assert nearest("variant", EXAMPLES) == "putian-ming"
    for name in EXAMPLES["putian-ming"]:
        assert worked("variant", name, {"more": 2}, 10).view.rules == "variant"
