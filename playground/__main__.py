"""``python -m playground``: a local Bot API server with a page to try a bot, and an interface for tests."""

from __future__ import annotations

import argparse
import asyncio
import logging
import re
import secrets
import signal
import sys

from playground.server import Playground
from playground.state import StateError, StateFile
from playground.world import TOKEN, World


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m playground", description=__doc__)
    parser.add_argument("--port", type=int, default=8081, help="0: any free one (default: %(default)s)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--token", default=TOKEN, help="the bot's token (default: %(default)s)")
    parser.add_argument("--username", default="fujian_mahjong_bot", help="the bot's username (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=None, help="of the dice (default: another one each time)")
    parser.add_argument("--no-budgets", action="store_true", help="no 429 for too many messages")
    parser.add_argument("--bot-api", metavar="VERSION", help="be an older server, such as 10.1 (default: the newest)")
    parser.add_argument("--state", metavar="FILE", help="keep the world in this file (default: in memory only)")
    parser.add_argument("--verbose", action="store_true", help="log every request")
    return parser.parse_args()


async def serve(options: argparse.Namespace) -> int:
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
        )

    try:
        playground = Playground(make_world, StateFile(options.state) if options.state else None)
    except StateError as error:
        print(error, file=sys.stderr)
        return 1
    try:
        playground.listen(options.port, options.host)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        print(f"Cannot listen on {options.host}:{options.port}: {reason}. Name another port: --port", file=sys.stderr)
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
    options = arguments()
    logging.basicConfig(level=logging.DEBUG if options.verbose else logging.WARNING, format="%(levelname)s %(message)s")
    logging.getLogger("asyncio").setLevel(logging.WARNING)
    name, _, secret = options.token.partition(":")
    if not (name.isdigit() and len(secret) >= 30):
        print("--token must look like a bot's: digits, a colon, at least 30 letters, digits, _ or -", file=sys.stderr)
        return 2
    if options.bot_api is not None and not re.fullmatch(r"\d{1,3}\.\d{1,3}", options.bot_api):
        print("--bot-api takes a version such as 10.1", file=sys.stderr)
        return 2
    return asyncio.run(serve(options))


if __name__ == "__main__":
    sys.exit(main())
