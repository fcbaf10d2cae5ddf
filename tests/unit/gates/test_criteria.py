"""A set of criteria at one commit: every one a program can look at gets a verdict, and so does the script (CRIT)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.gates.criterion import judge_criteria, worst
from autopilot.gates.red import refuse_toothless
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import Grade, Tally
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.planning.criterion import Criterion, Form, Kind, Strength
from tests.unit.making import make_criterion, make_observation, make_task, make_verdict

# covers: CRIT, GATE, ALREADY
PASSED, FAILED, NOTHING = Seen.PASSED, Seen.FAILED, Seen.NOTHING
PASS, FAIL, UNPROVEN = Outcome.PASS, Outcome.FAIL, Outcome.UNPROVEN
FIRST, SECOND = make_criterion("01-01.c1", "one"), make_criterion("01-01.c2", "two")
SCRIPT, TASK = "script:01-01", "01-01"


def seen(**subjects: Seen) -> list[Observation]:
    return [make_observation(f"01-01.{name}", what) for name, what in subjects.items()]


def script(what: Seen, *lines: tuple[str, bool], reason: str = "") -> Observation:
    return make_observation(SCRIPT, what, strength=Strength.SCRIPT, lines=lines, reason=reason)


def outcomes(verdicts: Sequence[Verdict]) -> dict[str, Outcome]:
    return {verdict.subject: verdict.outcome for verdict in verdicts}


def test_every_criterion_is_judged_by_its_own_observations() -> None:
    verdicts = judge_criteria([FIRST, SECOND], seen(c1=FAILED, c2=FAILED), seen(c1=PASSED, c2=FAILED))
    assert outcomes(verdicts) == {"01-01.c1": PASS, "01-01.c2": FAIL}


def test_a_script_cannot_tell_a_run_without_tests_from_a_green_one() -> None:
    """`cargo test slug`, `go test -run TestSlug` and `unittest discover` of Python 3.11 exit 0 without a test."""
    ran_none = make_observation("01-01.c1", FAILED, exit_code=0, tests=Tally("cargo", Grade.TEXT), reason="no test")
    ran_some = make_observation("01-01.c1", FAILED, exit_code=0, tests=Tally("cargo", Grade.TEXT, failed=1))
    green = script(PASSED, ("one", True))
    assert outcomes(judge_criteria([FIRST], [ran_none, green], [*seen(c1=PASSED), green], TASK)) == {
        "01-01.c1": PASS,
        SCRIPT: PASS,
    }
    assert set(outcomes(judge_criteria([FIRST], [ran_none, green], [ran_none, green], TASK)).values()) == {FAIL}
    assert set(outcomes(judge_criteria([FIRST], [ran_some, green], [*seen(c1=PASSED), green], TASK)).values()) == {
        UNPROVEN
    }
    assert not list(refuse_toothless([make_task("01-01", FIRST)], [ran_none, green], (), is_redo=False))


def test_a_command_that_was_never_run_is_unproven_and_ours() -> None:
    [verdict] = judge_criteria([FIRST], seen(c1=FAILED), [])
    assert (verdict.outcome, verdict.ours) == (UNPROVEN, True)


@pytest.mark.parametrize("form", [Form.PROSE, Form.TRACE])
def test_what_no_program_can_look_at_has_no_verdict(form: Form) -> None:
    assert judge_criteria([make_criterion(form=form, command="")], [], []) == ()


def test_prose_is_judged_where_the_test_script_has_a_line_for_it() -> None:
    prose = make_criterion(form=Form.PROSE, command="")
    before, after = script(FAILED, ("it works", False)), script(PASSED, ("it works", True))
    assert outcomes(judge_criteria([prose], [before], [after], TASK)) == {"01-01.c1": PASS, SCRIPT: PASS}


def test_a_disagreement_between_script_and_command_is_told_in_the_verdict() -> None:
    before = [*seen(c1=FAILED), script(FAILED, ("one", False))]
    after = [*seen(c1=PASSED), script(FAILED, ("one", False), reason="FAIL: one")]
    first, of_script = judge_criteria([FIRST], before, after, TASK)
    assert (first.outcome, of_script.outcome) == (FAIL, FAIL)
    assert "the test script failed, its command passed" in first.because
    assert of_script.because.endswith(": FAIL: one")


@pytest.mark.parametrize(
    ("kinds", "outcome"),
    [
        ([], UNPROVEN),  # nothing says that its task promises nothing new
        ([Kind.NEW], UNPROVEN),
        ([Kind.KEEP, Kind.NEW], UNPROVEN),
        ([Kind.KEEP], PASS),
        ([Kind.KEEP, Kind.ALREADY], PASS),
    ],
)
def test_a_script_may_be_green_before_only_where_its_task_promises_nothing_new(
    kinds: list[Kind], outcome: Outcome
) -> None:
    criteria = [make_criterion(f"01-01.c{n}", f"text {n}", kind) for n, kind in enumerate(kinds)]
    assert outcomes(judge_criteria(criteria, [script(PASSED)], [script(PASSED)], TASK))[SCRIPT] is outcome


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        (FAILED, PASSED, PASS),
        (PASSED, PASSED, UNPROVEN),  # it would pass had nothing been done
        (PASSED, FAILED, FAIL),
        (FAILED, FAILED, FAIL),
        (FAILED, Seen.TIMED_OUT, FAIL),
        (FAILED, NOTHING, UNPROVEN),
        (NOTHING, PASSED, UNPROVEN),
        (None, PASSED, UNPROVEN),
    ],
)
def test_the_test_script_is_a_criterion_of_its_own(before: Seen | None, after: Seen, outcome: Outcome) -> None:
    earlier = [script(before)] if before else []
    assert outcomes(judge_criteria([], earlier, [script(after)], TASK)) == {SCRIPT: outcome}


def test_a_script_of_another_task_decides_nothing_here() -> None:
    other = make_observation("script:01-02", FAILED, lines=(("one", False),))
    assert outcomes(judge_criteria([FIRST], seen(c1=FAILED), [*seen(c1=PASSED), other], TASK)) == {"01-01.c1": PASS}


def test_in_our_own_plan_a_new_criterion_that_was_green_before_proves_nothing() -> None:
    before, after = seen(c1=FAILED, c2=PASSED), seen(c1=PASSED, c2=PASSED)
    assert outcomes(judge_criteria([FIRST, SECOND], before, after)) == {"01-01.c1": PASS, "01-01.c2": UNPROVEN}


def test_in_a_users_plan_it_counts_as_already_there_beside_one_that_turned_green() -> None:
    before, after = seen(c1=FAILED, c2=PASSED), seen(c1=PASSED, c2=PASSED)
    judged = judge_criteria([FIRST, SECOND], before, after, ours=False)
    assert outcomes(judged) == {"01-01.c1": PASS, "01-01.c2": PASS}


def test_beside_one_that_could_not_be_run_there_it_is_left_open_for_our_own_reasons() -> None:
    judged = judge_criteria([FIRST, SECOND], seen(c1=NOTHING, c2=PASSED), seen(c1=PASSED, c2=PASSED), ours=False)
    assert [(v.outcome, v.ours) for v in judged] == [(UNPROVEN, True)] * 2


def test_in_a_users_plan_too_nothing_is_proven_when_all_was_green_before() -> None:
    before, after = seen(c1=PASSED, c2=PASSED), seen(c1=PASSED, c2=PASSED)
    judged = judge_criteria([FIRST, SECOND], before, after, ours=False)
    assert outcomes(judged) == {"01-01.c1": UNPROVEN, "01-01.c2": UNPROVEN}


@pytest.mark.parametrize("ours", [True, False])
def test_what_was_already_there_and_broke_is_a_failure_in_anyones_plan(ours: bool) -> None:
    judged = judge_criteria([FIRST, SECOND], seen(c1=FAILED, c2=PASSED), seen(c1=PASSED, c2=FAILED), ours=ours)
    assert outcomes(judged)["01-01.c2"] is FAIL


@pytest.mark.parametrize(
    ("of", "outcome"),
    [
        ([], UNPROVEN),
        ([PASS], PASS),
        ([PASS, PASS], PASS),
        ([PASS, UNPROVEN], UNPROVEN),
        ([PASS, FAIL], FAIL),
        ([UNPROVEN, FAIL, PASS], FAIL),
    ],
)
def test_the_worst_verdict_stands_for_all_and_nothing_judged_is_nothing_proven(
    of: list[Outcome], outcome: Outcome
) -> None:
    assert worst([make_verdict(one) for one in of]) is outcome


KINDS, SIGHTS = st.sampled_from(Kind), st.sampled_from(Seen)


@given(kinds=st.lists(KINDS, max_size=4), data=st.data(), ours=st.booleans())
def test_no_set_of_observations_passes_with_a_check_that_is_not_green_at_the_end(
    kinds: list[Kind], data: st.DataObject, ours: bool
) -> None:
    criteria = [make_criterion(f"01-01.c{n}", f"text {n}", kind) for n, kind in enumerate(kinds)]
    before, after = (
        [make_observation(c.id, data.draw(SIGHTS)) for c in criteria if data.draw(st.booleans())] for _ in range(2)
    )
    verdicts = judge_criteria(criteria, before, after, ours=ours)
    assert len(verdicts) == len(criteria)
    green = {o.subject for o in after if o.seen is PASSED}
    assert all(v.subject in green for v in verdicts if v.outcome is PASS)
    if worst(verdicts) is PASS:
        assert criteria and green == {c.id for c in criteria}


@given(kinds=st.lists(KINDS, min_size=1, max_size=4), data=st.data(), ours=st.booleans())
def test_a_new_criterion_passes_only_beside_something_that_was_seen_red(
    kinds: list[Kind], data: st.DataObject, ours: bool
) -> None:
    criteria: list[Criterion] = [make_criterion(f"01-01.c{n}", kind=kind) for n, kind in enumerate(kinds)]
    before = [make_observation(c.id, data.draw(SIGHTS)) for c in criteria]
    verdicts = judge_criteria(criteria, before, [make_observation(c.id) for c in criteria], ours=ours)
    red = {o.subject for o in before if o.seen is FAILED}
    new = {c.id for c in criteria if c.kind is Kind.NEW}
    proven = {v.subject for v in verdicts if v.outcome is PASS and v.subject in new}
    assert proven <= red if ours else not proven or proven & red
