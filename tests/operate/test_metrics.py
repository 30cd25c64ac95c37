"""What the figures tell of a running hand: no more than what everybody at the table sees."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from prometheus_client.parser import text_string_to_metric_families

from data.model import Change, Entry
from operate.metrics import Metrics

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def entry(kind: str, move: str | None = None) -> Entry:
    return Entry(1, NOW, kind, 1, 1, {} if move is None else {"move": move})


def figures(metrics: Metrics) -> dict[str, float]:
    """All but those of the process itself, which change by being looked at."""
    families = text_string_to_metric_families(metrics.latest().decode())
    return {
        f"{sample.name}{sample.labels}": sample.value
        for family in families
        if family.name.startswith("mahjong_")
        for sample in family.samples
    }


@pytest.mark.parametrize("kind", ["move", "timeout"])
@pytest.mark.parametrize("answer", ["1 pass", "1 pong", "1 chow 3m4m", "1 hu", "1 rob"])
def test_an_answer_in_an_open_window_changes_no_figure(kind: str, answer: str) -> None:
    metrics = Metrics()
    metrics.wrote(0.01, Change(1, (entry("move", "0 discard 5m"),), {}))
    before = figures(metrics)
    metrics.wrote(0.01, Change(1, (entry(kind, answer),), {}))
    assert figures(metrics) == before


def test_a_window_counts_once_however_many_were_asked_in_it() -> None:
    alike = []
    for answers in (0, 1, 3):
        metrics = Metrics()
        silent = [entry("move", "2 pass")] * (answers > 1)
        metrics.wrote(0.01, Change(1, (entry("move", "0 discard 5m"), *silent), {}))
        for _ in range(answers - 1):
            metrics.wrote(0.01, Change(1, (entry("move", "1 pass"),), {}))
        metrics.wrote(0.01, Change(1, (*[entry("move", "1 pass")] * bool(answers), entry("close")), {}))
        alike.append(figures(metrics))
    assert alike[0] == alike[1] == alike[2]
    assert alike[0]["mahjong_moves_total{}"] == 2
