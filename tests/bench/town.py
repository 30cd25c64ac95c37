"""``python -m tests.bench.town``: the playground with its people, for `tests.bench.load`, as a process of its own.

Writes the database first, then one line with address and token; afterwards takes a line of JSON at a time from its
standard input and answers each with one.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import io
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from PIL import Image

from playground.server import Playground
from playground.world import World
from tests.bench.crowd import Crowd, Seen
from tests.bench.tables import Furnished, furnish

PATIENCE = 2.0
"""Seconds after which a press counts as not answered."""


class Town:
    """A playground in which people play at so many tables."""

    def __init__(self, playground: Playground, crowd: Crowd, tables: list[Furnished]) -> None:
        self.playground = playground
        self.crowd = crowd
        self.tables = tables

    def start(self) -> Any:
        """Forget what was seen so far."""
        self.crowd.seen = Seen()
        return self.playground.world.now()

    def polled(self) -> Any:
        """Whether a bot takes updates."""
        return self.playground.world.polling

    def write(self, path: str) -> Any:
        """Write what was seen since ``start`` to a file, with how many calls were refused for being too many."""
        world = self.playground.world
        late = world.now() - PATIENCE
        flooding = self.tables[0].people[0] if self.crowd.flooding else None
        waiting = [
            press
            for press in world.presses.values()
            if press.status == "waiting" and press.time < late and press.person_id != flooding
        ]
        self.crowd.seen.unanswered = len(waiting)
        seen = asdict(self.crowd.seen) | {"refused": world.budgets.refused, "tables": list(map(asdict, self.tables))}
        Path(path).write_text(json.dumps(seen), "utf-8")
        return world.now()

    def flood(self, on: bool) -> Any:
        """One of the first table's people floods the bot with presses, or stops."""
        if on:
            self.crowd.flood(self.tables[0].people[0], self.tables[0].table)
        else:
            self.crowd.dry_up()
        return self.tables[0].people[0]

    def press(self, every: int) -> Any:
        """At every so many tables somebody looks at the table."""
        for at in self.tables[::every]:
            person, data = at.people[0], f"h|{at.table}|1|table"
            chat = self.playground.world.chats[person]
            self.playground.world.crowd.press(person, person, chat.last_id, data, force=True)
        return self.playground.world.now()

    def answered(self) -> Any:
        """When the presses since ``start`` were answered."""
        return [at for _, _, at in self.crowd.seen.presses]


async def serve(options: argparse.Namespace) -> None:
    world = World(budgets=True, populate=False, log_limit=100, seed=options.seed)
    jpeg = io.BytesIO()
    Image.new("RGB", (8, 8), "green").save(jpeg, "JPEG")
    tables = await furnish(world, options.database, options.tables, orderly=not options.killed, picture=jpeg.getvalue())
    playground = Playground(lambda: world)
    crowd = Crowd(world, options.seed)
    crowd.plays = not options.idle
    town = Town(playground, crowd, tables)
    playground.listen(0)
    gc.freeze()
    print(json.dumps([f"http://127.0.0.1:{playground.port}", world.token]), flush=True)
    lines = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := await lines.readline():
        name, *arguments = json.loads(line)
        print(json.dumps(getattr(town, name)(*arguments)), flush=True)
    await playground.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench.town", description=__doc__)
    parser.add_argument("database", type=Path)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--killed", action="store_true", help="the bot was killed, not stopped")
    parser.add_argument("--idle", action="store_true", help="nobody plays")
    asyncio.run(serve(parser.parse_args()))
