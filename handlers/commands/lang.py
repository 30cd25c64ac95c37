"""/lang: the language the bot speaks with somebody, in their private chat and in its answers to them."""

from __future__ import annotations

from dataclasses import replace

from data.texts import catalogue_for
from handlers import settings
from handlers.calls import Call, Command
from handlers.outbox import Button
from handlers.screens.settings import FOLLOW, language_word

PAYLOAD = "lang"
"""Of the deep link ``https://t.me/BOT?start=lang``."""


async def run(call: Call) -> None:
    """Offer the languages in private; ``/lang en`` chooses at once, also in a group, for its sender alone."""
    assert call.person is not None
    language = _named(call)
    if language is not None:
        person = await settings.speak(call.house, call.person, language)
        # From now on these are the sender's words.
        own = call.house.texts.get(person.language)
        replace(call, words=own, aloud=own if call.group is None else call.aloud).tell(
            lambda words: call.to_sender(words, words("lang.now", name=language_word(words, person.language)))
        )
    elif call.group is None:
        settings.show_languages(call.house, call.person, call.chat_id)
    else:
        link = f"https://t.me/{call.house.username}?start={PAYLOAD}"
        call.tell(
            lambda words: call.to_sender(words, words("lang.in_private")),
            lambda words: Button(words("button.lang"), url=link),
        )


def _named(call: Call) -> str | None:
    """The language that the argument names: by its code, its own name, or ``auto``."""
    wanted = call.argument.casefold()
    every = call.words.every
    if not wanted or wanted == FOLLOW:
        return wanted or None
    by_name = {words("language.name").casefold(): language for language, words in every.items()}
    return by_name.get(wanted) or catalogue_for(wanted, every)


COMMAND = Command("lang", run, place=130, ephemeral=True)
