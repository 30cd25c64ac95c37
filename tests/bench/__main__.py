"""`make bench`: measures, prints name, figure, unit and target, and writes the same to ``var/bench.json``."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable

from tests.bench.figures import Figure, keep
from tests.bench.load import SIZES, load, start_up
from tests.bench.parts import parts
from tests.bench.pictures import pictures
from tests.bench.rankings import rankings
from tests.bench.shapes import shapes
from tests.bench.store import store


def main() -> int:
    """Measure and write; a missed target is marked, and is no failure: these machines are noisy."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--parts", action="store_true", help="only the parts by themselves")
    parser.add_argument("--pictures", action="store_true", help="only the pictures")
    parser.add_argument("--store", action="store_true", help="only what keeping a hand costs")
    parser.add_argument("--shapes", action="store_true", help="only shapes, beside libraries from PyPI")
    parser.add_argument("--rankings", action="store_true", help="only rankings over a million hands")
    parser.add_argument("--load", type=_tables, metavar="TABLES", help="only the whole bot with so many tables")
    parser.add_argument("--seconds", type=_seconds, help="how long it is watched (default: by the number of tables)")
    parser.add_argument("--flood", action="store_true", help="with --load: one person floods it, too")
    parser.add_argument(
        "--small", action="store_true", help="with --load: on one core, in 1 GB, drawing in its own process"
    )
    parser.add_argument("--start", action="store_true", help="only the start with a thousand tables")
    options = parser.parse_args()
    if options.pictures:
        show(pictures())
    elif options.store:
        show(store())
    elif options.rankings:
        show(rankings())
    elif options.shapes:
        show(shapes())
    elif options.load is not None:
        show(load(options.load, options.seconds or SIZES.get(options.load, 40.0), options.flood, options.small))
    elif options.start:
        show(start_up())
    else:
        show(parts())
        if not options.parts:
            for tables, seconds in SIZES.items():
                show(load(tables, options.seconds or seconds, tables == 60))
            show(start_up())
            show(rankings())
            show(shapes())
    return 0


def show(figures: Iterable[Figure]) -> None:
    """Print each figure as it is found, and keep them all."""
    found = []
    try:
        for figure in figures:
            print(figure.line, flush=True)
            found.append(figure)
    finally:
        keep(found)


def _tables(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 6) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a whole number from 1, not {text!a}")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"a number above 0, not {text!a}")
    return seconds


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
