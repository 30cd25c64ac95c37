"""The control interface as functions: path, fields, what is done (docs/playground.md). HTTP: ``playground.server``."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playground import documents
from playground.errors import ControlError
from playground.faults import KINDS, Fault
from playground.methods.identity import commands_for
from playground.reading import read_float, read_int
from playground.schema import is_unicode
from playground.world import SystemClock, World

Fields = dict[str, Any]
LATEST = 4_102_444_800
"""Unix seconds: where the clock can be moved to, far enough for everything and within what dates can say."""
LONGEST_FAULT = 86_400
TYPES: dict[str, tuple[type, ...]] = {"int": (int,), "str": (str,), "bool": (bool,), "float": (int, float)}


@dataclass(frozen=True, slots=True)
class Route:
    """``fields``: name → type; "?" at the end: may be left out; "null" in it: may be null; "[]": a list of it."""

    fields: dict[str, str]
    do: Callable[[World, Fields], Any]


def checked(route: Route, given: Fields, texts: bool = False) -> Fields:
    """The fields of a request, each of its type; ``texts``: from a query, so all strings. Raises ControlError 400."""
    unknown = set(given) - set(route.fields)
    if unknown:
        raise ControlError(400, f"unknown field: {', '.join(sorted(unknown))}")
    result: Fields = {}
    for name, kind in route.fields.items():
        if name not in given:
            if not kind.endswith("?"):
                raise ControlError(400, f"{name} is missing")
            continue
        result[name] = _value(name, kind.rstrip("?"), given[name], texts)
    return result


def _value(name: str, kind: str, value: Any, texts: bool) -> Any:
    if value is None and "null" in kind:
        return None
    kind = kind.replace("null", "").strip()
    if kind.endswith("[]"):
        if not isinstance(value, list):
            raise ControlError(400, f"{name} must be a list")
        return [_value(name, kind[:-2], item, texts) for item in value]
    if texts and kind in ("int", "float"):
        try:
            return read_int(value) if kind == "int" else read_float(value)
        except ValueError:
            raise ControlError(400, f"{name} must be a number") from None
    if not isinstance(value, TYPES[kind]) or (kind != "bool" and isinstance(value, bool)):
        raise ControlError(400, f"{name} must be of type {kind}")
    if isinstance(value, str) and not is_unicode(value):
        raise ControlError(400, f"{name} must be UTF-8: it holds half of a surrogate pair")
    return value


# talking


def _speak(world: World, args: Fields) -> Any:
    try:
        sound = base64.b64decode(args.pop("voice"), validate=True)
    except ValueError:
        raise ControlError(400, "voice must be base64") from None
    return world.crowd.speak(**args, sound=sound)


# looking


def _chats(world: World, args: Fields) -> Any:
    world.crowd.person(args["person_id"])
    seen = [chat for chat in world.chats.values() if not chat.gone and chat.sees(args["person_id"])]
    return [
        documents.chat(world, chat, messages=False)
        | {"messages": documents.history(world, chat, person_id=args["person_id"])}
        for chat in seen
    ]


def _messages(world: World, args: Fields) -> Any:
    chat = world.crowd.chat(args["chat_id"], args.get("person_id"))
    limit = args.get("limit", documents.SHOWN)
    if not 1 <= limit <= documents.SHOWN:
        raise ControlError(400, f"limit must be between 1 and {documents.SHOWN}")
    return documents.history(world, chat, args.get("before"), limit, args.get("person_id"))


def _commands(world: World, args: Fields) -> Any:
    return commands_for(world, world.crowd.chat(args["chat_id"], args["person_id"]), args["person_id"])


def _callback(world: World, args: Fields) -> Any:
    world.tick()
    press = world.presses.get(args["id"])
    if press is None:
        raise ControlError(404, f"there is no callback {args['id']}")
    return documents.press(world, press)


def _calls(world: World, args: Fields) -> Any:
    limit = args.get("limit", 200)
    if not 1 <= limit <= 1000:
        raise ControlError(400, "limit must be between 1 and 1000")
    after, method, chat_id = args.get("after", 0), args.get("method"), args.get("chat_id")
    found = [
        call
        for call in world.log
        if call.number > after and method in (None, call.method) and chat_id in (None, call.chat_id)
    ]
    return [documents.call(call, whole=True) for call in found[:limit]]


GET: dict[str, Route] = {
    "state": Route({}, lambda world, _: documents.state(world)),
    "bot": Route({}, lambda world, _: documents.bot(world)),
    "chats": Route({"person_id": "int"}, _chats),
    "messages": Route({"chat_id": "int", "before": "int?", "limit": "int?", "person_id": "int?"}, _messages),
    "commands": Route({"person_id": "int", "chat_id": "int"}, _commands),
    "callback": Route({"id": "str", "wait": "float?"}, _callback),
    "calls": Route({"after": "int?", "limit": "int?", "method": "str?", "chat_id": "int?"}, _calls),
    "budgets": Route({}, lambda world, _: world.budgets.document(world.now())),
}


# doing


def _chat(act: Callable[[World, Fields], Any]) -> Callable[[World, Fields], Any]:
    """The act's chat as a document without messages."""
    return lambda world, args: documents.chat(world, act(world, args), messages=False)


def _message(act: Callable[[World, Fields], Any]) -> Callable[[World, Fields], Any]:
    return lambda world, args: documents.message(world, act(world, args))


def _done(act: Callable[[World, Fields], Any]) -> Callable[[World, Fields], Any]:
    def run(world: World, args: Fields) -> bool:
        act(world, args)
        return True

    return run


def _add_person(world: World, args: Fields) -> Any:
    groups = args.pop("groups", [])
    for chat_id in groups:
        world.crowd.group(chat_id)
    person = world.crowd.add_person(**args)
    for chat_id in groups:
        world.crowd.join(chat_id, person.id)
    return documents.person(person)


def _add_topic(world: World, args: Fields) -> Any:
    topic = world.crowd.add_topic(**args)
    return {"id": topic.id, "name": topic.name, "closed": topic.closed}


def _press(world: World, args: Fields) -> Any:
    args.pop("wait", None)
    return documents.press(world, world.crowd.press(**args))


def _add_fault(world: World, args: Fields) -> Any:
    if args["kind"] not in KINDS:
        raise ControlError(400, f"kind must be one of {', '.join(KINDS)}")
    given = {name: value for name, value in args.items() if value is not None}
    if given.get("times", 1) < 1 or given.get("skip", 0) < 0 or not 0 <= given.get("seconds", 0) <= LONGEST_FAULT:
        raise ControlError(400, f"times is at least 1, skip not negative, seconds are between 0 and {LONGEST_FAULT}")
    if not 400 <= given.get("code", 500) <= 599:
        raise ControlError(400, "code is an error's: between 400 and 599")
    if args.get("method") is not None and world.schema.method(args["method"]) is None:
        raise ControlError(400, f"there is no method {args['method']}")
    added = world.crowd.order_fault(Fault(**given))
    return next(fault for fault in world.faults.document() if fault["id"] == added.id)


def _budgets(world: World, args: Fields) -> Any:
    world.budgets.enforced = args["enforced"]
    found = world.budgets.document(world.now())
    world.feed.emit("budgets", lambda: {"budgets": found})
    return found


def _clock(world: World, args: Fields) -> Any:
    if not isinstance(world.clock, SystemClock):
        raise ControlError(409, "this world's clock cannot be changed from here")
    advance, speed = args.get("advance", 0), args.get("speed")
    if advance < 0 or (speed is not None and not 0 <= speed <= 1000):
        raise ControlError(400, "advance must not be negative, speed is between 0 and 1000")
    if world.now() + advance > LATEST:
        raise ControlError(400, "the clock goes to the year 2100 at most")
    world.clock.change(advance, speed)
    world.tick()
    found = world.clock_document()
    world.feed.emit("clock", lambda: {"clock": found})
    return found


PERSON = {"last_name": "str?", "username": "str null?", "language_code": "str null?"}
MEMBER = {"chat_id": "int", "member_id": "int"}
TOPIC = {"chat_id": "int", "topic_id": "int"}
SPOT = {"person_id": "int", "chat_id": "int", "message_id": "int"}

POST: dict[str, Route] = {
    "people/add": Route({"first_name": "str", **PERSON, "groups": "int[]?"}, _add_person),
    "people/change": Route(
        {"person_id": "int", "first_name": "str?", **PERSON},
        lambda world, args: documents.person(world.crowd.change_person(**args)),
    ),
    "people/remove": Route({"person_id": "int"}, _done(lambda world, args: world.crowd.remove_person(**args))),
    "groups/add": Route(
        {"title": "str", "members": "int[]", "type": "str?", "bot": "bool?", "is_forum": "bool?"},
        _chat(lambda world, args: world.crowd.add_group(**args)),
    ),
    "groups/change": Route(
        {"chat_id": "int", "title": "str?", "is_forum": "bool?"},
        _chat(lambda world, args: world.crowd.change_group(**args)),
    ),
    "groups/remove": Route({"chat_id": "int"}, _done(lambda world, args: world.crowd.remove_group(**args))),
    "groups/join": Route({**MEMBER, "by": "int?"}, _chat(lambda world, args: world.crowd.join(**args))),
    "groups/leave": Route({**MEMBER, "by": "int?"}, _chat(lambda world, args: world.crowd.leave(**args))),
    "groups/status": Route(
        {**MEMBER, "status": "str", "can_send": "bool?", "photos": "bool?"},
        _chat(lambda world, args: world.crowd.set_status(**args)),
    ),
    "groups/migrate": Route({"chat_id": "int"}, _chat(lambda world, args: world.crowd.migrate(**args))),
    "topics/add": Route({"chat_id": "int", "name": "str"}, _add_topic),
    "topics/close": Route(TOPIC, _done(lambda world, args: world.crowd.close_topic(**args))),
    "topics/reopen": Route(TOPIC, _done(lambda world, args: world.crowd.close_topic(**args, closed=False))),
    "topics/remove": Route(TOPIC, _done(lambda world, args: world.crowd.remove_topic(**args))),
    "start": Route({"person_id": "int", "payload": "str?"}, _message(lambda world, args: world.crowd.start(**args))),
    "block": Route({"person_id": "int"}, _chat(lambda world, args: world.crowd.block(**args))),
    "unblock": Route({"person_id": "int"}, _chat(lambda world, args: world.crowd.unblock(**args))),
    "say": Route(
        {"person_id": "int", "chat_id": "int", "text": "str", "reply_to": "int null?", "thread_id": "int null?",
         "anonymous": "bool?"},
        _message(lambda world, args: world.crowd.say(**args)),
    ),
    "speak": Route(
        {"person_id": "int", "chat_id": "int", "voice": "str", "duration": "int", "reply_to": "int null?",
         "of": "int?"},
        _message(_speak),
    ),
    "delete": Route(SPOT, _done(lambda world, args: world.crowd.delete(**args))),
    "press": Route(
        {**SPOT, "data": "str?", "row": "int?", "column": "int?", "force": "bool?", "inaccessible": "bool?",
         "wait": "float?"},
        _press,
    ),
    "read": Route(
        {"person_id": "int", "chat_id": "int", "message_id": "int?"},
        _done(lambda world, args: world.crowd.read(**args)),
    ),
    "react": Route({**SPOT, "emoji": "str null"}, _done(lambda world, args: world.crowd.react(**args))),
    "faults/add": Route(
        {"kind": "str", "method": "str null?", "chat_id": "int null?", "seconds": "float null?", "code": "int null?",
         "description": "str null?", "times": "int?", "skip": "int?"},
        _add_fault,
    ),
    "faults/clear": Route({"id": "int?"}, _done(lambda world, args: world.crowd.clear_faults(args.get("id")))),
    "budgets": Route({"enforced": "bool"}, _budgets),
    "clock": Route({"advance": "float?", "speed": "float?"}, _clock),
}  # fmt: skip
