"""What can refute a hypothesis, and what its test showed.

covers: DEBUG
"""

from __future__ import annotations

import pytest

from autopilot.gates.debugging.hypothesis import judge_test, refuse_hypothesis
from autopilot.model.debugging.session import Hypothesis, HypothesisResult, Prediction
from autopilot.model.evidence.observation import Observation, Seen

OLD = Hypothesis(1, "The cache is stale.", "./is-stale  --now", Prediction.PASSES)


def idea(statement: str = "the sum overflows", test: str = "./overflows", predicts: str = "passes") -> Hypothesis:
    return Hypothesis(2, statement, test, Prediction(predicts))


@pytest.mark.parametrize(
    "new",
    [
        idea("the cache is STALE"),
        idea(test="./is-stale --now"),
        idea(test="./is-stale --now; echo EXIT:$?"),
        idea(test="./shows", predicts="fails"),
        idea(test="true"),
        idea(test="./overflows || true"),
        idea(test="exit 1", predicts="fails"),
        idea(test=""),
        idea(" "),
    ],
)
def test_what_was_eliminated_or_cannot_be_refuted_is_not_tested(new: Hypothesis) -> None:
    assert refuse_hypothesis(new, [OLD], "./shows")


def test_a_new_idea_with_a_test_of_its_own_is_tested() -> None:
    assert refuse_hypothesis(idea(), [OLD], "./shows") == ""
    assert refuse_hypothesis(idea("the cache is stale at night", "./is-stale --night"), [OLD], "./shows") == ""


def seen(how: Seen, code: int | None = 0) -> Observation:
    return Observation("hypothesis.c2", "./overflows", "c" * 40, how, exit_code=code)


@pytest.mark.parametrize(
    "runs, result",
    [
        ([seen(Seen.PASSED)] * 2, HypothesisResult.SUPPORTED),
        ([seen(Seen.FAILED, 1)] * 2, HypothesisResult.ELIMINATED),
        ([seen(Seen.PASSED), seen(Seen.FAILED, 1)], HypothesisResult.UNCLEAR),
        ([seen(Seen.FAILED, 127)] * 2, HypothesisResult.UNCLEAR),
        ([seen(Seen.NOTHING, None)] * 2, HypothesisResult.UNCLEAR),
    ],
)
def test_the_observed_result_decides_against_the_prediction(runs: list[Observation], result: HypothesisResult) -> None:
    assert judge_test(idea(), runs, ["", ""])[0] is result


def test_what_it_has_to_print_is_part_of_the_prediction() -> None:
    new = Hypothesis(2, "it overflows", "./overflows", Prediction.PASSES, "2147483648")
    assert judge_test(new, [seen(Seen.PASSED)], ["-2147483648\n"])[0] is HypothesisResult.SUPPORTED
    assert judge_test(new, [seen(Seen.PASSED)], ["0\n"])[0] is HypothesisResult.ELIMINATED
