"""Does a configured check hold?"""

from __future__ import annotations

from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome, Verdict


def judge_check(observation: Observation) -> Verdict:
    """A configured command (compile, lint, build, test) must be green at the phase's last commit.

    Tests that were red before the work began may still be so, where nothing else is red.
    """
    match observation.seen:
        case Seen.PASSED:
            return Verdict(observation.subject, Outcome.PASS, "green")
        case Seen.NOTHING:
            return Verdict(observation.subject, Outcome.UNPROVEN, observation.reason or "could not be run", ours=True)
        case Seen.FAILED if observation.legacy > 0:
            return Verdict(observation.subject, Outcome.PASS, _legacy(observation.legacy))
        case _:
            return Verdict(observation.subject, Outcome.FAIL, f"the command {observation.seen.text}")


def judge_check_of_task(observation: Observation, baseline: Observation | None) -> Verdict:
    """After one task a check must be green if it was before the work began; what was red already is not its doing."""
    verdict = judge_check(observation)
    red_before = baseline is not None and baseline.seen in (Seen.FAILED, Seen.TIMED_OUT)
    if verdict.outcome is Outcome.FAIL and red_before:
        return Verdict(observation.subject, Outcome.PASS, "red before the work began and still red")
    return verdict


def _legacy(count: int) -> str:
    if count == 1:
        return "1 test was red before the work began and still is; nothing else is red"
    return f"{count} tests were red before the work began and still are; nothing else is red"
