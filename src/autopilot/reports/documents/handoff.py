"""HANDOFF.md: what is done and what is left when an agent ran out of context."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import Step, TaskStatus
from autopilot.reports.documents.tasks import DONE
from autopilot.reports.inert import make_inert
from autopilot.reports.markdown import bullets, stamp, table

COMPLETED_HEAD = ("Task ID", "Status", "Commit SHA", "Files Modified")
REMAINING_HEAD = ("Task ID", "Description", "Estimated Complexity")


def render_handoff(state: RunState, phase: PhaseState) -> str:
    tasks = [task for task in phase.tasks.values() if task.task.is_automatic]
    done = [task for task in tasks if task.status in DONE]
    left = [task for task in tasks if task.status not in DONE]
    step = _step(phase)
    rows = [(t.task.id, "COMPLETED", t.commit[:12] or "already there", ", ".join(t.files)) for t in done]
    rest = [(t.task.id, t.task.title, t.task.complexity or "medium") for t in left]
    parts = [
        f"# Phase {phase.id} Partial Progress Handoff\n",
        f"**Phase ID:** {phase.id}\n"
        f"**Reason:** Context exhaustion detected during {step}\n"
        f"**Timestamp:** {stamp(state.now)}\n"
        f"**Last Checkpoint SHA:** {state.tip_of(phase)}\n",
        "## Tasks Completed\n",
        table(COMPLETED_HEAD, rows) if rows else "None.\n",
        "## Tasks Remaining\n",
        table(REMAINING_HEAD, rest) if rest else "None.\n",
        "## Files Modified (partial list)\n",
        bullets(_modified(tasks)) + "\n",
        "## Partial Progress State\n",
        bullets(_standing(phase, step, tasks)) + "\n",
    ]
    return make_inert("\n".join(parts))


def _step(phase: PhaseState) -> str:
    """Only those who work hand over; when the phase lands, the step that is open says nothing about it."""
    at_work = phase.open is not None and phase.open.step in (Step.EXECUTE, Step.DEBUG)
    return phase.open.step.value if phase.open and at_work else Step.EXECUTE.value


def _modified(tasks: list[TaskState]) -> Iterator[str]:
    for task in tasks:
        for path in task.files:
            unfinished = "" if task.status in DONE else ", unfinished"
            yield f"{path}: task {task.task.id}, {task.task.title}{unfinished}"


def _standing(phase: PhaseState, step: str, tasks: list[TaskState]) -> list[str]:
    committed = [task for task in tasks if task.commit]
    last = f"commit {committed[-1].commit[:12]} of task {committed[-1].task.id}" if committed else "none yet"
    met = [f"task {task.task.id}: {reason}" for task in tasks for reason in (*task.handovers, *_failing(task))]
    return [
        f"Current step: {step}" + (f" of task {phase.open.task}" if phase.open and phase.open.task else ""),
        f"Last successful operation: {last}",
        f"Issues encountered: {'; '.join(met) or 'none'}",
    ]


def _failing(task: TaskState) -> tuple[str, ...]:
    return (task.refusal,) if task.status == TaskStatus.REFUSED and task.refusal else task.caught[-1:]
