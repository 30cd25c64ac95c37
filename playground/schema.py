"""Checks calls, and what is answered, against ``bot_api.json``: names, types, required fields, lengths.

Stricter than Telegram on purpose: an unknown parameter is refused, not ignored, and within JSON a number must be a
number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from playground.errors import ApiError, bad_request
from playground.reading import read_float, read_int, read_json

PATH = Path(__file__).with_name("bot_api.json")
ARRAY = "Array of "
SURROGATE = re.compile("[\ud800-\udfff]")
# The Python types of the basic ones.
BASIC: dict[str, set[type]] = {"String": {str}, "Integer": {int}, "Float": {int, float}, "Boolean": {bool}}


class Mismatch(Exception):
    """A value is not of the wanted type; the text says where and why."""


@dataclass(slots=True)
class Plan:
    """How to check a value: the Python types that will do, the objects it may be, the plan of a list's items."""

    names: str = ""
    exact: set[type] = field(default_factory=set)
    true: bool = False
    objects: list[str] = field(default_factory=list)
    items: Plan | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an object type. ``values``: the only ones allowed."""

    plan: Plan
    required: bool
    values: tuple[Any, ...] | None
    length: dict[str, Any] | None


class Schema:
    """The Bot API as data: 185 methods and 400 types of version 10.3."""

    def __init__(self, path: Path = PATH) -> None:
        document = json.loads(path.read_text("utf-8"))
        self.version: str = document["version"]
        self.methods: dict[str, dict[str, Any]] = document["methods"]
        self.types: dict[str, dict[str, Any]] = document["types"]
        self._names = {name.lower(): name for name in self.methods}
        self._leaves: dict[str, tuple[str, ...]] = {}
        self._plans: dict[tuple[str, ...], Plan] = {}
        self._objects: dict[str, dict[str, Field]] = {}

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
                self._check(self._plan(field["types"]), value)
                if not (name in ("text", "caption") and "parse_mode" in fields):
                    check_length(field.get("length"), value)
            except Mismatch as error:
                raise self._wording(name, error) from None
            checked[name] = value
        for name, field in fields.items():
            if field.get("required") and name not in checked:
                raise self._missing(name)
        return checked

    def check_result(self, method: str, result: Any) -> None:
        """Raises Mismatch if what the playground answers is not what the method returns by the book."""
        self._check(self._plan(self.methods[method]["returns"]), result)

    def check_object(self, kind: str, value: Any) -> None:
        """Raises Mismatch unless ``value`` is an object of that type."""
        self._check(self._plan([kind]), value)

    # parameters

    def _parse(self, types: list[str], raw: Any) -> Any:
        """A value of a form field, read after the types it may have."""
        if not isinstance(raw, str):
            return raw
        if "InputFile" in types and raw.startswith("attach://"):
            return raw
        if "Integer" in types:
            with suppress(ValueError):
                return read_int(raw)
        if "String" in types:
            return raw
        if "Boolean" in types or "True" in types:
            lowered = raw.lower()
            if lowered in ("true", "1", "yes"):
                return True
            if lowered in ("false", "0", "no"):
                return False
            raise Mismatch(" is not a boolean")
        if "Float" in types:
            try:
                return read_float(raw)
            except ValueError:
                raise Mismatch(" is not a number") from None
        if "Integer" in types:
            raise Mismatch(" is not an integer")
        try:
            return read_json(raw)
        except ValueError:
            raise Mismatch(" is not valid JSON") from None

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
        wrong = str(error)
        if wrong.endswith("must be valid Unicode"):
            return bad_request("strings must be encoded in UTF-8")
        if name == "reply_markup" and wrong.endswith("callback_data has a wrong length"):
            return bad_request("BUTTON_DATA_INVALID")
        if name == "text" and wrong == " has a wrong length":
            return bad_request("MESSAGE_TOO_LONG")
        parsed = {
            "reply_markup": "reply keyboard markup JSON object",
            "entities": "entities",
            "caption_entities": "entities",
            "media": "InputMedia",
            "scope": "BotCommandScope",
            "commands": "commands JSON object",
        }
        if name in parsed:
            return bad_request(f"can't parse {parsed[name]}: {name}{wrong}")
        return bad_request(f'parameter "{name}"{wrong}')

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

    def _plan(self, types: Iterable[str]) -> Plan:
        """How to check a value that may be of any of ``types``; made once for each list of types."""
        key = tuple(types)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = Plan()
            plan.names = " or ".join(key)
            kinds = [leaf for kind in key for leaf in ((kind,) if kind.startswith(ARRAY) else self.leaves(kind))]
            for kind in kinds:
                if kind in BASIC:
                    plan.exact |= BASIC[kind]
                elif kind == "True":
                    plan.true = True
                elif kind == "InputFile":
                    plan.exact |= {str}
                elif not kind.startswith(ARRAY):
                    plan.objects.append(kind)
            items = [kind.removeprefix(ARRAY) for kind in kinds if kind.startswith(ARRAY)]
            plan.items = self._plan(items) if items else None
        return plan

    def _fields(self, kind: str) -> dict[str, Field]:
        """The fields of an object type, ready to check."""
        if kind not in self._objects:
            found = self.types[kind].get("fields", {})
            self._objects[kind] = {
                name: Field(
                    self._plan(field["types"]),
                    bool(field.get("required")),
                    tuple(field["values"]) if "values" in field else None,
                    None if name == "caption" and "parse_mode" in found else field.get("length"),
                )
                for name, field in found.items()
            }
        return self._objects[kind]

    def _check(self, plan: Plan, value: Any) -> None:
        """Raises Mismatch unless ``value`` is as planned; the text begins where in the value it is wrong."""
        kind = type(value)
        if kind is str:
            if str not in plan.exact:
                raise Mismatch(f" must be {plan.names}")
            if not is_unicode(value):
                raise Mismatch(" must be valid Unicode")
        elif kind is dict:
            if not plan.objects:
                raise Mismatch(" is an object where none is expected")
            self._check_fields(self._choose(plan.objects, value), value)
        elif kind is list or kind is tuple:
            if plan.items is None:
                raise Mismatch(" is a list where none is expected")
            for index, item in enumerate(value):
                try:
                    self._check(plan.items, item)
                except Mismatch as error:
                    raise Mismatch(f"[{index}]{error}") from None
        elif kind not in plan.exact and not (plan.true and value is True):
            raise Mismatch(f" must be {plan.names}")

    def _choose(self, kinds: list[str], value: dict[str, Any]) -> str:
        """Of a union's types the one meant: by fixed values (``type``, ``status``), then by the fields given."""
        if len(kinds) == 1:
            return kinds[0]
        fitting = []
        for kind in kinds:
            fields = self._fields(kind)
            if all(value.get(name) in one.values for name, one in fields.items() if one.required and one.values):
                fitting.append(kind)
        if len(fitting) > 1:
            complete = [
                kind for kind in fitting if all(n in value for n, one in self._fields(kind).items() if one.required)
            ]
            fitting = complete or fitting
        if len(fitting) > 1:
            # The one that knows most of the fields given.
            fitting.sort(key=lambda kind: sum(name not in self._fields(kind) for name in value))
        if not fitting:
            raise Mismatch(f" is none of {', '.join(kinds)}")
        return fitting[0]

    def _check_fields(self, kind: str, value: dict[str, Any]) -> None:
        fields = self._fields(kind)
        for name, item in value.items():
            field = fields.get(name)
            if field is None:
                raise Mismatch(f' has a field "{name}" that {kind} does not have')
            try:
                self._check(field.plan, item)
                if field.values is not None and item not in field.values:
                    raise Mismatch(f" must be one of {', '.join(map(str, field.values))}")
                check_length(field.length, item)
            except Mismatch as error:
                raise Mismatch(f".{name}{error}") from None
        for name, field in fields.items():
            if field.required and name not in value:
                raise Mismatch(f' lacks "{name}" of {kind}')


def check_length(limits: Mapping[str, Any] | None, value: Any) -> None:
    """Raises Mismatch if a string is shorter or longer than documented."""
    if limits is None or not isinstance(value, str):
        return
    size = len(value.encode("utf-8", "surrogatepass")) if limits["unit"] == "bytes" else len(value)
    if not limits.get("min", 0) <= size <= limits["max"]:
        raise Mismatch(" has a wrong length")


def is_unicode(text: str) -> bool:
    """Whether UTF-8 can carry the text: JSON can smuggle in half of a surrogate pair."""
    return text.isascii() or SURROGATE.search(text) is None


@cache
def schema() -> Schema:
    """The project's copy of the Bot API, read once."""
    return Schema()
