"""The phase's verdict: every row of the decision, and the law that no opinion ever raises it (GATE, T2)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.gates.phase import judge_check, judge_phase
from autopilot.gates.task import worst
from autopilot.model.assessment import CriterionReading, Failure, Judgement, Recommendation, Verification
from autopilot.model.evidence import Seen
from autopilot.model.verdict import Outcome, Verdict
from tests.unit.making import make_judgement, make_observation, make_verdict, make_verification

# covers: GATE, T2
PASS, FAIL, UNPROVEN = Outcome.PASS, Outcome.FAIL, Outcome.UNPROVEN
THRESHOLD = 9.0
GOOD: dict[str, Any] = {"verification": make_verification(), "judgement": make_judgement(), "score": 9.6}
REFUSED = make_verification(False, failures=(Failure("search is a stub", "executor_incomplete"),))

HELD, DOUBTED = (CriterionReading("it works", status, "a.py:3") for status in ("verified", "failed"))


@pytest.mark.parametrize(
    ("seen", "outcome", "ours"),
    [
        (Seen.PASSED, PASS, False),
        (Seen.FAILED, FAIL, False),
        (Seen.TIMED_OUT, FAIL, False),
        (Seen.NOTHING, UNPROVEN, True),
    ],
)
def test_a_configured_check_must_be_green(seen: Seen, outcome: Outcome, ours: bool) -> None:
    verdict = judge_check(make_observation("compile", seen))
    assert (verdict.subject, verdict.outcome, verdict.ours) == ("compile", outcome, ours)


def test_a_check_that_could_not_be_run_says_why() -> None:
    assert judge_check(make_observation("test", Seen.NOTHING, reason="no bwrap")).because == "no bwrap"


@pytest.mark.parametrize(
    ("verdicts", "review", "outcome", "because"),
    [
        ([PASS, PASS], {}, PASS, "2 of 2 observed, score 9.6"),
        ([PASS, FAIL], {}, FAIL, "so it was seen"),
        ([PASS, UNPROVEN], {}, UNPROVEN, "so it was seen"),
        ([UNPROVEN, FAIL], {}, FAIL, "so it was seen"),
        ([], {}, UNPROVEN, "nothing was checked"),
        ([PASS], {"verification": None}, FAIL, "a review is missing"),
        ([PASS], {"judgement": None}, FAIL, "a review is missing"),
        ([PASS], {"score": None}, FAIL, "a review is missing"),
        ([PASS], {"verification": REFUSED}, FAIL, "the verifier refused it: search is a stub"),
        ([PASS], {"verification": make_verification(False)}, FAIL, "no reason given"),
        ([PASS], {"verification": make_verification(failures=REFUSED.failures)}, FAIL, "search is a stub"),
        ([PASS], {"verification": make_verification(criteria_results=(DOUBTED,))}, FAIL, "refused it: it works"),
        ([PASS], {"verification": make_verification(criteria_results=(HELD,))}, PASS, "score 9.6"),
        ([PASS], {"judgement": make_judgement(missing_requirements=("REQ-2",))}, FAIL, "the judge misses: REQ-2"),
        ([PASS], {"judgement": make_judgement(Recommendation.DEBUG)}, FAIL, "the judge says debug"),
        ([PASS], {"judgement": make_judgement(Recommendation.ROLLBACK)}, FAIL, "the judge says rollback"),
        ([PASS], {"judgement": make_judgement(Recommendation.HALT, concerns=("mad",))}, FAIL, "halt: mad"),
        ([PASS], {"score": 8.9}, FAIL, "the score 8.9 is below 9.0"),
        ([PASS], {"score": 9.0}, PASS, "score 9.0"),
        ([PASS], {"score": float("nan")}, FAIL, "below 9.0"),
        ([FAIL], {"verification": None, "judgement": None, "score": None}, FAIL, "so it was seen"),
        ([UNPROVEN], {"verification": None, "judgement": None, "score": None}, UNPROVEN, "so it was seen"),
    ],
)
def test_evidence_decides_and_reviews_can_only_lower(
    verdicts: list[Outcome], review: dict[str, Any], outcome: Outcome, because: str
) -> None:
    verdict = judge_phase([make_verdict(one) for one in verdicts], **{**GOOD, **review}, threshold=THRESHOLD)
    assert (verdict.subject, verdict.outcome) == ("phase", outcome)
    assert because in verdict.because


@pytest.mark.parametrize(("ours", "whole"), [((True, True), True), ((True, False), False), ((), False)])
def test_an_unproven_phase_is_ours_only_when_every_reason_is(ours: tuple[bool, ...], whole: bool) -> None:
    verdicts = [make_verdict(UNPROVEN, ours=one) for one in ours]
    assert judge_phase(verdicts, **GOOD, threshold=THRESHOLD).ours is whole


def test_a_long_list_of_failures_is_cut_and_the_rest_counted() -> None:
    verdicts = [make_verdict(FAIL, f"c{n}") for n in range(5)]
    because = judge_phase(verdicts, **GOOD, threshold=THRESHOLD).because
    assert because.startswith("c0: so it was seen; c1:")
    assert because.endswith("; and 2 more")


TEXTS = st.lists(st.text(max_size=5), max_size=2).map(tuple)
VERDICTS = st.lists(st.builds(Verdict, st.text(max_size=5), st.sampled_from(Outcome), st.text(max_size=5)), max_size=5)
VERIFICATIONS = st.none() | st.builds(
    make_verification,
    st.booleans(),
    failures=st.just(()) | st.just(REFUSED.failures),
    criteria_results=st.lists(st.sampled_from([HELD, DOUBTED]), max_size=2).map(tuple),
    concerns=TEXTS,
    scope_creep=TEXTS,
    commands_run=TEXTS,
)
JUDGEMENTS = st.none() | st.builds(
    make_judgement, st.sampled_from(Recommendation), concerns=TEXTS, missing_requirements=TEXTS
)
SCORES = st.none() | st.floats()  # infinities and not-a-number too
RANK = {FAIL: 0, UNPROVEN: 1, PASS: 2}


@given(VERDICTS, VERIFICATIONS, JUDGEMENTS, SCORES, st.sampled_from([7.0, 9.0, 9.5]))
def test_no_set_of_assessments_raises_an_outcome(
    verdicts: list[Verdict],
    verification: Verification | None,
    judgement: Judgement | None,
    score: float | None,
    threshold: float,
) -> None:
    outcome = judge_phase(verdicts, verification, judgement, score, threshold).outcome
    assert RANK[outcome] <= RANK[worst(verdicts)]


@given(VERDICTS, VERIFICATIONS, JUDGEMENTS, SCORES)
def test_a_phase_passes_only_with_evidence_all_of_it_green_and_every_review_agreeing(
    verdicts: list[Verdict], verification: Verification | None, judgement: Judgement | None, score: float | None
) -> None:
    if judge_phase(verdicts, verification, judgement, score, THRESHOLD).outcome is PASS:
        assert verdicts and {v.outcome for v in verdicts} == {PASS}
        assert verification is not None and verification.passed and not verification.failures
        assert DOUBTED not in verification.criteria_results
        assert judgement is not None and judgement.recommendation is Recommendation.PROCEED
        assert not judgement.missing_requirements
        assert score is not None and score >= THRESHOLD
