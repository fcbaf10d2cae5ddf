"""Is a phase done? Evidence decides; assessments can only lower what evidence says."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.task import worst
from autopilot.model.assessment import Judgement, Recommendation, Verification
from autopilot.model.evidence import Observation, Seen
from autopilot.model.verdict import Outcome, Verdict


def judge_check(observation: Observation) -> Verdict:
    """A configured command (compile, lint, build, test) must be green at the phase's last commit."""
    match observation.seen:
        case Seen.PASSED:
            return Verdict(observation.subject, Outcome.PASS, "green")
        case Seen.NOTHING:
            return Verdict(observation.subject, Outcome.UNPROVEN, observation.reason or "could not be run", ours=True)
        case _:
            return Verdict(observation.subject, Outcome.FAIL, f"the command {observation.seen.words}")


def judge_phase(
    verdicts: Sequence[Verdict],
    verification: Verification | None,
    judgement: Judgement | None,
    score: float | None,
    threshold: float,
) -> Verdict:
    """The phase's verdict. It begins as the worst of the evidence and never gets better from there."""
    outcome = worst(verdicts)
    if outcome is Outcome.FAIL:
        failing = [v for v in verdicts if v.outcome is Outcome.FAIL]
        return Verdict("phase", Outcome.FAIL, _list(failing))
    if outcome is Outcome.UNPROVEN:
        unproven = [v for v in verdicts if v.outcome is Outcome.UNPROVEN]
        because = _list(unproven) if unproven else "nothing was checked"
        return Verdict("phase", Outcome.UNPROVEN, because, ours=bool(unproven) and all(v.ours for v in unproven))
    if because := _lowered(verification, judgement, score, threshold):
        return Verdict("phase", Outcome.FAIL, because)
    return Verdict("phase", Outcome.PASS, f"{len(verdicts)} of {len(verdicts)} observed, score {score}")


def _lowered(
    verification: Verification | None, judgement: Judgement | None, score: float | None, threshold: float
) -> str:
    if verification is None or judgement is None or score is None:
        return "a review is missing"
    against = [f.failure for f in verification.failures]
    against += [reading.criterion for reading in verification.criteria_results if reading.status == "failed"]
    if against or not verification.passed:
        return f"the verifier refused it: {'; '.join(against) or 'no reason given'}"
    if judgement.missing_requirements:
        return f"the judge misses: {'; '.join(judgement.missing_requirements)}"
    if judgement.recommendation is not Recommendation.PROCEED:
        said = "; ".join(judgement.concerns) or "no reason given"
        return f"the judge says {judgement.recommendation}: {said}"
    if not score >= threshold:  # this way round, what is not a number does not pass
        return f"the score {score} is below {threshold}"
    return ""


def _list(verdicts: Sequence[Verdict]) -> str:
    shown = "; ".join(f"{v.subject}: {v.because}" for v in verdicts[:3])
    return shown if len(verdicts) <= 3 else f"{shown}; and {len(verdicts) - 3} more"
