"""Persons and groups as last seen, so that a press costs no query; the store is asked when something is new."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from telegram import Chat, User

from data.model import Group, Person
from data.privacy import Scrub
from data.store import Store
from data.texts import language_for
from handlers.clock import Clock
from handlers.preferences import GroupSettings, Preferences

log = logging.getLogger(__name__)

GROUPS = ("group", "supergroup")
NOBODY = -1
"""The id of a person whom the store does not know."""


class People:
    """Who is who: Telegram's users and chats on one side, persons and groups with ids of our own on the other."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._persons: dict[int, Person] = {}
        self._by_telegram: dict[int, int] = {}
        self._seen: dict[int, tuple[str, str | None, str | None]] = {}
        self._groups: dict[int, Group] = {}
        self._changing = asyncio.Lock()
        self.on_change: Callable[[Person], object] | None = None
        """Told when somebody can be written to again or no longer, or in another language."""
        self.on_group: Callable[[Group], object] | None = None
        """Told when something of a group has changed."""

    def known(self, person_id: int | None) -> Person | None:
        """A person that was looked up before."""
        return self._persons.get(person_id) if person_id is not None else None

    def by_chat(self, chat_id: int) -> Person | None:
        """The person whose private chat this is, if looked up before."""
        return self.known(self._by_telegram.get(chat_id))

    async def person(self, user: User) -> Person:
        """The person behind a Telegram user, brought up to date if name or language changed."""
        seen = (user.full_name, user.username, user.language_code)
        known = self.by_chat(user.id)
        if known is not None and self._seen.get(user.id) == seen:
            return known
        person = await self._store.person_by_telegram(user.id, *seen, self._clock.now())
        self._seen[user.id] = seen
        return self._keep(person)

    async def find(self, user: User) -> Person | None:
        """The person behind a Telegram user, if there is one: nobody becomes known by this."""
        known = self.by_chat(user.id) or await self._store.known_user(user.id)
        return self._keep(known) if known is not None else None

    def stranger(self, user: User) -> Person:
        """Somebody who looks at what stands in a group, and is not kept: no person of the store has this id."""
        language = language_for(user.language_code)
        return Person(NOBODY, None, user.full_name, user.username, language, False, False, {})

    async def forget(self, person: Person, scrub: Scrub) -> list[Group]:
        """Take all that is personal out of the store (``Store.forget``); the groups that have changed by it."""
        async with self._changing:
            groups = await self._store.forget(person.id, self._clock.now(), scrub)
            if person.telegram_id is not None:
                self._by_telegram.pop(person.telegram_id, None)
                self._seen.pop(person.telegram_id, None)
            await self._again(person)
            return [self._keep_group(group) for group in groups]

    async def load(self, person_ids: Iterable[int]) -> None:
        """Look up persons by id, so that they are known."""
        for person in (await self._store.persons(person_ids)).values():
            self._keep(person)

    async def set_private_ok(self, person: Person, ok: bool) -> Person:
        """Note whether the bot may write to this person."""
        if person.private_ok == ok:
            return person
        await self._store.set_private_ok(person.id, ok)
        changed = await self._again(person)
        if self.on_change is not None:
            self.on_change(changed)
        return changed

    async def set_language(self, person: Person, language: str | None) -> Person:
        """Choose the language the bot speaks with this person."""
        await self._store.set_language(person.id, language)
        changed = await self._again(person)
        if self.on_change is not None:
            self.on_change(changed)
        return changed

    async def set_prefs(self, person: Person, changes: Mapping[str, Any]) -> Person:
        """Change some of a person's preferences (``Preferences``); a value of None removes its key."""
        return self._keep(await self._store.set_prefs(person.id, changes))

    async def change_prefs(self, person: Person, change: Callable[[Preferences], Mapping[str, Any]]) -> Person:
        """Change some of a person's preferences by what they are now; nothing of somebody who was forgotten."""
        async with self._changing:
            newest = self._persons.get(person.id, person)
            changes = change(Preferences.of(newest)) if newest.telegram_id is not None else {}
            return self._keep(await self._store.set_prefs(person.id, changes)) if changes else newest

    async def lose_recording(self, person: Person, file_id: str) -> None:
        """Telegram does not know a recording of this person any more: it is forgotten."""

        def without(mine: Preferences) -> Mapping[str, Any]:
            left = {call: known for call, known in mine.recordings.items() if known != file_id}
            return {"recordings": left or None} if len(left) < len(mine.recordings) else {}

        await self.change_prefs(person, without)

    async def group(self, chat: Chat, user: User | None = None) -> Group:
        """The group behind a chat; a new one speaks the language of whoever spoke first."""
        known = self._groups.get(chat.id)
        title = chat.title or ""
        if known is not None and known.title == title and known.is_forum == bool(chat.is_forum):
            return known
        language = language_for(user.language_code if user is not None else None)
        group = await self._store.group_by_telegram(chat.id, title, bool(chat.is_forum), self._clock.now(), language)
        return self._keep_group(group)

    def know(self, groups: Iterable[Group]) -> None:
        """Groups that were looked up elsewhere."""
        for group in groups:
            self._groups.setdefault(group.telegram_id, group)

    async def seen(self, chat: Chat) -> None:
        """An update came from this chat: a group that is known is brought up to date if its title changed."""
        known = self._groups.get(chat.id)
        # A group that became a supergroup is known by its new id alone, whatever is pressed in the old one.
        if known is not None and chat.title and known.title != chat.title:
            await self.group(chat)

    async def set_group_settings(self, group: Group, changes: Mapping[str, Any]) -> Group:
        """Change some of a group's settings (``GroupSettings``); a value of None removes its key."""
        return await self.change_group(group, lambda _: changes)

    async def change_group(self, group: Group, change: Callable[[GroupSettings], Mapping[str, Any]]) -> Group:
        """Change some of a group's settings by what they are now."""
        # Two admins at once must not write over each other.
        async with self._changing:
            settings = GroupSettings.of(self._groups.get(group.telegram_id, group))
            return self._keep_group(await self._store.set_group_settings(group.id, change(settings)))

    async def set_group_language(self, group: Group, language: str) -> Group:
        """Choose the language the bot speaks in a group."""
        await self._store.set_group_language(group.id, language)
        fresh = await self._store.group(group.id)
        return self._keep_group(fresh if fresh is not None else group)

    async def set_listed(self, group: Group, name: Literal["banned", "callers"], person_id: int, listed: bool) -> Group:
        """Put a person on one of a group's lists (``GroupSettings``), or take them off."""

        def change(settings: GroupSettings) -> Mapping[str, Any]:
            ids = [known for known in getattr(settings, name) if known != person_id]
            return {name: [*ids, person_id] if listed else ids}

        return await self.change_group(group, change)

    def forget_group(self, chat_id: int) -> None:
        """A chat id is no longer true (migration)."""
        self._groups.pop(chat_id, None)

    async def _again(self, person: Person) -> Person:
        fresh = await self._store.person(person.id)
        return self._keep(fresh if fresh is not None else person)

    def _keep(self, person: Person) -> Person:
        self._persons[person.id] = person
        if person.telegram_id is not None:
            self._by_telegram[person.telegram_id] = person.id
        return person

    def _keep_group(self, group: Group) -> Group:
        before = self._groups.get(group.telegram_id)
        self._groups[group.telegram_id] = group
        if before != group and self.on_group is not None:
            self.on_group(group)
        return group
