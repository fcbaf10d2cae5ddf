"""Who our commits are by, and what they are called."""

from __future__ import annotations

from autopilot.model.planning.plan import FIX, Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.ports.git import Author

AUTHOR = Author("Autopilot", "autopilot@localhost")


def task_subject(phase: PhaseId, task: Task) -> str:
    """The sources' forms: ``feat(02): 02-01 - title``, ``fix(audit): close REQ-1 gap -- what was missing``."""
    title = " ".join(task.title.split()) or "task"
    if task.type == FIX:
        return f"fix(audit): {title}"
    return f"feat({phase.zfill(2) if phase.isdigit() else phase}): {task.id} - {title}"


def fix_subject(phase: PhaseId, attempt: int) -> str:
    return f"fix({phase.zfill(2) if phase.isdigit() else phase}): debug {attempt} - fix what did not hold"
