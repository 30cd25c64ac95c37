"""``python -m playground``: a local Bot API server with a page to try a bot, and an interface for tests."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import re
import secrets
import signal
import socket
import sys

from playground import offers
from playground.crowd import USERNAME
from playground.server import Playground
from playground.state import StateError, StateFile
from playground.world import TOKEN, TOKEN_FORM, World


def arguments() -> argparse.Namespace:
    """The command line. Exits with 2 if it is wrong."""
    parser = argparse.ArgumentParser(prog="python -m playground", description=__doc__)
    parser.add_argument("--port", type=int, default=8081, help="0: any free one (default: %(default)s)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--token", default=TOKEN, help="the bot's token (default: %(default)s)")
    parser.add_argument("--username", default="fujian_mahjong_bot", help="the bot's username (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=None, help="of the dice (default: another one each time)")
    parser.add_argument("--no-budgets", action="store_true", help="no 429 for too many messages")
    parser.add_argument("--bot-api", metavar="VERSION", help="be an older server, such as 10.1 (default: the newest)")
    parser.add_argument("--state", metavar="FILE", help="keep the world in this file (default: in memory only)")
    parser.add_argument("--offers", metavar="FILE", help="what the page offers a newcomer to begin with (JSON)")
    parser.add_argument("--on-reset", type=int, metavar="PID", help="a process to be sent SIGUSR1 after each reset")
    parser.add_argument("--verbose", action="store_true", help="log every request")
    return parser.parse_args()


async def serve(options: argparse.Namespace) -> int:
    """Serve until SIGINT or SIGTERM. Returns the exit status: 1 if it cannot be done."""
    try:
        offered = offers.read(options.offers) if options.offers else None
    except offers.OffersError as error:
        print(error, file=sys.stderr)
        return 1
    seed = options.seed if options.seed is not None else secrets.randbits(64)

    def make_world() -> World:
        return World(
            token=options.token,
            username=options.username,
            budgets=not options.no_budgets,
            seed=seed,
            feed=True,
            log_limit=20_000,
            version=options.bot_api,
            offers=offered,
        )

    def was_reset() -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(options.on_reset, signal.SIGUSR1)

    try:
        state = StateFile(options.state) if options.state else None
        playground = Playground(make_world, state, was_reset if options.on_reset is not None else None)
    except StateError as error:
        print(error, file=sys.stderr)
        return 1
    try:
        playground.listen(options.port, options.host)
    except (OSError, UnicodeError) as error:
        # A name that no host can have is refused before anybody is asked for it.
        reason = getattr(error, "strerror", None) or "no name of a host"
        another = (
            "port: --port" if isinstance(error, OSError) and not isinstance(error, socket.gaierror) else "host: --host"
        )
        print(f"Cannot listen on {options.host}:{options.port}: {reason}. Name another {another}", file=sys.stderr)
        return 1
    shown = f"[{options.host}]" if ":" in options.host else options.host
    print(f"Playground: http://{shown}:{playground.port}/  Bot API token: {options.token}", flush=True)
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    await stopped.wait()
    await playground.close()
    return 0


def main() -> int:
    """Returns the exit status: 2 if an argument is wrong, else that of ``serve``."""
    options = arguments()
    logging.basicConfig(level=logging.DEBUG if options.verbose else logging.WARNING, format="%(levelname)s %(message)s")
    logging.getLogger("asyncio").setLevel(logging.WARNING)
    # What is no HTTP is told in a line, even where not every request is.
    logging.getLogger("tornado.general").setLevel(logging.INFO)
    if not TOKEN_FORM.fullmatch(options.token):
        print("--token must look like a bot's: digits, a colon, at least 30 letters, digits, _ or -", file=sys.stderr)
        return 2
    if not 0 <= options.port < 65536:
        print("--port takes a number from 0 to 65535", file=sys.stderr)
        return 2
    if options.on_reset is not None and not 0 < options.on_reset < 1 << 31:
        print("--on-reset takes the number of a process", file=sys.stderr)
        return 2
    if not USERNAME.fullmatch(options.username):
        print("--username takes 4 to 32 letters, digits and underscores, a letter first", file=sys.stderr)
        return 2
    if options.bot_api is not None and not re.fullmatch(r"[0-9]{1,3}\.[0-9]{1,3}", options.bot_api):
        print("--bot-api takes a version such as 10.1", file=sys.stderr)
        return 2
    return asyncio.run(serve(options))


if __name__ == "__main__":
    sys.exit(main())
