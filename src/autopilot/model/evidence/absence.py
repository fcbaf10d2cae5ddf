"""Red by absence: what a shell or an interpreter says of a program or file that is not there."""

from __future__ import annotations

import re

from autopilot.model.evidence.observation import Observation

NOT_RUNNABLE, NOT_FOUND = 126, 127
# Natural for what is yet to be built, and no word about how it behaves.
NOT_THERE = re.compile(
    r"(?:command )?not found|No such file or directory|Permission denied"
    r"|can't open file|Cannot find module|No module named|[Nn]o tests? (?:ran|found|collected)|Missing script"
)


def is_absent(red: Observation) -> bool:
    return red.exit_code in (NOT_RUNNABLE, NOT_FOUND) or NOT_THERE.search(red.excerpt) is not None
