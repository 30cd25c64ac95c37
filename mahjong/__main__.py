"""``python -m mahjong``: play records, analyse hands, simulate games (record.md)."""

from __future__ import annotations

import sys

try:
    from mahjong.cli import main

    sys.exit(main(sys.argv[1:]))
except KeyboardInterrupt:
    # While it was being loaded, or once more while it came to an end.
    sys.exit(130)
