"""Checks calls, and what is answered, against ``bot_api.json``: names, types, required fields, lengths.

Stricter than Telegram on purpose: an unknown parameter is refused, not ignored, and within JSON a number must be a
number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from playground.errors import ApiError, bad_request

PATH = Path(__file__).with_name("bot_api.json")
ARRAY = "Array of "
# Values that every field of these types must have.
BASIC: dict[str, type | tuple[type, ...]] = {"String": str, "Integer": int, "Float": (int, float), "Boolean": bool}


class Mismatch(Exception):
    """A value is not of the wanted type; the text says where and why."""


class Schema:
    """The Bot API as data: 185 methods and 400 types of version 10.3."""

    def __init__(self, path: Path = PATH) -> None:
        document = json.loads(path.read_text("utf-8"))
        self.version: str = document["version"]
        self.methods: dict[str, dict[str, Any]] = document["methods"]
        self.types: dict[str, dict[str, Any]] = document["types"]
        self._names = {name.lower(): name for name in self.methods}
        self._leaves: dict[str, tuple[str, ...]] = {}

    def method(self, name: str) -> str | None:
        """The method's name as documented; names are taken in any case, as Telegram does. None if there is none."""
        return self._names.get(name.lower())

    def check_call(self, method: str, params: Mapping[str, Any], files: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of a call, turned into the documented types.

        ``params`` holds strings (from a form) or JSON values; ``files`` the uploaded parts by name. An uploaded part
        named like a parameter stands as ``attach://<name>`` in the result. Raises ApiError 400.
        """
        fields = self.methods[method]["fields"]
        given = dict(params)
        for name in files:
            if name in fields and name not in given and "InputFile" in fields[name]["types"]:
                given[name] = f"attach://{name}"
        checked: dict[str, Any] = {}
        for name, raw in given.items():
            field = fields.get(name)
            if field is None:
                raise bad_request(f'unknown parameter "{name}" in {method}')
            try:
                value = self._parse(field["types"], raw)
                self._check_any(field["types"], value, name)
                if not (name in ("text", "caption") and "parse_mode" in fields):
                    check_length(field, value, name)
            except Mismatch as error:
                raise self._wording(name, error) from None
            checked[name] = value
        for name, field in fields.items():
            if field.get("required") and name not in checked:
                raise self._missing(name)
        return checked

    def check_result(self, method: str, result: Any) -> None:
        """Raises Mismatch if what the playground answers is not what the method returns by the book."""
        self._check_any(self.methods[method]["returns"], result, "result")

    def check_object(self, kind: str, value: Any) -> None:
        """Raises Mismatch unless ``value`` is an object of that type."""
        self._check_any([kind], value, kind)

    # parameters

    def _parse(self, types: list[str], raw: Any) -> Any:
        """A value of a form field, read after the types it may have."""
        if not isinstance(raw, str):
            return raw
        if "InputFile" in types and raw.startswith("attach://"):
            return raw
        if "Integer" in types and is_integer(raw):
            return int(raw)
        if "String" in types:
            return raw
        if "Boolean" in types or "True" in types:
            lowered = raw.lower()
            if lowered in ("true", "1", "yes"):
                return True
            if lowered in ("false", "0", "no"):
                return False
            raise Mismatch("is not a boolean")
        if "Float" in types:
            try:
                return float(raw)
            except ValueError:
                raise Mismatch("is not a number") from None
        if "Integer" in types:
            raise Mismatch("is not an integer")
        try:
            return json.loads(raw)
        except ValueError:
            raise Mismatch("is not valid JSON") from None

    def _missing(self, name: str) -> ApiError:
        empty = {
            "chat_id": "chat_id is empty",
            "text": "message text is empty",
            "user_id": "invalid user_id specified",
            "message_id": "message identifier is not specified",
            "callback_query_id": "query is too old and response timeout expired or query ID is invalid",
            "photo": "there is no photo in the request",
            "document": "there is no document in the request",
            "voice": "there is no voice in the request",
            "animation": "there is no animation in the request",
            "file_id": "file_id not specified",
        }
        return bad_request(empty.get(name, f'parameter "{name}" is required'))

    def _wording(self, name: str, error: Mismatch) -> ApiError:
        text = str(error)
        if name == "reply_markup" and text.endswith("callback_data has a wrong length"):
            return bad_request("BUTTON_DATA_INVALID")
        if text.endswith("must be valid Unicode"):
            return bad_request("strings must be encoded in UTF-8")
        if name == "text" and text.endswith("wrong length"):
            return bad_request("MESSAGE_TOO_LONG")
        if name == "reply_markup":
            return bad_request(f"can't parse reply keyboard markup JSON object: {text}")
        if name in ("entities", "caption_entities"):
            return bad_request(f"can't parse entities: {text}")
        if name == "media":
            return bad_request(f"can't parse InputMedia: {text}")
        if name == "scope":
            return bad_request(f"can't parse BotCommandScope: {text}")
        if name == "commands":
            return bad_request(f"can't parse commands JSON object: {text}")
        return bad_request(f'parameter "{name}" {text.removeprefix(name).lstrip()}')

    # values

    def leaves(self, kind: str) -> tuple[str, ...]:
        """The types that ``kind`` may stand for: itself, or all that its union has in the end."""
        if kind not in self._leaves:
            subtypes = self.types.get(kind, {}).get("subtypes")
            found: list[str] = [] if subtypes else [kind]
            for subtype in subtypes or ():
                found.extend(self.leaves(subtype) if subtype in self.types else (subtype,))
            self._leaves[kind] = tuple(dict.fromkeys(found))
        return self._leaves[kind]

    def _check_any(self, types: list[str], value: Any, where: str) -> None:
        """``value`` must be of one of the types; ``where`` names it in the error."""
        kinds = [leaf for kind in types for leaf in ((kind,) if kind.startswith(ARRAY) else self.leaves(kind))]
        arrays = [kind.removeprefix(ARRAY) for kind in kinds if kind.startswith(ARRAY)]
        if isinstance(value, list | tuple):
            if not arrays:
                raise Mismatch(f"{where} is a list where none is expected")
            for index, item in enumerate(value):
                self._check_any(arrays, item, f"{where}[{index}]")
            return
        objects = [kind for kind in kinds if kind in self.types and kind != "InputFile"]
        if isinstance(value, dict):
            if not objects:
                raise Mismatch(f"{where} is an object where none is expected")
            self._check_fields(self._choose(objects, value, where), value, where)
            return
        if isinstance(value, str) and not is_unicode(value):
            raise Mismatch(f"{where} must be valid Unicode")
        for kind in kinds:
            if kind == "True" and value is True:
                return
            if kind == "InputFile" and isinstance(value, str):
                return
            basic = BASIC.get(kind)
            if basic is not None and isinstance(value, basic) and (kind == "Boolean" or not isinstance(value, bool)):
                return
        raise Mismatch(f"{where} must be {' or '.join(types)}")

    def _choose(self, kinds: list[str], value: dict[str, Any], where: str) -> str:
        """Of a union's types the one meant: by fixed values (``type``, ``status``), then by the fields given."""
        if len(kinds) == 1:
            return kinds[0]
        fitting = []
        for kind in kinds:
            fields = self.types[kind].get("fields", {})
            fixed = {
                name: field["values"] for name, field in fields.items() if "values" in field and field.get("required")
            }
            if all(value.get(name) in allowed for name, allowed in fixed.items()):
                fitting.append(kind)
        if len(fitting) > 1:
            complete = [
                kind
                for kind in fitting
                if all(n in value for n, field in self.types[kind].get("fields", {}).items() if field.get("required"))
            ]
            fitting = complete or fitting
        if len(fitting) > 1:
            # The one that knows most of the fields given.
            fitting.sort(key=lambda kind: sum(name not in self.types[kind].get("fields", {}) for name in value))
        if not fitting:
            raise Mismatch(f"{where} is none of {', '.join(kinds)}")
        return fitting[0]

    def _check_fields(self, kind: str, value: dict[str, Any], where: str) -> None:
        fields = self.types[kind].get("fields", {})
        for name, item in value.items():
            field = fields.get(name)
            if field is None:
                raise Mismatch(f'{where} has a field "{name}" that {kind} does not have')
            self._check_any(field["types"], item, f"{where}.{name}")
            if "values" in field and item not in field["values"]:
                raise Mismatch(f"{where}.{name} must be one of {', '.join(map(str, field['values']))}")
            if not (name == "caption" and "parse_mode" in fields):
                check_length(field, item, f"{where}.{name}")
        for name, field in fields.items():
            if field.get("required") and name not in value:
                raise Mismatch(f'{where} lacks "{name}" of {kind}')


def check_length(field: Mapping[str, Any], value: Any, where: str) -> None:
    """Raises Mismatch if a string is shorter or longer than documented."""
    limits = field.get("length")
    if limits is None or not isinstance(value, str):
        return
    size = len(value.encode("utf-8", "surrogatepass")) if limits["unit"] == "bytes" else len(value)
    if not limits.get("min", 0) <= size <= limits["max"]:
        raise Mismatch(f"{where} has a wrong length")


def is_unicode(text: str) -> bool:
    """Whether UTF-8 can carry the text: JSON can smuggle in half of a surrogate pair."""
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)


def is_integer(text: str) -> bool:
    digits = text[1:] if text[:1] == "-" else text
    return digits.isascii() and digits.isdigit() and len(digits) <= 19


@cache
def schema() -> Schema:
    """The project's copy of the Bot API, read once."""
    return Schema()
