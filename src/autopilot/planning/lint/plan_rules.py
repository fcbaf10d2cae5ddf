"""What is wrong with a plan, found by code before any agent looks at it. Stricter with our own plans than a user's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.inspection.control.behind import ReadText
from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.criterion import Criterion
from autopilot.model.planning.phase_type import PhaseType
from autopilot.model.planning.plan import Plan, Task, criteria_of_tasks
from autopilot.model.policy import Commands
from autopilot.planning.lint.task import COMPLEXITIES, TRACE_FORM, about, is_acted_on, lint_checks, lint_task
from autopilot.planning.plan.order import order_findings
from autopilot.planning.plan.traceability import requirement_findings
from autopilot.testtools.questions.example import FURTHER, ONE_EXAMPLE, lone_examples

FEWEST_TASKS, MOST_TASKS = 2, 5
INTERACTIVE_TYPES = (PhaseType.UI, PhaseType.MIXED)


class Scope(Struct, frozen=True):
    """What a plan is held against besides itself; what is not given is not asked for."""

    plans: tuple[Plan, ...] = ()  # the files the tasks come from
    requirements: tuple[str, ...] = ()  # those the roadmap maps to this phase
    phase_type: PhaseType | None = None
    commands: Commands = Commands()
    read: ReadText | None = None  # the project's files as they are when the plan is checked
    held_out: tuple[Criterion, ...] = ()  # checks that the planner keeps from who does the work
    has_ui: bool = False  # files of a user interface are to change
    is_last: bool = False  # no other plan will be asked for


def lint_plan(
    tasks: Sequence[Task],
    scripts: Mapping[str, str],
    ours: bool,
    scope: Scope = Scope(),  # noqa: B008  (frozen)
) -> tuple[Complaint, ...]:
    """``scripts`` holds the text of ``tests/task-ID.sh`` by task id; blockers stop the plan, the rest is shown."""
    if not tasks:
        path = scope.plans[0].path if scope.plans else "PLAN.md"
        return (Complaint(path, 1, "the plan has no task", Severity.BLOCKER),)
    found = [*_duplicates(tasks), *_counts(tasks, ours), *_complexities(tasks, ours), *_left_to_people(tasks, ours)]
    found += order_findings(scope.plans)
    found += requirement_findings(scope.plans, scope.requirements, ours)
    found += _examples(tasks, scope.held_out)
    found += _untraced(tasks, scope, ours)
    for task in tasks:
        found += lint_task(task, scripts.get(task.id, ""), ours, *_known(scope))
    return tuple(found)


def lint_evidence(tasks: Sequence[Task], scripts: Mapping[str, str], scope: Scope) -> tuple[Complaint, ...]:
    """Of a user's plan: what is wrong with its checks, and not only worth a note."""
    automatic = (task for task in tasks if task.is_automatic)
    found = [c for task in automatic for c in lint_checks(task, scripts.get(task.id, ""), False, *_known(scope))]
    found += _untraced(tasks, scope, ours=False)
    return tuple(complaint for complaint in found if complaint.severity is not Severity.INFO)


def _known(scope: Scope) -> tuple[bool, bool, ReadText | None]:
    return scope.phase_type in INTERACTIVE_TYPES, bool(scope.commands.checks()), scope.read


def _duplicates(tasks: Sequence[Task]) -> Iterator[Complaint]:
    counts = Counter(task.id for task in tasks)
    seen: set[str] = set()
    for task in tasks:
        if counts[task.id] > 1 and task.id in seen:
            yield about(task, f"appears {counts[task.id]} times", Severity.BLOCKER)
        seen.add(task.id)


def _counts(tasks: Sequence[Task], ours: bool) -> Iterator[Complaint]:
    for path, count in Counter(task.path for task in tasks).items() if ours else ():
        if not FEWEST_TASKS <= count <= MOST_TASKS:
            first = next(task.line for task in tasks if task.path == path)
            message = f"{count} task{'s' * (count != 1)}: a plan has {FEWEST_TASKS} to {MOST_TASKS}"
            yield Complaint(path, first, message)


def _complexities(tasks: Sequence[Task], ours: bool) -> Iterator[Complaint]:
    """GSD knows no complexity: of a user's plan one sentence a file is enough."""
    for task in tasks:
        if task.complexity and task.complexity not in COMPLEXITIES:
            yield about(task, f"has the complexity `{task.complexity[:30]}`, not simple, medium or complex")
    lacking = [task for task in tasks if not task.complexity]
    for task in lacking if ours else ():
        yield about(task, "has no complexity (simple, medium or complex)")
    for path, count in () if ours else Counter(task.path for task in lacking).items():
        first = next(task.line for task in lacking if task.path == path)
        yield Complaint(path, first, f"{count} of its tasks have no complexity (simple, medium or complex)")


def _examples(tasks: Sequence[Task], held_out: Sequence[Criterion]) -> Iterator[Complaint]:
    """Shown for every plan: code that knows one answer would pass."""
    criteria = [*criteria_of_tasks(tasks), *held_out]
    for task in tasks:
        for criterion in lone_examples(task.criteria, criteria):
            message = f"{criterion.id}: {ONE_EXAMPLE} (`{criterion.command[:80]}`); {FURTHER}"
            yield Complaint(criterion.path or task.path, criterion.line, message, Severity.INFO)


def _untraced(tasks: Sequence[Task], scope: Scope, ours: bool) -> Iterator[Complaint]:
    """What people act on is followed by a reader, in one handler at least: that a name is there shows no behaviour.

    Worth another plan, but not the phase: in its last round a plan is taken without.
    """
    if not scope.has_ui or any(task.is_traced for task in tasks):
        return
    acting = [task for task in tasks if task.is_automatic and is_acted_on(task)]
    if acting:
        message = f"builds what people act on, and no criterion of the plan follows a handler; {TRACE_FORM}"
        yield about(acting[0], message, Severity.BLOCKER if ours and not scope.is_last else Severity.WARNING)


def _left_to_people(tasks: Sequence[Task], ours: bool) -> Iterator[Complaint]:
    """Otherwise a generated plan could leave the whole phase to a person's check, without any other evidence."""
    if ours and not any(task.is_automatic for task in tasks):
        yield about(
            tasks[0],
            "asks a person, and so does every other task: at least one task must build something",
            Severity.BLOCKER,
        )
