"""``python -m mahjong``: play records, analyse hands, simulate games (record.md)."""

from __future__ import annotations

import sys

from mahjong.cli import main

sys.exit(main(sys.argv[1:]))
