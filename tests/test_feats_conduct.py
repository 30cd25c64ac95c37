"""Feats told on the score sheet of the hand that brought them, with the whole bot in virtual time."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.support.evening import check, run_virtual
from tests.support.town import Town
from tests.test_specials import Script, cases, play_case, seated_rich

LINE = "🐉"


def told(town: Town, chat: int) -> list[str]:
    """The sheets that stand in a chat and tell of the feat, by their headline."""
    return [m.content.text.split("\n")[0] for m in town.messages(chat) if LINE in m.content.text]


async def evening(folder: Path) -> None:
    case = next(case for case in cases("zhangzhou") if case["id"] == "zz-triple-you")
    script = Script([case] * 3)
    town = Town(folder / "feats.sqlite3", 5, dealing=script)
    await seated_rich(town, 0)
    await play_case(town, script, case, 0)
    await asyncio.sleep(20)
    (headline,) = told(town, town.group_id)
    assert "第 1 局" in headline
    (hand,) = [row for row in await town.hands() if row.record is not None]
    assert hand.result is not None
    winner = hand.seats[hand.result["winner"]]
    own = town.house.people.known(winner if isinstance(winner, int) else None)
    assert own is not None
    assert len(told(town, own.telegram_id or 0)) == 1, "it is told in private as well"
    await town.kill()
    # The hand that runs is dealt once more from the same record.
    script.number -= 1
    await town.open()
    await asyncio.sleep(20)
    assert told(town, town.group_id) == [headline]
    await play_case(town, script, case, 1)
    await asyncio.sleep(20)
    firsts = 0
    for row in await town.hands():
        firsts += sum(feat.feat == "triple_you" for feat in await town.store.first_feats(row.id))
    assert len(told(town, town.group_id)) == firsts, "told once a person"
    feats = [feat for number in range(1, 5) for feat in await town.store.feats_of(number)]
    assert sum(feat.count for feat in feats if feat.feat == "triple_you") == 2
    await check(town, coins=4 * 51_500)
    await town.close()


def test_a_feat_is_told_once_on_its_sheet_and_outlasts_a_kill(tmp_path: Path) -> None:
    run_virtual(evening(tmp_path))
