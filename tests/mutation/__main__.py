"""Prints what became of the mutants of the run in this folder: counts by file, and each that lives with its change."""

from __future__ import annotations

import ast
import difflib
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

FATES = {0: "survived", 1: "killed", 3: "killed", 33: "without a test", None: "not tried"}
"""By mutmut's exit codes of a mutant's tests; others: they did not end in time, or crashed."""


def functions(source: str) -> dict[str, list[str]]:
    """The lines of each function of a mutated file, by name."""
    lines = source.splitlines()
    found = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return {node.name: lines[node.lineno : node.end_lineno] for node in found}


def change(before: list[str], after: list[str]) -> Iterator[str]:
    """The lines that a mutant has otherwise, without those that name it."""
    for line in difflib.unified_diff(before, after, lineterm="", n=0):
        if line[0] in "+-" and line[:3] not in ("---", "+++"):
            yield f"    {line[0]} {line[1:].strip()}"


def main() -> int:
    total: Counter[str] = Counter()
    for kept in sorted(Path("mutants").rglob("*.meta")):
        fates = {
            name: FATES.get(code, "out of time")
            for name, code in json.loads(kept.read_text())["exit_code_by_key"].items()
        }
        if not fates:
            continue
        bodies = functions(kept.with_suffix("").read_text())
        for name, fate in fates.items():
            if fate != "killed":
                short = name.rsplit(".", 1)[-1]
                whole = bodies.get(f"{short.rpartition('__mutmut_')[0]}__mutmut_orig", [])
                print(f"{name}: {fate}", *change(whole, bodies.get(short, [])), sep="\n")
        counted = Counter(fates.values())
        total += counted
        print(f"{kept.with_suffix('').relative_to('mutants')}: {_told(counted)}")
    print(f"in all: {_told(total)}")
    return 0 if total else 1


def _told(counted: Counter[str]) -> str:
    return ", ".join(f"{number} {fate}" for fate, number in counted.most_common())


if __name__ == "__main__":
    sys.exit(main())
