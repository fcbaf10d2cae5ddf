"""How the checks stand before the work of a phase begins: what was seen of them already is not run again."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.policy import CHECKS
from autopilot.model.run import PhaseStatus, Step
from autopilot.steps.context import StepContext
from autopilot.steps.observing.observing import Check, observe

# The one check that reads documents as well: what it says may change with a plan.
READS_DOCUMENTS = ("lint",)
MOST_PHASES = 3  # of those that were verified last: the branch ends with one of them

Known = dict[tuple[str, str], Observation]  # by subject and command


def observe_before(ctx: StepContext, commit: str, folder: str, checks: list[Check]) -> tuple[Observation, ...]:
    """Every check at ``commit``, before the work. ``folder``: where plans are, which no other check reads."""
    known = find_known(ctx, commit, folder)
    fresh = observe(ctx, commit, [check for check in checks if _key(check) not in known], at_base=True)
    seen = {(observation.subject, observation.command): observation for observation in (*known.values(), *fresh)}
    return tuple(seen[_key(check)] for check in checks)


def find_known(ctx: StepContext, commit: str, folder: str) -> Known:
    """What triage saw at this very commit, and the checks as the run's start or a phase of this session saw them,
    unless more than plans came since."""
    triage = [seen for seen in ctx.phase.intake.triage or () if seen.commit == commit]
    return {_name(seen): seen for seen in (*_checks_since(ctx, commit, folder), *triage)}


def _checks_since(ctx: StepContext, commit: str, folder: str) -> Iterator[Observation]:
    for looked in filter(None, (list(ctx.state.inputs.baseline), *_seen_by_phases(ctx))):
        paths = [change.path for change in ctx.ports.vault.changes(looked[0].commit, commit)]
        if all(path.startswith(f"{folder}/") for path in paths):
            yield from (seen for seen in looked if not paths or seen.subject not in READS_DOCUMENTS)


def _seen_by_phases(ctx: StepContext) -> Iterator[list[Observation]]:
    """All checks at the last commit of a phase, oldest first. What was seen before a resume does not count: the machine
    may have other tools since."""
    verified = [(step.started_at, phase) for phase in ctx.state.phases.values() if (step := phase.step(Step.VERIFY))]
    passed = [(time, phase) for time, phase in verified if phase.status is PhaseStatus.COMPLETED]
    recent = [(time, phase) for time, phase in passed if time >= ctx.state.session.since]
    for _, phase in sorted(recent, key=lambda pair: pair[0])[-MOST_PHASES:]:
        whole = [seen for seen in phase.observed.observations or () if seen.commit == phase.observed.commit]
        checks = [seen for seen in whole if seen.subject in CHECKS and seen.seen is not Seen.NOTHING]
        # How they compared with what was before that phase is no fact about the next.
        yield [replace(seen, legacy=0, compared=None) for seen in checks]


def _name(seen: Observation) -> tuple[str, str]:
    return seen.subject, seen.command


def _key(check: Check) -> tuple[str, str]:
    return check.subject, check.command
