"""What a user's plan lacks, written beside it in ``PLAN.autopilot.md``: more criteria for its tasks, nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.criterion import Criterion, Form, criterion_id
from autopilot.model.planning.plan import Task
from autopilot.planning.lint.task import about, always_holds, is_supplemented, nothing_to_run
from autopilot.planning.plan.files import is_supplement
from autopilot.planning.plan.script import script_path

Merged = tuple[tuple[Task, ...], tuple[Complaint, ...]]


class Lacking(Struct, frozen=True):
    """What a supplement is asked to bring, one sentence a task, and the blockers that it could not cure."""

    asks: tuple[str, ...]
    beyond: tuple[str, ...] = ()

    @property
    def curable(self) -> bool:
        return not self.beyond


def merge_supplement(tasks: Sequence[Task], supplement: Sequence[Task]) -> Merged:
    """The user's tasks with the supplement's criteria after their own.

    A supplement is an agent's text: it adds ways to see that a task is done. It takes nothing away, it makes no
    task, no file and no weight, and what it adds is numbered apart (``.s1``), so that no id of the user's moves.
    """
    known = {task.id: task for task in tasks}
    complaints: list[Complaint] = []
    for extra in supplement:
        task = known.get(extra.id)
        if task is None or not task.is_automatic:
            why = "is not a task of the plan" if task is None else "asks a person and takes no criteria"
            complaints.append(about(extra, f"{why}: left out"))
            continue
        added = tuple(_new(task, extra))
        complaints += _left_out(task, extra)
        known[extra.id] = replace(task, criteria=task.criteria + added)
    # Ids are the user's: two tasks with one id both stay as they are, and the lint says so.
    counts = Counter(task.id for task in tasks)
    return tuple(known[task.id] if counts[task.id] == 1 else task for task in tasks), tuple(complaints)


def lacking(tasks: Sequence[Task], scripts: Mapping[str, str], complaints: Sequence[Complaint]) -> Lacking:
    """What could be asked of a supplement, given the lint's findings about a user's plan."""
    blockers = [complaint for complaint in complaints if complaint.severity is Severity.BLOCKER]
    cures = {found: task for task in tasks for found in nothing_to_run(task, scripts.get(task.id, ""))}
    written = {script_path(task) for task in tasks if is_supplemented(task)}
    curable = [
        blocker for blocker in blockers if blocker in cures or is_supplement(blocker.path) or blocker.path in written
    ]
    beyond = tuple(str(blocker) for blocker in blockers if blocker not in curable)
    return Lacking(tuple(dict.fromkeys(_ask(blocker, cures) for blocker in curable)), beyond)


def drop_unfailing(tasks: Sequence[Task]) -> Merged:
    """A user's tasks with every command that cannot fail turned into prose, each named.

    Such a command proves nothing; run all the same, it would keep the phase unproven for ever. Their text stays.
    """
    complaints: list[Complaint] = []
    kept: list[Task] = []
    for task in tasks:
        criteria = []
        for criterion in task.criteria:
            why = always_holds(criterion) if criterion.is_runnable else ""
            if why:
                message = f"{criterion.id}: `{criterion.command[:80]}` is not run, it cannot fail: {why}"
                complaints.append(Complaint(criterion.path or task.path, criterion.line, message))
            criteria.append(replace(criterion, form=Form.PROSE, command="") if why else criterion)
        kept.append(replace(task, criteria=tuple(criteria)))
    return tuple(kept), tuple(complaints)


def _new(task: Task, extra: Task) -> Iterator[Criterion]:
    """The supplement's criteria that say something the task does not say yet."""
    known = {criterion.check for criterion in task.criteria}
    number = sum(criterion.path != "" for criterion in task.criteria)
    for criterion in extra.criteria:
        if criterion.form is Form.PROSE or criterion.check in known:
            continue
        number += 1
        known.add(criterion.check)
        yield replace(criterion, id=criterion_id(task.id, number, "s"), weight=1.0, path=extra.path)


def _left_out(task: Task, extra: Task) -> Iterator[Complaint]:
    for criterion in extra.criteria:
        if criterion.form is Form.PROSE:
            message = f"task {task.id}: a criterion without a command adds nothing: {criterion.text[:80]}"
            yield Complaint(extra.path, criterion.line, message)
    if more := [path for path in extra.files if path not in task.files]:
        yield about(extra, f"cannot be given more files ({', '.join(more[:5])})")


def _ask(blocker: Complaint, cures: Mapping[Complaint, Task]) -> str:
    task = cures.get(blocker)
    if task is None:
        return f"fix {blocker}"
    texts = [criterion.text for criterion in task.criteria if not criterion.is_runnable] or [task.done]
    wanted = "; ".join(" ".join(text.split())[:160] for text in texts if text)
    return (
        f"task {task.id} ({task.path}:{task.line}, {task.title[:80]}): criteria with a command each, and the test "
        f"script tests/task-{task.id}.sh" + (f"; the plan's own text: {wanted}" if wanted else "")
    )
