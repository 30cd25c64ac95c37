"""The outbox: it stands between the tables and the Bot API.

Handlers say what a message should look like by now; the outbox holds the newest wanted state of each message and
brings it about within Telegram's budgets. No method here waits for the network except `dice`, and none raises
because of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from telegram import Bot

from handlers.budgets import Budgets
from handlers.clock import Clock
from handlers.outbox_messages import Button, Keyboard, Message, Picture, Priority, Sent, SentStore

__all__ = ["Button", "Keyboard", "Message", "Outbox", "Picture", "Priority", "Sent", "SentStore"]


class Outbox:
    """Newest wanted states, sent by priority within budgets.

    A *key* names one living message ("t12:group", "t12:hand:34"). Under a key at most one message lives; it is
    edited as long as it can be.

    Callbacks, plain functions called from the event loop (they must not block; what they raise is logged):
      - `on_unreachable(chat_id, reason)`: the chat cannot be written to (blocked, never started, kicked, deleted,
        rights lost). What was
        pending for it is discarded; a later `want` tries again.
      - `on_migrated(old_chat_id, new_chat_id)`: a group became a supergroup; what was pending goes to the new one.
      - `on_thread_lost(chat_id, thread_id)`: the topic is gone or closed; its messages go out without one from now
        on.
    """

    def __init__(
        self,
        bot: Bot,
        clock: Clock,
        store: SentStore,
        budgets: Budgets | None = None,
        *,
        on_unreachable: Callable[[int, str], object] | None = None,
        on_migrated: Callable[[int, int], object] | None = None,
        on_thread_lost: Callable[[int, int], object] | None = None,
    ) -> None: ...

    async def start(self) -> None:
        """Load the memory of what was sent; then calls go out. What was wanted before waits until now."""

    async def stop(self, within: float = 5.0) -> None:
        """Send what can be sent within so many seconds, then stop for good; later wants are ignored."""

    async def idle(self) -> None:
        """Wait until nothing is pending (for tests)."""

    # What a message should look like

    def want(self, key: str, message: Message, priority: Priority = Priority.RESULT) -> None:
        """`message` is the newest state of the message `key`: edited if it is there, else sent. An unchanged state
        costs no call.

        Text becomes a photo (or the other way round) by sending anew and deleting the old one.
        """

    def ring(self, key: str, message: Message, priority: Priority = Priority.PROMPT) -> None:
        """Like `want`, but sent anew at the bottom of the chat, with sound unless `message.silent`; then the old
        one is deleted.

        A later `want` before it is out changes the state, not the ringing; `hush` takes the ringing back.
        """

    def hush(self, key: str) -> None:
        """Whoever was to be rung has pressed: a ring not yet sent becomes a plain `want`."""

    def close(self, key: str, text: str | None = None) -> None:
        """The message's life is over: its newest state stays in the chat (with `text` instead, if given), its
        buttons go, the key is free."""

    def drop(self, key: str) -> None:
        """The message is deleted, or not sent if it is not out yet; the key is free. One over 48 hours old loses
        its buttons instead."""

    def say(self, message: Message, priority: Priority = Priority.CHATTER) -> None:
        """Send a message that is never touched again; given up when it could not be sent for ten minutes."""

    # Calls outside the newest-state rule

    async def dice(self, chat_id: int, thread_id: int | None = None) -> int | None:
        """Throw Telegram's die in the chat (sendDice, within the budgets, before everything else there): 1–6, or
        None if it cannot be thrown there.

        If the answer got lost it is thrown again: the last throw counts.
        """

    def answer(self, query_id: str, text: str | None = None, *, alert: bool = False, url: str | None = None) -> None:
        """Answer a callback query, at once and outside the budgets; `text` is cut at 200 characters. Errors are
        swallowed."""

    # What handlers learn from updates

    def pressed(self, key: str, chat_id: int, message_id: int) -> None:
        """A button of the message `key` was pressed on this copy. A copy that the outbox does not know as the
        newest (its answer was lost, or the bot was killed before it could be noted) is adopted if there is no
        other, else deleted."""

    def migrate(self, old_chat_id: int, new_chat_id: int) -> None:
        """A group became a supergroup (a `migrate_to_chat_id` message): what is pending for it goes to the new
        chat, living messages are sent anew."""

    # Looking in

    def keys(self, prefix: str = "") -> list[str]:
        """The keys under which a message lives or is wanted."""

    def where(self, key: str) -> tuple[int, int] | None:
        """Chat id and message id of the living message `key`, if it is out."""

    @property
    def busy(self) -> bool:
        """Whether the overall budget is nearly used up (over 25 calls a second): not the time to open another
        table."""

    calls: Counter[str]
    """Calls made so far, by method."""
    floods: int
    """How often Telegram answered 429."""

    @property
    def depth(self) -> int:
        """How many messages and calls are pending."""
