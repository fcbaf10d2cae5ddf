"""What agents called done and was refused."""

from __future__ import annotations

import re
from collections import Counter

from autopilot.events.state import PhaseState, RunState
from autopilot.model.planning.roadmap import PhaseId
from autopilot.reports.documents.tasks import tasks_of

# How evidence is filed: a layer and what it looked at. It says nothing to whoever reads the reason that follows.
FILED = re.compile(r"(?<![\w:])[A-Z]:(?:task )?[^\s:]{1,80}: ")

CLAIMED = "claimed as done"  # how the reason of a false claim begins


def without_codes(text: str) -> str:
    return FILED.sub("", text)


def find_caught(state: RunState) -> list[tuple[PhaseId, str, str]]:
    """Phase, task and reason of every claim that was refused."""
    return [
        (phase.id, name, without_codes(reason))
        for phase in _attempts(state)
        for name, task in tasks_of(state, phase).items()
        for reason in task.caught
    ]


def _attempts(state: RunState) -> list[PhaseState]:
    """Every attempt at every phase: a second one begins with a clean slate, and what the first claimed stays false."""
    attempts = []
    for phase in state.phases.values():
        earlier = (failed for failed in state.lessons.failures if failed.id == phase.id)
        attempts += [failed for failed in earlier if failed.totals.attempt != phase.totals.attempt]
        attempts.append(phase)
    return attempts


def caught_lines(state: RunState) -> list[str]:
    """The same as text, each once however often it was tried."""
    return [
        f"task {task} of phase {phase} was {reason}" + (f" ({times} times)" if times > 1 else "")
        for (phase, task, reason), times in Counter(find_caught(state)).items()
    ]
