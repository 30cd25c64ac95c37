"""The webhook's door behind a real nginx, health and figures over HTTP, and a stop under load: the real process."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from tornado.httpclient import AsyncHTTPClient

from playground.world import World
from tests.support.patience import PATIENCE
from tests.support.process import ROOT, BotProcess, running, tell, until

SECRET = "a-Secret_1"
HEADER = "X-Telegram-Bot-Api-Secret-Token"


def nginx() -> str:
    """The path of an nginx. Without one its tests are skipped, but never in CI."""
    path = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if path is not None:
        return path
    reason = "no nginx found, so nothing is tested behind one; on Debian or Ubuntu: sudo apt install nginx-light"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that its own key has signed."""
    chain, key = folder / "chain.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(chain)),
        ],
        check=True,
        capture_output=True,
    )
    return chain, key


@asynccontextmanager
async def behind_nginx(folder: Path, port: int) -> AsyncIterator[int]:
    """nginx with the site that we ship, on another port, before a bot at ``port``. Yields the port of HTTPS."""
    public = free_port()
    chain, key = certificate(folder)
    site = (ROOT / "deploy/nginx.conf").read_text()
    for ours, here in (
        ("443 ssl", f"127.0.0.1:{public} ssl"),
        ("bot.example.org;", "localhost;"),
        ("/etc/letsencrypt/live/bot.example.org/fullchain.pem", str(chain)),
        ("/etc/letsencrypt/live/bot.example.org/privkey.pem", str(key)),
        ("127.0.0.1:8080", f"127.0.0.1:{port}"),
    ):
        assert site.count(ours) == 1, ours
        site = site.replace(ours, here)
    (folder / "site.conf").write_text(site)
    temp = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {temp} include {folder}/site.conf; }}\n"
    )
    process = await asyncio.create_subprocess_exec(
        *(nginx(), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off; master_process off;")
    )
    # Whoever delivers in place of Telegram trusts this certificate.
    AsyncHTTPClient.configure(None, defaults={"ca_certs": str(chain)})
    try:
        await until(lambda: answers(public), "nginx")
        yield public
    finally:
        AsyncHTTPClient.configure(None)
        tell(process, signal.SIGTERM)
        await process.wait()


def answers(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def buttons(world: World, chat: int, pattern: str) -> list[tuple[int, str]]:
    return [
        (message.id, button["callback_data"])
        for message in world.chats[chat].messages.values()
        for row in message.keyboard
        for button in row
        if re.search(pattern, button.get("callback_data", ""))
    ]


async def test_a_press_comes_by_webhook_through_nginx_and_is_answered(tmp_path: Path) -> None:
    port, figures = free_port(), free_port()
    async with behind_nginx(tmp_path, port) as public:
        url = f"https://localhost:{public}/hook"
        settings = {"WEBHOOK_URL": url, "WEBHOOK_SECRET": SECRET, "PORT": str(port), "METRICS_PORT": str(figures)}
        async with running(tmp_path / "x.sqlite3", **settings) as (playground, bot):
            world = playground.world
            assert world.webhook["url"] == url
            person, group = next(iter(world.people)), next(c.id for c in world.chats.values() if not c.private)
            world.crowd.start(person)
            await until(lambda: world.chats[person].last_id > 1, "the greeting")
            world.crowd.say(person, group, "/newgame")
            await until(lambda: buttons(world, group, r"\|options$"), "the lobby")
            message, data = buttons(world, group, r"\|options$")[0]
            press = world.crowd.press(person, group, message, data)
            await until(lambda: press.status != "waiting", "the answer")
            assert press.status == "answered"

            await asyncio.to_thread(strangers_are_kept_out, public, port, tmp_path / "chain.pem")
            page = await asyncio.to_thread(figures_of, figures)
            assert page["mahjong_updates_total"]['kind="press"'] == 1
            assert page["mahjong_press_answer_seconds_count"][""] == 1
            assert page["mahjong_tables"]['phase="lobby"'] == 1
            assert page["mahjong_players"][""] == 1
            assert page["mahjong_telegram_calls_total"]['method="answerCallbackQuery",status="200"'] == 1
            assert page["mahjong_store_write_seconds_count"][""] > 3
            assert page["mahjong_telegram_floods_total"][""] == 0
            assert "mahjong_outbox_pending" in page
            assert "mahjong_outbox_oldest_seconds" in page
            assert page["process_resident_memory_bytes"][""] > 10_000_000
            assert not [name for name in page if not re.match(r"mahjong_|process_|python_", name)]
            assert await bot.stop() == 0
            # What comes while nobody is there waits, and is not lost.
            world.crowd.press(person, group, message, data, force=True)
            await bot.start()
            await until(lambda: not world.updates.pending(world.now()), "what had waited")


def strangers_are_kept_out(public: int, port: int, chain: Path) -> None:
    """What the door says to those who are not Telegram."""
    context = ssl.create_default_context(cafile=str(chain))
    with httpx.Client(verify=context, trust_env=False) as http:
        hook = f"https://localhost:{public}/hook"
        update = {"update_id": 1, "message": {}}
        assert http.post(hook, json=update).status_code == 403
        assert http.post(hook, json=update, headers={HEADER: SECRET + "x"}).status_code == 403
        assert http.post(hook, json=update, headers={HEADER: SECRET[:-1]}).status_code == 403
        assert http.get(hook).status_code == 405
        assert http.post(hook, content=b"{", headers={HEADER: SECRET}).status_code == 400
        assert http.post(hook, content=b"[1]", headers={HEADER: SECRET}).status_code == 400
        assert http.post(hook, content=b"x" * 2_000_000, headers={HEADER: SECRET}).status_code == 413
        for inside in ("healthz", "metrics", "hook/", ""):
            assert http.get(f"https://localhost:{public}/{inside}").status_code == 404
        healthy = http.get(f"http://127.0.0.1:{port}/healthz")
        assert (healthy.status_code, healthy.text) == (200, "ok\n")
        assert "Server" not in healthy.headers
        assert http.get(f"http://127.0.0.1:{port}/metrics").status_code == 404


def figures_of(port: int) -> dict[str, dict[str, float]]:
    """The page of figures: by name and labels."""
    page = httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False)
    assert page.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    found: dict[str, dict[str, float]] = {}
    for line in page.text.splitlines():
        if not line.startswith("#"):
            name, labels, value = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line).groups()  # type: ignore[union-attr]
            found.setdefault(name, {})[labels or ""] = float(value)
    return found


async def test_a_port_that_is_taken_ends_the_bot_with_one_line(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        async with running(tmp_path / "x.sqlite3") as (playground, first):
            await first.stop()
            log = tmp_path / "log"
            bot = BotProcess(playground.world, playground.port, tmp_path / "y.sqlite3", log=log, METRICS_PORT=str(port))
            await bot.start()
            assert bot.process is not None
            assert await asyncio.wait_for(bot.process.wait(), PATIENCE) == 1
            last = log.read_text().splitlines()[-1]
            assert last == f"Port {port} cannot be listened on (Address already in use): set METRICS_PORT to a free one"


async def answered(http: httpx.AsyncClient, address: str, status: int) -> httpx.Response:
    """The first answer of that status: how the bot is, is found out anew every few seconds."""
    for _ in range(600):
        answer = await http.get(address)
        if answer.status_code == status:
            return answer
        await asyncio.sleep(0.1)
    raise AssertionError(f"never {status}: {answer.text}")


async def test_health_fails_while_the_database_keeps_nothing_and_is_well_again(tmp_path: Path) -> None:
    figures = free_port()
    database = tmp_path / "x.sqlite3"
    async with running(database, METRICS_PORT=str(figures)):
        address = f"http://127.0.0.1:{figures}/healthz"
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as http:
            assert (await http.get(address)).text == "ok\n"
            other = sqlite3.connect(database, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            answer = await answered(http, address, 503)
            assert "database" in answer.text
            other.execute("ROLLBACK")
            other.close()
            assert (await answered(http, address, 200)).text == "ok\n"


async def test_it_stops_under_load_and_keeps_what_it_answered(tmp_path: Path) -> None:
    """Eight people press all the time while it draws and sends; SIGTERM ends the bot all the same."""
    log = tmp_path / "log"
    async with running(tmp_path / "x.sqlite3", log=log, LOG_FORMAT="json") as (playground, bot):
        world = playground.world
        people = list(world.people)
        for person in people:
            world.crowd.start(person)
        await until(lambda: all(world.chats[person].last_id > 1 for person in people), "the greetings")
        for person in people:
            world.crowd.say(person, person, "/newgame")
        await until(lambda: all(buttons(world, p, r"\|practice_0$") for p in people), "the private tables")
        for person in people:
            world.crowd.press(person, person, *buttons(world, person, r"\|practice_0$")[0])
        await until(lambda: all(buttons(world, p, r"^m\|") for p in people), "the deals")

        pressed = 0

        async def presses(person: int) -> None:
            nonlocal pressed
            while True:
                for message, data in buttons(world, person, r"^m\|.*\|d|\|(table|hand|seen)$")[-3:]:
                    world.crowd.press(person, person, message, data, force=True)
                    pressed += 1
                await asyncio.sleep(0.05)

        pressing = [asyncio.create_task(presses(person)) for person in people]
        await until(lambda: pressed >= 200, "two hundred presses")
        assert await asyncio.wait_for(bot.stop(), PATIENCE) == 0
        for task in pressing:
            task.cancel()
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        assert [line["message"] for line in lines if line["level"] == "ERROR"] == []
        assert "stopping" in [line["message"] for line in lines]
        await bot.start()
        await until(lambda: world.polling, "the bot again")
