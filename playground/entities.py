"""Formatted text: Telegram's HTML to text and entities, entities given by the bot, and those found in plain text.

Offsets and lengths are in UTF-16 code units, as everywhere in the Bot API; byte offsets in errors are in UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playground.errors import ApiError, bad_request
from playground.reading import read_int

Entity = dict[str, Any]
Mention = Callable[[int], dict[str, Any] | None]
"""Looks up the User object of a ``tg://user?id=…`` link; None if the bot does not know that person."""

TAGS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "code": "code", "pre": "pre",
    "blockquote": "blockquote", "tg-spoiler": "spoiler", "span": "spoiler", "a": "text_link",
    "tg-emoji": "custom_emoji", "tg-time": "date_time",
}  # fmt: skip
NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
REFERENCE = re.compile(r"&(?:(lt|gt|amp|quot)|#([0-9]{1,19})|#[xX]([0-9a-fA-F]{1,16}));?")
TIME_FORMAT = re.compile(r"r|[wW]?[dD]?[tT]?")
GIVEN_TYPES = {
    "bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre",
    "text_link", "text_mention", "custom_emoji", "date_time",
}  # fmt: skip
FOUND_TYPES = {"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number"}
FOUND = [
    ("url", re.compile(r"(?<![\w@/.])(?:https?://|t\.me/|www\.)[^\s<>\"'，。！？、：；（）「」]+", re.I)),
    ("email", re.compile(r"(?<![\w.@])[\w.+-]+@[\w-]+\.[a-z]{2,}\b", re.I)),
    ("bot_command", re.compile(r"(?<![\w/<>.@])/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32})?(?![\w/@])", re.A)),
    ("mention", re.compile(r"(?<![\w@/])@[a-zA-Z][a-zA-Z0-9_]{2,31}\b", re.A)),
    ("hashtag", re.compile(r"(?<![\w#&])#\w*[^\W\d]\w*")),
    ("cashtag", re.compile(r"(?<![\w$])\$[A-Z]{1,8}\b")),
]


def utf16(text: str) -> int:
    """The length of ``text`` in UTF-16 code units."""
    return len(text) + sum(char > "\uffff" for char in text)


def cut(text: str, offset: int, length: int) -> str:
    """The part of ``text`` that an entity covers."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return raw[2 * offset : 2 * (offset + length)].decode("utf-16-le", "replace")


def unparsable(text: str) -> ApiError:
    """The refusal of a text that is no HTML as Telegram knows it."""
    return bad_request(f"can't parse entities: {text}")


def formatted(
    text: str, parse_mode: str | None, given: list[Entity] | None, mention: Mention = lambda _: None
) -> tuple[str, list[Entity]]:
    """What a text with parse mode or given entities comes to: trimmed text, all its entities in order.

    Raises ApiError 400 with Telegram's words, or 501 for Markdown, which the playground does not read.
    """
    entities: list[Entity] = []
    if parse_mode:
        if parse_mode.lower() in ("markdown", "markdownv2"):
            raise ApiError(501, f"Not Implemented: parse_mode {parse_mode}; the playground reads HTML only")
        if parse_mode.lower() != "html":
            raise bad_request("unsupported parse_mode")
        text, entities = parse_html(text, mention)
    elif given:
        entities = check_given(text, given, mention)
    text = text.replace("\r", "")
    text, entities = trim(text, entities)
    entities += find(text, entities)
    entities.sort(key=lambda entity: (entity["offset"], -entity["length"]))
    return text, entities


def trim(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Without white space at both ends, entities moved and cut to fit."""
    stripped = text.lstrip(" \n\t")
    lead = utf16(text[: len(text) - len(stripped)])
    stripped = stripped.rstrip(" \n\t")
    size = utf16(stripped)
    fitted = []
    for entity in entities:
        start = max(entity["offset"] - lead, 0)
        end = min(entity["offset"] - lead + entity["length"], size)
        if end > start:
            fitted.append({**entity, "offset": start, "length": end - start})
    return stripped, fitted


def check_given(text: str, given: list[Entity], mention: Mention) -> list[Entity]:
    """Entities that the bot lists itself: known types, within the text."""
    size = utf16(text)
    kept = []
    for entity in given:
        kind, start, length = entity["type"], entity["offset"], entity["length"]
        if kind in FOUND_TYPES:
            continue
        if kind not in GIVEN_TYPES:
            raise unparsable(f"unsupported entity type {kind}")
        if start < 0 or length <= 0 or start + length > size:
            raise unparsable(f"entity {kind} at {start}+{length} is not within the text of {size} UTF-16 code units")
        if kind == "text_mention":
            user = mention(entity.get("user", {}).get("id", 0))
            if user is None:
                continue
            entity = {**entity, "user": user}
        kept.append(dict(entity))
    return kept


def find(text: str, taken: list[Entity]) -> list[Entity]:
    """Commands, mentions, links, tags in plain text, outside code and links."""
    barred = [
        (entity["offset"], entity["offset"] + entity["length"])
        for entity in taken
        if entity["type"] in ("code", "pre", "text_link", "text_mention", "custom_emoji")
    ]
    found: list[Entity] = []
    for kind, pattern in FOUND:
        for match in pattern.finditer(text):
            matched = match.group().rstrip(".,!?;:)") if kind == "url" else match.group()
            start = utf16(text[: match.start()])
            end = start + utf16(matched)
            if any(start < right and left < end for left, right in barred):
                continue
            barred.append((start, end))
            found.append({"type": kind, "offset": start, "length": end - start})
    return found


class _Open:
    """A tag that waits for its end."""

    def __init__(self, tag: str, attributes: dict[str, str], offset: int, begin: int) -> None:
        self.tag = tag
        self.attributes = attributes
        self.offset = offset
        self.begin = begin


def parse_html(source: str, mention: Mention = lambda _: None) -> tuple[str, list[Entity]]:
    """Telegram's HTML style to text and entities. Raises ApiError 400 for what Telegram refuses."""
    out: list[str] = []
    size = 0
    entities: list[Entity] = []
    stack: list[_Open] = []
    at = 0

    def put(piece: str) -> None:
        nonlocal size
        out.append(piece)
        size += utf16(piece)

    while at < len(source):
        char = source[at]
        if char == "&":
            decoded, at = _reference(source, at)
            put(decoded)
        elif char != "<":
            end = at
            while end < len(source) and source[end] not in "<&":
                end += 1
            put(source[at:end])
            at = end
        elif source.startswith("</", at):
            if not stack:
                raise unparsable(f"Unexpected end tag at byte offset {_bytes(source, at)}")
            stop = source.find(">", at)
            if stop < 0:
                raise unparsable(f"Unclosed end tag at byte offset {_bytes(source, at)}")
            name = source[at + 2 : stop].strip().lower()
            opened = stack.pop()
            if name and name != opened.tag:
                found = f'expected "</{opened.tag}>", found "</{name}>"'
                raise unparsable(f"Unmatched end tag at byte offset {_bytes(source, at)}, {found}")
            if size > opened.offset:
                _close(opened, "".join(out)[opened.begin :], size, entities, stack, mention)
            at = stop + 1
        else:
            tag, attributes, at = _start_tag(source, at)
            stack.append(_Open(tag, attributes, size, sum(map(len, out))))
    if stack:
        raise unparsable(f'Can\'t find end tag corresponding to start tag "{stack[-1].tag}"')
    entities.sort(key=lambda entity: (entity["offset"], -entity["length"]))
    return "".join(out), entities


def _bytes(source: str, at: int) -> int:
    return len(source[:at].encode("utf-8", "surrogatepass"))


def _reference(source: str, at: int) -> tuple[str, int]:
    """The character that ``&…;`` at ``at`` stands for, and where it ends; a bare ``&`` stands for itself."""
    match = REFERENCE.match(source, at)
    if match is None:
        return "&", at + 1
    name, decimal, hexadecimal = match.groups()
    if name:
        return NAMED[name], match.end()
    code = int(decimal) if decimal else int(hexadecimal, 16)
    if not 0 < code < 0x110000 or 0xD800 <= code < 0xE000:
        return "&", at + 1
    return chr(code), match.end()


def _start_tag(source: str, start: int) -> tuple[str, dict[str, str], int]:
    """Name and attributes of the tag at ``start``, and where it ends."""
    where = _bytes(source, start)
    at = start + 1
    while at < len(source) and not source[at].isspace() and source[at] != ">":
        at += 1
    if at == len(source):
        raise unparsable(f"Unclosed start tag at byte offset {where}")
    tag = source[start + 1 : at].lower()
    if tag not in TAGS:
        raise unparsable(f'Unsupported start tag "{tag}" at byte offset {where}')
    attributes: dict[str, str] = {}
    while True:
        while at < len(source) and source[at].isspace():
            at += 1
        if at == len(source):
            raise unparsable(f"Unclosed start tag at byte offset {where}")
        if source[at] == ">":
            break
        begin = at
        while at < len(source) and not source[at].isspace() and source[at] not in "=>":
            at += 1
        name = source[begin:at].lower()
        if not name:
            raise unparsable(f'Empty attribute name in the tag "{tag}" at byte offset {_bytes(source, begin)}')
        while at < len(source) and source[at].isspace():
            at += 1
        if at == len(source) or source[at] != "=":
            attributes[name] = ""
            continue
        at += 1
        while at < len(source) and source[at].isspace():
            at += 1
        if at == len(source):
            raise unparsable(f"Unclosed start tag at byte offset {where}")
        value, at = _value(source, at, where)
        attributes[name] = value
    if tag == "span" and attributes.get("class") != "tg-spoiler":
        raise unparsable(f'Tag "span" must have class "tg-spoiler" at byte offset {where}')
    return tag, attributes, at + 1


def _value(source: str, at: int, where: int) -> tuple[str, int]:
    if source[at] not in "\"'":
        begin = at
        while at < len(source) and (source[at].isalnum() or source[at] in ".-"):
            at += 1
        if at == len(source) or not (source[at].isspace() or source[at] == ">"):
            raise unparsable(f"Unexpected end of name token at byte offset {_bytes(source, begin)}")
        return source[begin:at].lower(), at
    quote = source[at]
    at += 1
    value = []
    while at < len(source) and source[at] != quote:
        if source[at] == "&":
            decoded, at = _reference(source, at)
            value.append(decoded)
        else:
            value.append(source[at])
            at += 1
    if at == len(source):
        raise unparsable(f"Unclosed start tag at byte offset {where}")
    return "".join(value), at + 1


def _close(opened: _Open, inner: str, end: int, entities: list[Entity], stack: list[_Open], mention: Mention) -> None:
    """Adds the entity of a tag that ends here, if it makes one."""
    entity: Entity = {"type": TAGS[opened.tag], "offset": opened.offset, "length": end - opened.offset}
    given = opened.attributes
    if opened.tag == "a":
        url = given.get("href") or inner
        person = re.fullmatch(r"tg://user\?id=([0-9]{1,19})/?", url)
        if person:
            user = mention(int(person.group(1)))
            if user is None:
                return
            entity = {**entity, "type": "text_mention", "user": user}
        elif not re.match(r"(?i)(https?|tg|ton|tonsite)://|mailto:|[\w-]+(\.[\w-]+)+", url):
            return
        else:
            entity["url"] = url if ":" in url else f"http://{url}/"
    elif opened.tag == "blockquote" and "expandable" in given:
        entity["type"] = "expandable_blockquote"
    elif opened.tag == "tg-emoji":
        if not given.get("emoji-id", "").isdigit():
            raise unparsable("Invalid custom emoji identifier specified")
        entity["custom_emoji_id"] = given["emoji-id"]
    elif opened.tag == "tg-time":
        try:
            entity["unix_time"] = read_int(given.get("unix", ""))
        except ValueError:
            raise unparsable("Invalid date-time specified") from None
        if given.get("format"):
            if not TIME_FORMAT.fullmatch(given["format"]):
                raise unparsable("Invalid date-time format specified")
            entity["date_time_format"] = given["format"]
    elif opened.tag == "code" and given.get("class", "").startswith("language-") and stack and stack[-1].tag == "pre":
        # <pre><code class="language-python">: the language belongs to the pre around it.
        stack[-1].attributes["language"] = given["class"].removeprefix("language-")
        return
    elif opened.tag == "pre" and given.get("language"):
        entity["language"] = given["language"]
    entities.append(entity)
