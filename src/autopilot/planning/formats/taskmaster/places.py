"""Where Task Master keeps its tasks, which of its tags is meant, and the document that they were made of."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath

FILE, OLDER = ".taskmaster/tasks/tasks.json", "tasks/tasks.json"
STATE = ".taskmaster/state.json"
DOCS = ".taskmaster/docs"
PLACES = (FILE, STATE, DOCS, OLDER)
_DOCUMENT = re.compile(r"\.taskmaster/docs/[^/]{1,200}\.(?:txt|md)\Z")


def find(paths: Sequence[str]) -> tuple[str, ...]:
    """The list of tasks, the state that names the tag, and the document; nothing where there is no list."""
    tasks = next((path for path in (FILE, OLDER) if path in paths), "")
    if not tasks:
        return ()
    state = (STATE,) if STATE in paths and tasks == FILE else ()
    document = document_of(paths)
    return (tasks, *state, *((document,) if document else ()))


def document_of(paths: Collection[str]) -> str:
    """The requirements that the tasks were made of: ``prd``, else the only one with that in its name; "" for none."""
    found = sorted(path for path in paths if _DOCUMENT.match(path))
    named = [path for path in found if PurePosixPath(path).stem.lower() == "prd"]
    alike = [path for path in found if "prd" in PurePosixPath(path).stem.lower()]
    return named[0] if named else alike[0] if len(alike) == 1 else ""
