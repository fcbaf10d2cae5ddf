"""What is wrong with a plan, found by code before any agent looks at it. Stricter with our own plans than a user's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from autopilot.model.complaint import Complaint, Severity
from autopilot.model.criterion import Criterion, Form, Kind, Strength, Want
from autopilot.model.plan import Task
from autopilot.planning.shell import cannot_fail

COMPLEXITIES = ("simple", "medium", "complex")


def lint_plan(tasks: Sequence[Task], scripts: Mapping[str, str], ours: bool) -> tuple[Complaint, ...]:
    """``scripts`` holds the text of ``tests/task-ID.sh`` by task id; blockers stop the plan, warnings are shown."""
    if not tasks:
        return (Complaint("PLAN.md", 0, "the plan has no task", Severity.BLOCKER),)
    found = list(_duplicates(tasks))
    for task in tasks:
        found += _lint_task(task, scripts.get(task.id, ""), ours)
    return tuple(found)


def _lint_task(task: Task, script: str, ours: bool) -> Iterator[Complaint]:
    yield from _formalities(task)
    if not task.is_automatic:
        yield _about(task, f"asks a person ({task.type}), which a run cannot do yet", Severity.BLOCKER)
        return
    strict = Severity.BLOCKER if ours else Severity.WARNING
    runnable = [criterion for criterion in task.criteria if criterion.form is Form.COMMAND]
    has_script = bool(script.strip())
    if not runnable and not has_script:
        yield _about(task, "has no criterion that can be run and no test script", Severity.BLOCKER)
    if ours and not has_script:
        yield _about(task, f"lacks its test script tests/task-{task.id}.sh", Severity.BLOCKER)
    if runnable and not has_script and all(criterion.strength is Strength.GREP for criterion in runnable):
        yield _about(task, "is only checked by looking at text (grep, test -f, wc): evidence is structural", strict)
    if runnable and not has_script and all(criterion.kind is Kind.KEEP for criterion in runnable):
        yield _about(task, "has no new criterion: nothing could be seen to fail before the work", Severity.WARNING)
    for criterion in task.criteria:
        yield from _lint_criterion(task, criterion, strict)


def _lint_criterion(task: Task, criterion: Criterion, strict: Severity) -> Iterator[Complaint]:
    if criterion.form is Form.PROSE:
        yield Complaint(task.path, criterion.line, f"{criterion.id} has no command: {criterion.text[:80]}", strict)
    elif criterion.form is Form.COMMAND and (why := _always_holds(criterion)):
        words = f"{criterion.id}: `{criterion.command[:80]}` cannot fail: {why}"
        yield Complaint(task.path, criterion.line, words, Severity.BLOCKER)


def _always_holds(criterion: Criterion) -> str:
    """When the output is judged, a swallowed exit status does no harm; a command that only prints still does."""
    why = cannot_fail(criterion.command)
    if criterion.expectation.want is Want.EXIT:
        return why
    return why if why.startswith(("there is nothing", "it only prints")) else ""


def _formalities(task: Task) -> Iterator[Complaint]:
    if task.complexity not in COMPLEXITIES:
        yield _about(task, "has no complexity (simple, medium or complex)", Severity.WARNING)
    if task.is_automatic and not task.files:
        yield _about(task, "lists no files", Severity.WARNING)


def _duplicates(tasks: Sequence[Task]) -> Iterator[Complaint]:
    counts = Counter(task.id for task in tasks)
    seen: set[str] = set()
    for task in tasks:
        if counts[task.id] > 1 and task.id in seen:
            yield _about(task, f"is there {counts[task.id]} times", Severity.BLOCKER)
        seen.add(task.id)


def _about(task: Task, words: str, severity: Severity) -> Complaint:
    return Complaint(task.path, task.line, f"task {task.id} {words}", severity)
