"""Reads from the record why a run, a phase or a criterion did not hold."""

from __future__ import annotations

from difflib import get_close_matches

from msgspec.structs import replace

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.api.assembly import Repository
from autopilot.api.evidence.phase_evidence import all_phases, find_run, last_run_with, read_runs
from autopilot.events.criteria import all_criteria
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import UsageError
from autopilot.model.policy import CHECKS
from autopilot.model.run import TaskStatus
from autopilot.reports.evidence.explanation import Explanation, explain, only_about
from autopilot.text.naming import render_phases

_HOLDS = (TaskStatus.VERIFIED, TaskStatus.ALREADY)


def read_explanation(repository: Repository, name: str = "", run: str = "") -> Explanation:
    """Of everything in the last run; of a phase, in the last run that started it; or of one criterion, check, task."""
    runs = read_runs(repository)
    state = find_run(runs, run) if run else max(runs.values(), key=lambda known: known.seq)
    if name and not run:
        state = last_run_with(runs, name) or state
    journal = SqliteJournal(repository.home.journal, read_key(repository.home.key), SystemClock(), readonly=True)
    known = all_phases(state)
    own = [phase for phase in known.values() if not phase.parent]
    explanation = explain(state, journal.read(state.run), [known[name]] if name in known else own)
    if not name or name in known:
        return explanation
    return _of_name(state, only_about(explanation, name), name)


def _of_name(state: RunState, found: Explanation, name: str) -> Explanation:
    """What holds is shown by its verdict; a name that is nowhere is an error."""
    if found.phases:
        return found
    phases = all_phases(state).values()
    judged = [(phase.id, verdict) for phase in phases for verdict in phase.gate.verdicts if verdict.subject == name]
    if judged:
        phase, verdict = judged[-1]
        shown = f"`autopilot evidence {phase}` shows its evidence"
        return replace(found, note=f"{name} holds: {verdict.because}; {shown}")
    names = [*all_phases(state), *(known for phase in phases for known in _names(phase))]
    if held := [phase.id for phase in phases if name in phase.tasks and phase.tasks[name].status in _HOLDS]:
        return replace(found, note=f"task {name} holds; `autopilot evidence {held[-1]}` shows its evidence")
    if name in names:
        return replace(found, note=f"{name} was not judged in this run")
    guess = get_close_matches(name, names, n=1)
    hint = f"did you mean {guess[0]}? " if guess else ""
    near = (phase.id for phase in phases if guess and guess[0] in _names(phase))
    shown = next(near, list(state.phases or all_phases(state))[-1])
    raise UsageError(
        f"{state.run} has no phase, criterion, check or task {name!r}",
        f"{hint}{render_phases(all_phases(state))}; `autopilot evidence {shown}` lists the names in phase {shown}",
    )


def _names(phase: PhaseState) -> tuple[str, ...]:
    return (*(criterion.id for criterion in all_criteria(phase)), *phase.tasks, *CHECKS)
