"""Hooks the house to PTB: updates in, commands in the menu, what the outbox learns."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from telegram import (
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    Chat,
    ChatMember,
    ChatMemberRestricted,
    ChatMemberUpdated,
    Message,
    Update,
    User,
)
from telegram.error import TelegramError
from telegram.ext import (
    Application,
    BaseUpdateProcessor,
    CallbackQueryHandler,
    ChatMemberHandler,
    CommandHandler,
    ContextTypes,
    MessageHandler,
    filters,
)

from data.errors import StoreUnwritable
from data.model import Person
from data.texts import language_for, menu_languages
from handlers.answers import Answer
from handlers.callbacks import answer_press, answer_to_stranger
from handlers.calls import ANONYMOUS, Call, Command
from handlers.commands import COMMANDS
from handlers.commands.help import COMMAND as HELP
from handlers.haste import REFUSALS, Haste
from handlers.house import House
from handlers.missing import left_the_group
from handlers.newer_calls import command as menu_command
from handlers.newer_calls import ephemeral_id
from handlers.outbox import Button, Priority
from handlers.outbox import Message as TextMessage
from handlers.people import GROUPS
from handlers.presses import PagePress, Press, read_press, table_data
from handlers.pressing import Pressing, answer_text
from handlers.recordings import VOICE

log = logging.getLogger(__name__)

ALLOWED_UPDATES = [Update.MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER]
GONE = (ChatMember.LEFT, ChatMember.BANNED)
AT_ONCE = 4096
"""Updates under way at once; enough that one person's flood, which waits for itself, keeps nobody else waiting."""
GENERAL = 1
"""The General topic's thread id, which the Bot API refuses when it is sent."""


class InOrder(BaseUpdateProcessor):
    """Updates of different people side by side, those of one person one after the other as they came."""

    def __init__(self) -> None:
        super().__init__(AT_ONCE)
        self._waiting: dict[int, tuple[asyncio.Lock, int]] = {}

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Wait for what the same person did before, then handle this."""
        user = update.effective_user if isinstance(update, Update) else None
        key = user.id if user is not None else 0
        lock, waiting = self._waiting.get(key, (asyncio.Lock(), 0))
        self._waiting[key] = lock, waiting + 1
        try:
            async with lock:
                await coroutine
        finally:
            lock, waiting = self._waiting.pop(key)
            if waiting > 1:
                self._waiting[key] = lock, waiting - 1

    async def initialize(self) -> None:
        """Nothing to set up."""

    async def shutdown(self) -> None:
        """Nothing to close."""


class Updates:
    """What happens to each update; ``register`` hooks it all to an application."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._haste = Haste(house.clock)
        self._refusals = Haste(house.clock, REFUSALS)

    def register(self, application: Application) -> None:  # type: ignore[type-arg]
        """Add all handlers. The application must have been built with ``concurrent_updates(InOrder())``."""
        for command in COMMANDS:
            whose: filters.BaseFilter = filters.UpdateType.MESSAGE
            if command.operators:
                whose &= filters.ChatType.PRIVATE & filters.User(self._house.operators)
            application.add_handler(CommandHandler(command.name, self._command(command), whose))
        application.add_handler(CallbackQueryHandler(self.on_press))
        application.add_handler(ChatMemberHandler(self.on_my_member, ChatMemberHandler.MY_CHAT_MEMBER))
        application.add_handler(MessageHandler(filters.StatusUpdate.MIGRATE, self.on_migration))
        application.add_handler(MessageHandler(filters.StatusUpdate.LEFT_CHAT_MEMBER, self.on_left))
        application.add_handler(MessageHandler(filters.StatusUpdate.NEW_CHAT_TITLE, self.on_title))
        anything = filters.ChatType.PRIVATE & filters.TEXT & filters.UpdateType.MESSAGE
        application.add_handler(MessageHandler(anything, self._command(HELP)))
        spoken = filters.ChatType.PRIVATE & filters.VOICE & filters.UpdateType.MESSAGE
        application.add_handler(MessageHandler(spoken, self._command(VOICE)))
        application.add_error_handler(self.on_error)

    def _command(self, command: Command) -> Callable[[Update, ContextTypes.DEFAULT_TYPE], Coroutine[Any, Any, None]]:
        async def run(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
            message = update.effective_message
            if message is None or message.from_user is None:
                return
            in_group = message.chat.type in (Chat.GROUP, Chat.SUPERGROUP)
            if not in_group and message.chat.type != Chat.PRIVATE:
                return
            sender = message.sender_chat
            if self._haste.too_fast(message.from_user.id if sender is None else sender.id):
                return
            try:
                await self._answer(command, await self._call(message, in_group, command.name))
            except StoreUnwritable as error:
                self._house.trouble(str(error))
                words = self._house.texts.get(language_for(message.from_user.language_code))
                text = TextMessage(message.chat.id, words.html("toast.full_disk"), silent=in_group)
                # However many commands come meanwhile, it is said once.
                self._house.outbox.ring(f"say:{message.chat.id}:full_disk", text, Priority.CHATTER)

        return run

    async def _answer(self, command: Command, call: Call) -> None:
        if not (command.private if call.group is None else command.group):
            call.say_key("say.group_only")
        elif call.person is None and not (command.anonymous or (command.admins and call.anonymous_admin)):
            call.explain_anonymity(command)
        else:
            await self._house.awake(call.person, call.group)
            await command.run(call)

    async def _call(self, message: Message, in_group: bool, name: str) -> Call:
        house = self._house
        user = message.from_user
        assert user is not None
        told = user.id not in ANONYMOUS and message.sender_chat is None
        person = await house.people.person(user) if told else None
        group = await house.people.group(message.chat, user if told else None) if in_group else None
        if person is not None and not in_group:
            person = await house.people.set_private_ok(person, True)
        thread = _thread_of(message) if in_group else None
        if thread is not None:
            house.outbox.thread_found(message.chat.id, thread)
        ephemeral = ephemeral_id(message)
        heard_by = group if group is not None else person
        aloud = house.texts.get(heard_by.language if heard_by is not None else None)
        return Call(
            house=house,
            chat_id=message.chat.id,
            person=person,
            group=group,
            thread=thread,
            words=house.texts.get(person.language) if ephemeral is not None and person is not None else aloud,
            aloud=aloud,
            argument=(message.text or "").partition(" ")[2].strip(),
            user_id=user.id,
            name=name,
            ephemeral=ephemeral,
            anonymous_admin=in_group and message.sender_chat is not None and message.sender_chat.id == message.chat.id,
            replied=_author(message.reply_to_message),
            voice=message.voice,
            forwarded=message.forward_origin is not None,
        )

    async def on_press(self, update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        """A button was pressed: do it, then say what came of it."""
        query = update.callback_query
        assert query is not None
        house, user = self._house, query.from_user
        words = house.texts.get(language_for(user.language_code))
        if self._haste.too_fast(user.id):
            if not self._refusals.too_fast(user.id):
                house.outbox.answer(query.id, words("toast.too_fast"))
            return
        answer = Answer("toast.trouble")
        try:
            message = query.message
            chat_id = message.chat.id if message is not None else user.id
            private = chat_id == user.id
            pressed = read_press(query.data or "")
            known = await self._presser(user, pressed)
            if known is None and private:
                answer = answer_to_stranger(query.data or "")
                return
            person = known if known is not None else house.people.stranger(user)
            words = house.texts.get(person.language)
            if private:
                person = await house.people.set_private_ok(person, True)
            elif message is not None:
                await house.people.seen(message.chat)
            number = message.message_id if message is not None else None
            chat = message.chat if message is not None else None
            thread = _thread_of(message) if isinstance(message, Message) else None
            genuine = isinstance(message, Message) and _has_button(message, query.data)
            pressing = Pressing(
                house, person, user.id, chat_id, private, number, query.id, words, chat, thread, genuine
            )
            answer = await answer_press(pressing, pressed)
        except StoreUnwritable as error:
            house.trouble(str(error))
            answer = Answer("toast.full_disk", alert=True)
        finally:
            if not answer.later:
                house.outbox.answer(query.id, answer_text(words, answer), alert=answer.alert, url=answer.url)

    async def _presser(self, user: User, pressed: Press | None) -> Person | None:
        """Who pressed. To look through pages makes nobody known; least of all those who were forgotten just now."""
        people = self._house.people
        if isinstance(pressed, PagePress) and await people.find(user) is None:
            return None
        return await people.person(user)

    async def on_my_member(self, update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        """The bot was started, blocked, added or removed."""
        change = update.my_chat_member
        assert change is not None
        house = self._house
        if change.chat.type != Chat.PRIVATE:
            member = change.new_chat_member
            silenced = isinstance(member, ChatMemberRestricted) and not member.can_send_messages
            if member.status in GONE or silenced:
                await house.lost_group(change.chat.id)
                return
            house.rights_changed(change.chat.id)
            if change.old_chat_member.status in GONE and change.chat.type in GROUPS:
                await self._greet_group(change)
            return
        if change.new_chat_member.status == ChatMember.BANNED:
            # Whoever has been forgotten, and goes, stays so.
            await house.people.find(change.from_user)
            await house.lost_private_chat(change.chat.id)
        else:
            await house.people.set_private_ok(await house.people.person(change.from_user), True)

    async def _greet_group(self, change: ChatMemberUpdated) -> None:
        """The bot was added to a group: it says what it is for, and how to begin."""
        house = self._house
        group = await house.people.group(change.chat, change.from_user)
        words = house.texts.get(group.language)
        button = Button(words("button.open"), table_data(0, "open"), style="success")
        message = TextMessage(change.chat.id, words.html("start.group"), ((button,),), silent=True)
        house.outbox.ring(f"welcome:{change.chat.id}", message, Priority.CHATTER)

    async def on_left(self, update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        """Somebody left a group: its queue and its calls are no longer for them; a seat stays theirs."""
        message = update.effective_message
        assert message is not None
        user = message.left_chat_member
        if user is not None and not user.is_bot:
            self._house.members.forget(message.chat.id, user.id)
            group = await self._house.people.group(message.chat)
            person = await self._house.people.find(user)
            if person is not None:
                await left_the_group(self._house, group, person)

    async def on_title(self, update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        """A group has another name."""
        message = update.effective_message
        assert message is not None
        await self._house.people.seen(message.chat)

    async def on_migration(self, update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        """A group became a supergroup; both sides tell it, in any order."""
        message = update.effective_message
        assert message is not None
        if message.migrate_to_chat_id is not None:
            old, new = message.chat.id, message.migrate_to_chat_id
        elif message.migrate_from_chat_id is not None:
            old, new = message.migrate_from_chat_id, message.chat.id
        else:
            return
        self._house.outbox.migrate(old, new)
        await self._house.moved(old, new)

    async def on_error(self, update: object, context: ContextTypes.DEFAULT_TYPE) -> None:
        """A handler failed: noted in full; whoever waits for a word gets one from the next press."""
        log.error("an update could not be handled", exc_info=context.error)
        if isinstance(context.error, StoreUnwritable):
            self._house.trouble(str(context.error))


def _thread_of(message: Message) -> int | None:
    """The topic a message stands in; None for General and for chats without topics."""
    thread = message.message_thread_id if message.is_topic_message else None
    return thread if thread != GENERAL else None


def _author(message: Message | None) -> User | None:
    """The person who wrote a message; None for bots, channels and anonymous admins."""
    user = message.from_user if message is not None and message.sender_chat is None else None
    return user if user is not None and not user.is_bot and user.id not in ANONYMOUS else None


async def set_menu(house: House) -> None:
    """Tell Telegram the commands, by chat kind and language (setMyCommands), and what the bot is for."""
    bot = house.bot
    scopes = (
        (BotCommandScopeAllPrivateChats(), "private"),
        (BotCommandScopeAllGroupChats(), "group"),
        (BotCommandScopeAllChatAdministrators(), "admins"),
    )
    try:
        for code, language in menu_languages(house.texts.languages).items():
            words = house.texts.get(language)
            for scope, kind in scopes:
                listed = [
                    menu_command(
                        command.name,
                        words(f"command.{command.name}"),
                        ephemeral=command.ephemeral and kind != "private",
                    )
                    for command in COMMANDS
                    if command.listed_for(kind)
                ]
                await bot.set_my_commands(listed, scope=scope, language_code=code)
            await bot.set_my_description(words("bot.description"), language_code=code)
    except TelegramError as error:
        # Only the menu is missing then; the next start sets it.
        log.warning("the command menu could not be set: %s", error)


def _has_button(message: Message, data: str | None) -> bool:
    """Whether a message has a button with these callback data."""
    rows = message.reply_markup.inline_keyboard if message.reply_markup is not None else ()
    return any(button.callback_data == data for row in rows for button in row)
