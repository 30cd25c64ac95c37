"""Many seeds on all cores."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
import warnings
from collections.abc import Sequence
from functools import partial

from mahjong.processes import work_for_parent
from tests.simulate.delays import MOST, SURE, Seen, told
from tests.simulate.run import Report, again, simulate


def soak(seeds: Sequence[int], hands: int, tables: int | None, processes: int | None, *, calm: bool = False) -> int:
    """Play all seeds, with a line of progress, and sum up. Returns the exit status: 0 if nothing was wrong."""
    began = time.monotonic()
    work = partial(simulate, hands=hands, tables=tables, calm=calm)
    reports: list[Report] = []
    failed: list[int] = []
    delays: list[Seen] = []
    with multiprocessing.get_context("fork").Pool(processes or os.cpu_count() or 1, _begin) as pool:
        for report in pool.imap_unordered(work, seeds):
            delays += report.delays
            report.delays = []
            reports.append(report)
            if report.wrong is not None:
                failed.append(report.seed)
                command = again(report.seed, hands, tables, calm)
                print(f"\nseed {report.seed} failed: {report.wrong}\nAgain: {command}\n", file=sys.stderr)
            minutes = (time.monotonic() - began) / 60
            line = f"{len(reports)} of {len(seeds)} seeds, {len(failed)} failed, {len(reports) / minutes:.1f} a minute"
            print(f"\r{line}", end="" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)
    by_time = told([(seen.asked, seen.seconds) for seen in delays])
    by_calls = told([(seen.asked, float(seen.calls)) for seen in delays])
    secret = len(delays) < SURE or max(by_time, by_calls) <= MOST
    needed = "" if len(delays) >= SURE else f"; {SURE:,} needed"
    print(
        f"\n{len(delays):,} discards seen by groups: a claimable one is told by its delay with AUC {by_time:.3f}, by"
        f" the messages in it with {by_calls:.3f} (at most {MOST}{needed})"
    )
    if failed:
        print(f"failed: {', '.join(map(str, sorted(failed)))}")
    print(
        f"{len(reports)} seeds, {len(failed)} failed, {sum(r.hands for r in reports):,} hands,"
        f" {sum(r.kills for r in reports):,} kills, {sum(r.faults for r in reports):,} faults,"
        f" {sum(r.calls for r in reports):,} calls, {time.monotonic() - began:,.0f} s"
        f" ({sum(r.seconds for r in reports) / len(reports):.1f} s of a processor a seed)"
    )
    return 1 if failed or not secret else 0


def _begin() -> None:
    work_for_parent()
    warnings.filterwarnings("ignore", ".*retry_after")
