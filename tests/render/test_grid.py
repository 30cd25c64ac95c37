"""The grid that picture and keyboard share."""

from __future__ import annotations

from render.grid import COLUMNS, cells


def test_every_tile_has_one_cell_and_the_drawn_one_is_last() -> None:
    for count in range(18):
        for drawn in (False, True):
            rows = cells(count, drawn)
            found = [at for row in rows for at in row if at is not None]
            assert found == list(range(count + drawn))
            assert all(len(row) == COLUMNS for row in rows)
            if drawn:
                assert rows[-1][-1] == count


def test_seventeen_tiles_make_three_rows() -> None:
    assert cells(16, True)[2] == (12, 13, 14, 15, None, 16)
    assert len(cells(17, False)) == 3
