"""The rules of a table's game in pages: what pays what with the list of pages, and the pages to leaf through."""

from __future__ import annotations

from typing import Final

from data.texts import Html, Words
from handlers.outbox import Button, Keyboard, Message, Picture
from handlers.screens.pictures import picture
from handlers.screens.rules_pages import PAGES, Topic, pays, title
from handlers.screens.rules_terms import GAMES, INDEX, Terms, rules_data
from handlers.screens.seating import lines
from handlers.wording import option_word
from mahjong.rulesets import of_game
from render.pool import Renderer
from render.tiles import TileSet

IN_A_ROW: Final = 3
"""Pages of the contents."""


def page(
    renderer: Renderer, chat_id: int, rules: str, name: str, terms: Terms, words: Words, tiles: TileSet = "plain"
) -> Message:
    """One page of a game: ``INDEX`` or a name of ``PAGES[rules]``. ``tiles``: the set that the reader has chosen."""
    topic = _topic(rules, terms, words)
    if name == INDEX:
        shown = picture(renderer, "pays", None, pays(topic), tiles)
        return Message(chat_id, index_text(topic), _contents(rules, terms, words), shown, silent=True)
    content = of_game(PAGES, rules)[name](topic)
    head = words.html("rules.head", game=words(f"game.short.{rules}"), title=title(words, rules, name))
    shown = picture(renderer, content.kind, content.view, content.picture, tiles)
    return Message(chat_id, lines(head, content.text), _ways(rules, name, terms, words), shown, silent=True)


def card(
    renderer: Renderer, rules: str, terms: Terms, words: Words, link: str, tiles: TileSet = "plain"
) -> tuple[Html, Keyboard, Picture]:
    """For a group: what pays what, and the way to the pages, which ``link`` opens in private."""
    topic = _topic(rules, terms, words)
    text = lines(index_text(topic), words.html("rules.in_private"))
    return text, ((Button(words("button.rules"), url=link),),), picture(renderer, "pays", None, pays(topic), tiles)


def index_text(topic: Topic) -> Html:
    """Which game, by which of its options, and how to read the table."""
    options = [option_word(topic.words, name, value) for name, value in topic.options.items()]
    return lines(
        topic.text("rules.index.head", game=topic.words(f"game.{topic.rules}")),
        topic.text("rules.index.text", base=f"{topic.base:,}", unit=f"{topic.base // 10:,}"),
        topic.text("rules.index.options", options=topic.words("list.sep").join(options)),
    )


def _topic(rules: str, terms: Terms, words: Words) -> Topic:
    return Topic(rules, terms.of(rules), terms.base, words)


def _contents(rules: str, terms: Terms, words: Words) -> Keyboard:
    """The pages, and the other games."""
    pages = [Button(title(words, rules, name), rules_data(name, rules, terms)) for name in of_game(PAGES, rules)]
    rows = [tuple(pages[at : at + IN_A_ROW]) for at in range(0, len(pages), IN_A_ROW)]
    others = tuple(
        Button(words(f"game.{game}"), rules_data(INDEX, game, terms), style="primary")
        for game in GAMES
        if game != rules
    )
    return (*rows, others)


def _ways(rules: str, name: str, terms: Terms, words: Words) -> Keyboard:
    """Back, the contents, on: round and round, so that each always does something."""
    names = (INDEX, *of_game(PAGES, rules))
    at = names.index(name)
    return (
        (
            Button(words("rules.button.back"), rules_data(names[at - 1], rules, terms)),
            Button(words("rules.button.contents", n=at, of=len(names) - 1), rules_data(INDEX, rules, terms)),
            Button(words("rules.button.on"), rules_data(names[(at + 1) % len(names)], rules, terms)),
        ),
    )
