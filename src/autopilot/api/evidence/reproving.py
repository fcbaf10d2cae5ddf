"""Running the evidence of a run again: the recorded commands, at the recorded commits, compared with the record."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from autopilot.api.assembly import Repository
from autopilot.api.evidence.aside import world_aside
from autopilot.api.evidence.reading import find_phase, find_run, read_reports, read_runs, reports_in
from autopilot.events.criteria import find_criterion
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import UsageError
from autopilot.model.evidence.observation import Observation, Seen, Trouble
from autopilot.model.planning.criterion import Expectation
from autopilot.model.policy import CHECKS
from autopilot.model.run import Step
from autopilot.ports.bundle import Ports
from autopilot.reports.documents.criteria import SCRIPT
from autopilot.reports.documents.looks import is_inspection
from autopilot.reports.evidence.reproved import Compared, compare
from autopilot.settings.reading import Settings
from autopilot.steps.context import StepContext
from autopilot.steps.looking.looking import Look, observe

BEFORE, AFTER = "before", "after"


class Recorded(Struct, frozen=True):
    when: str
    seen: Observation


def reprove(repository: Repository, settings: Settings, run: str, phase: str = "") -> Iterator[str | Compared]:
    """What is under way, as words, and what came of each piece. Nothing is recorded."""
    state = find_run(read_runs(repository), run)
    phases = [find_phase(state, phase)] if phase else [*state.phases.values(), *state.parts.values()]
    found = [(each, recorded) for each in phases for recorded in (*red_evidence(state, each), *recorded_evidence(each))]
    if not found:
        raise UsageError(f"{run} has no evidence that could be run again", f"autopilot evidence PHASE --run {run}")
    then = read_reports(repository)
    with world_aside(repository, settings) as ports:
        fresh = reports_in(ports.blobs)
        broken: dict[str, str] = {}  # by commit: a setup that fails is not tried again for every command
        for number, (each, recorded) in enumerate(found, 1):
            seen = recorded.seen
            yield f"[{number}/{len(found)}] phase {each.id}, {seen.subject} at {seen.commit[:12]}: {seen.command}"
            now = _look(_context(state, each, ports), recorded, broken.get(seen.commit, ""))
            if now.trouble is Trouble.SETUP:
                broken[seen.commit] = now.reason
            yield compare(each.id, recorded.when, seen, now, then, fresh)


def recorded_evidence(phase: PhaseState) -> tuple[Recorded, ...]:
    """Each command once at each commit, in the order it was seen: at the base, at the tasks', at the phase's last.

    What was inspected and not run, and trees that were made to be looked at once, are not among them.
    """
    before = (*(phase.triage or ()), *(phase.red or ()), *(phase.baseline or ()))
    after = (*(o for task in phase.tasks.values() for o in task.observations), *(phase.observations or ()))
    pieces = [*(Recorded(BEFORE, o) for o in before), *(Recorded(AFTER, o) for o in after)]
    runnable = [piece for piece in pieces if not is_inspection(piece.seen.subject) and piece.seen.command]
    return tuple({(p.seen.subject, p.seen.command, p.seen.commit): p for p in reversed(runnable)}.values())[::-1]


def red_evidence(state: RunState, phase: PhaseState) -> tuple[Recorded, ...]:
    """The tests of an issue where they had to fail."""
    red = state.issue.repeatable_red(phase.id) if state.issue else None
    return (Recorded(BEFORE, red),) if red is not None and red.command and phase.observations else ()


def _context(state: RunState, phase: PhaseState, ports: Ports) -> StepContext:
    """As for the step that verifies a phase: its policy is the run's own, whatever settings say today."""
    return StepContext(state, phase, Step.VERIFY, 1, "", ports)


def _look(ctx: StepContext, recorded: Recorded, broken: str) -> Observation:
    seen = recorded.seen
    nothing = (
        broken if broken else "" if ctx.ports.vault.has(seen.commit) else "its commit is not in the vault any more"
    )
    if nothing:
        return Observation(seen.subject, seen.command, seen.commit, Seen.NOTHING, seen.strength, reason=nothing)
    look = _look_of(ctx, seen)
    (now,) = observe(ctx, seen.commit, [look], at_base=recorded.when == BEFORE)
    return now


def _look_of(ctx: StepContext, seen: Observation) -> Look:
    timeouts = ctx.policy.timeouts
    is_script = seen.subject.startswith(SCRIPT)
    name = seen.subject if seen.subject in CHECKS else "test" if is_script or ctx.state.issue else "criterion"
    criterion = find_criterion(ctx.phase, seen.subject)
    expectation = criterion.expectation if criterion else Expectation()
    return Look(seen.subject, seen.command, expectation, seen.strength, getattr(timeouts, name), is_script=is_script)
