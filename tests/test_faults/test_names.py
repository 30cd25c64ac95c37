"""Names and titles with HTML, emoji, right-to-left marks, 64 characters: shown right, in every text of a hand."""

from __future__ import annotations

import asyncio

import pytest

from handlers.names import shown_name
from tests.support.stories import dealt, open_table, person_of, played_out, table_of, text_of
from tests.support.town import Town
from tests.test_faults.conftest import Tell

NAMES = {
    "<b>&amp;</b>": ("<b>&amp;</b>", "</a><a href='x'>", "👨‍👩‍👧‍👦👩🏽‍🚀🏳️‍🌈", "\u202eabc\u202c דוד"),
    "*_`[]()~>#+-=|{}.!": ("名" * 64, "a" + "\u0301" * 63, "\u3164", "@all {name} %s"),
}


@pytest.mark.parametrize("title", NAMES)
def test_names_in_every_text_of_a_hand(tell: Tell, title: str) -> None:
    async def story(town: Town) -> None:
        town.world.crowd.change_group(town.group_id, title=title)
        for person, name in zip(town.people, NAMES[title], strict=True):
            town.world.crowd.change_person(person, first_name=name, last_name="")
        await town.seat_all()
        await asyncio.sleep(1)
        private = text_of(town, town.people[0])
        assert shown_name(title) in private or title.strip() in private
        await dealt(town)
        await asyncio.sleep(6)
        await played_out(town, at_random=True)
        group = text_of(town, town.group_id)
        for name in NAMES[title]:
            assert shown_name(name) in group, name
        every = "".join(text_of(town, chat) for chat in (town.group_id, *town.people))
        assert "\u202e" not in every, "nothing turns the line around"
        assert str(town.people[0]) not in every, "never a raw id"
        kinds = {e["type"] for m in town.messages(town.group_id) for e in m.content.entities}
        assert kinds <= {"bold", "code", "date_time", "italic", "bot_command", "mention", "expandable_blockquote"}
        assert len(table_of(town).state.persons) == 4

    tell(story, seated=False)


def test_a_name_like_a_catalogue_key_is_a_name(tell_from_the_start: Tell) -> None:
    async def story(town: Town) -> None:
        one, two, *_ = town.people
        town.world.crowd.change_person(two, first_name="tile.1m", last_name="")
        await open_table(town, one, two)
        for pattern in (r"\|options$", r"\|kicking$"):
            await town.press(one, town.group_id, pattern)
            await asyncio.sleep(10)
        said = await town.press(one, town.group_id, r"\|kick_")
        assert said is not None
        assert "tile.1m" in said

    tell_from_the_start(story)


def test_somebody_renamed_is_called_so_from_the_next_hand_on(tell: Tell) -> None:
    async def story(town: Town) -> None:
        await dealt(town)
        renamed = town.people[0]
        town.world.crowd.change_person(renamed, first_name="阿明哥", last_name="")
        await played_out(town)
        for person in town.people:
            await town.press(person, person, r"\|ready$")
        await asyncio.sleep(40)
        state = table_of(town).state
        assert state.hand == 2
        assert [seat.name for seat in state.taken if seat.person == person_of(town, renamed)] == ["阿明哥"]

    tell(story)
