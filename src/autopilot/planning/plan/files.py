"""Where a phase's folder is, and which of its files are plans."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.roadmap.phase_id import ID, folder_prefix, phase_of_folder

PHASES = ".planning/phases"
SUPPLEMENT = "PLAN.autopilot.md"  # what a user's plan lacks, written beside it; not a plan by itself
_PLAN = re.compile(rf"(?:PLAN|(?:[A-Z]{{1,6}}-)?{ID}(?:-[0-9]+[A-Za-z]?)?-PLAN(?:-[0-9]+[A-Za-z]?(?:-[^/]*)?)?)\.md\Z")
_NESTED = re.compile(r"PLAN-[0-9]+[A-Za-z]?(?:-[^/]*)?\.md\Z")
_IGNORED = re.compile(r"-OUTLINE\.md\Z|\.pre-bounce\.md\Z")
_NUMBERS = (
    re.compile(rf"(?:[A-Z]{{1,6}}-)?{ID}-([0-9]+[A-Za-z]?)-PLAN\.md\Z"),
    re.compile(rf"(?:{ID}-)?PLAN-([0-9]+[A-Za-z]?)(?:-[^/]*)?\.md\Z"),
)


def find_plans(paths: Iterable[str], folder: str) -> tuple[str, ...]:
    """The plan files of a phase folder in the order they are worked: ``PLAN.md`` first, then by number."""
    found = []
    for path in paths:
        if not path.startswith(f"{folder}/"):
            continue
        inside = PurePosixPath(path[len(folder) + 1 :])
        name = inside.name
        direct = len(inside.parts) == 1 and _PLAN.match(name)
        nested = len(inside.parts) == 2 and inside.parts[0] == "plans" and (_NESTED.match(name) or _PLAN.match(name))
        if (direct or nested) and not _IGNORED.search(name):
            found.append(path)
    return tuple(sorted(found, key=lambda path: (_natural(plan_number(path)), path)))


def find_folder(paths: Iterable[str], phase: Phase, taken: Collection[str] = ()) -> str:
    """The phase's existing folder among repository paths, else the name to create.

    When two folders carry the number, the one named like the phase wins, then the first. Those in ``taken`` belong to
    phases that had this number before: an old plan, carried out long ago, would make the new phase look done.
    """
    names = {PurePosixPath(path).parts[2] for path in paths if path.startswith(f"{PHASES}/") and path.count("/") > 2}
    own = sorted(name for name in names if phase_of_folder(name) == phase.id and f"{PHASES}/{name}" not in taken)
    wanted = f"{folder_prefix(phase.id)}-{phase.slug}" if phase.slug else folder_prefix(phase.id)
    return f"{PHASES}/{wanted if wanted in own or not own else own[0]}"


def plan_number(path: str) -> str:
    """The "02" of ``01-02-PLAN.md``; "" for a phase's only plan."""
    name = PurePosixPath(path).name
    return next((found[1] for pattern in _NUMBERS if (found := pattern.match(name))), "")


def is_supplement(path: str) -> bool:
    return PurePosixPath(path).name == SUPPLEMENT


def built_task_id(path: str, phase: PhaseId, ordinal: int) -> str:
    """A task's id when its author gave none.

    Third task of ``01-02-PLAN.md``: "01-02.3"; of a phase's only plan: "01-03", as the sources number them. A
    supplement speaks about tasks of others: there a number made up by us would name one it does not mean.
    """
    if is_supplement(path):
        return f"unnamed-{ordinal}"
    number = plan_number(path)
    return f"{folder_prefix(phase)}-{number}.{ordinal}" if number else f"{folder_prefix(phase)}-{ordinal:02d}"


def _natural(number: str) -> tuple[int, str]:
    digits = re.match(r"[0-9]*", number)
    return (int(digits[0]) if digits and digits[0] else -1), number
