"""Plays of the work and of what becomes of it: execute, mini-verify, debug, integrate, resolve, rollback, land."""

from __future__ import annotations

from autopilot.events import happened as h
from autopilot.events import recovery as r
from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import RunStep
from autopilot.gates.criterion import judge_criteria, worst
from autopilot.model.agent import Role
from autopilot.model.assessment import CriterionReading, MiniVerification
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.intent import Purpose
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseStatus
from autopilot.steps.context import Result, StepRun
from tests.unit.flows.playing import Choose, ask
from tests.unit.making import make_observation


def play_execute(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    if command.task:
        return (yield from _work(state, phase, command, choose, Role.EXECUTOR))
    yield from ask(phase, command, Role.EXECUTOR)
    tasks = [t.task.id for t in phase.tasks.values() if t.status == "pending" and t.task.is_automatic]
    assert len(tasks) > 8, "fewer tasks have an agent each"
    missing = set(tasks[: choose("left out of the batch", 0, 1, len(tasks))])
    events: list[h.Event] = [
        h.TaskCommitted(phase.id, id, f"batch-{state.seq}-{id}", (f"{id}.py",), ()) for id in tasks if id not in missing
    ]
    events += [h.TaskRefused(phase.id, id, "no commit names this task") for id in tasks if id in missing]
    return Result("completed" if len(missing) < len(tasks) else "refused", tuple(events))


def play_debug(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    if command.task:
        return (yield from _work(state, phase, command, choose, Role.DEBUGGER))
    yield from ask(phase, command, Role.DEBUGGER)
    number = len(phase.retries.debug_rounds) + 1
    if choose("debugger of the phase", "commits", "nothing") == "nothing":
        reason = "the agent committed nothing"
        return Result("refused", (r.PhaseMended(phase.id, number, ("red",), refusal=reason),), reason)
    event = r.PhaseMended(phase.id, number, ("red",), f"mend-{state.seq}-{phase.id}", ("a.py",))
    return Result("completed", (event,), "1 files")


def _work(state: RunState, phase: PhaseState, command: RunStep, choose: Choose, role: Role) -> StepRun:
    """An agent was asked for one task, and what it committed is taken in, refused, or only half of it."""
    yield from ask(phase, command, role)
    word = choose(role.value, "commits", "commits nothing", "half", "nothing but out of context", "was cut off")
    committed = h.TaskCommitted(
        phase.id, command.task, f"work-{state.seq}-{phase.id}", (f"{command.task}.py",), (), parent=state.tip_of(phase)
    )
    over = r.HandedOver(phase.id, command.task, "out of context")
    match word:
        case "commits":
            return Result("completed", (committed,), "1 files")
        case "half":
            return Result("handed_over", (committed, over), "1 files")
        case "nothing but out of context":
            return Result("handed_over", (over,), "out of context")
        case "was cut off":
            return Result("unproven", detail="the provider is busy, as with no sandbox")
        case _ if phase.brief.purpose is Purpose.REDO and _held(phase, command.task):
            return Result("completed", (r.TaskAlreadyThere(phase.id, command.task),))
        case _:
            reason = "the agent committed nothing"
            return Result("refused", (h.TaskRefused(phase.id, command.task, reason),), reason)


def _held(phase: PhaseState, task: str) -> bool:
    green = {o.subject for o in phase.plan.red or () if o.seen is Seen.PASSED}
    return not phase.tasks[task].commit and all(c.id in green for c in phase.tasks[task].task.criteria)


def play_mini_verify(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    task = phase.tasks[command.task]
    assert task.commit, "only what is committed can be looked at"
    seen = choose("mini verification", Seen.PASSED, Seen.FAILED, Seen.TIMED_OUT, Seen.NOTHING)
    after = tuple(make_observation(c.id, seen, commit=task.commit) for c in task.task.criteria)
    again = phase.brief.purpose is Purpose.REDO
    verdicts = judge_criteria(task.task.criteria, phase.plan.red or (), after, ours=phase.plan.ours, repeated=again)
    outcome = worst(verdicts)
    if outcome is not Outcome.PASS:
        event = h.TaskVerified(phase.id, command.task, task.commit, after, verdicts, outcome)
        ours = outcome is Outcome.UNPROVEN and all(v.ours for v in verdicts)
        return Result("unproven" if ours else "fail", (event,), "a check could not be run: no sandbox" if ours else "")
    yield from ask(phase, command, Role.MINI_VERIFIER)
    return _read(phase, task, after, verdicts, choose("mini verifier", "verified", "failed"))


def _read(
    phase: PhaseState, task: TaskState, after: tuple[h.Observation, ...], verdicts: tuple[Verdict, ...], word: str
) -> Result:
    readings = tuple(CriterionReading(c.text, word, "a.py:3 read") for c in task.task.criteria)
    reading = MiniVerification(word == "verified", readings, (), ("git diff",))
    lowered = (Verdict("reading", Outcome.FAIL, "it is a stub"),) if word == "failed" else ()
    outcome = Outcome.FAIL if lowered else Outcome.PASS
    events = (
        r.TaskRead(phase.id, task.task.id, task.commit, reading),
        h.TaskVerified(phase.id, task.task.id, task.commit, after, (*verdicts, *lowered), outcome),
    )
    return Result("fail" if lowered else "pass", events)


def play_integrate(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ()
    line = state.phase(PhaseId(command.task))
    assert line.ruling.outcome is Outcome.PASS, "nothing comes onto the run's line that did not pass"
    resolved = phase.split.conflict.resolved if phase.split.conflict else ""
    nothing_between = line.line.base == (state.tip_of(phase) if line.parent else state.line.tip)
    word = choose("integration", "fits", "text", "red", "sandbox")
    if word == "sandbox":
        return Result("unproven", detail="test could not be run: no sandbox")
    if word == "fits" or (word == "text" and (resolved or nothing_between)):
        commit = resolved or (line.line.tip if nothing_between else f"merge-{state.seq}")
        seen = () if commit == phase.observed.commit else (make_observation("01-01.c1", commit=commit),)
        return Result("completed", (r.Integrated(phase.id, line.id, commit, seen, ()),))
    conflict = r.ConflictFound(phase.id, line.id, resolved or f"merge-{state.seq}", (), f"it does not fit: {word}")
    return Result("conflict", (conflict,), conflict.because)


def play_resolve(state: RunState, phase: PhaseState, command: RunStep, choose: Choose) -> StepRun:
    yield from ask(phase, command, Role.EXECUTOR)
    assert phase.split.conflict is not None and phase.split.conflict.part == command.task
    if choose("resolver", "commits", "markers") == "markers":
        reason = "a.py still has conflict markers"
        return Result("refused", (r.Resolved(phase.id, phase.split.conflict.part, refusal=reason),), reason)
    return Result("completed", (r.Resolved(phase.id, phase.split.conflict.part, f"resolved-{state.seq}"),))


def play_rollback(state: RunState, phase: PhaseState, command: RunStep, __: Choose) -> StepRun:
    yield from ()
    branch = f"diagnostic-phase-{phase.id}-{command.attempt}"
    if not phase.owns_branch:
        return Result("completed", (h.RolledBack(phase.id, "", branch),))
    # Joined after a verdict, its base is where the run's branch stood before it.
    joined = phase.id in phase.split.integrated
    assert joined or phase.status is PhaseStatus.IN_PROGRESS, "it would take back what others did"
    tip = state.tip_of(phase)
    commit = tip if tip == phase.line.base else f"restored-{state.seq}"
    return Result("completed", (h.RolledBack(phase.id, commit, branch),))


def play_land(state: RunState, phase: PhaseState, _: RunStep, choose: Choose) -> StepRun:
    new = phase.ending.records_commit and state.line.tip
    if not new:
        assert phase.observed.commit == state.line.tip, "what is to land was not verified"
        new = f"records-{state.seq}"
        yield (h.RecordsCommitted(phase.id, new, (".planning/ROADMAP.md",)),)
    if phase.landing.state != "started":
        yield (h.LandingStarted(phase.id, state.line.head, new, state.line.branch, ""),)
    if choose("checkout", "clean", "dirty") == "clean":
        return Result("landed", (h.Landed(phase.id, new),))
    deferred = h.LandingDeferred(phase.id, new, "the checkout is not clean", f"autopilot/{state.run}")
    return Result("waiting", (deferred,), deferred.because)
