"""The playground as a process of its own, as people run it, and its control interface for tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from tests.support.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


class PlaygroundProcess:
    """Starts `python -m playground` on a free port; a context manager that ends it.

    `address`: `http://127.0.0.1:PORT`; the bot's `TELEGRAM_API_URL` follows from it. `token`: the bot's.
    """

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "playground", "--port", "0", *options], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line.startswith("Playground: "):
            raise RuntimeError(f"the playground did not start: {line!r}")
        words = line.split()
        self.address, self.token = words[1].rstrip("/"), words[-1]
        self.http = httpx.Client(base_url=self.address, trust_env=False, timeout=PATIENCE)

    def __enter__(self) -> PlaygroundProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.http.close()
        self.process.terminate()
        self.process.wait(PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def do(self, path: str, **body: Any) -> Any:
        """`POST /control/<path>`; the result, or AssertionError with what the playground said."""
        answer = self.http.post(f"/control/{path}", json=body).json()
        assert answer["ok"], answer["error"]
        return answer["result"]

    def look(self, path: str = "state", **query: Any) -> Any:
        """`GET /control/<path>`."""
        answer = self.http.get(f"/control/{path}", params=query).json()
        assert answer["ok"], answer["error"]
        return answer["result"]

    def chat(self, chat_id: int, person_id: int) -> list[dict[str, Any]]:
        """The messages of a chat as one person sees them, oldest first."""
        messages: list[dict[str, Any]] = self.look("messages", chat_id=chat_id, person_id=person_id)
        return messages
