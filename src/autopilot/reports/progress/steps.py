"""Progress of a phase's steps: where it is, counted, and what each came to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autopilot.events import happened as h
from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.red_check import describe_red
from autopilot.model.policy import CHECKS
from autopilot.model.run import StepStatus, TaskStatus
from autopilot.model.step import COUNTED_STEPS, Shown, Step
from autopilot.reports.documents.tasks import home_of, is_done, tasks_of
from autopilot.reports.evidence.planned import planned_lines
from autopilot.reports.status.scores import in_words, score_of
from autopilot.text.naming import plural

COMPLETE = "complete."
BROKEN = (StepStatus.ERROR, StepStatus.UNPROVEN)
# What could not be run has not failed.
CHECK_WORDS = {Seen.PASSED: "PASS", Seen.NOTHING: "UNPROVEN"}


def step_lines(
    event: h.StepStarted | h.StepEnded | h.StepSkipped, state: RunState, *, verbose: bool = False
) -> Iterator[str]:
    """A step is named when it starts; its end tells what came of it, and only ``verbose`` in full."""
    step, phase = event.step, state.phase(event.phase)
    prefix = f"[Phase {phase.id}]"
    match event:
        case h.StepSkipped(reason=reason):
            yield f"{prefix} Step: {step.label} skipped ({reason})."
        case h.StepStarted(task=task) if task in phase.tasks:
            yield from _task_started(prefix, step, task, phase)
        case h.StepStarted() if step.shown is Shown.COUNTED:
            yield from _counted(prefix, step, state, phase)
        case h.StepEnded(status=StepStatus.POSTPONED, detail=detail, task=task):
            yield f"{prefix} Step: {_label(step, task)} postponed -- {detail}"
        case h.StepEnded(status=status, detail=detail, task="") if step.shown is Shown.COUNTED:
            ending = _ending(step, status, detail)
            news = ending.removeprefix(COMPLETE).strip()
            if verbose or not ending.startswith(COMPLETE):
                yield f"{prefix} Step: {step.label} {ending}"
            elif news:
                yield f"{prefix} {news}"
            if step is Step.PLAN_CHECK and status == StepStatus.PASS:
                yield from (f"{prefix}   {line}" for line in planned_lines(phase))
        # What carries a task's id here is the name of a part.
        case h.StepStarted(task=part) if step.shown is Shown.NAMED:
            nth = f" (attempt {len(phase.retries.debug_rounds) + 1})" if step is Step.DEBUG else ""
            yield f"{prefix} Step: {_label(step, part)}{nth}"
        case h.StepEnded(status=status, detail=detail, task=part) if step.shown is Shown.NAMED:
            # What came of it is told by what it left behind; only a breakdown leaves nothing.
            if status in BROKEN and part not in phase.tasks:
                yield f"{prefix} Step: {_label(step, part)} {_ending(step, status, detail)}"
        case _:
            return


def summary_lines(state: RunState, phase: PhaseState) -> Iterator[str]:
    for step in COUNTED_STEPS:
        if step is Step.EXECUTE and any(task.status != TaskStatus.PENDING for task in tasks_of(state, phase).values()):
            yield f"  Step: EXECUTE ... {_tasks_done(state, phase)} tasks"
        elif (known := phase.steps.get(step.value)) is not None:
            score = score_of(state, phase)
            word = in_words(score) if step is Step.RATE and score is not None else known.status
            yield f"  Step: {step.label} ... {word}"


def check_lines(prefix: str, observations: Iterable[Observation]) -> Iterator[str]:
    """With the reason where it is not simply green or red."""
    for check in (observation for observation in observations if observation.subject in CHECKS):
        yield f"{prefix} {check.subject} {_describe_check(check)}"


def baseline_lines(prefix: str, observations: Iterable[Observation]) -> Iterator[str]:
    """Before the work: what never ran has nothing to be compared with yet."""
    for check in (observation for observation in observations if observation.subject in CHECKS):
        text = f"NOT RUN -- {check.reason}" if check.is_not_run else _describe_check(check)
        yield f"{prefix} baseline {check.subject} {text}"


def _describe_check(check: Observation) -> str:
    if check.seen is not Seen.FAILED:
        return CHECK_WORDS.get(check.seen, "FAIL")
    word = "NOT RUN" if check.never_ran else "RED BEFORE" if check.is_excused else "FAIL"
    is_explained = check.is_excused or check.compared is not None or check.is_not_run
    return f"{word} -- {describe_red(check)}" if is_explained else word


def _counted(prefix: str, step: Step, state: RunState, phase: PhaseState) -> Iterator[str]:
    if step is Step.VERIFY and phase.tasks:
        done, _, every = _tasks_done(state, phase).partition("/")
        yield f"{prefix} Step: EXECUTE ended: {done} of {plural(int(every), 'task')} verified."
    tasks = f" -- {plural(len(phase.tasks), 'task')}, all to one agent" if step is Step.EXECUTE else ""
    yield f"{prefix} Step: {step.label} {_count(step)}{tasks}"


def _tasks_done(state: RunState, phase: PhaseState) -> str:
    tasks = [task for task in tasks_of(state, phase).values() if task.task.is_automatic]
    return f"{sum(is_done(task, home_of(state, phase, task.task.id)) for task in tasks)}/{len(tasks)}"


def _count(step: Step) -> str:
    return f"({COUNTED_STEPS.index(step) + 1}/{len(COUNTED_STEPS)})"


def _label(step: Step, part: str) -> str:
    return f"{step.label} {part}" if part else step.label


def _task_started(prefix: str, step: Step, task: str, phase: PhaseState) -> Iterator[str]:
    order = list(phase.tasks)
    if step is Step.EXECUTE:
        if _is_first(task, phase):
            yield f"{prefix} Step: EXECUTE {_count(step)} -- {plural(len(order), 'task')}"
        yield f"{prefix} Task {task} ({order.index(task) + 1}/{len(order)}): {phase.tasks[task].task.title}"
    elif step is Step.DEBUG:
        yield f"{prefix} Task {task}: debug attempt {phase.tasks[task].debugs + 1}"


def _is_first(task: str, phase: PhaseState) -> bool:
    """Those before it may have been there already."""
    begun = [name for name in phase.steps if name.startswith(f"{Step.EXECUTE.value}.")]
    return begun == [f"{Step.EXECUTE.value}.{task}"] and not phase.tasks[task].handovers


def _ending(step: Step, status: StepStatus, detail: str) -> str:
    if status == StepStatus.FAIL and step in (Step.VERIFY, Step.RATE):
        result = "Result: fail" + (f" -- {detail}" if detail else "")
        return f"{COMPLETE} {result}" if step is Step.VERIFY else f"{COMPLETE} Score: {detail}"
    if status in (StepStatus.FAIL, StepStatus.REFUSED, *BROKEN):
        word = "could not run" if status == StepStatus.UNPROVEN else "failed"
        return f"{word} -- {detail}" if detail else f"{word}."
    match step:
        case Step.TRIAGE:
            return f"{COMPLETE} Routing: {status.replace('_', ' ')}"
        case Step.VERIFY:
            return f"{COMPLETE} Result: {status}"
        case Step.JUDGE:
            return f"{COMPLETE} Recommendation: {status}"
        case Step.RATE:
            return f"{COMPLETE} Score: {detail}"
        case Step.PLAN_CHECK:
            return f"{COMPLETE} {detail}"
        case _:
            return COMPLETE
