"""A person's own card: coins, what they have played and won, their place over time, their best hand; and, asked first,
the way to be forgotten. For a private chat alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from data.model import Career, Careers, Feat, Group, Person, Rank, Wallet
from data.texts import Html, Words
from handlers.finished import Finished
from handlers.names import shown_name
from handlers.outbox import Button, Message
from handlers.preferences import Preferences
from handlers.presses import page_data
from handlers.screens.pictures import picture
from handlers.screens.seating import joined, lines, seat_names
from handlers.screens.sheet import won_at
from handlers.wording import day_word, signs, win_word
from mahjong.feats import FEATS
from render.pool import Renderer
from render.words import ItemWords, ProfileWords, Win

DAYS: Final = 30
"""Days of play in the plot of places."""
FORGET_NOW: Final = page_data("y", "forget", "now")
"""The press that forgets: nothing is asked after it."""
YOU: Final = ("single_you", "double_you", "triple_you")


@dataclass(frozen=True, slots=True)
class Profile:
    """All that the card tells of a person.

    ``home``: the group where they play most, with their own row of its ranking and their place day by day.
    ``best``: the win that brought the most, for coins if there is one, else in a friendly hand.
    """

    person: Person
    wallet: Wallet
    careers: Careers
    home: tuple[Group, Rank] | None = None
    places: Sequence[tuple[str, int]] = ()
    best: Finished | None = None
    feats: Sequence[Feat] = field(default=())

    @property
    def career(self) -> Career:
        """What the card is about: hands for coins, or the friendly ones of who has played no others."""
        return self.careers.for_coins if self.careers.for_coins.hands else self.careers.friendly

    @property
    def friendly(self) -> bool:
        """Whether it is about friendly hands."""
        return not self.careers.for_coins.hands and bool(self.careers.friendly.hands)


def profile_message(renderer: Renderer, chat_id: int, profile: Profile, today: str, words: Words) -> Message:
    """The card, the same in words, and the buttons for one's own data."""
    sheet = profile.best.sheet if profile.best is not None else None
    card = picture(
        renderer, "profile", sheet, profile_words(profile, today, words), Preferences.of(profile.person).tiles
    )
    keyboard = (
        (
            Button(words("me.export"), page_data("y", "export")),
            Button(words("me.forget"), page_data("y", "forget")),
        ),
    )
    return Message(chat_id, profile_text(profile, words), keyboard, card, protect=False, silent=True)


def forget_message(chat_id: int, words: Words) -> Message:
    """What goes and what stays, asked before anything is forgotten; to stay is offered where the finger still is."""
    keyboard = (
        (Button(words("me.keep"), page_data("y", "card")),),
        (Button(words("me.forget_now"), FORGET_NOW, style="danger"),),
    )
    return Message(chat_id, words.html("me.forget_ask"), keyboard, silent=True)


def profile_text(profile: Profile, words: Words) -> Html:
    """The card in words."""
    wallet = profile.wallet
    return lines(
        words.html("me.title", name=shown_name(profile.person.name)),
        words.html("score.wallet", coins=f"{wallet.balance:,}"),
        words.html("score.held", held=f"{wallet.held:,}") if wallet.held else None,
        *_career_lines(profile, words),
        words.html("me.home", group=shown_name(profile.home[0].title), n=profile.home[1].place, of=profile.home[1].of)
        if profile.home is not None
        else None,
        *_feat_lines(profile.feats, words),
    )


def _career_lines(profile: Profile, words: Words) -> Iterator[Html]:
    career, friendly = profile.career, profile.careers.friendly
    if not career.hands:
        yield words.html("me.nothing_yet")
        return
    if profile.friendly:
        yield words.html("me.friendly_only")
    yield words.html_n("me.hands", career.hands, wins=career.wins, rate=percent(career.wins, career.hands))
    yield words.html_n("me.dealt_in", career.dealt_in, rate=percent(career.dealt_in, career.hands))
    yield words.html("me.streaks", run=_hands(career.longest_run, words), deal=_hands(career.longest_deal, words))
    you = Counter({by: n for _, by, n in career.won if by in YOU})
    if you:
        yield words.html("me.you", **{by: you[by] for by in YOU})
    best = profile.best
    if best is not None:
        yield words.html("me.best", win=win_word(words, best.row.rules, best.sheet.by), net=f"{career.best_net:+,}")
    if not profile.friendly and friendly.hands:
        yield words.html_n("me.friendly", friendly.hands, wins=friendly.wins)


def _hands(row: int, words: Words) -> str:
    """So many hands in a row; a single one is no row."""
    return words("me.hands_count", n=row) if row > 1 else NOTHING


def _feat_lines(feats: Sequence[Feat], words: Words) -> Iterator[Html]:
    """The feats, those most talked about first."""
    if feats:
        yield words.html("feat.title")
        ranked = sorted(feats, key=lambda feat: FEATS.index(feat.feat))
        named = [(words(f"feat.{feat.feat}"), feat.count) for feat in ranked]
        yield words.html(
            "me.feats",
            feats=joined(words, [words("feat.count", feat=name, n=n) if n > 1 else name for name, n in named]),
        )


def profile_words(profile: Profile, today: str, words: Words) -> ProfileWords:
    """The words of the card."""
    career, best, home = profile.career, profile.best, profile.home
    wins: Counter[str] = Counter()
    for rules, by, n in career.won:
        wins[win_word(words, rules, by)] += n
    you = sum(n for _, by, n in career.won if by in YOU)
    places = profile.places
    return ProfileWords(
        signs=signs(words, best.row.rules if best is not None else "zhangzhou"),
        name=shown_name(profile.person.name),
        subtitle=words("me.subtitle", group=shown_name(home[0].title), n=home[1].place)
        if home is not None
        else words("me.friendly_label")
        if profile.friendly
        else "",
        coins_label=words("me.coins"),
        coins=f"{profile.wallet.balance:,}",
        facts=(
            ItemWords(words("me.fact.hands"), words("me.hands_count", n=career.hands)),
            ItemWords(words("me.fact.win_rate"), percent(career.wins, career.hands)),
            ItemWords(words("me.fact.deal_in_rate"), percent(career.dealt_in, career.hands)),
            ItemWords(words("me.fact.longest_deal"), _hands(career.longest_deal, words)),
            ItemWords(words("me.fact.you"), words("me.times", n=you)),
            ItemWords(words("me.fact.longest_run"), _hands(career.longest_run, words)),
        ),
        wins_title=words.n("me.wins", career.wins),
        wins=tuple(Win(label, n) for label, n in wins.most_common()),
        no_wins=words("me.no_wins"),
        rank_title=words("me.places"),
        ranks=tuple(place for _, place in places),
        rank_from=day_word(words, places[0][0]) if places else "",
        rank_to="" if not places else words("me.today") if places[-1][0] == today else day_word(words, places[-1][0]),
        no_ranks=words("me.no_places"),
        best_title=words("me.best_title"),
        best_note=words("me.best_note", win=win_word(words, best.row.rules, best.sheet.by), net=f"{career.best_net:+,}")
        if best is not None
        else "",
        won=won_at(best.sheet, seat_names(best.players, words, plain=True), words) if best is not None else "",
    )


NOTHING: Final = "–"


def percent(part: int, whole: int) -> str:
    """A share in whole percent; a dash of nothing.

    >>> percent(1, 3), percent(0, 0)
    ('33%', '–')
    """
    return f"{round(100 * part / whole)}%" if whole else NOTHING
