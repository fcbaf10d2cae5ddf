"""The score: capped by evidence, averaged and rounded down by code, whatever the rater adds up to (RATE)."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.gates.score import band, compute_score, refuse_rating
from autopilot.model.verdict import Outcome, Verdict
from tests.unit.making import make_rating, make_score, make_verdict

# covers: RATE
PASS, FAIL, UNPROVEN = (make_verdict(outcome) for outcome in Outcome)
NOWHERE = "I looked and it is fine"


@pytest.mark.parametrize(
    ("scores", "aggregate"),
    [
        ([9.6], 9.6),
        ([10.0, 9.9], 9.9),  # 9.95, never 10.0
        ([9.0, 8.9], 8.9),  # 8.95 does not reach 9.0
        ([9.99], 9.9),
        ([0.0], 0.0),
        ([7.0, 7.0, 7.1], 7.0),
        ([9.3, 9.3, 9.3], 9.3),  # exact, although 0.1 has no exact binary form
    ],
)
def test_the_aggregate_is_the_mean_rounded_down_to_one_decimal(scores: list[float], aggregate: float) -> None:
    rating = make_rating(*(make_score(f"c{n}", score) for n, score in enumerate(scores)))
    assert compute_score(rating, {}) == aggregate


@pytest.mark.parametrize(
    ("score", "verdict", "evidence", "capped"),
    [
        (9.6, PASS, "a.py:3", 9.6),
        (9.6, FAIL, "a.py:3", 4.9),
        (9.6, UNPROVEN, "a.py:3", 4.9),
        (3.0, FAIL, "a.py:3", 3.0),  # a cap lowers, it never lifts
        (9.6, PASS, NOWHERE, 6.9),
        (9.6, FAIL, NOWHERE, 4.9),
        (9.6, None, "a.py:3", 9.6),  # prose: no evidence decides it
        (9.6, None, NOWHERE, 6.9),
    ],
)
def test_a_score_is_capped_where_evidence_failed_or_no_place_is_named(
    score: float, verdict: Verdict | None, evidence: str, capped: float
) -> None:
    verdicts = {"it works": verdict} if verdict else {}
    assert compute_score(make_rating(make_score("it works", score, evidence)), verdicts) == capped


@pytest.mark.parametrize(
    ("scores", "criteria", "aggregate"),
    [
        ([("a", 9.0), ("b", 5.0)], (), 7.0),  # none are named: the whole card
        ([("a", 9.0), ("b", 5.0)], ("a", "b"), 7.0),
        ([("a", 9.0), ("padding", 10.0), ("more of it", 10.0)], ("a",), 9.0),
        ([("a", 9.8), ("a", 6.0)], ("a",), 6.0),  # scored twice: the lower counts,
        ([("a", 6.0), ("a", 9.8)], ("a",), 6.0),  # whichever came first,
        ([("a", 9.8), ("a", 6.0)], (), 6.0),
        ([("a", 9.0), ("b", 5.0)], ("a", "b", "b"), 7.0),  # and a criterion named twice weighs as one
    ],
)
def test_only_the_named_criteria_count_and_a_duplicate_by_its_lower_score(
    scores: list[tuple[str, float]], criteria: tuple[str, ...], aggregate: float
) -> None:
    assert compute_score(make_rating(*(make_score(*score) for score in scores)), {}, criteria) == aggregate


@pytest.mark.parametrize("evidence", ["shelf/a.py:12", "see ./a.py:3-9", "Makefile:4 is it", "(x-y.ts:7)", "größe:3"])
def test_a_file_and_a_line_are_evidence(evidence: str) -> None:
    assert compute_score(make_rating(make_score(evidence=evidence)), {}) == 9.6


@pytest.mark.parametrize("evidence", ["", "a.py", "line 12", "expect EXIT:0", "at 12:30", "ratio 3:1", "a.py: 12"])
def test_a_colon_before_a_number_is_not_yet_a_place(evidence: str) -> None:
    assert compute_score(make_rating(make_score(evidence=evidence)), {}) == 6.9


def test_with_side_effects_nothing_reaches_excellence() -> None:
    assert compute_score(make_rating(make_score(score=10.0), side_effects=("a new folder",)), {}) == 9.4


@pytest.mark.parametrize(("score", "counted"), [(11.0, 10.0), (-3.0, 0.0), (float("nan"), 0.0), (float("inf"), 10.0)])
def test_a_score_from_nowhere_is_brought_back_between_0_and_10(score: float, counted: float) -> None:
    assert compute_score(make_rating(make_score(score=score)), {}) == counted


@pytest.mark.parametrize(
    ("rating", "criteria", "reason"),
    [
        (make_rating(), ["it works"], ""),
        (replace(make_rating(), scorecard=()), ["it works"], "the scorecard is empty"),
        (replace(make_rating(), commands_run=()), ["it works"], "ran no command"),
        (make_rating(), ["it works", "it lasts"], "no score for: it lasts"),
        (make_rating(), ["It works."], "no score for: It works."),  # in its exact words
    ],
)
def test_a_card_that_leaves_something_out_is_refused(rating: object, criteria: list[str], reason: str) -> None:
    refused = refuse_rating(rating, criteria)  # type: ignore[arg-type]
    assert reason in refused if reason else refused == ""


@pytest.mark.parametrize(
    ("score", "name"),
    [
        (10.0, "excellence"),
        (9.5, "excellence"),
        (9.4, "good"),
        (8.0, "good"),
        (7.9, "acceptable"),
        (7.0, "acceptable"),
        (6.9, "significant_gaps"),
        (5.0, "significant_gaps"),
        (4.9, "major_failures"),
        (3.0, "major_failures"),
        (2.9, "not_implemented"),
        (0.0, "not_implemented"),
    ],
)
def test_a_band_begins_at_its_floor(score: float, name: str) -> None:
    assert band(score) == name


MARKS = st.decimals(0, 10, places=2).map(float)


@given(st.lists(st.tuples(MARKS, st.sampled_from([None, PASS, FAIL, UNPROVEN])), min_size=1, max_size=6))
def test_the_aggregate_never_exceeds_the_mean_nor_the_caps(marks: list[tuple[float, Verdict | None]]) -> None:
    rating = make_rating(*(make_score(f"c{n}", mark) for n, (mark, _) in enumerate(marks)))
    verdicts = {f"c{n}": verdict for n, (_, verdict) in enumerate(marks) if verdict is not None}
    score = compute_score(rating, verdicts)
    mean = sum((Decimal(str(mark)) for mark, _ in marks), Decimal(0)) / len(marks)
    assert 0 <= Decimal(str(score)) <= mean
    assert score == round(score, 1)
    if all(verdict in (FAIL, UNPROVEN) for _, verdict in marks):
        assert score < 5.0
