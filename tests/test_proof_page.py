"""The page that proves a hand, opened from a disk in a browser that has no network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright

from data.texts import Texts
from handlers.screens.proof import proof_page
from mahjong.cli import main
from mahjong.rulesets import RULESETS
from mahjong.tiles import format_tiles, parse_tiles
from mahjong.wall import commitment
from tests.support.browser import FLAGS, chromium

pytestmark = pytest.mark.browser
NAMES = ("阿明", "<b>Xiaohong</b>", "</script><script>alert(1)</script>", "老林")
Visit = Callable[[Page], Awaitable[None]]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """Hands of the three games with all that the bot's records have."""
    found: dict[str, list[dict[str, Any]]] = {}
    for rules in RULESETS:
        path = tmp_path_factory.mktemp("records") / "records.jsonl"
        assert main(["simulate", "--rules", rules, "--hands", "40", "--seed", "12", "--records", str(path)]) == 0
        found[rules] = [sealed(json.loads(line)) for line in path.read_text().splitlines()]
    return found


def sealed(record: dict[str, Any]) -> dict[str, Any]:
    return record | {"note": {"commitment": commitment(bytes.fromhex(record["seed"]))}}


def paid(records: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """A hand of Zhangzhou that somebody won."""
    return next(record for record in records["zhangzhou"] if record["result"]["payments"])


def visit(folder: Path, page_of: str, story: Visit) -> list[str]:
    """Open a page from a disk. Returns the addresses that it asked for beside its own."""
    asked: list[str] = []

    async def whole() -> None:
        path = folder / "page.html"
        path.write_text(page_of, "utf-8")
        async with async_playwright() as driver:
            browser = await driver.chromium.launch(executable_path=chromium(), args=FLAGS)
            context = await browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
            page = await context.new_page()
            page.on("request", lambda request: asked.append(request.url))
            page.on("dialog", lambda dialog: asked.append(f"dialog {dialog.message}"))
            page.on("pageerror", lambda error: asked.append(f"error {error}"))
            await page.goto(path.as_uri())
            await story(page)
            await browser.close()

    asyncio.run(whole())
    return asked[1:]


def page_of(record: dict[str, Any], language: str = "zh_Hans", seal: str | None = None) -> str:
    words = Texts.load(strict=True).get(language)
    return proof_page(record, seal or record["note"]["commitment"], NAMES, words)


async def choose(page: Page, record: Path) -> None:
    """Hand the page another record, and wait for what it says of it."""
    await page.evaluate("document.querySelector('#verdict').id = 'before'")
    await page.set_input_files("input[type=file]", record)
    await page.wait_for_selector("#verdict")


async def wrong(page: Page) -> list[str]:
    """The names of the checks that failed."""
    found = await page.eval_on_selector_all("[data-ok=false]", "all => all.map(one => one.dataset.check)")
    verdict = await page.get_attribute("#verdict", "class")
    assert verdict is not None
    assert ("good" in verdict) == (not found)
    return list(found)


@pytest.mark.parametrize("language", ["zh_Hans", "zh_Hant", "en"])
def test_a_true_record_is_found_true_without_any_request(
    language: str, records: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    record = paid(records)

    async def story(page: Page) -> None:
        assert await wrong(page) == []
        assert len(await page.query_selector_all("[data-ok=true]")) == 9
        text = await page.inner_text("main")
        assert record["seed"] in text
        assert record["note"]["commitment"] in text
        # Names are shown as they are, and are never a part of the page.
        assert NAMES[1] in text
        assert NAMES[2] in text
        assert len(await page.query_selector_all("ol li")) >= len(record["actions"])
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    assert visit(tmp_path, page_of(record, language), story) == []


@pytest.mark.parametrize("rules", RULESETS)
def test_every_hand_of_every_game_is_found_true(
    rules: str, records: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    async def story(page: Page) -> None:
        for record in records[rules]:
            found = await page.evaluate("([r, seal]) => Fair.check(r, seal)", [record, record["note"]["commitment"]])
            assert found["ok"], (record["id"], [one for one in found["checks"] if not one["ok"]])

    assert visit(tmp_path, page_of(records[rules][0]), story) == []


def swapped(text: str) -> str:
    """A wall in which two tiles far from each other have changed places."""
    tiles = parse_tiles(text)
    at = next(number for number in range(80, len(tiles)) if tiles[number] != tiles[0])
    tiles[0], tiles[at] = tiles[at], tiles[0]
    return format_tiles(tiles)


def test_whatever_was_tampered_with_is_named(records: dict[str, list[dict[str, Any]]], tmp_path: Path) -> None:
    record = paid(records)
    result = record["result"]
    foreign = next(action for action in reversed(record["actions"]) if " discard " in action)
    changed = [
        ("seed", "f" * 64, "commitment"),
        ("seed", "f" * 64, "wall"),
        ("seed", "no seed", "commitment"),
        ("dice", [] if record.get("dice") else [2, 3], "wall"),
        ("dice", [7, 1], "form"),
        ("rules", "bridge", "form"),
        ("wall", swapped(record["wall"]), "wall"),
        ("wall", "1x", "wall"),
        ("gold_dice", [record["gold_dice"][0] % 11 + 2], "gold"),
        ("actions", [*record["actions"][:1], *record["actions"]], "moves"),
        ("actions", [f"{(int(foreign[0]) + 2) % 4}{foreign[1:]}", *record["actions"]], "moves"),
        ("actions", ["0 dance", *record["actions"]], "moves"),
        ("coins", [record["coins"][0] + 1, *record["coins"][1:]], "coins"),
        ("result", result | {"net": [result["net"][0] + 1, *result["net"][1:]]}, "sums"),
        ("result", result | {"payments": result["payments"][1:]}, "net"),
        ("result", result | {"coins": [0, *result["coins"][1:]]}, "coins"),
        ("result", None, "sums"),
        ("result", result | {"outcome": "draw"}, "end"),
        ("result", result | {"winner": (result["winner"] + 1) % 4}, "end"),
        ("result", result | {"from": result["winner"]}, "end"),
        ("result", result | {"tile": "1m" if result["tile"] != "1m" else "2m"}, "end"),
        ("result", result | {"next": result["next"] | {"streak": 9}}, "end"),
        ("result", result | {"payments": [paying | {"item": "gift"} for paying in result["payments"]]}, "form"),
        ("result", result | {"points": None}, "form"),
        ("result", result | {"outcome": "unfinished"}, "form"),
        ("note", {"commitment": "0" * 64}, "commitment"),
        ("base", None, "form"),
        ("streak", 0, "form"),
        ("coins", [True, *record["coins"][1:]], "form"),
        ("actions", [], "form"),
        ("actions", record["actions"][:-1], "end"),
        ("actions", record["actions"][: len(record["actions"]) // 2], "end"),
    ]

    async def story(page: Page) -> None:
        for name, value, named in changed:
            found = await page.evaluate(
                "([r, seal]) => Fair.check(r, seal)", [record | {name: value}, record["note"]["commitment"]]
            )
            assert not found["ok"]
            assert named in [one["name"] for one in found["checks"] if not one["ok"]], (name, value)

    assert visit(tmp_path, page_of(record), story) == []


def test_a_drawn_hand_has_played_its_wall_out(records: dict[str, list[dict[str, Any]]], tmp_path: Path) -> None:
    drawn = [
        next(record for record in records[rules] if record["result"]["outcome"] == "draw")
        for rules in RULESETS
        if any(record["result"]["outcome"] == "draw" for record in records[rules])
    ]
    assert drawn

    async def story(page: Page) -> None:
        for record in drawn:
            cut = record | {"actions": record["actions"][:-8]}
            found = await page.evaluate("([r, seal]) => Fair.check(r, seal)", [cut, record["note"]["commitment"]])
            assert "moves" in [one["name"] for one in found["checks"] if not one["ok"]]

    assert visit(tmp_path, page_of(drawn[0]), story) == []


def test_the_verdict_claims_what_was_checked_and_practice_has_no_group(
    records: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    record = paid(records)
    words = Texts.load(strict=True).get("zh_Hans")

    async def story(page: Page) -> None:
        assert "python -m mahjong verify" in await page.inner_text("#verdict")
        text = await page.inner_text("main")
        assert "封条（发牌前就定下的）" in text
        assert "贴在群里的" not in text

    page = proof_page(record, record["note"]["commitment"], NAMES, words, practice=True)
    assert visit(tmp_path, page, story) == []


def test_the_page_shows_a_crossed_out_check_and_reads_other_files(
    records: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    record = paid(records)
    (tmp_path / "true.json").write_text(json.dumps(record), "utf-8")
    (tmp_path / "false.json").write_text(json.dumps(record | {"wall": swapped(record["wall"])}), "utf-8")
    (tmp_path / "none.json").write_text("nothing", "utf-8")

    async def story(page: Page) -> None:
        # The seal that stood in the group is another one.
        assert await wrong(page) == ["commitment"]
        for name, found in (("true", []), ("false", ["wall"]), ("true", [])):
            await choose(page, tmp_path / f"{name}.json")
            failed = await wrong(page)
            assert failed[: len(found)] == found
            assert bool(failed) == bool(found)
        await choose(page, tmp_path / "none.json")
        assert "读不了" in await page.inner_text("#verdict")

    assert visit(tmp_path, page_of(record, seal="0" * 64), story) == []
