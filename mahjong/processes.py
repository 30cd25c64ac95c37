"""Processes that work for another one, and that nobody has to look for after its end, however it came."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading


def work_for_parent() -> None:
    """What such a process does first: leave interrupts to its parent, and end with it.

    Ctrl-C reaches all processes of a terminal, and a parent that is killed outright cannot end the others, which would
    wait for work for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
