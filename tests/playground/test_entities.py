"""Telegram's HTML, entities given and found."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.entities import cut, formatted, utf16
from playground.errors import ApiError


def html(text: str) -> tuple[str, list[tuple[Any, ...]]]:
    plain, entities = formatted(text, "HTML", None, lambda number: {"id": number} if number < 10 else None)
    return plain, [tuple(entity.values()) for entity in entities]


@pytest.mark.parametrize(
    ("source", "plain", "entities"),
    [
        ("<b>a</b>&lt;b&gt; &amp;&quot;&#65;&#x1F004;", 'a<b> &"A🀄', [("bold", 0, 1)]),
        ("🀄<i>🀄x</i>", "🀄🀄x", [("italic", 2, 3)]),
        ("<b>a<i>b</i></b>", "ab", [("bold", 0, 2), ("italic", 1, 1)]),
        ("<B>a</b> <STRONG>b</strong>", "a b", [("bold", 0, 1), ("bold", 2, 1)]),
        ("<u>a</u><del>c</del>", "ac", [("underline", 0, 1), ("strikethrough", 1, 1)]),
        ('<span class="tg-spoiler">a</span><tg-spoiler>b</tg-spoiler>', "ab", [("spoiler", 0, 1), ("spoiler", 1, 1)]),
        ("<blockquote expandable>a</blockquote>", "a", [("expandable_blockquote", 0, 1)]),
        ('<pre><code class="language-py">x</code></pre>', "x", [("pre", 0, 1, "py")]),
        ('<a href="https://a.example/?x=1&amp;y=2">a</a>', "a", [("text_link", 0, 1, "https://a.example/?x=1&y=2")]),
        ('<a href="tg://user?id=5">a</a>', "a", [("text_mention", 0, 1, {"id": 5})]),
        ('<a href="tg://user?id=50">a</a>', "a", []),
        ("<a href=\"javascript:alert(1)\">a</a>", "a", []),
        ('<tg-time unix="1790000000" format="r">12:00</tg-time>', "12:00", [("date_time", 0, 5, 1790000000, "r")]),
        ('<tg-time unix="1790000000">12:00</tg-time>', "12:00", [("date_time", 0, 5, 1790000000)]),
        ("<b></b>a", "a", []),
        ("  <b> a </b> ", "a", [("bold", 0, 1)]),
        ("&nbsp;&", "&nbsp;&", []),
        ("/newgame@x_bot #麻将 @someone x@y.example", "/newgame@x_bot #麻将 @someone x@y.example",
         [("bot_command", 0, 14), ("hashtag", 15, 3), ("mention", 19, 8), ("email", 28, 11)]),
        ("<code>/start</code> /start", "/start /start", [("code", 0, 6), ("bot_command", 7, 6)]),
        ("see https://a.example/x, or 1/2", "see https://a.example/x, or 1/2", [("url", 4, 19)]),
    ],
)  # fmt: skip
def test_html(source: str, plain: str, entities: list[tuple[Any, ...]]) -> None:
    assert html(source) == (plain, entities)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("<b>a", 'Can\'t find end tag corresponding to start tag "b"'),
        ("a</b>", "Unexpected end tag at byte offset 1"),
        ("金<b>a</i>", 'Unmatched end tag at byte offset 7, expected "</b>", found "</i>"'),
        ("麻将<c>", 'Unsupported start tag "c" at byte offset 6'),
        ("a <b", "Unclosed start tag at byte offset 2"),
        ("<b>a</b", "Unclosed end tag at byte offset 4"),
        ("<a href=\"x>a</a>", "Unclosed start tag at byte offset 0"),
        ("<a =x>a</a>", 'Empty attribute name in the tag "a" at byte offset 3'),
        ("<span>a</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("1 < 2>", 'Unsupported start tag "" at byte offset 2'),
        ('<tg-time unix="soon">a</tg-time>', "Invalid date-time specified"),
        ('<tg-time unix="5" format="rr">a</tg-time>', "Invalid date-time format specified"),
    ],
)  # fmt: skip
def test_html_refused(source: str, said: str) -> None:
    with pytest.raises(ApiError) as caught:
        formatted(source, "HTML", None)
    assert caught.value.description == f"Bad Request: can't parse entities: {said}"


def test_entities_given() -> None:
    entities = [{"type": "bold", "offset": 0, "length": 2}, {"type": "url", "offset": 0, "length": 1}]
    assert formatted("🀄x", None, entities) == ("🀄x", [{"type": "bold", "offset": 0, "length": 2}])
    for wrong in ({"offset": 2, "length": 2}, {"offset": -1, "length": 1}, {"offset": 0, "length": 0}):
        with pytest.raises(ApiError):
            formatted("🀄x", None, [{"type": "bold", **wrong}])
    with pytest.raises(ApiError, match="501"):
        formatted("*x*", "MarkdownV2", None)


@settings(max_examples=150)
@given(
    st.text(alphabet="<>&;\"'ab /@#.金🀄\n\t\r\u200f\u0301"),
    st.sampled_from(["b", "i", "tg-spoiler", "code", "blockquote"]),
)
def test_escaped_text_comes_through(text: str, tag: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    plain, entities = formatted(f"x<{tag}>{escaped}</{tag}>y", "HTML", None)
    assert plain == f"x{text}y".replace("\r", "")
    wrapped = [entity for entity in entities if entity["type"] in ("bold", "italic", "spoiler", "code", "blockquote")]
    if "\r" not in text and text:
        assert [cut(plain, entity["offset"], entity["length"]) for entity in wrapped] == [text]


@settings(max_examples=300)
@given(st.text(alphabet="<>/=\"' abi&;#x金🀄-"))
def test_any_html_is_parsed_or_refused(source: str) -> None:
    try:
        plain, entities = formatted(source, "HTML", None)
    except ApiError:
        return
    for entity in entities:
        assert 0 <= entity["offset"] < entity["offset"] + entity["length"] <= utf16(plain)
