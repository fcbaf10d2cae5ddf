"""Which new source files nothing refers to: written, and wired to nothing (EXEC, the wire check)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from autopilot.inspection.wiring.naming import Source, Target, names
from autopilot.inspection.wiring.standalone import is_standalone
from autopilot.text.file_kind import is_ours

_WORD = re.compile(r"\w[\w-]*")


def words_of(text: str) -> frozenset[str]:
    """Names in commands and scripts: `python3 -m shelf.stats` names the file stats.py."""
    return frozenset(_WORD.findall(text))


def orphans(added: Sequence[str], texts: Mapping[str, str]) -> tuple[str, ...]:
    """``texts`` holds every text file of the tree after the change, the added ones among them.

    One pass over the texts, and a file is asked about only until something refers to it. A file that only refers to
    itself is an orphan; two that refer to each other are not. Plans and reports of the run name every file that was to
    be made, and so prove nothing.
    """
    wanted = [Target.of(path, texts) for path in dict.fromkeys(added) if not is_standalone(path, texts.get(path, ""))]
    waiting = {target.path: target for target in wanted if not target.is_joined}
    for path, text in texts.items():
        if is_ours(path):
            continue
        source = Source(path, text)
        for target in tuple(waiting.values()):
            if path != target.path and names(target, source):
                del waiting[target.path]
    return tuple(waiting)
