"""getUpdates and webhooks. Waiting is done in ``playground.front``; here getUpdates answers at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playground.addresses import split
from playground.errors import ApiError, bad_request
from playground.methods.registry import Args, Method, Uploads, entry

if TYPE_CHECKING:
    from playground.world import World

METHODS: dict[str, Method] = {}


def _allow(world: World, args: Args) -> None:
    kinds = args.get("allowed_updates")
    for kind in kinds or ():
        if kind == "update_id" or kind not in world.schema.types["Update"]["fields"]:
            raise bad_request(f'can\'t parse allowed_updates: there are no updates "{kind}"')
    world.updates.allow(kinds)


@entry(METHODS, "getUpdates")
def get_updates(world: World, args: Args, _: Uploads) -> Any:
    """``getUpdates`` of the Bot API."""
    if world.webhook:
        raise ApiError(
            409,
            "Conflict: can't use getUpdates method while webhook is active; "
            "use deleteWebhook to delete the webhook first",
        )
    limit = args.get("limit", 100)
    if not 1 <= limit <= 100:
        raise bad_request("limit must be between 1 and 100")
    if args.get("timeout", 0) < 0:
        raise bad_request("timeout must not be negative")
    _allow(world, args)
    if "offset" in args:
        world.updates.confirm(args["offset"], world.now())
    return world.updates.take(limit, world.now())


@entry(METHODS, "setWebhook")
def set_webhook(world: World, args: Args, _: Uploads) -> Any:
    """``setWebhook`` of the Bot API."""
    url = args["url"]
    if "certificate" in args:
        raise ApiError(501, "Not Implemented: certificate of setWebhook; the playground speaks plain HTTP")
    if url:
        parts = split(url)
        if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
            raise bad_request("bad webhook: invalid webhook URL specified")
    _allow(world, args)
    if args.get("drop_pending_updates"):
        world.updates.clear()
    world.webhook = {name: value for name, value in args.items() if name != "drop_pending_updates"} if url else {}
    return True


@entry(METHODS, "deleteWebhook")
def delete_webhook(world: World, args: Args, _: Uploads) -> Any:
    """``deleteWebhook`` of the Bot API."""
    if args.get("drop_pending_updates"):
        world.updates.clear()
    world.webhook = {}
    return True


@entry(METHODS, "getWebhookInfo")
def get_webhook_info(world: World, args: Args, _: Uploads) -> Any:
    """``getWebhookInfo`` of the Bot API."""
    info: dict[str, Any] = {
        "url": world.webhook.get("url", ""),
        "has_custom_certificate": False,
        "pending_update_count": world.updates.pending(world.now()),
    }
    if world.webhook:
        info["max_connections"] = world.webhook.get("max_connections", 40)
    if world.webhook and world.webhook_error:
        info["last_error_date"], info["last_error_message"] = world.webhook_error
    if world.updates.allowed:
        info["allowed_updates"] = list(world.updates.allowed)
    return info
