"""When a phase is too large for one plan, and whether a proposed split of it is valid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from msgspec import Struct

from autopilot.model.assessment import SplitProposal
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import is_numbered

MAX_COMPLEX = 5
MAX_FILES = 10
MAX_ISSUES = 3
MIN_ISSUE_FILES = 4
MAX_PARTS = len(ascii_lowercase)


class ProposalCheck(Struct, frozen=True):
    problems: tuple[str, ...] = ()  # the cut cannot be used
    warnings: tuple[str, ...] = ()  # it can, and may cost a merge


def should_split(tasks: Sequence[Task]) -> str:
    """Why the planned phase should be cut, or ""."""
    hard = sum(task.complexity == "complex" for task in tasks)
    if hard > MAX_COMPLEX:
        return f"the plan has {hard} complex tasks, more than {MAX_COMPLEX}"
    files = {file for task in tasks for file in _files(task)}
    if len(files) > MAX_FILES:
        return f"the plan touches {len(files)} files, more than {MAX_FILES}"
    return ""


def should_split_feedback(items: Sequence[tuple[str, str]]) -> str:
    """Why remediation should be cut, or "". An item is what is wrong and in which file, "" when in none."""
    files = {_clean(file) for _, file in items if file.strip()}
    if len(items) > MAX_ISSUES and len(files) >= MIN_ISSUE_FILES:
        return f"the feedback names {len(items)} issues in {len(files)} files"
    return ""


def check_proposal(proposal: SplitProposal, tasks: Sequence[Task]) -> ProposalCheck:
    return ProposalCheck(tuple(_problems(proposal, tasks)), tuple(_warnings(proposal, tasks)))


def sub_phase_id(phase: PhaseId, index: int) -> str:
    """ "20a", "20b", … Small letters: "20A" is a phase of the roadmap, and not this one; of a name "add-login.a"."""
    assert 0 <= index < MAX_PARTS, f"a phase has at most {MAX_PARTS} parts"
    return f"{phase}{'' if is_numbered(phase) else '.'}{ascii_lowercase[index]}"


def _problems(proposal: SplitProposal, tasks: Sequence[Task]) -> Iterator[str]:
    parts = proposal.sub_phases
    if len(parts) < 2:
        yield f"a split needs at least two parts, not {len(parts)}"
    if len(parts) > MAX_PARTS:
        yield f"{len(parts)} parts are more than {MAX_PARTS}"
    for number, part in enumerate(parts, 1):
        if not part.name.strip():
            yield f"part {number} has no name"
        if not part.tasks:
            yield f"part {number} has no task"
    known = {task.id for task in tasks}
    counts = Counter(id for part in parts for id in part.tasks)
    for id, count in counts.items():
        if id not in known:
            yield f"the plan has no task {id}"
        elif count > 1:
            yield f"task {id} appears {count} times"
    for task in tasks:
        if task.id not in counts:
            yield f"task {task.id} is in no part"


def _warnings(proposal: SplitProposal, tasks: Sequence[Task]) -> Iterator[str]:
    """Parts are worked on in parallel, so a file in two of them is merged from two sides."""
    part_of = {id: number for number, part in enumerate(proposal.sub_phases, 1) for id in part.tasks}
    owners: dict[str, set[int]] = {}
    for task in tasks:
        for file in _files(task) if task.id in part_of else ():
            owners.setdefault(file, set()).add(part_of[task.id])
    for file, numbers in owners.items():
        if len(numbers) > 1:
            yield f"{file} is changed by parts {', '.join(map(str, sorted(numbers)))}"


def _files(task: Task) -> set[str]:
    return {_clean(file) for file in task.files if file.strip()}


def _clean(file: str) -> str:
    return file.strip().removeprefix("./")
