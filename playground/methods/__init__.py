"""The Bot API's methods that the playground knows, by name.

A method takes the world, its checked parameters and the uploads, and returns its result; it raises ApiError.
"""

from __future__ import annotations

from playground.methods import asking, chats, editing, ephemeral, identity, polling, sending
from playground.methods.registry import Method

METHODS: dict[str, Method] = {
    name: method
    for module in (asking, chats, editing, ephemeral, identity, polling, sending)
    for name, method in module.METHODS.items()
}
