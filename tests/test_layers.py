"""Nothing imports upward (house.md, *Rooms*), and the rules package needs the standard library alone."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = {
    "mahjong": set(),
    "render": {"mahjong"},
    "data": {"mahjong"},
    "handlers": {"mahjong", "render", "data"},
    "operate": {"mahjong", "render", "data", "handlers"},
    "playground": set(),
}
OURS = {*ROOMS, "bot", "tests"}


def imports(path: Path) -> set[str]:
    """The top names of all modules that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports from the top"
            names.add((node.module or "").partition(".")[0])
    return names


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_the_rooms_below_it(room: str) -> None:
    files = sorted((ROOT / room).rglob("*.py"))
    assert files
    for path in files:
        upward = (imports(path) & OURS) - ROOMS[room] - {room}
        assert not upward, f"{path.relative_to(ROOT)} imports {upward}"


def test_the_root_holds_what_it_is_meant_to_hold() -> None:
    """A file that a command dropped where it was run is soon committed by mistake."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.split(b"\0")
    files = {name.decode(errors="replace") for name in listed if name and b"/" not in name}
    known = r"bot\.py|pyproject\.toml|requirements(-run)?\.lock|Makefile|LICENSE|[A-Z-]+(\.zh)?\.md"
    known += r"|\.gitignore|\.dockerignore|Dockerfile|compose\.yaml"
    assert {name for name in files if not re.fullmatch(known, name)} == set()
    folders = {name.partition(b"/")[0].decode() for name in listed if b"/" in name}
    assert folders == {*ROOMS, "playground", "tests", "docs", "deploy", ".ci"}


def test_the_rules_need_the_standard_library_alone() -> None:
    for path in sorted((ROOT / "mahjong").rglob("*.py")):
        foreign = imports(path) - set(sys.stdlib_module_names) - {"mahjong", "__future__"}
        assert not foreign, f"{path.relative_to(ROOT)} imports {foreign}"


def test_no_module_imports_itself_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            graph[name] = _module_imports(path)
    for start in graph:
        seen, ahead = set(), [(start, (start,))]
        while ahead:
            module, way = ahead.pop()
            for target in graph.get(module, ()):
                assert target != start, f"a circle: {' → '.join((*way, target))}"
                if target not in seen:
                    seen.add(target)
                    ahead.append((target, (*way, target)))


def _module_imports(path: Path) -> set[str]:
    """Full names of modules of ours imported at run time, not for type checks alone, and not inside functions."""
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in OURS:
            parts = [f"{node.module}.{alias.name}" for alias in node.names]
            is_module = [(ROOT / (part.replace(".", "/") + ".py")).exists() for part in parts]
            found |= {part for part, there in zip(parts, is_module, strict=True) if there}
            if not all(is_module):
                found.add(node.module)
    return found
