"""Which new source files nothing refers to: written, and wired to nothing (EXEC, the wire check)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from autopilot.inspection.wiring.naming import Source, Target, names
from autopilot.inspection.wiring.standalone import is_standalone
from autopilot.text.file_kind import is_ours, is_test


class Wiring(Struct, frozen=True):
    orphans: tuple[str, ...] = ()  # nothing refers to them
    only_tested: tuple[str, ...] = ()  # nothing but tests does: fine for a library, telling in a program


def orphans(added: Sequence[str], texts: Mapping[str, str]) -> tuple[str, ...]:
    """``texts`` holds every text file of the tree after the change, the added ones among them."""
    return wire(added, texts).orphans


def wire(added: Sequence[str], texts: Mapping[str, str]) -> Wiring:
    """One pass over the texts, and a file is asked about only until something real refers to it.

    A file that only refers to itself is an orphan; two that refer to each other are not. Plans and reports of the run
    name every file that was to be made, and so prove nothing.
    """
    wanted = [Target.of(path, texts) for path in dict.fromkeys(added) if not is_standalone(path, texts.get(path, ""))]
    waiting = {target.path: target for target in wanted if not target.is_joined}
    tested: set[str] = set()
    for path, text in texts.items():
        if is_ours(path):
            continue
        source, in_test = Source(path, text), is_test(path)
        for target in tuple(waiting.values()):
            if path == target.path or (in_test and target.path in tested):
                continue
            if names(target, source):
                if in_test:
                    tested.add(target.path)
                else:
                    del waiting[target.path]
    return Wiring(
        tuple(path for path in waiting if path not in tested), tuple(path for path in waiting if path in tested)
    )
