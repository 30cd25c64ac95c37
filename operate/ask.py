"""Ask the running bot how it is, with next to nothing loaded: a container does so every half minute.

``python -m operate.ask`` reads METRICS_PORT and METRICS_LISTEN from the environment.
"""

from __future__ import annotations

import os
import sys
import urllib.error
import urllib.request
from typing import Final

PATIENCE: Final = 15.0
EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def ask(address: str, port: int) -> int:
    """Print what the bot says that listens there; 0 if it is well, 1 if it is not, or not there."""
    address = EVERYWHERE.get(address, address)
    host = f"[{address}]" if ":" in address else address
    # No proxy stands between a machine and itself.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"http://{host}:{port}/healthz", timeout=PATIENCE) as answer:
            print(answer.read().decode().strip())
            return 0
    except urllib.error.HTTPError as error:
        with error:
            print(error.read().decode().strip(), file=sys.stderr)
    except OSError as error:
        print(f"no bot answers at {host}:{port} ({error})", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(ask(os.environ.get("METRICS_LISTEN", "127.0.0.1"), int(os.environ["METRICS_PORT"])))
