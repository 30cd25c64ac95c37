"""What ``make run`` does: with a token the bot on Telegram, without one the playground with the bot on it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from glob import escape
from pathlib import Path

from dotenv import dotenv_values

TOKEN = "TELEGRAM_BOT_TOKEN"
LOCAL_TOKEN = "100000001:playground-token-for-this-machine-only"
OFFERS = "data/texts/playground.json"
SECONDS = 20
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Ctrl-C, a supervisor, and a terminal that is closed."""


def main() -> int:
    """Run until told to stop; the exit status is the bot's or the playground's, whichever ends first."""
    try:
        settings = {**dotenv_values(".env"), **os.environ}
    except (OSError, UnicodeDecodeError):
        # The bot says what is wrong with the file.
        settings = {TOKEN: "?"}
    if settings.get(TOKEN):
        os.execv(sys.executable, [sys.executable, "bot.py"])
    port = settings.get("PLAYGROUND_PORT") or "8081"
    if not (re.fullmatch("[0-9]{1,5}", port) and 0 < int(port) < 65536):
        print(f"PLAYGROUND_PORT: expected a whole number from 1 to 65535, found {port!r}", file=sys.stderr)
        return 2
    if not _free(int(port)):
        print(f"Port {port} is in use: stop what listens there, or set PLAYGROUND_PORT to another one", file=sys.stderr)
        return 1
    command = ["-m", "playground", "--port", port, "--token", LOCAL_TOKEN, "--offers", OFFERS]
    command += ["--on-reset", str(os.getpid())]
    if folder := settings.get("PLAYGROUND_STATE"):
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            print(f"PLAYGROUND_STATE: cannot make the folder {folder}: {error.strerror}", file=sys.stderr)
            return 1
        database = Path(folder, "bot.sqlite3")
        command += ["--state", str(Path(folder, "playground.sqlite3"))]
    else:
        database = Path(f"var/playground-{port}.sqlite3")
        # The playground forgets everything when it ends, so the bot begins anew as well.
        _clear(database)
    # No signal may come between a process and its end: they are only noted, however many come.
    told: list[int] = []
    reset: list[int] = []
    signal.signal(signal.SIGUSR1, lambda number, _: reset.append(number))
    for number in STOPS:
        if number == signal.SIGHUP and signal.getsignal(number) == signal.SIG_IGN:
            # Started with nohup: to outlive the terminal.
            continue
        signal.signal(number, lambda number, _: told.append(number))
    server = _start(command, {})
    local = {TOKEN: LOCAL_TOKEN, "TELEGRAM_API_URL": f"http://127.0.0.1:{port}", "DATABASE_PATH": str(database)}
    bot: subprocess.Popen[bytes] | None = None
    try:
        if not _listening(server, int(port), told):
            return 0 if told else server.poll() or 1
        bot = _start(["bot.py"], local)
        if _polling(bot, int(port), told):
            print(f"\n  Play here: http://127.0.0.1:{port}/   (Ctrl-C stops)\n", flush=True)
        while not told:
            if reset:
                # "Start over" on the page: of what was before the bot knows nothing either.
                reset.clear()
                bot.kill()
                bot.wait()
                _clear(database)
                bot = _start(["bot.py"], local)
            # Killed by somebody: each goes on where it was, as under any supervisor, if it can.
            if (status := server.poll()) is not None:
                if status >= 0 or not folder:
                    return status or 1
                server = _start(command, {})
            if (status := bot.poll()) is not None:
                if status >= 0:
                    return status
                bot = _start(["bot.py"], local)
            time.sleep(0.2)
        return 0
    finally:
        for process in (bot, server):
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(timeout=6)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def _start(arguments: list[str], settings: dict[str, str]) -> subprocess.Popen[bytes]:
    """A process of ours in a session of its own: Ctrl-C reaches only this one, which then ends the others in order."""
    return subprocess.Popen([sys.executable, *arguments], env={**os.environ, **settings}, start_new_session=True)


def _clear(database: Path) -> None:
    """Forget a bot's database, with what SQLite and the bot keep beside it."""
    for path in database.parent.glob(escape(database.name) + "*"):
        path.unlink()


def _free(port: int) -> bool:
    """Whether nothing listens on this machine's port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _listening(server: subprocess.Popen[bytes], port: int, told: list[int]) -> bool:
    """Wait until the server takes connections; False if it ended instead, or is ``told`` to."""
    until = time.monotonic() + SECONDS
    while server.poll() is None and not told and time.monotonic() < until:
        with socket.socket() as probe:
            probe.settimeout(0.2)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.1)
    return False


def _polling(bot: subprocess.Popen[bytes], port: int, told: list[int]) -> bool:
    """Wait until the bot takes updates; False if it ended instead, which it gives the reason for, or is ``told`` to."""
    until = time.monotonic() + SECONDS
    while bot.poll() is None and not told and time.monotonic() < until:
        server = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
        with contextlib.closing(server), contextlib.suppress(OSError, http.client.HTTPException):
            server.request("GET", "/control/bot")
            if json.load(server.getresponse())["result"]["polling"]:
                return True
        time.sleep(0.1)
    return bot.poll() is None and not told


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    # Taken apart, the interpreter would be killed by one more signal.
    os._exit(status)
