"""What was written is read back, and held against what the other tool's files say.

Phases, states and dependencies have to be the same, or nothing is written. Every other difference is named with the
line that it comes from: the files of the other tool stay, so nothing is lost by it.
"""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.model.errors import UsageError
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import Phase, Roadmap
from autopilot.model.planning.standing import Stand
from autopilot.planning.importing.criteria_text import same_criterion
from autopilot.planning.importing.plain_words import one_line
from autopilot.planning.importing.plan_text import is_believed
from autopilot.planning.importing.roadmap_text import Plan
from autopilot.planning.plan.plan import parse_plan

_LONGEST = 100


def must_be_same(plan: Plan, found: Roadmap) -> None:
    wanted = plan.outline.roadmap.phases
    ids = [plan.ids[phase.id] for phase in wanted]
    if [phase.id for phase in found.phases] != ids:
        raise _refused("its phases", "another order or other numbers", wanted[0] if wanted else None)
    dropped = {phase.id for phase in wanted if phase.standing.stand is Stand.DROPPED}
    for phase, read in zip(wanted, found.phases, strict=True):
        if phase.standing.stand is not read.standing.stand:
            raise _refused(f"phase {phase.id} ({phase.standing.stand})", f"{read.standing}", phase)
        waits = {plan.ids[id] for id in phase.depends_on if id in plan.ids and id not in dropped}
        if waits != set(read.depends_on):
            raise _refused(f"what phase {phase.id} depends on", ", ".join(read.depends_on) or "nothing", phase)


def _refused(subject: str, got: str, phase: Phase | None) -> UsageError:
    where = f" ({phase.path or 'the plan'}:{phase.line})" if phase else ""
    message = f"the plan cannot be written as a roadmap: {subject}{where} would be read as {got}"
    return UsageError(message, "nothing was written; use the other tool's files as they are, or reword that line")


def differences(plan: Plan, phase: Phase, read: Phase, tasks: str) -> Iterator[str]:
    """What of a phase could not be carried over as it was, each with its place. ``tasks``: its plan as written."""
    path = phase.path or plan.sources(phase)[-1]
    if " ".join(phase.name.split()) != read.name:
        yield f"{path}:{phase.line}: the name `{_short(phase.name)}` is written as `{_short(read.name)}`"
    if one_line(phase.goal) != read.goal and phase.goal:
        yield f"{path}:{phase.line}: the goal is read as `{_short(read.goal)}`"
    yield from _criteria(phase, read, path)
    yield from _tasks(plan, phase, read, tasks)


def _criteria(phase: Phase, read: Phase, path: str) -> Iterator[str]:
    if len(phase.criteria) != len(read.criteria):
        yield f"{path}:{phase.line}: {len(read.criteria)} of {len(phase.criteria)} criteria are read back"
        return
    for wanted, got in zip(phase.criteria, read.criteria, strict=True):
        if not same_criterion(wanted, got):
            message = f"the criterion `{_short(wanted.text)}` is read as `{_short(str(got))}`"
            yield f"{wanted.path or path}:{wanted.line}: {message}"


def _tasks(plan: Plan, phase: Phase, read: Phase, text: str) -> Iterator[str]:
    listed = plan.outline.listed.get(phase.id)
    if listed is None:
        return
    got = {task.id: task for task in parse_plan(text, "PLAN.md", read.id, plan.commands).tasks}
    for task in listed.plan.tasks:
        where = f"{task.path or listed.plan.path}:{task.line}"
        if why := listed.held.get(task.id, ""):
            yield f"{where}: task {task.id} is not carried over, because it is not to be run: {why}"
        elif is_believed(task, listed):
            continue  # it stands there as words
        elif task.id not in got:
            yield f"{where}: task {task.id} is not read back: {_short(task.title)}"
        else:
            yield from (f"{where}: task {task.id}: {lost}" for lost in _changed(task, got[task.id]))


def _changed(task: Task, got: Task) -> Iterator[str]:
    if task.action.strip() and " ".join(task.action.split()) != " ".join(got.action.split()):
        yield "its text is written with other marks, so that none of them ends a task"
    if task.wave != got.wave:
        yield f"its wave is read as {got.wave}"
    if missing := [path for path in task.files if path not in got.files]:
        yield f"{missing[0]} is not read as one of its files"
    same = len(task.criteria) == len(got.criteria)
    if not same or not all(map(same_criterion, task.criteria, got.criteria)):
        yield "its checks are read otherwise"


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"
