"""What was looked at and what was run, one line each: "path:line -- what was found" and "command -> result"."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.state import PhaseState
from autopilot.model.evidence.verdict import Outcome
from autopilot.reports.documents.shortfalls import describe_result
from autopilot.reports.evidence.criterion_rows import outcome_named
from autopilot.reports.markdown import shorten
from autopilot.reports.places import names_place

LONGEST = 400


def files_checked(phase: PhaseState) -> Iterator[str]:
    """Readings that name a place; one that praises what was seen to fail is shown with what was seen."""
    own = phase.reviews.verification.criteria_results if phase.reviews.verification else ()
    of_tasks = [reading for t in phase.tasks.values() if t.reading for reading in t.reading.criteria_results]
    for reading in (*own, *of_tasks):
        if names_place(reading.evidence):
            outcome = outcome_named(phase, reading.criterion) or Outcome.PASS
            denied = "" if outcome is Outcome.PASS else f" (read as {reading.status}, observed: {outcome.value})"
            yield shorten(reading.evidence, LONGEST) + denied


def commands_run(phase: PhaseState) -> Iterator[str]:
    """What we ran ourselves, at the phase's last commit or, where it came not so far, at its tasks'."""
    observed = phase.observed.observations
    if observed is None:
        observed = tuple(observation for task in phase.tasks.values() for observation in task.observations)
    for observation in observed:
        yield f"{' '.join(observation.command.split())} -> {describe_result(observation)}"
