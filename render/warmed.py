"""Importing this loads tiles and fonts: done once by the process that all drawing processes are forked from."""

from render.pictures import warm

warm()
