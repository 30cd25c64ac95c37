"""The pictures are as they were when somebody last looked at them (tests/render/golden.py)."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from tests.render import golden
from tests.render.golden import FOLDER, NAMES, TILES, TOLERANCE, compare, difference, golden_path


@pytest.mark.parametrize("name", [*NAMES, *TILES])
def test_picture_is_as_it_was(name: str) -> None:
    wrong = compare(name)
    assert wrong is None, wrong


def test_golden_pictures_are_few_bytes_and_none_is_left_over() -> None:
    paths = sorted(FOLDER.glob("*.png"))
    assert paths == sorted(golden_path(name) for name in (*NAMES, *TILES))
    assert sum(path.stat().st_size for path in paths) <= 1_500_000


def test_a_wrong_tile_is_noticed_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "hand turn"
    with Image.open(golden_path(name)) as kept:
        other = kept.convert("RGB")
    whole = other.copy()
    # One bamboo's slit filled: as small a fault as a player would see.
    ImageDraw.Draw(other).rectangle([40, 130, 48, 142], fill=(8, 120, 82))
    assert difference(whole, other) > TOLERANCE
    assert difference(whole, whole.resize((400, 300))) == 255
    monkeypatch.setattr(golden, "OUT", tmp_path)
    monkeypatch.setattr(golden, "drawn", lambda name: other)
    wrong = compare(name)
    assert wrong is not None
    assert str(tmp_path / "hand-turn.png") in wrong
    with Image.open(tmp_path / "hand-turn.png") as sheet:
        assert sheet.width == 3 * whole.width + 40
    monkeypatch.setattr(golden, "FOLDER", tmp_path / "none")
    assert "no golden picture" in (compare(name) or "")
