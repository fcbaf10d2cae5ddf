"""Which flags go together: every pair has one outcome and one reason. covers: INV-2, INV-3, CENF-04"""

from __future__ import annotations

from itertools import combinations

import pytest

from autopilot.model.intent import Intent
from autopilot.model.policy import Policy
from autopilot.planning.choosing.flag_pairs import FLAGS, PAIRS, Outcome
from autopilot.planning.choosing.flags import aim, call_with, call_without, flags_of, judge_flags, rule_for, spell_call
from tests.unit.making import policy_of

# Every pair that is not simply allowed: outcome and message. All others are allowed, silently.
ERRORS = {
    ("complete", "force"): "--force is about phases that are completed, --complete about those that are not",
    ("complete", "gaps"): "--gaps is about phases that are completed, --complete about those that are not",
    ("force", "quality"): "--force redoes a phase from scratch, --quality refines the existing work",
    ("force", "gaps"): "--force redoes a phase from scratch, --gaps fixes single deficiencies",
    ("sequential", "parallel"): "--sequential is one phase at a time, --parallel is several",
}
IDLE = {
    ("lenient", "quality"): "--lenient has no effect: --quality asks for 9.5 whatever other flags are given",
    ("lenient", "gaps"): "--lenient has no effect: --gaps aims at 9.5 and more whatever other flags are given",
    ("complete", "sequential"): "--sequential has no effect: one phase at a time is what --complete does anyway",
    ("map", "visual"): "--visual has no effect: --map alone runs no phase",
    ("map", "sequential"): "--sequential has no effect: --map alone runs no phase",
    ("map", "checkpoint-every"): "--checkpoint-every has no effect: --map alone runs no phase",
    ("map", "parallel"): "--parallel has no effect: --map alone runs no phase",
}
ALL_PAIRS = list(combinations(FLAGS, 2))
VALUES = {"checkpoint_every": 2, "parallel": 3}


def make_intent(*flags: str) -> Intent:
    names = [flag.replace("-", "_") for flag in flags if flag not in ("fresh", "dry-run")]
    return Intent(**{name: VALUES.get(name, True) for name in names})


def expected(pair: tuple[str, str]) -> Outcome:
    return Outcome.ERROR if pair in ERRORS else Outcome.NO_EFFECT if pair in IDLE else Outcome.ALLOWED


def test_the_table_has_every_pair_once_whichever_way_round_it_is_asked() -> None:
    assert set(PAIRS) == {frozenset(pair) for pair in ALL_PAIRS} and len(ALL_PAIRS) == 78
    assert all(rule_for(one, other) == rule_for(other, one) for one, other in ALL_PAIRS)
    assert all(len(rule.reason) > 10 for rule in PAIRS.values())


@pytest.mark.parametrize("pair", ALL_PAIRS, ids="+".join)
def test_a_pair_of_flags_has_the_outcome_and_the_message_of_the_matrix(pair: tuple[str, str]) -> None:
    judged = judge_flags(make_intent(*pair), fresh="fresh" in pair, dry_run="dry-run" in pair)
    assert rule_for(*pair).outcome is expected(pair)
    assert [(clash.flags, clash.reason) for clash in judged.clashes] == [(p, ERRORS[p]) for p in ERRORS if p == pair]
    assert list(judged.notices) == [IDLE[p] for p in IDLE if p == pair]


@pytest.mark.parametrize("flag", FLAGS)
def test_a_flag_by_itself_is_in_nobodys_way(flag: str) -> None:
    judged = judge_flags(make_intent(flag), fresh=flag == "fresh", dry_run=flag == "dry-run")
    assert judged.clashes == () and judged.notices == ()


def test_a_clash_is_told_whole() -> None:
    (clash,) = judge_flags(Intent(force=True, quality=True)).clashes
    assert str(clash) == f"--force and --quality do not go together: {ERRORS['force', 'quality']}"


def test_three_flags_clash_in_every_pair_that_does() -> None:
    judged = judge_flags(Intent(complete=True, force=True, gaps=True))
    assert [clash.flags for clash in judged.clashes] == [("complete", "force"), ("complete", "gaps"), ("force", "gaps")]


def test_beside_a_flag_that_carries_phases_out_the_map_makes_nothing_idle() -> None:
    judged = judge_flags(Intent(complete=True, map=True, checkpoint_every=2, parallel=2))
    assert judged.notices == () and judged.clashes == ()


def test_one_phase_at_a_time_said_in_numbers_is_no_flag_at_all() -> None:
    assert flags_of(Intent(parallel=1, sequential=True)) == ("sequential",)
    assert judge_flags(Intent(parallel=1, sequential=True)).clashes == ()


@pytest.mark.parametrize(
    ("intent", "threshold", "remediations"),
    [
        (Intent(), 9.0, 2),
        (Intent(force=True), 9.0, 2),
        (Intent(gaps=True), 9.0, 2),
        (Intent(lenient=True), 7.0, 0),
        (Intent(force=True, lenient=True), 7.0, 0),
        (Intent(quality=True), 9.5, 3),
        (Intent(quality=True, lenient=True), 9.5, 3),
        (Intent(quality=True, complete=True), 9.5, 3),
    ],
)
def test_the_bar_is_set_by_the_flags(intent: Intent, threshold: float, remediations: int) -> None:
    policy = aim(Policy(), intent)
    assert (policy.pass_threshold, policy.attempts.remediations) == (threshold, remediations)


@pytest.mark.parametrize(("intent", "at_once"), [(Intent(), 1), (Intent(parallel=4), 4), (Intent(sequential=True), 1)])
def test_phases_side_by_side_are_as_many_as_were_asked_for(intent: Intent, at_once: int) -> None:
    assert aim(policy_of(parallel_phases=1), intent).parallel.phases == at_once


def test_a_call_is_spelt_as_one_would_type_it() -> None:
    intent = Intent(force=True, lenient=True, checkpoint_every=2, parallel=3)
    assert spell_call(intent, ["3", "5"], fresh=True) == (
        "autopilot run --fresh --lenient --force 3 5 --checkpoint-every 2 --parallel 3"
    )
    assert spell_call(Intent()) == "autopilot run"


CALL = "autopilot run --complete --force --budget-usd 1 --parallel 3 --agent 'my own' --dry-run 2"


@pytest.mark.parametrize(
    ("flag", "call"),
    [
        ("force", "autopilot run --complete --budget-usd 1 --parallel 3 --agent 'my own' --dry-run 2"),
        ("parallel", "autopilot run --complete --force --budget-usd 1 --agent 'my own' --dry-run 2"),
        ("gaps", CALL),
    ],
)
def test_a_suggested_call_is_the_users_own_words_without_one_flag(flag: str, call: str) -> None:
    assert call_without(CALL, flag) == call
    assert call_without(CALL.replace("--parallel 3", "--parallel=3"), flag) == call.replace(
        "--parallel 3", "--parallel=3"
    )


def test_a_suggested_call_is_the_users_own_words_with_one_option_more() -> None:
    assert call_with("autopilot run 1 --quality --dry-run", "--fresh") == "autopilot run --fresh 1 --quality --dry-run"
    assert call_with("", "--fresh") == ""
