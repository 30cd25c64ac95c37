"""``python -m tests.simulate``: one seed, or many."""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from tests.simulate.run import again, simulate
from tests.simulate.soak import soak


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.simulate", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="which world (default: 1)")
    parser.add_argument("--seeds", metavar="A-B", help="many worlds, one after the other")
    parser.add_argument("--hands", type=int, default=3, help="hands to be played in each world (default: 3)")
    parser.add_argument("--tables", type=int, help="groups in each world (default: one or two, by seed)")
    parser.add_argument("--processes", type=int, help="for many seeds (default: all cores)")
    parser.add_argument("--calm", action="store_true", help="nothing goes wrong, and nobody errs")
    parser.add_argument("--trace", type=Path, metavar="FILE", help="write the log of calls there")
    return parser.parse_args(given)


def main() -> int:
    """Exit status 0: nothing was wrong."""
    options = arguments()
    warnings.filterwarnings("ignore", ".*retry_after")
    if options.seeds:
        first, _, last = options.seeds.partition("-")
        seeds = range(int(first), int(last or first) + 1)
        return soak(seeds, options.hands, options.tables, options.processes, calm=options.calm)
    report = simulate(options.seed, options.hands, options.tables, calm=options.calm, trace=options.trace)
    print(report)
    if report.wrong is not None:
        print(report.wrong, file=sys.stderr)
        command = again(options.seed, options.hands, options.tables, options.calm)
        print(f"Again: {command}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
