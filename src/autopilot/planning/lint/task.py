"""What is wrong with one task of a plan: its fields, its criteria, its test script."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autopilot.inspection.control.behind import ReadText
from autopilot.inspection.control.empty_run import is_always_zero, runs_no_test
from autopilot.inspection.control.hidden_status import hidden_status, own_evidence
from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.criterion import Criterion, Form, Kind, Strength, Want
from autopilot.model.planning.plan import Task
from autopilot.planning.plan.files import is_supplement
from autopilot.planning.plan.script import script_flaws, script_path, unasserted
from autopilot.text.file_kind import is_frontend_code
from autopilot.text.shell import EMPTY, ONLY_PRINTS, cannot_fail, prints_itself

TRACE_FORM = "add one: `read FILE:handler and trace to what it finally calls`"
COMPLEXITIES = ("simple", "medium", "complex")
# Phrases that promise everything and cannot be checked.
_VAGUE = re.compile(
    r"\b(?:should work|properly handles?|is correct|works as expected|functions correctly|is implemented|"
    r"works? correctly|works? properly)\b",
    re.IGNORECASE,
)
_INTERACTIVE = re.compile(
    r"\bon(?:Click|Drag|Drop|Submit|Change|Key|Press|Tap|Mouse|Pointer|Focus|Blur|Scroll|Touch|Select|Close)\w*\b|"
    r"\bhandle[A-Z]\w+|\baddEventListener\b|\b(?:router|navigation)\.(?:push|navigate)\b|\buseNavigate\b|"
    r"(?i:\b(?:event|click|drag|drop|submit|key(?:board|down|up)?|change|scroll|touch|press|hover)[- ]handlers?\b|"
    r"\bform submissions?\b|\bnavigation logic\b|\bdrag[- ]and[- ]drop\b)"
)


def lint_task(
    task: Task, script: str, ours: bool, interactive: bool, has_commands: bool, read: ReadText | None = None
) -> Iterator[Complaint]:
    """A task that asks a person to look needs neither command nor script; another question cannot be asked yet."""
    if not task.is_automatic:
        if not task.asks_person:
            yield about(task, f"asks a person ({task.type}): not possible unattended yet", Severity.BLOCKER)
        return
    yield from _fields(task, ours)
    yield from lint_checks(task, script, ours, interactive, has_commands, read)


def lint_checks(
    task: Task, script: str, ours: bool, interactive: bool, has_commands: bool, read: ReadText | None = None
) -> Iterator[Complaint]:
    """What is wrong with the way an automatic task is to be shown done: all of it could be cured by further checks."""
    yield from nothing_to_run(task, script)
    if ours and script.strip() and all(criterion.form is Form.PROSE for criterion in task.criteria):
        yield about(task, "has no criterion with a command", Severity.BLOCKER)
    if ours and not script.strip():
        yield about(task, f"lacks its test script tests/task-{task.id}.sh", Severity.BLOCKER)
    strict = Severity.BLOCKER if ours or is_supplemented(task) else Severity.WARNING
    if script.strip():
        yield from _script(task, script, strict)
    else:
        yield from _evidence(task, strict)
    yield from _behaviour(task, interactive, has_commands)
    for criterion in task.criteria:
        yield from _criterion(task, criterion, ours)
        if criterion.is_runnable and not always_holds(criterion):
            yield from _on_the_way(task, criterion, ours or is_supplement(criterion.path), read)


def nothing_to_run(task: Task, script: str) -> Iterator[Complaint]:
    """The one blocker of a user's task that more criteria, or a script, would cure."""
    if task.is_automatic and not script.strip() and not _runnable(task):
        yield about(task, "has no criterion that can be run and no test script", Severity.BLOCKER)


def is_supplemented(task: Task) -> bool:
    """Whether an agent of ours added criteria: then the task's evidence is ours and held to our own rules."""
    return any(is_supplement(criterion.path) for criterion in task.criteria)


def always_holds(criterion: Criterion) -> str:
    """Why its command would hold had nothing been done, or "".

    When the output is judged, a swallowed exit status does no harm; a command that only prints still does.
    """
    expectation = criterion.expectation
    why = cannot_fail(criterion.command) or is_always_zero(criterion.command)
    match expectation.want:
        case Want.EXIT:
            return why if expectation.value == 0 else ""
        case Want.AT_LEAST if expectation.value <= 0:
            return f"every count is at least {expectation.value}"
        case Want.CONTAINS if prints_itself(criterion.command, expectation.text):
            return "it prints the expected text itself"
        case _:
            return why if why in (EMPTY, ONLY_PRINTS) else ""


def about(task: Task, message: str, severity: Severity = Severity.WARNING) -> Complaint:
    return Complaint(task.path, task.line, f"task {task.id} {message}", severity)


def _fields(task: Task, ours: bool) -> Iterator[Complaint]:
    if not task.files:
        yield about(task, "lists no files")
    if ours and not task.action:
        yield about(task, "does not say what to do")
    if ours and not task.done:
        yield about(task, "does not say when it is done")


def _evidence(task: Task, strict: Severity) -> Iterator[Complaint]:
    """The evidence for a task without a test script."""
    runnable = _runnable(task)
    if runnable and _only_looked_at(task):
        message = (
            f"task {task.id} is only checked by searching text (grep, test -f, wc): add a check that runs the code"
        )
        added = next((criterion for criterion in runnable if criterion.path), None)
        yield Complaint(added.path if added else task.path, added.line if added else task.line, message, strict)
    if runnable and all(criterion.kind is Kind.KEEP for criterion in runnable):
        yield about(task, "has no new criterion: no check can fail before the work")


def _script(task: Task, script: str, strict: Severity) -> Iterator[Complaint]:
    path = script_path(task)
    for flaw in script_flaws(script):
        message = f"the test script of task {task.id} {flaw.text}"
        yield Complaint(path, flaw.line, message, strict if flaw.grave else Severity.WARNING)
    for criterion in unasserted(script, [candidate for candidate in task.criteria if candidate.is_runnable]):
        yield Complaint(path, 1, f"no line of the script asserts {criterion.id}: `{criterion.text[:80]}`", strict)


def _behaviour(task: Task, interactive: bool, has_commands: bool) -> Iterator[Complaint]:
    if not _runnable(task) or not _only_looked_at(task):
        return
    if interactive and not task.is_traced and _names_interaction(task):
        yield about(task, f"changes an interaction of the user, and no criterion traces it; {TRACE_FORM}")
    if has_commands:
        message = "runs none of the project's commands: a compile or test criterion would prove more than a grep"
        yield about(task, message, Severity.INFO)


def is_acted_on(task: Task) -> bool:
    """Whether the task changes what people click, drag or fill in. A style sheet or a plain page is only looked at."""
    return _names_interaction(task) or any(is_frontend_code(path) for path in task.files)


def _names_interaction(task: Task) -> bool:
    return _INTERACTIVE.search(f"{task.title}\n{task.action}\n{task.done}") is not None


def _criterion(task: Task, criterion: Criterion, ours: bool) -> Iterator[Complaint]:
    path = criterion.path or task.path
    if criterion.form is Form.PROSE:
        vague = _VAGUE.search(criterion.text)
        message = f"{criterion.id} has no command: {criterion.text[:80]}" + (
            f" (`{vague[0]}` cannot be checked)" if vague else ""
        )
        yield Complaint(path, criterion.line, message, Severity.BLOCKER if ours else Severity.WARNING)
    elif criterion.is_runnable and (why := always_holds(criterion)):
        message = f"{criterion.id}: `{criterion.command[:80]}` cannot fail: {why}"
        yield Complaint(path, criterion.line, message, Severity.BLOCKER)


def _on_the_way(task: Task, criterion: Criterion, ours: bool, read: ReadText | None) -> Iterator[Complaint]:
    """What keeps a command from failing: nothing selected, a status lost, a check that the task itself writes."""
    strict = Severity.BLOCKER if ours and criterion.expectation.want is Want.EXIT else Severity.WARNING
    shown = f"{criterion.id}: `{criterion.command[:80]}`"
    path = criterion.path or task.path
    if why := runs_no_test(criterion.command):
        yield Complaint(path, criterion.line, f"{shown} proves nothing: {why}", strict)
    if read is None:
        return
    if why := hidden_status(criterion.command, read):
        yield Complaint(path, criterion.line, f"{shown} may not fail: {why}", strict)
    if script := own_evidence(task, criterion.command, read):
        message = f"{shown} is checked by {script}, which the same task writes: use a check that it does not write"
        yield Complaint(path, criterion.line, message, strict)


def _runnable(task: Task) -> list[Criterion]:
    return [criterion for criterion in task.criteria if criterion.is_runnable]


def _only_looked_at(task: Task) -> bool:
    return all(criterion.strength is Strength.GREP for criterion in _runnable(task))
