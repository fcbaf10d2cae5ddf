"""Does an issue stay within what its approved plan names? (AL-5)"""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.declared import covers
from autopilot.model.evidence.objection import Layer, Objection
from autopilot.model.git import Change


def judge_scope(changes: Sequence[Change], declared: Sequence[str], folder: str) -> tuple[Objection, ...]:
    """A file that was there and that the plan does not name is not this issue's to change; a new one may be.

    A plan that names no file at all sets no bounds.
    """
    if not declared:
        return ()
    existing = [change.path for change in changes if change.status != "A" and not change.path.startswith(f"{folder}/")]
    foreign = [path for path in existing if not any(covers(name, path) for name in declared)]
    if not foreign:
        return ()
    description = f"files outside the approved plan were changed: {', '.join(foreign[:5])}"
    return (Objection(Layer.CHANGE, "issue", description, foreign[0], "restore them, and report what is wrong there"),)
