"""The page in a real browser: headless Chromium, driven by Playwright, over a playground in the same event loop."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio
from PIL import Image
from playwright.async_api import Browser, BrowserContext, Locator, Page, async_playwright, expect

from playground.server import Playground
from playground.world import World
from tests.support.browser import FLAGS, chromium

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

GROUP = -1001000000001
AMING, AZHEN, LAOLIN, XIAOHONG = (5000000001 + number for number in range(4))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Browser]:
    path = chromium()
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def context(browser: Browser) -> BrowserContext:
    return await browser.new_context(locale="zh-CN", reduced_motion="reduce", viewport={"width": 1600, "height": 1000})


@dataclass
class Stage:
    """A playground, a page on it, and a bot that speaks straight to the world."""

    playground: Playground
    page: Page
    errors: list[str] = field(default_factory=list)
    down: bool = False
    """The server is away on purpose: the browser may note connections that fail."""

    def note(self, error: str) -> None:
        if not (self.down and error.startswith("Failed to load resource: net::")):
            self.errors.append(error)

    @property
    def world(self) -> World:
        return self.playground.world

    def bot(self, method: str, /, files: dict[str, bytes] | None = None, **params: Any) -> Any:
        status, payload = self.world.call(self.world.token, method, params, files)
        assert status == 200, payload
        return payload["result"]

    async def update(self, kind: str) -> Any:
        """The next update of this kind."""
        for _ in range(100):
            for update in self.bot("getUpdates"):
                self.bot("getUpdates", offset=update["update_id"] + 1, limit=1)
                if kind in update:
                    return update[kind]
            await asyncio.sleep(0.02)
        raise AssertionError(f"no update {kind}")

    def pane(self, name: str) -> Locator:
        return self.page.get_by_role("region", name=name, exact=True)

    async def open(self, name: str, tab: str) -> Locator:
        pane = self.pane(name)
        await pane.get_by_role("tab", name=tab).click()
        return pane


@pytest_asyncio.fixture(loop_scope="module")
async def stage(context: BrowserContext) -> AsyncIterator[Stage]:
    async with raised(context) as stage:
        yield stage


@pytest_asyncio.fixture(loop_scope="module")
async def held(browser: Browser) -> AsyncIterator[Stage]:
    """On a phone: a small screen that is touched."""
    context = await browser.new_context(
        locale="zh-CN",
        reduced_motion="reduce",
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
    )
    async with raised(context) as stage:
        yield stage
    await context.close()


@asynccontextmanager
async def raised(context: BrowserContext) -> AsyncIterator[Stage]:
    playground = Playground(lambda: World(feed=True, seed=1))
    playground.listen(0, "127.0.0.1")
    page = await context.new_page()
    page.set_default_timeout(5000)
    origin = f"http://127.0.0.1:{playground.port}/"
    stage = Stage(playground, page)
    page.on("console", lambda line: stage.note(line.text) if line.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: stage.note(str(error)))
    page.on("request", lambda request: None if request.url.startswith(origin) else stage.note(request.url))
    await page.goto(origin)
    await expect(page.locator(".pane")).to_have_count(4)
    yield stage
    await page.close()
    await stage.playground.close()
    assert stage.errors == []


def picture(colour: str) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (640, 800), colour).save(data, "JPEG")
    return data.getvalue()


def keys(*rows: list[tuple[str, str]]) -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": text, "callback_data": data} for text, data in row] for row in rows]}


async def test_a_message_shows_in_every_pane_and_an_edit_changes_it_in_place(stage: Stage) -> None:
    text = "<b>漳州</b> &amp; <i>底 10</i> <tg-spoiler>白板</tg-spoiler>"
    sent = stage.bot("sendMessage", chat_id=GROUP, text=text, parse_mode="HTML", reply_markup=keys([("坐下", "sit")]))
    message = stage.page.locator(f'.pane .message[data-id="{sent["message_id"]}"]')
    await expect(message).to_have_count(4)
    await expect(message.first.locator("strong")).to_have_text("漳州")
    await expect(message.first.locator(".text")).to_contain_text("漳州 & 底 10")
    key = message.first.get_by_role("button", name="坐下")
    await key.focus()
    stage.bot(
        "editMessageText",
        chat_id=GROUP,
        message_id=sent["message_id"],
        text="三缺一",
        reply_markup=keys([("来了", "sit2")]),
    )
    await expect(message.first.locator(".text")).to_contain_text("三缺一")
    await expect(message.first.locator(".edited")).to_be_visible()
    await expect(message.first.get_by_role("button", name="来了")).to_be_focused()
    stage.bot("deleteMessage", chat_id=GROUP, message_id=sent["message_id"])
    await expect(message).to_have_count(0)


async def test_a_press_spins_until_answered_then_toast_or_alert(stage: Stage) -> None:
    sent = stage.bot(
        "sendMessage", chat_id=GROUP, text="牌桌", reply_markup=keys([("一万", "t1"), ("\u2800", "no")], [("胡", "hu")])
    )
    pane = stage.pane("阿明")
    key = pane.get_by_role("button", name="一万")
    await key.click()
    await expect(key).to_have_attribute("aria-busy", "true")
    await expect(stage.pane("阿珍").get_by_role("button", name="一万")).to_have_attribute("aria-busy", "false")
    query = await stage.update("callback_query")
    assert query["data"] == "t1"
    assert query["from"]["id"] == AMING
    assert query["message"]["message_id"] == sent["message_id"]
    stage.bot("answerCallbackQuery", callback_query_id=query["id"], text="已收到")
    await expect(pane.locator(".toast")).to_have_text("已收到")
    await expect(key).to_have_attribute("aria-busy", "false")
    await expect(stage.pane("阿珍").locator(".toast")).to_have_count(0)
    await pane.get_by_role("button", name="胡").press("Enter")
    query = await stage.update("callback_query")
    stage.bot("answerCallbackQuery", callback_query_id=query["id"], text="再按一次才打", show_alert=True)
    alert = pane.get_by_role("alertdialog")
    await expect(alert).to_contain_text("再按一次才打")
    await alert.get_by_role("button").press("Escape")
    await expect(alert).to_have_count(0)


async def test_a_deep_link_opens_the_private_chat_and_start_sends_the_payload(stage: Stage) -> None:
    link = {"inline_keyboard": [[{"text": "坐下", "url": "https://t.me/fujian_mahjong_bot?start=seat_42"}]]}
    stage.bot("sendMessage", chat_id=GROUP, text="开桌了", reply_markup=link)
    pane = stage.pane("阿珍")
    await pane.get_by_role("button", name="坐下").click()
    await expect(pane.get_by_role("tab", name="福建麻将")).to_have_attribute("aria-selected", "true")
    await pane.get_by_role("button", name="开始", exact=True).click()
    message = await stage.update("message")
    while message["chat"]["id"] != AZHEN:
        message = await stage.update("message")
    assert message["text"] == "/start seat_42"
    await expect(pane.get_by_role("textbox")).to_be_visible()
    # Another way to the same place: the link in the answer to a press.
    stage.bot("sendMessage", chat_id=AZHEN, text="看", reply_markup=keys([("去", "go")]))
    await pane.get_by_role("button", name="去", exact=True).click()
    query = await stage.update("callback_query")
    stage.bot("answerCallbackQuery", callback_query_id=query["id"], url="https://t.me/fujian_mahjong_bot?start=again")
    await pane.get_by_role("button", name="开始", exact=True).click()
    assert (await stage.update("message"))["text"] == "/start again"


async def test_only_new_sounding_messages_ring_and_count_as_unread(stage: Stage) -> None:
    await (await stage.open("老林", "福建麻将")).get_by_role("button", name="开始", exact=True).click()
    pane = await stage.open("老林", "周末麻将")
    tab = pane.get_by_role("tab", name="福建麻将")
    quiet = stage.bot("sendMessage", chat_id=LAOLIN, text="静", disable_notification=True)
    await expect(tab.locator(".badge")).to_have_text("1")
    stage.bot("editMessageText", chat_id=LAOLIN, message_id=quiet["message_id"], text="改")
    await expect(tab).not_to_have_class(re.compile(r"\bring\b"))
    await expect(pane.locator(".banner")).to_have_count(0)
    stage.bot("sendMessage", chat_id=LAOLIN, text="轮到你")
    await expect(pane.locator(".banner")).to_contain_text("轮到你")
    await expect(tab.locator(".badge")).to_have_text("2")
    await pane.locator(".banner").click()
    await expect(tab.locator(".badge")).to_be_hidden()


async def test_a_picture_keeps_its_bubble_through_edits_and_can_be_enlarged(stage: Stage) -> None:
    markup = keys([(f"{n}万", f"t{n}") for n in range(1, 9)])
    sent = stage.bot("sendPhoto", {"photo": picture("#187452")}, chat_id=GROUP, caption="牌", reply_markup=markup)
    message = stage.pane("阿明").locator(f'[data-id="{sent["message_id"]}"]')
    image = message.locator("img")
    await expect(image).to_be_visible()
    first = await image.get_attribute("src")
    before = await message.bounding_box()
    media = {"type": "photo", "media": "attach://new", "caption": "牌"}
    stage.bot(
        "editMessageMedia",
        {"new": picture("#cc2626")},
        chat_id=GROUP,
        message_id=sent["message_id"],
        media=media,
        reply_markup=markup,
    )
    await expect(image).not_to_have_attribute("src", first or "")
    assert await message.bounding_box() == before
    boxes = [await key.bounding_box() for key in await message.locator(".key").all()]
    assert len({round(box["width"]) for box in boxes if box}) == 1
    assert len({box["y"] for box in boxes if box}) == 1
    await image.click()
    await expect(stage.page.get_by_role("dialog")).to_be_visible()
    await stage.page.keyboard.press("Escape")
    await expect(stage.page.get_by_role("dialog")).to_have_count(0)


async def test_the_command_menu_speaks_the_persons_language_and_sends(stage: Stage) -> None:
    stage.bot("setMyCommands", commands=[{"command": "newgame", "description": "open a table"}])
    stage.bot("setMyCommands", commands=[{"command": "newgame", "description": "开一桌"}], language_code="zh")
    english = stage.pane("Xiaohong Chen")
    await english.get_by_role("textbox").fill("/n")
    await expect(english.get_by_role("option")).to_contain_text("open a table")
    chinese = stage.pane("阿明")
    await chinese.locator(".composer").get_by_role("button", name="命令菜单").click()
    await expect(chinese.get_by_role("option")).to_contain_text("开一桌")
    await chinese.get_by_role("textbox").press("Enter")
    message = await stage.update("message")
    while "text" not in message:
        message = await stage.update("message")
    assert message["text"] == "/newgame@fujian_mahjong_bot"
    assert message["from"]["id"] == AMING


async def test_the_page_finds_its_way_after_the_server_was_down(stage: Stage) -> None:
    stage.bot("sendMessage", chat_id=GROUP, text="从前")
    pane = stage.pane("阿明")
    await expect(pane.locator(".text").last).to_contain_text("从前")
    port = stage.playground.port
    stage.down = True
    await stage.playground.close()
    stage.playground = Playground(lambda: World(feed=True, seed=2))
    stage.playground.listen(port, "127.0.0.1")
    stage.bot("sendMessage", chat_id=GROUP, text="如今")
    await expect(pane.locator(".text").last).to_contain_text("如今")
    await expect(pane.get_by_text("从前")).to_have_count(0)


async def test_the_log_stays_at_the_bottom_unless_the_reader_went_up(stage: Stage) -> None:
    for number in range(19):
        stage.bot("sendMessage", chat_id=GROUP, text=f"{number}\n" * 4)
    pane = stage.pane("阿明")
    log = pane.get_by_role("log")
    await expect(pane.locator(".text").last).to_contain_text("18")

    async def gap() -> int:
        await stage.page.wait_for_timeout(100)
        return int(await log.evaluate("log => Math.round(log.scrollHeight - log.clientHeight - log.scrollTop)"))

    assert await gap() == 0
    await stage.page.get_by_role("button", name="一次一人").click()
    assert await gap() == 0
    await log.evaluate("log => { log.scrollTop = 300; }")
    assert await gap() > 300
    before = await log.evaluate("log => log.scrollTop")
    stage.bot("sendMessage", chat_id=GROUP, text="新的")
    await expect(pane.locator(".to-bottom .badge")).to_have_text("1")
    assert await log.evaluate("log => log.scrollTop") == before
    await pane.get_by_role("button", name="到最新消息").click()
    await expect(pane.locator(".to-bottom .badge")).to_be_hidden()


async def test_one_phone_at_a_time_on_a_narrow_screen(stage: Stage) -> None:
    await stage.page.set_viewport_size({"width": 360, "height": 740})
    await expect(stage.page.locator(".pane:visible")).to_have_count(1)
    await expect(stage.pane("阿明")).to_be_visible()
    await stage.page.get_by_role("button", name="老林").click()
    await expect(stage.pane("老林")).to_be_visible()
    assert await stage.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


WIDER = """() => {
  const scrolls = (element) => element.closest(".bar .chips, .tabs") !== null;
  const over = [...document.querySelectorAll("body, body *")].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width && !scrolls(element.parentElement) && (box.left < -0.5 || box.right > innerWidth + 0.5);
  });
  const scrolled = [document.documentElement, document.body].filter((one) => one.scrollLeft || one.scrollTop);
  return [...over, ...scrolled].map((element) => `${element.tagName} ${element.className}`);
}"""


@pytest.mark.parametrize("count", [4, 9, 15])
async def test_nothing_is_wider_than_the_window_however_many_people(stage: Stage, count: int) -> None:
    page, crowd = stage.page, stage.world.crowd
    for number in range(4, count):
        crowd.join(GROUP, crowd.add_person(f"第{number}位玩家", language_code="zh-hans").id)
    chips = page.locator(".chip")
    await expect(chips).to_have_count(count)
    title = page.get_by_role("heading", name="机器人试玩台")
    for width, height in ((1600, 900), (1000, 700), (768, 1024), (390, 844), (360, 740)):
        await page.set_viewport_size({"width": width, "height": height})
        chip = chips.first if height == 900 else chips.last
        await chip.click()
        assert await page.evaluate(WIDER) == [], width
        row, box = await page.locator(".chips").bounding_box(), await chip.bounding_box()
        assert row
        assert box
        assert row["x"] <= box["x"], width
        assert box["x"] + box["width"] <= row["x"] + row["width"], width
        panes = [await pane.bounding_box() for pane in await page.locator(".pane:visible").all()]
        assert min(box["x"] for box in panes if box) <= 12, width
        if width >= 700:
            assert await title.evaluate("title => title.scrollWidth <= title.clientWidth"), width
    await expect(page.get_by_role("button", name="更多")).to_be_in_viewport(ratio=1)


async def test_the_empty_chats_say_how_to_begin_if_the_bot_offers_it(stage: Stage) -> None:
    pane = stage.pane("阿珍")
    begin = pane.get_by_role("button", name="发送 /newgame")
    await expect(pane.locator(".empty-card").get_by_role("button", name="命令菜单")).to_be_visible()
    await expect(begin).to_have_count(0)
    stage.bot("setMyCommands", commands=[{"command": "newgame", "description": "开一桌"}])
    await expect(begin).to_be_visible()
    await stage.open("阿珍", "福建麻将")
    await expect(pane.locator(".empty-card:visible")).to_contain_text("跟电脑练习")
    stage.bot("setMyDescription", description="a game")
    stage.bot("setMyDescription", description="打麻将", language_code="zh")
    await expect(pane.locator(".empty-card:visible")).to_contain_text("打麻将")
    await expect(pane.locator(".empty-card:visible")).not_to_contain_text("a game")
    await stage.open("阿珍", "周末麻将")
    await begin.click()
    message = await stage.update("message")
    while "text" not in message:
        message = await stage.update("message")
    assert (message["text"], message["from"]["id"]) == ("/newgame@fujian_mahjong_bot", AZHEN)
    await expect(stage.page.locator(".empty-card:visible")).to_have_count(0)


async def test_a_finger_reaches_everything_on_a_phone(held: Stage) -> None:
    page, pane = held.page, held.pane("阿明")
    held.bot("setMyCommands", commands=[{"command": "newgame", "description": "开一桌"}])
    await pane.get_by_role("button", name="发送 /newgame").tap()
    await expect(pane.locator(".message.mine .text")).to_contain_text("/newgame")
    rows = [[(f"{number}万", f"t{row}{number}") for number in range(1, 9)] for row in range(2)]
    held.bot(
        "sendPhoto", {"photo": picture("#187452")}, chat_id=GROUP, caption="一万二万三万" * 9, reply_markup=keys(*rows)
    )
    keyed = pane.locator(".keyboard:visible .key")
    await expect(keyed).to_have_count(16)
    for box in [await key.bounding_box() for key in await keyed.all()]:
        assert box
        assert min(box["width"], box["height"]) >= 34
    await expect(keyed.last).to_be_in_viewport(ratio=1)
    await keyed.last.tap()
    query = await held.update("callback_query")
    assert query["data"] == "t18"
    held.bot("answerCallbackQuery", callback_query_id=query["id"], text="打 八万")
    toast = pane.locator(".toast")
    await expect(toast).to_have_text("打 八万")
    await expect(toast).to_be_in_viewport(ratio=1)
    await pane.get_by_role("button", name="放大图片").tap()
    viewer = page.get_by_role("dialog")
    await expect(viewer.get_by_role("img")).to_be_in_viewport(ratio=1)
    assert await page.evaluate(WIDER) == []
    await viewer.get_by_role("button", name="放大图片").tap()
    assert await viewer.get_by_role("img").evaluate("image => image.clientWidth === image.naturalWidth")
    await viewer.get_by_role("button", name="关闭").tap()
    await expect(viewer).to_have_count(0)


async def test_a_finger_writes_and_chooses_commands(held: Stage) -> None:
    page, pane = held.page, held.pane("阿明")
    held.bot("setMyCommands", commands=[{"command": "newgame", "description": "开一桌"}])
    field = pane.get_by_role("textbox")
    menu = pane.locator(".composer").get_by_role("button", name="命令菜单")
    await menu.tap()
    option = pane.get_by_role("option")
    await expect(option).to_be_in_viewport(ratio=1)
    # No keyboard comes up for a menu, and a tap beside it closes it.
    await expect(field).not_to_be_focused()
    await pane.get_by_role("log").tap(position={"x": 20, "y": 20})
    await expect(option).to_have_count(0)
    await menu.tap()
    await option.tap()
    await expect(pane.locator(".message.mine .text").last).to_contain_text("/newgame@")
    await field.tap()
    await page.keyboard.type("三缺一")
    # Smaller type would make the phone zoom in.
    assert await field.evaluate("field => parseFloat(getComputedStyle(field).fontSize)") >= 16
    await pane.get_by_role("button", name="发送", exact=True).tap()
    await expect(pane.locator(".message.mine .text").last).to_contain_text("三缺一")
    await expect(field).to_have_value("")
    await page.get_by_role("button", name="老林").tap()
    await expect(held.pane("老林").locator(".message.theirs .text").last).to_contain_text("三缺一")
