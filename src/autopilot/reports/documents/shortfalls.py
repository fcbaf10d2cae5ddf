"""What did not hold in a phase, each with the words, the command and the files that belong to it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from autopilot.events.criteria import find_criterion
from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.subject import script_subject, whole_task
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.run import TaskStatus
from autopilot.reports.documents.tasks import UNDONE


class Shortfall(Struct, frozen=True):
    subject: str
    text: str  # the criterion's own words, else the subject
    outcome: Outcome
    because: str
    command: str = ""
    expectation: str = ""
    observation: Observation | None = None
    task: str = ""
    files: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.text}: {self.because}"


def shortfalls(phase: PhaseState) -> tuple[Shortfall, ...]:
    """By the verdicts on the whole phase; of one that never came so far, by those on its tasks."""
    if phase.gate.verdicts:
        seen = {observation.subject: observation for observation in phase.observed.observations or ()}
        return tuple(_of(phase, verdict, seen.get(verdict.subject)) for verdict in _bad(phase.gate.verdicts))
    return tuple(
        shortfall for task in phase.tasks.values() if task.status in UNDONE for shortfall in _of_task(phase, task)
    )


def _of_task(phase: PhaseState, task: TaskState) -> Iterator[Shortfall]:
    if task.status == TaskStatus.REFUSED or not _bad(task.verdicts):
        because = task.refusal or "it was not accepted"
        yield _of(phase, Verdict(whole_task(task.task.id), Outcome.FAIL, because), None)
        return
    seen = {observation.subject: observation for observation in task.observations}
    for verdict in _bad(task.verdicts):
        yield _of(phase, verdict, seen.get(verdict.subject))


def _bad(verdicts: tuple[Verdict, ...]) -> list[Verdict]:
    return [verdict for verdict in verdicts if verdict.outcome is not Outcome.PASS]


def _of(phase: PhaseState, verdict: Verdict, seen: Observation | None) -> Shortfall:
    subject = verdict.about.without_layer
    criterion = find_criterion(phase, subject)
    task = phase.tasks.get(criterion.task) if criterion else _task_named(phase, subject)
    return Shortfall(
        subject=verdict.subject,
        text=criterion.text if criterion else verdict.subject,
        outcome=verdict.outcome,
        because=verdict.because,
        command=seen.command if seen else criterion.command if criterion else "",
        expectation=str(criterion.expectation) if criterion else "",
        observation=seen,
        task=task.task.id if task else "",
        files=(task.files or task.task.files) if task else (),
    )


def _task_named(phase: PhaseState, subject: str) -> TaskState | None:
    """Whose test script, or who as a whole, is judged under this subject."""
    tasks = phase.tasks.values()
    return next((t for t in tasks if subject in (script_subject(t.task.id), whole_task(t.task.id))), None)


def describe_result(observation: Observation) -> str:
    """What was seen of one command, in a few words."""
    exit_code = f"exit {observation.exit_code}" if observation.exit_code is not None else ""
    detail = observation.reason or " ".join(observation.excerpt.split())[:120]
    result = observation.seen.text + (f" ({exit_code})" if exit_code else "")
    shown = detail if observation.seen is not Seen.PASSED else ""
    return f"{result}: {shown}" if shown else result
