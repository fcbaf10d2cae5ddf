"""Who did the work of a phase: the agents by role, who stepped in for whom, and what was waited for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from autopilot.events.pieces import Asked, Change, TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Ending, Role
from autopilot.model.run import TaskStatus
from autopilot.reports.documents.tasks import parts_of
from autopilot.reports.markdown import how_long
from autopilot.reports.status.brief import brief, first_sentence
from autopilot.text.naming import plural

WORKERS = (Role.EXECUTOR, Role.DEBUGGER)


def agent_lines(state: RunState, phase: PhaseState) -> list[str]:
    """Each role that was asked, then every change and every wait, with what its parts did."""
    asked = [call for home in (phase, *parts_of(state, phase)) for call in home.agents.asked]
    roles = dict.fromkeys(call.role for call in asked)
    lines = [f"{role.value}: {_agents([call for call in asked if call.role is role])}" for role in roles]
    lines += [_change_words(change) for change in phase.agents.changes]
    return [*lines, *(f"waited {how_long(wait.waited_s)}: {brief(wait.because)}" for wait in phase.agents.waits)]


def workers_of(phase: PhaseState, task: TaskState) -> str:
    """Who worked at a task; those who only read what came of it are not named."""
    worked = [call for call in phase.agents.asked if call.role in WORKERS]
    if own := [call for call in worked if call.task == task.task.id]:
        return _agents(own)
    together = [call for call in worked if call.role is Role.EXECUTOR and not call.task]
    if together and task.status not in (TaskStatus.PENDING, TaskStatus.ALREADY):
        return f"{_agents(together)}, for all tasks together"
    return "none"


def _agents(asked: Sequence[Asked]) -> str:
    """One entry for each agent as it was called: version, model, tokens, and how often it was asked."""
    kinds = dict.fromkeys((call.agent, call.version, call.model) for call in asked)
    of = {kind: [call for call in asked if (call.agent, call.version, call.model) == kind] for kind in kinds}
    return "; ".join(_agent(calls) for calls in of.values()) or "none"


def _agent(calls: Sequence[Asked]) -> str:
    first, tokens = calls[0], sum(call.tokens for call in calls)
    model = f" with {first.model}" if first.model else ""
    times = plural(sum(call.times for call in calls), "time")
    ended = "".join(f", {ending}" for ending in _unusual(calls))
    version = f" {first.version}" if first.version else ""
    return f"{first.agent}{version}{model}, {tokens:,} tokens, asked {times}{ended}"


def _unusual(calls: Iterable[Asked]) -> Iterator[str]:
    endings = [call.ending for call in calls if call.ending != Ending.COMPLETED]
    for ending in dict.fromkeys(endings):
        yield f"{plural(endings.count(ending), 'time')} {ending.replace('_', ' ')}"


def _change_words(change: Change) -> str:
    return f"{change.role.value}: {change.new} instead of {change.old} ({first_sentence(change.because)})"
