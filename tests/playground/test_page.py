"""The page in a real browser: headless Chromium, driven by Playwright, over a playground in the same event loop."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from PIL import Image
from playwright.async_api import Browser, BrowserContext, Locator, Page, expect

from playground.server import Playground
from playground.world import World
from tests.support.browser import MILLISECONDS, Faults, headless
from tests.support.patience import PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

GROUP = -1001000000001
AMING, AZHEN, LAOLIN, XIAOHONG = (5000000001 + number for number in range(4))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with headless() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def context(browser: Browser) -> BrowserContext:
    return await browser.new_context(locale="zh-CN", reduced_motion="reduce", viewport={"width": 1600, "height": 1000})


@dataclass
class Stage:
    """A playground, a page on it, and a bot that speaks straight to the world."""

    playground: Playground
    page: Page
    faults: Faults

    @property
    def world(self) -> World:
        return self.playground.world

    def bot(self, method: str, /, files: dict[str, bytes] | None = None, **params: Any) -> Any:
        status, payload = self.world.call(self.world.token, method, params, files)
        assert status == 200, payload
        return payload["result"]

    async def update(self, kind: str) -> Any:
        """The next update of this kind."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for update in self.bot("getUpdates"):
                    self.bot("getUpdates", offset=update["update_id"] + 1, limit=1)
                    if kind in update:
                        return update[kind]
                await asyncio.sleep(0.02)

    def pane(self, name: str) -> Locator:
        return self.page.get_by_role("region", name=name, exact=True)

    async def drawn(self) -> None:
        """Until what has come stands where it belongs: the page puts it there before it is drawn again."""
        await self.page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

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
    page.set_default_timeout(MILLISECONDS)
    origin = f"http://127.0.0.1:{playground.port}/"
    stage = Stage(playground, page, Faults(page, origin))
    await page.goto(origin)
    await expect(page.locator(".pane")).to_have_count(4)
    yield stage
    await page.close()
    await stage.playground.close()
    assert stage.faults.found == []


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


async def test_a_link_adds_the_bot_to_a_group_of_ones_choice_and_tells_it_why(stage: Stage) -> None:
    own = {"title": "茶馆", "members": [AMING, AZHEN]}
    other = stage.world.crowd.add_group(**own)
    stage.world.crowd.start(AMING)
    link = {"inline_keyboard": [[{"text": "拉我进群", "url": "https://t.me/fujian_mahjong_bot?startgroup=new"}]]}
    stage.bot("sendMessage", chat_id=AMING, text="?", reply_markup=link)
    pane = await stage.open("阿明", "福建麻将")
    dialog = stage.page.get_by_role("dialog")
    await pane.get_by_role("button", name="拉我进群").click()
    await dialog.get_by_role("combobox").select_option("茶馆")
    await dialog.get_by_role("button", name="添加").click()
    await expect(pane.get_by_role("tab", name="茶馆")).to_have_attribute("aria-selected", "true")
    await expect(pane.locator(".message:visible .text").last).to_contain_text("/start@fujian_mahjong_bot new")
    assert stage.world.bot.id in stage.world.chats[other.id].members
    # Into a group that does not exist yet.
    await pane.get_by_role("tab", name="福建麻将").click()
    await pane.get_by_role("button", name="拉我进群").click()
    await dialog.get_by_role("combobox").select_option("新建一个群…")
    await dialog.get_by_role("button", name="添加").click()
    await dialog.get_by_label("名称").fill("新群")
    await dialog.get_by_role("button", name="添加").click()
    await expect(pane.get_by_role("tab", name="新群")).to_have_attribute("aria-selected", "true")
    await expect(pane.locator(".message:visible .text").last).to_contain_text("/start@fujian_mahjong_bot new")


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
    stage.faults.down = True
    await stage.playground.close()
    stage.playground = Playground(lambda: World(feed=True, seed=2))
    stage.playground.listen(port, "127.0.0.1")
    stage.bot("sendMessage", chat_id=GROUP, text="如今")
    await expect(pane.locator(".text").last).to_contain_text("如今")
    await expect(pane.get_by_text("从前")).to_have_count(0)


async def test_the_log_stays_at_the_bottom_unless_the_reader_went_up(stage: Stage) -> None:
    for number in range(12):
        stage.bot("sendMessage", chat_id=GROUP, text=f"{number}\n" * 4)
    pane = stage.pane("阿明")
    log = pane.get_by_role("log")
    await expect(pane.locator(".text").last).to_contain_text("11")

    async def gap() -> int:
        await stage.drawn()
        return int(await log.evaluate("log => Math.round(log.scrollHeight - log.clientHeight - log.scrollTop)"))

    assert await gap() == 0
    # One that takes another's place, and is as high, as a hand is brought down.
    for order in ("deleted first", "sent first"):
        old = stage.bot("sendMessage", chat_id=GROUP, text="手牌\n" * 60)["message_id"]
        await expect(pane.locator(f'[data-id="{old}"]')).to_be_visible()
        assert await gap() == 0, order
        for _ in range(2):
            if order == "deleted first":
                stage.bot("deleteMessage", chat_id=GROUP, message_id=old)
            new = stage.bot("sendMessage", chat_id=GROUP, text="手牌\n" * 60)["message_id"]
            if order == "sent first":
                stage.bot("deleteMessage", chat_id=GROUP, message_id=old)
            await expect(pane.locator(f'[data-id="{old}"]')).to_have_count(0)
            await expect(pane.locator(f'[data-id="{new}"]')).to_be_visible()
            old = new
            assert await gap() == 0, order
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


async def test_the_empty_chats_say_what_the_bot_does(stage: Stage) -> None:
    pane = stage.pane("阿珍")
    await expect(pane.locator(".empty-card").get_by_role("button", name="命令菜单")).to_be_visible()
    await stage.open("阿珍", "福建麻将")
    stage.bot("setMyDescription", description="a game")
    stage.bot("setMyDescription", description="打麻将", language_code="zh")
    await expect(pane.locator(".empty-card:visible")).to_contain_text("打麻将")
    await expect(pane.locator(".empty-card:visible")).not_to_contain_text("a game")
    await expect(pane.locator(".empty-card:visible").get_by_role("button")).to_have_count(0)


async def test_a_finger_reaches_everything_on_a_phone(held: Stage) -> None:
    page, pane = held.page, held.pane("阿明")
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


async def test_a_message_stands_as_it_came_after_the_page_is_loaded_anew(stage: Stage) -> None:
    page, pane = stage.page, stage.pane("阿明")
    first = stage.bot("sendPhoto", {"photo": picture("#187452")}, chat_id=GROUP, caption="东家阿明" * 30)
    markup = keys([("一万", "a"), ("二万", "b"), ("三万", "c")])
    stage.bot("sendMessage", chat_id=GROUP, text="轮到你", reply_markup=markup)
    reply = {"message_id": first["message_id"]}
    stage.bot("sendMessage", chat_id=GROUP, text="看这张", reply_parameters=reply)
    stage.bot("sendDice", chat_id=GROUP)
    bubbles = pane.locator(".message .bubble")

    async def widths() -> list[int]:
        await expect(bubbles).to_have_count(4)
        await stage.drawn()
        return [round(box["width"]) for box in [await one.bounding_box() for one in await bubbles.all()] if box]

    came = await widths()
    await page.reload()
    assert await widths() == came
    room = await pane.get_by_role("log").bounding_box()
    assert room
    assert max(came) <= 340 < room["width"]


async def test_a_quoted_message_flashes_where_it_is_gone_to(stage: Stage) -> None:
    sent = stage.bot("sendMessage", chat_id=GROUP, text="从前")
    stage.bot("sendMessage", chat_id=GROUP, text="如今", reply_parameters={"message_id": sent["message_id"]})
    pane = stage.pane("阿明")
    await pane.locator(".quote").click()
    message = pane.locator(f'.message[data-id="{sent["message_id"]}"]')
    await expect(message).to_have_class(re.compile(r"\bflash\b"))
    assert await message.evaluate("one => getComputedStyle(one, '::before').animationName") == "flash"


async def test_one_press_opens_all_that_a_message_hides(stage: Stage) -> None:
    text = "<tg-spoiler>白板</tg-spoiler>是金，<tg-spoiler>发财</tg-spoiler>不是"
    stage.bot("sendMessage", chat_id=GROUP, text=text, parse_mode="HTML")
    stage.bot("sendMessage", chat_id=GROUP, text="<tg-spoiler>别的</tg-spoiler>", parse_mode="HTML")
    spoilers = stage.pane("阿明").locator(".spoiler")
    await spoilers.first.press("Enter")
    await expect(spoilers.nth(1)).to_have_class(re.compile("shown"))
    await expect(spoilers.nth(2)).not_to_have_class(re.compile("shown"))


async def test_topics_are_closed_reopened_and_removed_from_the_groups_page(stage: Stage) -> None:
    stage.world.crowd.change_group(GROUP, is_forum=True)
    topic = stage.world.crowd.add_topic(GROUP, "漳州桌")
    pane = stage.pane("阿明")
    await pane.get_by_role("button", name="这个人的菜单").click()
    await stage.page.get_by_role("menuitem", name="群资料").click()
    page = stage.page.get_by_role("dialog")
    button = page.get_by_role("button", name="关闭话题「漳州桌」")
    await button.press("Enter")
    again = page.get_by_role("button", name="重开话题「漳州桌」")
    # Whoever goes by keyboard stays where they were.
    await expect(again).to_be_focused()
    assert stage.world.chats[GROUP].topics[topic.id].closed
    await again.click()
    await expect(button).to_be_visible()
    await page.get_by_role("button", name="删除话题「漳州桌」").click()
    await expect(button).to_have_count(0)
    await page.get_by_label("阿珍 的身份").select_option("no_photos")
    await expect(page.get_by_label("阿珍 的身份")).to_have_value("no_photos")
    member = stage.world.chats[GROUP].members[AZHEN]
    assert (member.status, member.can_send, member.photos) == ("restricted", True, False)


async def test_an_admin_can_write_as_the_group(stage: Stage) -> None:
    pane = stage.pane("阿明")
    await pane.get_by_role("button", name="这个人的菜单").click()
    await stage.page.get_by_role("menuitemcheckbox", name="匿名发言（管理员）").click()
    await pane.get_by_role("textbox").fill("/newgame")
    await pane.get_by_role("textbox").press("Enter")
    message = await stage.update("message")
    while "text" not in message:
        message = await stage.update("message")
    assert message["sender_chat"]["id"] == GROUP
    await stage.pane("阿珍").get_by_role("button", name="这个人的菜单").click()
    await expect(stage.page.get_by_role("menuitem", name="群资料")).to_be_visible()
    await expect(stage.page.get_by_role("menuitemcheckbox")).to_have_count(0)


async def test_the_drawer_leaves_the_hand_where_it_is(stage: Stage) -> None:
    page = stage.page
    await page.get_by_role("button", name="开发者工具").click()
    await page.get_by_role("tab", name="限额").click()
    enforced = page.get_by_role("checkbox", name="超出限额就回 429")
    await enforced.press("Space")
    await expect(enforced).not_to_be_checked()
    stage.bot("sendMessage", chat_id=GROUP, text="一")
    # The numbers are renewed every second; what has the focus stays.
    await expect(page.get_by_role("meter", name="周末麻将")).to_have_count(1)
    await expect(enforced).to_be_focused()
    assert not stage.world.budgets.enforced
    await page.get_by_role("tab", name="故障").click()
    await page.get_by_label("方法").fill("sendMessage")
    await page.get_by_label("故障").select_option("error")
    await page.get_by_label("错误码").fill("403")
    await page.get_by_label("错误说明").fill("Forbidden: bot was blocked by the user")
    await page.get_by_role("button", name="注入").click()
    await expect(page.locator(".faults li")).to_contain_text("sendMessage")
    await expect(page.get_by_label("方法")).to_have_value("sendMessage")
    status, answer = stage.world.call(stage.world.token, "sendMessage", {"chat_id": GROUP, "text": "x"})
    assert (status, answer["description"]) == (403, "Forbidden: bot was blocked by the user")
    await expect(page.locator(".faults li")).to_have_count(0)


async def test_a_phone_tells_that_the_line_is_lost(held: Stage) -> None:
    held.bot("getUpdates")
    trouble = held.page.locator(".trouble")
    await expect(trouble).to_be_hidden()
    held.faults.down = True
    await held.playground.close()
    await expect(trouble).to_be_visible()
    await expect(trouble).to_have_text("连接断开，正在重试…")


async def test_what_the_content_policy_forbids_would_be_noticed(browser: Browser) -> None:
    playground = Playground(lambda: World(feed=True, seed=1))
    playground.listen(0, "127.0.0.1")
    page = await browser.new_page()
    address = f"http://127.0.0.1:{playground.port}/"
    faults = Faults(page, address)
    await page.goto(address)
    await expect(page.locator(".pane").first).to_be_attached()
    assert faults.found == []
    await page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">x</p>')")
    await page.evaluate("fetch('http://localhost:9/').catch(() => {})")
    async with page.expect_event("pageerror"):
        await page.evaluate("setTimeout(() => { throw new Error('nobody catches this'); })")
    for part in ("inline style", "connect-src", "nobody catches this"):
        assert any(part in fault for fault in faults.found), (part, faults.found)
    await page.close()
    await playground.close()
