"""Puts the entries of the catalogues in order by key, and leaves every entry as it is written: ``make texts``.

Entries are parted by blank lines, the first of them the catalogue's head (gettext's PO files).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data" / "texts"
_KEY = re.compile(r'^msgid "(.+)"$', re.MULTILINE)


def in_order(catalogue: str) -> str:
    """The same catalogue with its entries by key. Raises ``ValueError`` for an entry without a key, or a key twice."""
    head, *entries = re.split(r"\n{2,}", catalogue.strip("\n"))
    by_key: dict[str, str] = {}
    for entry in entries:
        key = _KEY.search(entry)
        if key is None:
            raise ValueError(f"an entry without a key: {entry.splitlines()[0]}")
        if key[1] in by_key:
            raise ValueError(f"{key[1]} is there twice")
        by_key[key[1]] = entry
    return "\n\n".join((head, *(by_key[key] for key in sorted(by_key)))) + "\n"


def main() -> None:
    """Put each of the catalogues in order, and say which were not."""
    for path in sorted(FOLDER.glob("*.po")):
        before = path.read_text("utf-8")
        try:
            after = in_order(before)
        except ValueError as wrong:
            sys.exit(f"{path.name}: {wrong}")
        if after != before:
            path.write_text(after, "utf-8")
            print(f"{path.name} is in order now")


if __name__ == "__main__":
    main()
