"""Laws of the decision: evidence bounds it, opinions only lower it, and chances run out (GATE, DBG, T2)."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from autopilot.gates.criterion import worst
from autopilot.gates.decision import Case, rule, rule_on_parts
from autopilot.model.assessment import SEVERITY, CriterionReading, Failure, Recommendation
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.policy import AttemptLimits, Breaker, Policy
from autopilot.model.ruling import Action, Attempts, Finding
from autopilot.model.run import Step
from tests.unit.making import make_judgement, make_verification

# covers: GATE, DBG, CENF-01, CENF-03, T2
PASSES = (Action.PASS, Action.PASS_INCOMPLETE)
ENDS = (*PASSES, Action.ROLLBACK, Action.DEFER, Action.PAUSE)
RANK = {Outcome.FAIL: 0, Outcome.UNPROVEN: 1, Outcome.PASS: 2}
# From best to worst for the work. Pausing says nothing of it and is bound to the evidence alone.
GRADES = (
    (Action.PASS,),
    (Action.PASS_INCOMPLETE,),
    (Action.REMEDIATE,),
    (Action.DEFER, Action.ENFORCE, Action.DEBUG, Action.REPLAN),
    (Action.ROLLBACK,),
)

TEXTS = st.lists(st.sampled_from(["REQ-2", "it strays", "no limit"]), max_size=2).map(tuple)
READINGS = [CriterionReading("it works", status, "a.py:3") for status in ("verified", "failed")]
SUBJECTS = st.sampled_from(["c1", "test", "task 01"])
SEEN = st.builds(Verdict, SUBJECTS, st.sampled_from([Outcome.PASS, Outcome.FAIL]), st.just("so"))
UNSEEN = st.builds(Verdict, SUBJECTS, st.just(Outcome.UNPROVEN), st.just("so"), st.booleans())
VERDICTS = st.lists(SEEN | UNSEEN, max_size=4).map(tuple)
VERIFICATIONS = st.builds(
    make_verification,
    st.booleans(),
    failures=st.lists(st.just(Failure("a stub", "executor_incomplete")), max_size=1).map(tuple),
    criteria_results=st.lists(st.sampled_from(READINGS), max_size=2).map(tuple),
    concerns=TEXTS,
    scope_creep=TEXTS,
    commands_run=TEXTS,
)
JUDGEMENTS = st.builds(
    make_judgement, st.sampled_from(Recommendation), concerns=TEXTS, missing_requirements=TEXTS, verifier_missed=TEXTS
)
FINDINGS = st.builds(Finding, st.integers(1, 16), st.booleans(), st.none() | st.sampled_from(Step), st.just("so"))
ATTEMPTS = st.builds(
    Attempts, st.integers(0, 4), st.integers(0, 2), st.integers(0, 2), st.integers(0, 3), st.booleans()
)
SCORES = st.none() | st.floats() | st.sampled_from([6.9, 7.0, 8.9, 9.0, 9.5, 10.0])
CASES = st.builds(
    Case,
    VERDICTS,
    st.none() | VERIFICATIONS,
    st.none() | JUDGEMENTS,
    SCORES,
    ATTEMPTS,
    st.lists(FINDINGS, max_size=2).map(tuple),
    st.sampled_from(["", "a person has to look"]),
    st.booleans(),
)
POLICIES = st.builds(
    Policy,
    pass_threshold=st.sampled_from([7.0, 9.0, 9.5]),
    attempts=st.builds(AttemptLimits, remediations=st.integers(0, 3)),
    breaker=st.builds(Breaker, debugs_per_phase=st.integers(0, 3), replans_per_phase=st.integers(0, 1)),
)


def grade(action: Action) -> int:
    return next(n for n, actions in enumerate(GRADES) if action in actions)


@given(CASES, POLICIES)
def test_nothing_passes_but_on_evidence_all_of_it_green(case: Case, policy: Policy) -> None:
    ruling = rule(case, policy)
    if ruling.action in PASSES or ruling.outcome is Outcome.PASS:
        assert case.verdicts and {v.outcome for v in case.verdicts} == {Outcome.PASS}
        assert ruling.action in PASSES and ruling.outcome is Outcome.PASS


@given(CASES, POLICIES)
def test_a_pass_needs_every_review_to_agree_and_a_score_above_the_floor(case: Case, policy: Policy) -> None:
    ruling = rule(case, policy)
    if ruling.action not in PASSES:
        return
    assert case.verification is not None and case.verification.passed and not case.verification.failures
    assert READINGS[1] not in case.verification.criteria_results
    assert case.judgement is not None and case.judgement.recommendation is Recommendation.PROCEED
    assert not case.judgement.missing_requirements and not case.needs_person
    assert not any(finding.refuses for finding in case.integrity)
    assert case.score is not None and case.score >= min(policy.pass_threshold, 7.0)
    assert (case.score >= policy.pass_threshold) is (ruling.action is Action.PASS)


@given(CASES, POLICIES)
def test_no_assessment_raises_an_outcome_above_the_evidence(case: Case, policy: Policy) -> None:
    assert RANK[rule(case, policy).outcome] <= RANK[worst(case.verdicts)]


@given(st.lists(st.floats(7.0, 10.0), min_size=1, max_size=4), VERDICTS, ATTEMPTS, POLICIES, st.booleans())
def test_neither_do_the_scores_of_parts(
    scores: list[float], verdicts: tuple[Verdict, ...], attempts: Attempts, policy: Policy, incomplete: bool
) -> None:
    ruling = rule_on_parts(Case(verdicts, attempts=attempts), scores, policy, incomplete=incomplete)
    assert RANK[ruling.outcome] <= RANK[worst(verdicts)]
    assert ruling.score is None or min(scores) - 0.1 < ruling.score <= max(scores)


@st.composite
def worse(draw: st.DrawFn, case: Case) -> Case:
    """The same evidence, and one assessment that speaks more against it."""
    verification, judgement, score = case.verification, case.judgement, case.score
    changes: list[dict[str, Any]] = [{"verification": None}, {"judgement": None}, {"score": None}]
    if verification is not None:
        changes.append({"verification": replace(verification, failures=(Failure("new", "lint_failure"),))})
        results = (*verification.criteria_results, READINGS[1])
        changes.append({"verification": replace(verification, criteria_results=results)})
        if not case.needs_person:
            changes.append({"verification": replace(verification, passed=False)})
    if judgement is not None:
        graver = SEVERITY[min(SEVERITY.index(judgement.recommendation) + 1, len(SEVERITY) - 1)]
        changes.append({"judgement": replace(judgement, recommendation=graver)})
        changes.append({"judgement": replace(judgement, missing_requirements=("REQ-9",))})
        changes.append({"judgement": replace(judgement, concerns=(*judgement.concerns, "one more"))})
    if score is not None:
        changes.append({"score": score - draw(st.floats(0, 4))})
    return replace(case, **draw(st.sampled_from(changes)))


@settings(max_examples=300)
@given(st.data(), CASES, POLICIES)
def test_one_opinion_more_against_the_work_never_betters_what_becomes_of_it(
    data: st.DataObject, case: Case, policy: Policy
) -> None:
    # That a stop word of the judge's or a refused report is gone is no better opinion: those are not taken away here.
    stopped = case.judgement is not None and case.judgement.recommendation in SEVERITY[2:]
    other = data.draw(worse(case))
    if stopped and other.judgement is None:
        return
    before, after = rule(case, policy), rule(other, policy)
    assert RANK[after.outcome] <= RANK[before.outcome] or before.action not in PASSES
    assert (after.action is Action.PAUSE) is (before.action is Action.PAUSE)
    if before.action is Action.PAUSE:
        return
    # Debug, re-plan and another look are no better than each other; a chance left may differ between them.
    assert grade(after.action) >= min(grade(before.action), 3)


@settings(max_examples=200)
@given(st.data(), POLICIES)
def test_chances_run_out(data: st.DataObject, policy: Policy) -> None:
    """Whatever each round brings: a phase ends within what the policy allows, and the last is an end."""
    attempts, rounds, since_enforced = Attempts(), 0, False
    most = policy.breaker.debugs_per_phase + policy.attempts.remediations * 2 + policy.breaker.replans_per_phase + 1
    while (action := rule(replace(data.draw(CASES), attempts=attempts), policy).action) not in ENDS:
        rounds += 1
        # Each chance taken may be followed by one report that is asked for again.
        assert rounds <= 2 * most + 1, attempts
        match action:
            case Action.ENFORCE:
                assert not since_enforced
                attempts, since_enforced = replace(attempts, enforced=True), True
                continue
            case Action.DEBUG if attempts.replans:
                attempts = replace(attempts, debugs_after_replan=attempts.debugs_after_replan + 1)
            case Action.DEBUG:
                attempts = replace(attempts, debugs=attempts.debugs + 1)
            case Action.REMEDIATE:
                attempts = replace(attempts, remediations=attempts.remediations + 1)
            case Action.REPLAN:
                # As the fold does it: remediation begins anew with the new plan.
                attempts = Attempts(attempts.debugs, attempts.debugs_after_replan, attempts.replans + 1)
        attempts, since_enforced = replace(attempts, enforced=False), False
    assert attempts.debugs <= policy.breaker.debugs_per_phase
    assert attempts.debugs_after_replan <= 1
    assert attempts.replans <= policy.breaker.replans_per_phase
    assert attempts.remediations <= policy.attempts.remediations
