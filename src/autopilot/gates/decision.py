"""What happens to a phase now? One pure decision over evidence, assessments, score and the chances already taken.

The rows, in this order; the first that fits decides:

====================================================  =================================================
evidence unproven for our own reasons                 pause
the judge says rollback or halt                       roll back, fail
nothing fails but a check that never ran              roll back: only the config can change that
a check or criterion fails, or is unproven            debug while there are attempts, else roll back
the verifier, the judge or another review refuses     the same
a request for a person is refused a second time       as without it, if only a visual check is left; else defer
an integrity check refuses a report                   its step once more, then roll back
a person has to check, and deferring is justified     defer
something the owner asks for is not accounted for     roll back
score below the floor (7.0)                           re-plan once, else roll back
score below what is aimed at                          remediate, else pass as incomplete
a refinement that ends below where it began           roll back: it is withdrawn
otherwise                                             pass
====================================================  =================================================

What is aimed at is the threshold, or more (``gates/aim.py``): then falling short is a pass all the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from autopilot.gates.aim import Aim, goes_on, plain_aim
from autopilot.gates.criterion import worst
from autopilot.gates.failure import classify
from autopilot.model.assessment import Judgement, Recommendation, Verification
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.failure import Category
from autopilot.model.policy import Policy
from autopilot.model.ruling import NEEDLESS_DEFERRAL, Action, Attempts, Finding, Ruling
from autopilot.model.step import REVIEWS
from autopilot.text.naming import plural


class Case(Struct, frozen=True):
    """Everything the decision rests on."""

    verdicts: tuple[Verdict, ...]
    verification: Verification | None = None
    judgement: Judgement | None = None
    score: float | None = None
    attempts: Attempts = Attempts()
    integrity: tuple[Finding, ...] = ()
    refusals: tuple[str, ...] = ()  # of any further review: why it refuses the phase
    needs_person: str = ""  # why a person has to check; "" when none has to
    only_visual: bool = False  # the person is asked for a visual check alone, and everything else passed
    lands_before: bool = False  # the settings let the rest land before that person has checked
    can_replan: bool = True  # a plan of the user's is never rewritten
    violations: frozenset[str] = frozenset()  # subjects whose command reached for what the sandbox refuses
    aim: Aim | None = None  # the policy's threshold when not said
    left: int = 1  # deficiencies that were not tried yet
    before: float | None = None  # of a refinement: the score the phase had
    accounted: str = ""  # how what the owner asks for stands: a pass says so
    open: str = ""  # what of it failed or was not looked at; "" where there is nothing


def rule(case: Case, policy: Policy) -> Ruling:
    """The ruling on one phase. Evidence decides first; nothing after it can make the outcome better."""
    outcome = worst(case.verdicts)
    if outcome is Outcome.UNPROVEN and _is_ours(case.verdicts):
        return Ruling(outcome, Action.PAUSE, _list(case.verdicts, outcome))
    if (word := _stop_word(case.judgement)) is not None:
        return Ruling(Outcome.FAIL, Action.ROLLBACK, word, Category.EXECUTOR_WRONG_APPROACH)
    # Where only a person can check the work, that no command ran is nothing to fix.
    if outcome is not Outcome.PASS and (case.verdicts or not case.needs_person):
        because = _list(case.verdicts, outcome)
        return _debug(case, policy, outcome, because, classify(case.verdicts, case.verification, case.violations))
    if because := _found_against(case.verification, case.judgement, case.needs_person) or "; ".join(case.refusals):
        return _debug(case, policy, Outcome.FAIL, because, classify(case.verdicts, case.verification))
    refusing = [finding for finding in case.integrity if finding.refuses]
    stubborn = is_stubborn(case.attempts, refusing)
    if refusing and not stubborn:
        return _enforce(case, refusing[0])
    if case.needs_person and not case.lands_before and not (stubborn and case.only_visual):
        return Ruling(Outcome.UNPROVEN, Action.DEFER, case.needs_person)
    return _refuse_open(case.open) if case.open else _by_score(case, policy)


def is_stubborn(attempts: Attempts, refusing: Sequence[Finding]) -> bool:
    """Whether all that is left to refuse is a request for a person, and the verifier got the reason before.

    Whatever it says of that, the work was observed to hold: it is not rolled back for a report.
    """
    return attempts.enforced and bool(refusing) and all(f.check == NEEDLESS_DEFERRAL for f in refusing)


def rule_on_parts(case: Case, scores: Sequence[float], policy: Policy, *, incomplete: bool) -> Ruling:
    """A split phase: every part has passed its own gate; here the merged tree is judged, and the parts' mean score."""
    verdicts, outcome = case.verdicts, worst(case.verdicts)
    if outcome is Outcome.UNPROVEN and _is_ours(verdicts):
        return Ruling(outcome, Action.PAUSE, _list(verdicts, outcome))
    if outcome is not Outcome.PASS:
        return _debug(case, policy, outcome, _list(verdicts, outcome), classify(verdicts))
    if case.open:
        return _refuse_open(case.open)
    mean = math.floor(sum(Fraction(str(score)) for score in scores) / len(scores) * 10) / 10
    action = Action.PASS_INCOMPLETE if incomplete else Action.PASS
    together = f"{len(verdicts)} of {plural(len(verdicts), 'check')} passed together"
    message = f"{plural(len(scores), 'part')} passed, {together}, mean score {mean}"
    return Ruling(Outcome.PASS, action, f"{case.accounted}; {message}" if case.accounted else message, score=mean)


def _by_score(case: Case, policy: Policy) -> Ruling:
    score, attempts, limits = case.score, case.attempts, policy.breaker
    aim, floor = case.aim or plain_aim(policy), min(limits.degraded_below, policy.pass_threshold)
    if score is None or not score >= floor:  # this way round, what is not a number does not pass
        because = f"the score {score} is below {floor}"
        if case.can_replan and attempts.replans < limits.replans_per_phase:
            return Ruling(Outcome.FAIL, Action.REPLAN, because, Category.ACCEPTANCE_CRITERIA_UNMET)
        return Ruling(Outcome.FAIL, Action.ROLLBACK, because, Category.ACCEPTANCE_CRITERIA_UNMET)
    if score < aim.target:
        because = f"the score {score} is below {aim.target}"
        if goes_on(aim, attempts, score, case.left):
            return Ruling(Outcome.FAIL, Action.REMEDIATE, because, Category.ACCEPTANCE_CRITERIA_UNMET)
        if case.before is not None and score < case.before:
            lower = f"the score {score} is below the {case.before} it had before"
            return Ruling(Outcome.FAIL, Action.ROLLBACK, lower, Category.ACCEPTANCE_CRITERIA_UNMET)
        action = Action.PASS if aim.flag else Action.PASS_INCOMPLETE
        tried = f"{because} after {plural(aim.cycles(attempts), 'remediation')}"
        return Ruling(Outcome.PASS, action, f"{case.accounted}; {tried}" if case.accounted else tried)
    observed = f"{len(case.verdicts)} of {plural(len(case.verdicts), 'check')} passed, score {score}"
    return Ruling(Outcome.PASS, Action.PASS, f"{case.accounted}; {observed}" if case.accounted else observed)


def _refuse_open(open: str) -> Ruling:
    """The reviews before it should have settled it: what they overlook, no reviewer is left to read."""
    return Ruling(Outcome.UNPROVEN, Action.ROLLBACK, open, Category.ACCEPTANCE_CRITERIA_UNMET)


def may_debug(attempts: Attempts, policy: Policy) -> bool:
    """Whether a round of debugging is left to the phase."""
    if attempts.replans:
        return attempts.debugs_after_replan < min(1, policy.breaker.debugs_per_phase)
    return attempts.debugs < policy.breaker.debugs_per_phase


def _debug(case: Case, policy: Policy, outcome: Outcome, because: str, category: Category) -> Ruling:
    attempts = case.attempts
    bad = [verdict for verdict in case.verdicts if verdict.outcome is not Outcome.PASS]
    if bad and all(verdict.of_config for verdict in bad):
        return Ruling(outcome, Action.ROLLBACK, because, Category.TOOL_FAILURE)
    left = may_debug(attempts, policy)
    return Ruling(outcome, Action.DEBUG if left else Action.ROLLBACK, because, category)


def _enforce(case: Case, finding: Finding) -> Ruling:
    because = f"integrity check {finding.check}: {finding.message}"
    action = Action.ENFORCE if finding.step in REVIEWS and not case.attempts.enforced else Action.ROLLBACK
    return Ruling(Outcome.UNPROVEN, action, because, Category.COORDINATION_FAILURE)


def _stop_word(judgement: Judgement | None) -> str | None:
    if judgement is None or judgement.recommendation not in (Recommendation.ROLLBACK, Recommendation.HALT):
        return None
    return _word(judgement)


def _word(judgement: Judgement) -> str:
    """With every reason: the judge's second call adds its own to the verifier's report."""
    reasons = (*judgement.concerns, *judgement.disagreements, *judgement.verifier_missed)
    return f"the judge says {judgement.recommendation}: {'; '.join(reasons) or 'no reason given'}"


def _found_against(verification: Verification | None, judgement: Judgement | None, needs_person: str) -> str:
    if verification is None or judgement is None:
        return "a review is missing"
    against = [f.failure for f in verification.failures]
    against += [reading.criterion for reading in verification.criteria_results if reading.status == "failed"]
    # A verifier that leaves something to a person cannot say that all of it holds.
    if against or not (verification.passed or needs_person):
        return f"the verifier refused it: {'; '.join(against) or 'no reason given'}"
    if judgement.missing_requirements:
        return f"the judge reports as missing: {'; '.join(judgement.missing_requirements)}"
    if judgement.recommendation is not Recommendation.PROCEED:
        return _word(judgement)
    return ""


def _is_ours(verdicts: Sequence[Verdict]) -> bool:
    unproven = [v for v in verdicts if v.outcome is Outcome.UNPROVEN]
    return bool(unproven) and all(v.ours for v in unproven)


def _list(verdicts: Sequence[Verdict], outcome: Outcome) -> str:
    meant = [v for v in verdicts if v.outcome is outcome]
    if not meant:
        return "nothing was checked"
    shown = "; ".join(f"{v.subject}: {v.because}" for v in meant[:3])
    return shown if len(meant) <= 3 else f"{shown}; and {len(meant) - 3} more"
