"""Every numbered rule and the tests that hold it: Z is rules-zhangzhou, P rules-putian; ``case:`` is a file of
tests/conformance, anything else a test function of this folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

HERE = Path(__file__).parent

TABLE: Final[dict[str, str]] = {
    "Z1": "test_every_wall_has_the_tiles_of_the_game test_notation_reads_what_it_writes",
    "Z2.1": "test_the_shuffle_is_what_is_described",
    "Z2.2": "case:zz-deal-order",
    "Z2.3": "case:zz-tail-order",
    "Z3.1": "case:zz-flower-rounds",
    "Z3.2": "case:zz-flower-chain-draw",
    "Z3.3": "case:zz-flower-not-discarded",
    "Z4.1": "case:zz-gold-dice-flower case:zz-gold-dice-end-on-flower case:zz-gold-dice-too-many",
    "Z4.2": "test_4_2_gold_is_a_fifth_copy",
    "Z4.3": "case:zz-white-discarded case:zz-white-wins test_4_3_white_runs_as_the_face_only",
    "Z4.4": "case:zz-white-gold-wild case:zz-white-gold-unclaimed",
    "Z4.5": "case:zz-gold-discard-no-win",
    "Z4.6": "case:zz-gold-not-in-chow case:zz-white-in-chow test_4_6_gold_goes_into_no_pong "
    "test_4_6_gold_goes_into_no_kong_and_the_white_may",
    "Z5.1": "case:zz-out-of-turn",
    "Z5.2": "case:zz-claim-window case:zz-pong-over-chow case:zz-two-hu case:zz-chow-lower-house-only",
    "Z5.3": "case:zz-kong-none-drawable test_5_3_kong_in_a_turn_that_came_by_a_pong_or_chow",
    "Z5.4": "case:zz-kong-replacement-win",
    "Z5.5": "case:zz-passed-win case:zz-passed-win-over test_5_5_own_claim_ends_the_passed_win "
    "test_5_5_passed_win_does_not_touch_self_draws",
    "Z5.6": "case:zz-two-gold-no-discard-win case:zz-shape-no-discard-win test_5_6_two_gold_may_rob_a_kong "
    "test_5_6_the_shape_may_not_rob",
    "Z5.7": "case:zz-heavenly-declined case:zz-single-you-declined",
    "Z6.1": "case:zz-heavenly test_6_1_declined_heavenly_may_still_rob_the_gold",
    "Z6.2": "case:zz-three-gold-opening case:zz-three-gold-later test_6_2_declined_three_gold_may_still_rob_the_gold "
    "test_6_2_three_gold_at_the_dealers_first_turn test_6_2_three_gold_in_a_turn_that_came_by_a_pong",
    "Z6.3": "case:zz-rob-gold-idle case:zz-rob-gold-dealer case:zz-rob-gold-order "
    "test_6_live_answers_are_settled_in_the_rules_order",
    "Z7.1": "test_analyse test_waits_are_what_completes",
    "Z7.2": "case:zz-single-you case:zz-double-you-direct case:zz-double-you-upgrade "
    "test_7_2_another_shape_ends_the_level test_7_2_a_kong_leaves_the_level",
    "Z7.3": "test_7_3_a_flower_drawn_in_the_shape_is_replaced_first",
    "Z7.4": "case:zz-triple-you case:zz-double-you-no-kong case:zz-double-you-robbed-by-draw "
    "test_7_4_nothing_but_the_win_for_who_locked_play test_7_4_a_win_in_the_lock_may_be_declined",
    "Z7.5": "case:zz-dealt-shape test_7_4_another_in_single_you_wins_in_the_lock_by_its_level",
    "Z7.6": "case:zz-single-you-declined test_7_6_a_claim_is_judged_by_the_discard_that_follows",
    "Z8.1": "case:zz-draw case:zz-draw-13-stacks case:zz-draw-flower-points "
    "test_8_1_a_concealed_kong_reserves_two_stacks",
    "Z8.2": "case:zz-last-four-forced test_8_2_a_kongs_points_are_reserved_before_its_replacement "
    "test_8_2_three_gold_is_not_forced test_8_2_replacement_draws_count "
    "test_8_2_a_completing_draw_is_forced_at_its_level",
    "Z8.3": "case:zz-liability case:zz-before-last-four test_8_3_liability_carries_shares_points_and_fenbing",
    "Z8.4": "case:zz-pong-last-discard test_8_4_points_are_paid_in_a_drawn_hand_by_option "
    "test_8_4_no_tile_for_a_locked_draw_is_a_drawn_hand",
    "Z9.1": "case:zz-rob-concealed case:zz-false-win test_9_1_a_guess_is_settled_in_seat_order_from_the_owner "
    "test_9_1_a_kong_that_was_let_go_cannot_be_robbed_later",
    "Z9.2": "case:zz-rob-added case:zz-rob-added-off case:zz-rob-added-not-completed",
    "Z9.3": "case:zz-rob-added case:zz-rob-concealed",
    "Z10.1": "case:zz-heavenly test_7_2_the_price_and_level_stand_with_the_discard",
    "Z10.2": "case:zz-discard-win case:zz-dealer-second-hand",
    "Z10.3": "case:zz-concealed-kong-points case:zz-draw-flower-points",
    "Z10.4": "case:zz-points-between-losers",
    "Z10.5": "case:zz-fenbing-two case:zz-fenbing-stops test_10_5_a_kong_within_the_four_breaks_it "
    "test_10_5_a_kong_before_the_four_and_a_claim_between_fours_do_no_harm "
    "test_10_5_fenbing_is_paid_in_a_drawn_hand",
    "Z10.6": "case:zz-false-win test_10_6_a_false_win_pays_points_and_fenbing_together",
    "Z10.7": "case:zz-draw case:zz-dealer-second-hand case:zz-false-win",
    "Z10.8": "case:zz-shortfall test_10_8_nobody_pays_more_than_is_left_and_what_came_in_counts",
    "Z11": "test_stakes",
    "Z12": "test_12_the_sheet_names_every_share",
    "P1.1": "test_the_shuffle_is_what_is_described test_many_hands_break_nothing",
    "P1.2": "test_the_shuffle_is_what_is_described",
    "P1.3": "test_1_3_the_deal_passes_like_in_zhangzhou",
    "P2.1": "test_2_1_gold_is_turned_by_stacks",
    "P2.2": "case:pta-two-gold case:pta-pair-rethrown case:pta-pair-cannot-stay "
    "test_2_2_a_holder_of_the_other_two_may_decline test_2_2_two_whites_alike_are_gold_and_not_replaced",
    "P2.3": "case:pta-gold-not-discarded case:pta-white-gold",
    "P2.4": "case:ptm-white-not-gold-face",
    "P3": "case:pta-white-in-play test_3_whites_are_replaced_in_rounds",
    "P4.1": "case:pta-no-chow case:ptm-no-pong",
    "P4.2": "case:pta-no-discard-win case:pta-no-exposed-kong test_4_2_dark_discards_are_nobodys_to_see",
    "P4.3": "case:ptm-kong-needs-three case:ptm-two-hu test_4_3_a_fourth_tile_drawn_is_a_concealed_kong",
    "P4.4": "case:ptm-kong-empty-wall case:ptm-no-rob case:pta-kong-not-robbed",
    "P4.5": "case:pta-draw-45 case:ptm-draw-46 test_4_5_a_replacement_due_on_an_empty_wall_is_a_drawn_hand",
    "P4.6": "case:ptm-passed-win case:ptm-two-gold-discard-win",
    "P4.7": "test_4_7_there_is_always_something_to_throw",
    "P5.1": "case:pta-heavenly case:ptm-heavenly",
    "P5.2": "case:pta-aab-no-bomb case:pta-small-bomb case:ptm-three-gold test_5_2_bombs "
    "test_5_2_a_complete_hand_with_a_big_bomb_is_the_better_paid",
    "P5.3": "case:pta-white-gold test_5_3_the_dealer_robs_the_dearer_gold",
    "P5.4": "test_5_4_no_level_whatever_is_thrown",
    "P5.5": "test_5_5_order_of_the_opening",
    "P6.1": "case:pta-self-draw-suanhua case:ptm-discard-win-items",
    "P6.2": "case:pta-big-bomb test_5_2_bombs",
    "P6.3": "case:ptm-discard-win-items test_6_3_exposed_kong_and_whites_count_on_a_self_draw",
    "P6.4": "case:pta-self-draw-suanhua test_6_4_not_after_a_discard_win "
    "test_6_4_exposed_kongs_do_not_count_between_losers",
    "P6.5": "case:pta-draw-45",
    "P6.6": "test_6_6_a_point_is_a_tenth_of_the_base test_6_6_nobody_pays_more_than_they_have",
    "P7": "case:ptm-multiplier-1 case:pta-single-whites-off",
}

NUMBERED: Final = {
    **{"Z1": 0, "Z2": 3, "Z3": 3, "Z4": 6, "Z5": 7, "Z6": 3, "Z7": 6, "Z8": 4, "Z9": 3, "Z10": 8, "Z11": 0, "Z12": 0},
    **{"P1": 3, "P2": 4, "P3": 0, "P4": 7, "P5": 5, "P6": 6, "P7": 0},
}
"""How many numbered rules each section of the two pages has (0: it is one rule)."""


def test_every_rule_is_held_by_a_test_that_exists() -> None:
    rules = {
        f"{section}.{number}" if number else section
        for section, last in NUMBERED.items()
        for number in (range(1, last + 1) if last else (0,))
    }
    assert set(TABLE) == rules
    source = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    tests = set(re.findall(r"^def (test_\w+)", source, re.MULTILINE))
    cases = {f"case:{path.stem}" for path in (HERE.parent / "conformance").glob("*.json")}
    for rule, names in TABLE.items():
        assert set(names.split()) <= tests | cases, rule


def test_every_case_is_named() -> None:
    named = {name for names in TABLE.values() for name in names.split()}
    cases = {f"case:{path.stem}" for path in (HERE.parent / "conformance").glob("*.json")}
    # The others show records and their errors rather than a rule.
    unnamed = cases - named - {f"case:{name}" for name in RECORDS}
    assert not unnamed, f"no rule of TABLE names {sorted(unnamed)}"


RECORDS: Final = {
    "zz-after-the-end",
    "zz-discard-not-held",
    "zz-opening-not-offered",
    "zz-two-gold-pong",
    "zz-unknown-option",
    "zz-wall-wrong",
    "ptm-self-draw-kong",
}
