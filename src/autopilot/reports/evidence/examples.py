"""Which criteria of a phase ask for little, one example or any value of a type: in reports, and for the score."""

from __future__ import annotations

from autopilot.events.criteria import criteria_of
from autopilot.events.state import PhaseState
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import ProbeKind
from autopilot.testtools.questions.example import lone_examples


def examples_of(phase: PhaseState) -> list[str]:
    """Their words. None where tests of the work noticed constants in place of the code: they ask for more answers."""
    if _is_noticed(phase):
        return []
    criteria, owners = criteria_of(phase), dict.fromkeys(c.task for c in criteria_of(phase))
    groups = [[c for c in criteria if c.task == owner] for owner in owners]
    beside = (*criteria, *phase.plan.held_out)
    return [criterion.text for group in groups for criterion in lone_examples(group, beside)]


def weak_of(phase: PhaseState) -> list[str]:
    """The words of those that held although the code returned something else."""
    alive = {p.about.without_probe for p in _mutants(phase) if p.seen is Seen.PASSED}
    return [criterion.text for criterion in criteria_of(phase) if criterion.id in alive]


def _is_noticed(phase: PhaseState) -> bool:
    return any(probe.tests is not None and probe.seen is Seen.FAILED for probe in _mutants(phase))


def _mutants(phase: PhaseState) -> list[Observation]:
    probes = [*phase.observed.probes, *(probe for task in phase.tasks.values() for probe in task.probes)]
    return [probe for probe in probes if probe.about.probe is ProbeKind.MUTANT]
