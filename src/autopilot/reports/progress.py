"""Progress as plain lines a person can read and a program can parse."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events import happened as h
from autopilot.events.entry import Stored
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence import Seen
from autopilot.model.policy import CHECKS
from autopilot.model.roadmap import PhaseId
from autopilot.model.run import Step
from autopilot.model.verdict import Outcome
from autopilot.reports.markdown import one_line, seconds

COUNTED = (
    Step.PREFLIGHT,
    Step.TRIAGE,
    Step.RESEARCH,
    Step.PLAN,
    Step.PLAN_CHECK,
    Step.EXECUTE,
    Step.VERIFY,
    Step.JUDGE,
    Step.RATE,
)
# What could not be run has not failed.
CHECK_WORDS = {Seen.PASSED: "PASS", Seen.NOTHING: "UNPROVEN"}


def progress_lines(stored: Stored, state: RunState) -> Iterator[str]:
    """What this event looks like on the screen; ``state`` is the one after it."""
    return map(one_line, _lines(stored, state))


def _lines(stored: Stored, state: RunState) -> Iterator[str]:
    match stored.event:
        case h.RunStarted():
            names = ", ".join(state.phases)
            spec = f"{state.spec.path} ({state.spec.sha256[:7]})"
            yield f"Autopilot: Phases {names} | Spec: {spec} | Model: {state.model}"
            yield f"Starting phase {next(iter(state.phases))}..."
        case h.RunResumed(ended_orphans=ended):
            yield f"Autopilot: resuming {state.run} at event {stored.seq}"
            if ended:
                yield f"ended {len(ended)} process(es) an earlier, killed run had left behind"
        case h.Warned(text):
            yield f"warning: {text}"
        case h.PhaseStarted() | h.PhaseCompleted() | h.PhaseFailed() | h.PhaseSkipped():
            yield from _phase_lines(stored.event, state)
        case h.StepStarted() | h.StepEnded() | h.StepSkipped():
            yield from _step_lines(stored.event, state.phases[stored.event.phase])
        case h.TaskCommitted() | h.TaskRefused() | h.TaskVerified():
            yield from _task_lines(stored.event)
        case h.Rerouted(phase, reason):
            yield f"[Phase {phase}] Rerouted to the full pipeline: {reason}"
        case h.PreflightDone(phase, _, warnings):
            for text in warnings:
                yield f"[Phase {phase}] warning: {text}"
        case h.PhaseObserved(phase, _, observations):
            for check in (o for o in observations if o.subject in CHECKS):
                yield f"[Phase {phase}] {check.subject} {CHECK_WORDS.get(check.seen, 'FAIL')}"
        case h.GateJudged(phase, _, outcome, reason, _):
            yield f"[Phase {phase}] Gate: {outcome.value} -- {reason}"
        case h.Landed(phase, commit):
            yield f"[Phase {phase}] Landed on {state.branch} at {commit[:12]}."
        case h.LandingDeferred(phase, _, because, branch):
            yield f"[Phase {phase}] Landing waits: {because}. The work is on branch {branch}."
        case h.RolledBack(phase, _, diagnostic):
            yield f"[Phase {phase}] Rolled back; what was tried is on branch {diagnostic}."
        case _:
            return


def _phase_lines(event: h.LifeEvent, state: RunState) -> Iterator[str]:
    phase = state.phases[event.phase]
    mark = f"[PHASE {_position(state, phase.id)}/{len(state.phases)}]"
    took = seconds(phase.started_at, phase.completed_at)
    match event:
        case h.PhaseStarted(attempt=attempt):
            again = f" (attempt {attempt})" if attempt > 1 else ""
            yield f"--- {mark} {phase.brief.name}{again} ---"
        case h.PhaseCompleted(score=score):
            yield from _summary(phase)
            yield f"--- {mark} Complete: {score}/10 | {took}s ---"
        case h.PhaseFailed(reason=reason):
            yield from _summary(phase)
            yield f"--- {mark} Failed: {reason} | {took}s ---"
        case h.PhaseSkipped(reason=reason):
            yield f"--- {mark} Skipped: {reason} ---"


def _position(state: RunState, phase: PhaseId) -> int:
    return list(state.phases).index(phase) + 1


def _summary(phase: PhaseState) -> Iterator[str]:
    for step in COUNTED:
        if step is Step.EXECUTE and phase.tasks:
            yield f"  Step: EXECUTE ... {_tasks_done(phase)} tasks"
        elif (state := phase.steps.get(step.value)) is not None:
            word = f"{phase.score}/10" if step is Step.RATE and phase.score is not None else state.status
            yield f"  Step: {step.label} ... {word}"


def _tasks_done(phase: PhaseState) -> str:
    done = sum(task.status == "verified" for task in phase.tasks.values())
    return f"{done}/{len(phase.tasks)}"


def _step_lines(event: h.StepStarted | h.StepEnded | h.StepSkipped, phase: PhaseState) -> Iterator[str]:
    step = event.step
    prefix = f"[Phase {phase.id}]"
    match event:
        case h.StepSkipped(reason=reason):
            yield f"{prefix} Step: {step.label} skipped ({reason})."
        case h.StepStarted(task=task) if task:
            yield from _task_started(prefix, step, task, phase)
        case h.StepStarted() if step in COUNTED:
            if step is Step.VERIFY and phase.tasks:
                yield f"{prefix} Step: EXECUTE complete. {_tasks_done(phase)} tasks."
            yield f"{prefix} Step: {step.label} {_count(step)}"
        case h.StepEnded(status=status, detail=detail, task="") if step in COUNTED:
            yield f"{prefix} Step: {step.label} {_ending(step, status, detail)}"
        case _:
            return


def _count(step: Step) -> str:
    return f"({COUNTED.index(step) + 1}/{len(COUNTED)})"


def _task_started(prefix: str, step: Step, task: str, phase: PhaseState) -> Iterator[str]:
    order = list(phase.tasks)
    if step is Step.EXECUTE:
        if order.index(task) == 0:
            yield f"{prefix} Step: EXECUTE {_count(step)} -- {len(order)} tasks"
        yield f"{prefix} Task {task} ({order.index(task) + 1}/{len(order)}): {phase.tasks[task].task.title}"
    elif step is Step.DEBUG:
        yield f"{prefix} Task {task}: debug attempt {phase.tasks[task].debugs + 1}"


def _ending(step: Step, status: str, detail: str) -> str:
    if status == "fail" and step in (Step.VERIFY, Step.RATE):
        result = "Result: fail" + (f" -- {detail}" if detail else "")
        return f"complete. {result}" if step is Step.VERIFY else f"complete. Score: {detail}"
    if status in ("fail", "error", "unproven"):
        word = "unproven" if status == "unproven" else "failed"
        return f"{word} -- {detail}" if detail else f"{word}."
    match step:
        case Step.TRIAGE:
            return f"complete. Routing: {status}"
        case Step.VERIFY:
            return f"complete. Result: {status}"
        case Step.JUDGE:
            return f"complete. Recommendation: {status}"
        case Step.RATE:
            return f"complete. Score: {detail}"
        case Step.PLAN_CHECK:
            return f"complete. {detail}"
        case _:
            return "complete."


def _task_lines(event: h.TaskEvent) -> Iterator[str]:
    prefix = f"[Phase {event.phase}] Task {event.task}:"
    match event:
        case h.TaskCommitted(files=files):
            for path in files:
                yield f"{prefix} modifying {path}"
        case h.TaskRefused(reason=reason):
            yield f"{prefix} FAILED -- {reason}"
        case h.TaskVerified(outcome=outcome, verdicts=verdicts, observations=observations):
            if outcome is Outcome.PASS:
                yield f"{prefix} VERIFIED"
                return
            seen = {o.subject: o for o in observations}
            for verdict in (v for v in verdicts if v.outcome is not Outcome.PASS):
                shown = seen.get(verdict.subject)
                because = (shown.reason if shown else "") or verdict.because
                yield f"{prefix} FAILED -- {verdict.subject}: {because}"
