"""Names of tiles: what is read and written, and what is refused with where it stands."""

from __future__ import annotations

import pytest

from mahjong.tiles import ALL_FACES, NAMES, format_tiles, parse_tile, parse_tiles, rank, suit


def test_every_tile_has_its_own_name_that_is_read_back() -> None:
    assert len(set(NAMES)) == ALL_FACES
    for tile, name in enumerate(NAMES):
        assert parse_tile(name) == tile
        assert f"{rank(tile)}{suit(tile)}" == name
        assert format_tiles(parse_tiles(name)) == name


def test_digits_are_grouped_by_suit_and_the_order_is_kept() -> None:
    tiles = parse_tiles("321m5z12p7m")
    assert [NAMES[tile] for tile in tiles] == ["3m", "2m", "1m", "5z", "1p", "2p", "7m"]
    assert format_tiles(tiles) == "321m5z12p7m"
    assert format_tiles([]) == ""
    assert parse_tiles("") == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("8z", "no tile 8z (character 1)"),
        ("1m19z", "no tile 9z (character 4)"),
        ("0m", "unexpected '0' (character 1)"),
        ("m", "unexpected 'm' (character 1)"),
        ("1m x", "unexpected ' ' (character 3)"),
        ("1m23", "digits without a suit at the end (character 3)"),
    ],
)
def test_what_is_no_tile_is_told_with_where_it_stands(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse_tiles(text)
    assert str(caught.value) == told


@pytest.mark.parametrize("text", ["", "5", "m5", "55m", "8z", "5m "])
def test_one_tile_is_one_name(text: str) -> None:
    with pytest.raises(ValueError, match="not a tile"):
        parse_tile(text)
