"""Does a configured check hold?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autopilot.model.evidence.likeness import Likeness
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.red_check import describe_red
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.policy import CHECKS

RED = (Seen.FAILED, Seen.TIMED_OUT)
ONLY_CONFIG = "project.commands in .planning/config.json has to change, which no agent may do"


def judge_checks(observations: Sequence[Observation]) -> tuple[Verdict, ...]:
    """Every configured check. One that ran neither before the work nor after it is shown, and not counted.

    Not so the tests: without them nothing shows that what worked still works.
    """
    return tuple(judge_check(observation) for observation in observations if is_counted(observation))


def is_counted(observation: Observation) -> bool:
    return observation.subject in CHECKS and (not observation.never_ran or observation.subject == "test")


def judge_checks_of_task(
    observations: Sequence[Observation], baseline: Mapping[str, Observation]
) -> tuple[Verdict, ...]:
    """The same after one task, where even the tests may be those that a later task makes run."""
    checks = [observation for observation in observations if observation.subject in CHECKS]
    return tuple(judge_check_of_task(check, baseline.get(check.subject)) for check in checks if not check.never_ran)


def judge_check(observation: Observation) -> Verdict:
    """A configured command (compile, lint, build, test) must be green at the phase's last commit.

    Tests and findings that were red before the work began may still be so, where nothing else is red.
    """
    match observation.seen:
        case Seen.PASSED:
            return Verdict(observation.subject, Outcome.PASS, "green")
        case Seen.NOTHING:
            return Verdict(observation.subject, Outcome.UNPROVEN, observation.reason or "could not be run", ours=True)
        case Seen.FAILED if observation.is_excused:
            return Verdict(observation.subject, Outcome.PASS, describe_red(observation))
        case _ if observation.never_ran:
            because = f"{describe_red(observation)} ({ONLY_CONFIG})"
            return Verdict(observation.subject, Outcome.UNPROVEN, because, of_config=True)
        case _:
            return Verdict(observation.subject, Outcome.FAIL, describe_red(observation))


def judge_check_of_task(observation: Observation, baseline: Observation | None) -> Verdict:
    """After one task a check must be green if it was before the work began; what was red already is not its doing.

    A finding that is new is its doing, and so is a check whose findings cannot be read any more, or that does not run
    any more. What could not be compared from the beginning is judged at the end of the phase.
    """
    verdict = judge_check(observation)
    red_before = baseline is not None and baseline.seen in RED
    if verdict.outcome is not Outcome.FAIL or not red_before or _is_worse(observation):
        return verdict
    return Verdict(observation.subject, Outcome.PASS, "red before the work began and still red")


def _is_worse(observation: Observation) -> bool:
    compared = observation.compared
    return observation.is_not_run or (
        compared is not None and (compared.likeness is Likeness.NEW or compared.was_readable)
    )
