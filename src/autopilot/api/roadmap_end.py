"""Whether a repository without a run is at the end of its roadmap."""

from __future__ import annotations

import tempfile
from pathlib import Path

from msgspec.structs import replace

from autopilot.api.assembly import Repository, assemble
from autopilot.engine.planning_files import find_roadmap
from autopilot.model.errors import NothingOpen, UsageError
from autopilot.model.policy import Policy
from autopilot.planning.choosing.selection import select_phases
from autopilot.settings.reading import Settings


def find_end(repository: Repository, settings: Settings) -> NothingOpen | None:
    """What a run would say; None when something is open, or no roadmap can be read. Makes no records."""
    with tempfile.TemporaryDirectory(prefix="autopilot-roadmap-") as name:
        checkout = assemble(repository, replace(settings, state=Path(name))).ports.checkout
        try:
            select_phases((), find_roadmap(checkout, Policy()), set())
        except NothingOpen as news:
            return news
        except UsageError:
            return None
    return None
