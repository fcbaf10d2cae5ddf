"""From requirement to task: the table under ``## Traceability``, and what no task answers for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.plan import Plan
from autopilot.planning.roadmap.table import split_cells
from autopilot.text.lines import Line, heading

_TASK_REF = re.compile(r"[0-9][0-9A-Za-z.]{0,30}+(?:-[0-9][0-9A-Za-z.]{0,30}+){1,30}|\b[0-9]+\b")
_ALL = re.compile(r"\W*(?:all|every)\b", re.IGNORECASE)
_RANGE = re.compile(
    r"([A-Z][A-Z0-9-]{0,40}-)([0-9]{1,6})\s*+(?:\.\.\.?|[-–—]|\bto\b|\bthrough\b)\s*(?:\1)?([0-9]{1,6})(?![\w-])",
    re.IGNORECASE,
)
_LONGEST = 500  # of a cell in which ranges are looked for

Rows = tuple[tuple[str, tuple[str, ...]], ...]


def parse_traceability(lines: Sequence[Line], ids: Sequence[str]) -> tuple[Rows, int]:
    """Requirement and the tasks named in its second column, and the line of the table's heading (0: no table)."""
    rows: list[tuple[str, tuple[str, ...]]] = []
    found_at = 0
    for line, cells in traceability_cells(lines):
        tasks = refs_in(cells[1], ids) if len(cells) > 1 else ()
        if tasks:
            rows.append((cells[0], tasks))
            found_at = found_at or _heading_above(lines, line)
    return tuple(rows), found_at


def traceability_cells(lines: Sequence[Line]) -> Iterator[tuple[Line, list[str]]]:
    """The rows of every table under a heading with this word, cut into cells."""
    opened = False
    for line in lines:
        if found := heading(line):
            opened = "traceability" in found.text.lower()
        elif opened and not line.hidden and line.text.lstrip().startswith("|"):
            yield line, [cell.strip(" `*") for cell in split_cells(line.text.strip().strip("|"))]


def _heading_above(lines: Sequence[Line], row: Line) -> int:
    return max((line.number for line in lines if line.number < row.number and heading(line)), default=0)


def requirement_findings(plans: Sequence[Plan], requirements: Sequence[str], ours: bool) -> Iterator[Complaint]:
    """Requirements mapped to the phase that no task answers for.

    Our own plans must trace each to a task. A user's plan answers for what its frontmatter lists too, and only a table
    that speaks of these very requirements is taken at its word; in any other case the gap is shown and blocks nothing.
    """
    if not plans or not requirements:
        return
    table = next((plan for plan in plans if plan.traceability_line), None)
    where = (table.path, table.traceability_line) if table else (plans[0].path, 1)
    listed = {name for plan in plans for name in plan.requirements}
    if table is None and (ours or not listed):
        message = f"no traceability table says which task answers for {', '.join(requirements[:5])}"
        yield Complaint(*where, message, Severity.BLOCKER if ours else Severity.WARNING)
        return
    rows = [row for plan in plans for row in plan.traceability]
    spoken = any(speaks_of(cell, requirement) for cell, _ in rows for requirement in requirements)
    severity = Severity.BLOCKER if ours or spoken else Severity.WARNING
    # In a plan of ours a task that only asks a person answers for nothing.
    ids = [task.id for plan in plans for task in plan.tasks if task.is_automatic or not ours]
    for requirement in requirements:
        named = [ref for cell, refs in rows if speaks_of(cell, requirement) for ref in refs]
        if not any(is_task(ref, ids) for ref in named) and (
            ours or not any(speaks_of(name, requirement) for name in listed)
        ):
            missing = "has no task" if table else "is listed by no plan"
            why = f"is traced to {', '.join(named)}, which is no task here" if named else missing
            yield Complaint(*where, f"requirement {requirement} {why}", severity)


def is_task(ref: str, ids: Sequence[str]) -> bool:
    """Whether a reference names a task: by id, by its plan's number ("02-01" of "02-01.3"), or by its own ("3")."""
    wanted = _numbers(ref)
    size = len(wanted)
    return any(_numbers(id)[-size:] == wanted or (size > 1 and _numbers(id)[:size] == wanted) for id in ids)


def refs_in(cell: str, ids: Sequence[str]) -> tuple[str, ...]:
    """What a cell names: ids of tasks or criteria, as written."""
    if _ALL.match(cell):
        return tuple(ids)
    literal = [id for id in ids if re.search(rf"(?<![\w.-]){re.escape(id)}(?![\w-])", cell)]
    return tuple(dict.fromkeys([*_TASK_REF.findall(cell), *literal]))


def speaks_of(text: str, requirement: str) -> bool:
    """By name, or inside a range such as ``AUTH-01 to AUTH-04``."""
    if re.search(rf"(?<![\w-]){re.escape(requirement)}(?![\w-])", text, re.IGNORECASE):
        return True
    prefix, _, number = requirement.rpartition("-")
    return number.isdecimal() and any(
        found[1].upper() == f"{prefix}-".upper() and int(found[2]) <= int(number) <= int(found[3])
        for found in _RANGE.finditer(text[:_LONGEST])
    )


def _numbers(name: str) -> tuple[str, ...]:
    return tuple(part.lstrip("0") or "0" for part in re.findall(r"[^\W_]+", name.lower()))
