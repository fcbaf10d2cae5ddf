"""Which kind of failure it is, by the first thing that failed (VRFY-05)."""

from __future__ import annotations

import pytest

from autopilot.gates.failure import OF_CHECK, classify
from autopilot.model.assessment import Failure
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.failure import Category
from autopilot.model.policy import CHECKS
from tests.unit.making import make_verdict, make_verification

# covers: VRFY-05
PASS, FAIL, UNPROVEN = Outcome.PASS, Outcome.FAIL, Outcome.UNPROVEN


@pytest.mark.parametrize(
    ("bad", "category"),
    [
        (["compile"], Category.COMPILATION_FAILURE),
        (["lint"], Category.LINT_FAILURE),
        (["build"], Category.BUILD_FAILURE),
        (["test"], Category.ACCEPTANCE_CRITERIA_UNMET),
        (["01-01.c1"], Category.ACCEPTANCE_CRITERIA_UNMET),
        (["task 01-01"], Category.EXECUTOR_INCOMPLETE),
        (["01-01.c1", "task 01-01"], Category.EXECUTOR_INCOMPLETE),
        (["01-01.c1", "compile"], Category.COMPILATION_FAILURE),  # what does not compile holds nothing
        (["task 01-01", "lint"], Category.LINT_FAILURE),
        (["lint", "compile"], Category.LINT_FAILURE),  # the first of two
    ],
)
@pytest.mark.parametrize("outcome", [FAIL, UNPROVEN])
def test_what_failed_names_the_kind_of_failure(bad: list[str], category: Category, outcome: Outcome) -> None:
    verdicts = [make_verdict(PASS, "01-09.c1"), *(make_verdict(outcome, subject) for subject in bad)]
    said = make_verification(False, failures=(Failure("it strayed", "scope_creep"),))
    assert classify(verdicts, said) is category, "no word of the verifier's comes before what was seen"


@pytest.mark.parametrize(
    ("words", "category"),
    [
        (["scope_creep"], Category.SCOPE_CREEP),
        (["my own word", "lint_failure", "scope_creep"], Category.LINT_FAILURE),
        (["my own word", ""], Category.ACCEPTANCE_CRITERIA_UNMET),
        ([], Category.ACCEPTANCE_CRITERIA_UNMET),
    ],
)
def test_where_everything_seen_holds_the_verifier_names_it_in_words_of_the_taxonomy(
    words: list[str], category: Category
) -> None:
    report = make_verification(False, failures=tuple(Failure("so it is", word) for word in words))
    assert classify([make_verdict(PASS)], report) is category


def test_without_anything_bad_and_without_a_report_criteria_are_unmet() -> None:
    assert classify([]) is Category.ACCEPTANCE_CRITERIA_UNMET


def test_every_configured_check_has_its_category() -> None:
    assert set(OF_CHECK) == set(CHECKS)
