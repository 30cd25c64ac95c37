"""The pages of *learn in three minutes*: a picture, two or three lines, and the way on."""

from __future__ import annotations

from collections.abc import Callable

from data.texts import Words
from handlers.outbox import Button, Keyboard, Message
from handlers.presses import page_data
from handlers.screens.pictures import picture
from handlers.screens.settings import language_word
from handlers.wording import signs
from mahjong import lessons
from mahjong.tiles import parse_tile, parse_tiles
from render.pool import Renderer
from render.tiles import TileSet
from render.words import DiagramRow, DiagramWords, TileGroup

GOLD = "6s"
"""The gold of the examples."""
SETS = ("123m", "456p", "777s", "234s", "111z")
"""The five sets of the examples."""


def page(
    renderer: Renderer,
    chat_id: int,
    number: int,
    words: Words,
    tiles: TileSet = "plain",
    *,
    ask_language: bool = False,
) -> Message:
    """One page. ``number``: from 0 (``PAGES``). ``tiles``: the set that the reader has chosen.

    ``ask_language``: the reader has not chosen one yet: the first page offers them all.
    """
    name, rows = PAGES[number]
    title = words(f"learn.{name}.title")
    gold = (parse_tile(GOLD),) if name in ("gold", "wins") else ()
    shown = DiagramWords(signs(words, lessons.GAME), title, rows(words), gold)
    head = words.html("learn.head", n=number + 1, of=len(PAGES), title=title)
    text = words.html("learn.page", head=head, text=words.html(f"learn.{name}.text"))
    ways = _ways(number, words)
    if ask_language and not number:
        ways = (*ways, tuple(language_button(words, language) for language in words.every))
    return Message(chat_id, text, ways, picture(renderer, "diagram", None, shown, tiles), silent=True)


def language_button(words: Words, language: str) -> Button:
    """Go on in this language."""
    name = language_word(words, language)
    text = words("button.chosen" if language == words.language else "button.choice", text=name)
    return Button(text, page_data("l", 0, language))


def _ways(number: int, words: Words) -> Keyboard:
    """On and back; the hand at once for whoever knows it all."""
    back = (Button(words("button.step_back"), page_data("l", number - 1)),) if number else ()
    if number == len(PAGES) - 1:
        return ((Button(words("button.lesson"), page_data("l", "deal"), style="success"),), *((back,) if back else ()))
    onward = Button(words("button.step"), page_data("l", number + 1), style="primary")
    return ((*back, onward), (Button(words("button.skip"), page_data("l", "deal")),))


def group_page(chat_id: int, username: str, words: Words) -> Message:
    """How a group plays, and the way into one. ``username``: the bot's own."""
    add = Button(words("button.add_to_group"), url=f"https://t.me/{username}?startgroup=new", style="primary")
    return Message(chat_id, words.html("learn.group"), ((add,),), silent=True)


def _group(text: str, label: str = "", mark: int | None = None, stands: str = "") -> TileGroup:
    """Tiles of MPSZ; ``stands``: what each stands for, ``-`` for itself, parted by spaces."""
    faces = tuple(None if one == "-" else parse_tile(one) for one in stands.split())
    return TileGroup(tuple(parse_tiles(text)), label, faces, mark)


def _tiles(words: Words) -> tuple[DiagramRow, ...]:
    return (
        DiagramRow((_group("123456789m"),), words("learn.tiles.m")),
        DiagramRow((_group("123456789p"),), words("learn.tiles.p")),
        DiagramRow((_group("123456789s"),), words("learn.tiles.s")),
        DiagramRow((_group("1234z"), _group("765z")), words("learn.tiles.z")),
    )


def _sets(words: Words) -> tuple[DiagramRow, ...]:
    parts: list[TileGroup | str] = []
    for at, tiles in enumerate((*SETS, "88m")):
        parts += ["+", _group(tiles)] if at else [_group(tiles)]
    return (
        DiagramRow(
            (
                _group("345m", words("learn.sets.run")),
                _group("777p", words("learn.sets.triplet")),
                _group("55s", words("learn.sets.pair")),
            ),
            words("learn.sets.kinds"),
        ),
        DiagramRow(tuple(parts), words("learn.sets.whole"), tone="good"),
    )


def _gold(words: Words) -> tuple[DiagramRow, ...]:
    return (
        DiagramRow((_group(GOLD),), words("learn.gold.turned")),
        DiagramRow((_group("57m6s", stands="- - 6m"), _group("9p6s", stands="- 9p")), words("learn.gold.wild")),
        DiagramRow((_group("5z78s", stands="6s - -"),), words("learn.gold.white")),
    )


def _claims(words: Words) -> tuple[DiagramRow, ...]:
    return (
        DiagramRow((_group("46p"), "+", _group("5p", mark=0), "→", _group("456p", mark=1)), words("learn.claims.chow")),
        DiagramRow((_group("66z"), "+", _group("6z", mark=0), "→", _group("666z", mark=2)), words("learn.claims.pong")),
        DiagramRow(
            (_group("888s"), "+", _group("8s", mark=0), "→", _group("8888s", mark=3)), words("learn.claims.kong")
        ),
        DiagramRow((_group("12345678f"),), words("learn.claims.flowers")),
    )


def _wins(words: Words) -> tuple[DiagramRow, ...]:
    return (
        DiagramRow((_group("78s"), "+", _group("9s", mark=0)), words("learn.wins.discard"), words("learn.wins.once")),
        DiagramRow((_group("78s"), "+", _group("9s", mark=0)), words("learn.wins.drawn"), words("learn.wins.twice")),
        DiagramRow((*map(_group, SETS), _group(GOLD, mark=0)), words("learn.wins.you"), words("learn.wins.four")),
    )


PAGES: tuple[tuple[str, Callable[[Words], tuple[DiagramRow, ...]]], ...] = (
    ("tiles", _tiles),
    ("sets", _sets),
    ("gold", _gold),
    ("claims", _claims),
    ("wins", _wins),
)
"""Name and rows of each page; its texts are ``learn.NAME.…``."""
