"""The status document: everything a reading command may want to show of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from autopilot.events.state import RunState
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import LandingStage
from autopilot.reports.documents.tasks import tasks_of
from autopilot.reports.markdown import stamp
from autopilot.reports.status.brief import stop_words
from autopilot.reports.status.gates import Waiting, find_waiting
from autopilot.reports.status.remedy import remedy_lines


def status_document(state: RunState, document: Mapping[str, Any], landing: str) -> dict[str, Any]:
    """What ``status --json`` prints: the state without its event log, and what the user can do next."""
    wait = state.availability.wait
    return {
        **{key: value for key, value in document.items() if key != "event_log"},
        "warnings": list(state.totals.warnings),
        "landing": landing,
        "reason": stop_words(state),
        "remedies": remedy_lines(state) if state.halted else [],
        "for_you": [_waiting(waiting) for waiting in find_waiting(state)],
        "waiting": {"until": stamp(wait.until), "because": wait.because} if wait else None,
        "caught": [{"phase": phase, "task": task, "because": reason} for phase, task, reason in find_caught(state)],
    }


def _waiting(waiting: Waiting) -> dict[str, Any]:
    return {
        "kind": waiting.kind,
        "name": waiting.name,
        "title": waiting.title,
        "since": stamp(waiting.since) or None,
        "command": waiting.command,
    }


def find_caught(state: RunState) -> list[tuple[PhaseId, str, str]]:
    """Phase, task and reason of every claim that was refused."""
    return [
        (phase.id, name, reason)
        for phase in state.phases.values()
        for name, task in tasks_of(state, phase).items()
        for reason in task.caught
    ]


def caught_lines(state: RunState, between: str = " ") -> list[str]:
    """The same as text, each once however often it was tried."""
    return [
        f"phase {phase} task {task}{between}{reason}" + (f" ({times} times)" if times > 1 else "")
        for (phase, task, reason), times in Counter(find_caught(state)).items()
    ]


def landing_words(state: RunState) -> str:
    phases = (*state.phases.values(), *state.completion.closing.values())
    waiting = [phase for phase in phases if phase.landing.state == LandingStage.DEFERRED]
    if not waiting:
        return ""
    last = waiting[-1].landing
    return f"landing waits ({last.because}); the work is on branch {last.branch}"
