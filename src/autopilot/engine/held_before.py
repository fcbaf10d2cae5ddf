"""Criteria of the roadmap that hold before any work: run on the commit that a run begins with, by it and by `doctor`.

What holds then shows nothing of the work, so its owner hears of it before an agent is started, while a word in the
roadmap is all that it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from autopilot.engine.baseline import Progress, ignore_progress, make_context
from autopilot.gates.already import complain_before_run
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.planning.complaint import Complaint
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief
from autopilot.ports.bundle import Ports
from autopilot.steps.observing.observing import list_criterion_checks, observe

MOST_RUN = 60  # criteria before a run begins; those of later phases are run when their phase does
MOST_NAMED = 12

Held = Mapping[PhaseId, tuple[Observation, ...]]  # what was seen of each phase's criteria, held or not


def observe_criteria(
    label: str,
    commit: str,
    policy: Policy,
    phases: Sequence[PhaseBrief],
    ports: Ports,
    progress: Progress = ignore_progress,
) -> Held:
    """Every criterion that the work is to turn green, of the phases in their order."""
    ctx, left = make_context(label, policy, ports), MOST_RUN
    seen: dict[PhaseId, tuple[Observation, ...]] = {}
    for brief in phases:
        asked = list_criterion_checks(ctx, brief.to_build)[:left]
        left -= len(asked)
        if asked:
            progress(f"criteria of phase {brief.id}: {len(asked)}")
            seen[brief.id] = observe(ctx, commit, asked, at_base=True)
    return {phase: found for phase, found in seen.items() if all(result.seen is not Seen.NOTHING for result in found)}


def describe_held_before(
    path: str, policy: Policy, phases: Sequence[PhaseBrief], seen: Held
) -> Iterator[tuple[Complaint, str]]:
    """Each with its remedy. ``path``: of the roadmap."""
    checks = [command for _, command in policy.commands.checks()]
    for brief in phases:
        yield from complain_before_run(brief, path, seen.get(brief.id, ()), checks)


def warn_of_held(path: str, policy: Policy, phases: Sequence[PhaseBrief], seen: Held) -> tuple[str, ...]:
    lines = [f"{complaint}; {remedy}" for complaint, remedy in describe_held_before(path, policy, phases, seen)]
    more = len(lines) - MOST_NAMED
    return (*lines[:MOST_NAMED], *((f"{more} more hold already: `autopilot doctor` lists them",) if more > 0 else ()))
