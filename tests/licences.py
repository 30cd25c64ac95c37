"""Writes THIRD-PARTY.md: whose work the bot runs with, and under which licence. ``python -m tests.licences``.

Names and versions are those of the lock files, licences what the packages themselves say.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "THIRD-PARTY.md"
RUN, ALL = ROOT / "requirements-run.lock", ROOT / "requirements.lock"
ELSEWHERE = {"colorama": ("BSD-3-Clause", "https://github.com/tartley/colorama")}
"""Packages that are installed on other systems only."""
SPDX = {
    "MIT License": "MIT",
    "Apache 2.0": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
HOMES = ("homepage", "home", "source", "source code", "repository", "github")
HEAD = """# Whose work this is made with

Written by `make licences` from what the packages say of themselves; a test holds it against the lock files. Each
package's licence text is installed beside it (`.venv/lib/python*/site-packages/*.dist-info/licenses`).

The bot itself: MIT, see [LICENSE](LICENSE). `python-telegram-bot` (LGPL) is used unmodified as a library, and can be
exchanged for another version of it.

Fonts: Noto, under the SIL Open Font License 1.1, from the packages `manimgx-fonts` and `manimgx-fonts-cjk`, which bring
its text. Sounds: [data/voice/README.md](data/voice/README.md).
"""
COLUMNS = "| package | version | licence | home |\n|---|---|---|---|\n"


def locked(path: Path) -> dict[str, str]:
    """The packages of a lock file, with their versions."""
    return dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", path.read_text(), re.MULTILINE))


def licence(name: str) -> tuple[str, str]:
    """A package's licence, as an SPDX expression, and its home page."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return ELSEWHERE[name]
    about = found.metadata
    classifiers = [line.split(" :: ")[-1] for line in about.get_all("Classifier") or [] if line.startswith("License")]
    files = [file for file in found.files or [] if file.name.startswith("LICENSE")]
    said = about.get("License-Expression") or about.get("License") or next(iter(classifiers), None)
    if said is None:
        said = files[0].read_text().strip().splitlines()[0]
    links = dict(line.lower().split(", ", 1) for line in about.get_all("Project-URL") or [])
    home = next((links[key] for key in HOMES if key in links), about.get("Home-page") or "")
    return SPDX.get(said, said), home


def page() -> str:
    """The whole text."""
    run, everything = locked(RUN), locked(ALL)
    parts = [HEAD]
    for title, names in (
        ("## What the bot runs with", run),
        ("## What developers use beside that", {n: v for n, v in everything.items() if n not in run}),
    ):
        rows = [f"| {name} | {version} | {' | '.join(licence(name))} |\n" for name, version in sorted(names.items())]
        parts.append(f"{title}\n\n{COLUMNS}{''.join(rows)}")
    return "\n".join(parts)


def main() -> int:
    TARGET.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
