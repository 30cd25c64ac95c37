"""Importing this loads tiles and fonts: done once by the process that all drawing processes are forked from."""

import concurrent.futures.process  # noqa: F401 - what every drawing process needs, shared
import gc

import render.worker  # noqa: F401 - the same
from render.memory import give_back
from render.pictures import warm

warm()
give_back()
# What is there now stays: looking through it for garbage would only copy the pages that processes share.
gc.freeze()
