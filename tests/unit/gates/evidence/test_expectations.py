"""A test that passes though it expects something else proves nothing. covers: T8"""

from __future__ import annotations

import pytest

from autopilot.gates.evidence.expectations import judge_doubtful, judge_expectations, judge_script
from autopilot.gates.evidence.sabotage import Trial
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Ended, Grade, TestReport, TestResult

FILE = "tests/test_a.py"
CHANGE = "other expectations in its tests"


def report(**ended: Ended) -> TestReport:
    results = tuple(TestResult(f"{FILE}::{name}", each, file=FILE) for name, each in ended.items())
    return TestReport("pytest", Grade.REPORT, results)


GREEN = report(test_one=Ended.PASSED, test_two=Ended.PASSED)


def test_red_everywhere_is_what_honest_code_gives() -> None:
    trial = Trial(CHANGE, Seen.FAILED, report(test_one=Ended.FAILED, test_two=Ended.FAILED))
    assert judge_expectations("01-01.c1", GREEN, trial, {FILE: ["test_one", "test_two"]}) == ()


def test_one_that_still_passes_is_refused_by_name() -> None:
    trial = Trial(CHANGE, Seen.FAILED, report(test_one=Ended.FAILED, test_two=Ended.PASSED))
    (objection,) = judge_expectations("01-01.c1", GREEN, trial, {FILE: ["test_one", "test_two"]})
    assert objection.weight is Weight.REFUSE
    assert "test_two" in objection.description
    assert "test_one" not in objection.description


@pytest.mark.parametrize(
    ("names", "refused"),
    [(["test_one"], 0), ([], 0), (["Class.test_two"], 0), (["two"], 0), (["test_two"], 1)],
)
def test_one_whose_expectation_was_not_changed_may_pass(names: list[str], refused: int) -> None:
    trial = Trial(CHANGE, Seen.FAILED, report(test_one=Ended.FAILED, test_two=Ended.PASSED))
    assert len(judge_expectations("01-01.c1", GREEN, trial, {FILE: names})) == refused


def test_a_test_that_was_given_other_code_is_known_by_its_name() -> None:
    """Its report names the file of that code."""
    trial = Trial(CHANGE, Seen.FAILED, report(test_one=Ended.FAILED, test_two=Ended.PASSED))
    assert judge_expectations("01-01.c1", GREEN, trial, {"tests/test_b.py": ["test_two"]}) != ()


@pytest.mark.parametrize(
    ("known", "refused"), [([f"{FILE}::test_two"], 0), (["tests/test_b.py::test_two"], 1), ([], 1)]
)
def test_a_test_of_the_same_name_in_a_file_that_was_left_as_it_was_may_pass(known: list[str], refused: int) -> None:
    """It ran from that file before the work, so that no other code can stand in its place."""
    green = report(**{"test_two[a]": Ended.PASSED})
    trial = Trial(CHANGE, Seen.FAILED, green)
    changed = {"tests/test_b.py": ["test_two"]}
    assert len(judge_expectations("01-01.c1", green, trial, changed, known=known)) == refused


def in_groups(first: Ended, second: Ended) -> TestReport:
    named = {f"{FILE} > sums > takes nothing": first, f"{FILE} > products > takes nothing": second}
    return TestReport("vitest", Grade.REPORT, tuple(TestResult(id, ended, file=FILE) for id, ended in named.items()))


@pytest.mark.parametrize(
    ("first", "second", "refused"), [(Ended.PASSED, Ended.FAILED, 0), (Ended.PASSED, Ended.PASSED, 1)]
)
def test_of_groups_with_a_test_of_one_name_perhaps_only_one_expects_something_else(
    first: Ended, second: Ended, refused: int
) -> None:
    green = in_groups(Ended.PASSED, Ended.PASSED)
    trial = Trial(CHANGE, Seen.FAILED, in_groups(first, second))
    assert len(judge_expectations("01-01.c1", green, trial, {FILE: ["takes nothing"]})) == refused


@pytest.mark.parametrize(
    ("before", "weight"),
    [
        (report(test_one=Ended.PASSED, test_two=Ended.PASSED), Weight.FLAG),
        (report(test_one=Ended.PASSED, test_two=Ended.FAILED), Weight.REFUSE),
        (report(test_one=Ended.PASSED), Weight.REFUSE),
        (TestReport("pytest", Grade.REPORT, problem="no report"), Weight.REFUSE),
    ],
)
def test_a_test_that_noticed_nothing_before_the_work_either_is_shown_and_refuses_nothing(
    before: TestReport, weight: Weight
) -> None:
    trial = Trial(CHANGE, Seen.FAILED, report(test_one=Ended.FAILED, test_two=Ended.PASSED))
    old = Trial(CHANGE, Seen.FAILED, before)
    (objection,) = judge_expectations("01-01.c1", GREEN, trial, {FILE: ["test_one", "test_two"]}, old)
    assert objection.weight is weight
    assert "test_two" in objection.description


def test_a_row_of_a_table_counts_for_its_test() -> None:
    green = report(**{"test_one[1-a]": Ended.PASSED})
    trial = Trial(CHANGE, Seen.PASSED, green)
    assert judge_expectations("01-01.c1", green, trial, {FILE: ["test_one"]}) != ()


def test_a_run_without_a_report_decides_nothing_and_one_that_our_sandbox_lost_is_ours() -> None:
    broken = TestReport("pytest", Grade.REPORT, problem="pytest left no report")
    assert judge_expectations("c", GREEN, Trial(CHANGE, Seen.FAILED, broken), {FILE: ["test_one"]}) == ()
    (ours,) = judge_expectations("c", GREEN, Trial(CHANGE, Seen.NOTHING), {FILE: ["test_one"]})
    assert ours.weight is Weight.OURS


@pytest.mark.parametrize(
    ("seen", "weights"),
    [(Seen.PASSED, [Weight.REFUSE]), (Seen.FAILED, []), (Seen.TIMED_OUT, []), (Seen.NOTHING, [Weight.OURS])],
)
def test_a_script_that_passes_whatever_it_expects_is_refused(seen: Seen, weights: list[Weight]) -> None:
    trial = Trial("another expectation in its script", seen)
    assert [objection.weight for objection in judge_script("c1", trial, ["tests/run.sh"])] == weights


def test_a_class_is_known_by_its_whole_name() -> None:
    """`TestCart.test_sum` expects something else; `TestCartTotals` has a test of that name too, which stays green."""
    green = report(**{"TestCart::test_sum": Ended.PASSED, "TestCartTotals::test_sum": Ended.PASSED})
    trial = Trial(
        CHANGE, Seen.FAILED, report(**{"TestCart::test_sum": Ended.FAILED, "TestCartTotals::test_sum": Ended.PASSED})
    )
    assert judge_expectations("01-01.c1", green, trial, {FILE: ["TestCart.test_sum"]}) == ()


ONE = f"{FILE}::test_one"


@pytest.mark.parametrize(
    ("seen", "meant", "is_all", "weights"),
    [
        (Seen.FAILED, False, True, [Weight.REFUSE]),
        (Seen.FAILED, False, False, [Weight.REFUSE]),
        (Seen.FAILED, True, False, [Weight.FLAG]),
        (Seen.FAILED, True, True, [Weight.REFUSE]),
        (Seen.PASSED, False, True, []),  # never reached
        (Seen.NOTHING, False, True, [Weight.OURS]),
    ],
)
def test_what_a_callback_asserts_has_to_arrive(seen: Seen, meant: bool, is_all: bool, weights: list[Weight]) -> None:
    trial, settled = Trial(CHANGE, Seen.PASSED, GREEN), Trial("the end", seen)
    found = judge_doubtful("c1", ONE, trial, settled, is_equality=False, is_all=is_all, is_catching_meant=meant)
    assert [objection.weight for objection in found] == weights


@pytest.mark.parametrize(
    ("settled", "refused"),
    [
        (Trial("by content", Seen.FAILED, report(test_one=Ended.FAILED)), 1),
        (Trial("by content", Seen.FAILED, report(test_one=Ended.PASSED, test_two=Ended.FAILED)), 0),
        (Trial("by content", Seen.FAILED, None), 0),  # it does not even build
        (Trial("by content", Seen.PASSED, GREEN), 0),
    ],
)
def test_equality_may_leave_a_part_out_unless_the_values_differ(settled: Trial, refused: int) -> None:
    trial = Trial(CHANGE, Seen.PASSED, GREEN)
    found = judge_doubtful("c1", ONE, trial, settled, is_equality=True, is_all=True, is_catching_meant=False)
    assert len(found) == refused
