"""What a run would refuse before it begins, found for `doctor` by the very code of the run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from autopilot.api.findings.finding import Finding
from autopilot.engine.history import History, read_history
from autopilot.engine.inputs import Survey, survey, tasks_of
from autopilot.engine.opening import must_have_cooled_down, read_past
from autopilot.engine.pinning import must_be_pinnable
from autopilot.events.state import RunState
from autopilot.gates.baseline import Goal, goal_of
from autopilot.model.errors import AutopilotError, NothingOpen
from autopilot.model.planning.roadmap import Phase, Roadmap
from autopilot.model.policy import Policy
from autopilot.model.run import RunRequest
from autopilot.planning.people.sufficiency import is_stub
from autopilot.ports.bundle import Ports
from autopilot.reports.run.ways_on import next_lines
from autopilot.text.naming import name_phases

_CRITERION = 'write **Success Criteria**: and such as: 1. It greets -- verified by: `./greet Ada` (contains "Ada")'


def survey_as_run(ports: Ports, policy: Policy) -> Survey | Finding | None:
    """What `autopilot run` would be about, or why it would refuse; None where nothing is open."""
    history = read_history(ports.journal.read())
    try:
        seen = survey(RunRequest(), policy, read_past(history, ports), ports.checkout)
        must_be_pinnable(seen.facts, seen.policy, ports)
    except NothingOpen:
        return None
    except AutopilotError as error:
        return Finding("planning", "problem", str(error), error.hint)
    return seen


def goals_of(seen: Survey, ports: Ports) -> Sequence[Goal]:
    return [goal_of(brief, tasks_of(brief, seen, ports.checkout)) for brief in seen.phases]


def find_unfinished(ports: Ports) -> Iterator[Finding]:
    """A run that is unfinished is what the next call resumes; one whose breaker is open refuses that for a while."""
    history: History = read_history(ports.journal.read())
    if (unfinished := history.unfinished) is not None and unfinished.halted:
        yield _describe(unfinished, ports.clock.now())


def _describe(unfinished: RunState, now: datetime) -> Finding:
    try:
        must_have_cooled_down(RunRequest(), unfinished, now)
    except AutopilotError as error:
        return Finding("runs", "problem", f"{unfinished.run}: {error}", error.hint)
    phases = name_phases(unfinished.phases)
    detail = f"{unfinished.run} ({phases}) is unfinished: {unfinished.session.stop_reason}"
    # The same ways on as `status` prints.
    ways = "; ".join(line.strip() for line in next_lines(unfinished))
    return Finding("runs", "note", detail, ways or "`autopilot resume` continues it")


def find_undescribed(roadmap: Roadmap) -> Iterator[Finding]:
    """Open phases that do not say what they are to reach, or by what that is seen."""
    for phase in (phase for phase in roadmap.phases if not phase.ticked and not phase.dropped):
        yield from _undescribed(phase.path or roadmap.path, phase)


def _undescribed(path: str, phase: Phase) -> Iterator[Finding]:
    where = f"{path}:{phase.line}: phase {phase.id}"
    if is_stub(phase.goal):
        yield Finding("roadmap", "warning", f"{where} has no goal", "write **Goal**: and what it is to reach below it")
    if not phase.criteria:
        yield Finding("roadmap", "warning", f"{where} has no success criteria", f"below it, {_CRITERION}")
    elif unread := [criterion for criterion in phase.criteria if not criterion.is_runnable]:
        share = f"{len(unread)} of {len(phase.criteria)} criteria have no command that can be run"
        detail = f"{where}: {share}, such as: {unread[0].text}"
        remedy = "add -- verified by: `COMMAND` to what a command can show; the rest is judged by reviewers or by you"
        yield Finding("roadmap", "note", detail, remedy)
