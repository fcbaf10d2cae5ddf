"""What the folder of a phase shows of its work: plans, a summary for each, a verification."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from msgspec import Struct

from autopilot.model.planning.roadmap import Phase
from autopilot.planning.plan.files import find_plans
from autopilot.planning.roadmap.phase_id import ID, are_unrelated, phase_of_folder
from autopilot.text.frontmatter import parse_frontmatter

_SUMMARY = re.compile(r"(?:.{1,120}-)?SUMMARY(?:-.{1,120})?\.md\Z")
_OF_PHASE = re.compile(rf"(?:[A-Z]{{1,6}}-)?(?:{ID}-)?SUMMARY\.md\Z")  # of no single plan
_VERIFICATION = re.compile(r"(?:.{1,120}-)?VERIFICATION\.md\Z")

GAPS = "gaps_found"  # a status in VERIFICATION.md
MILESTONES = ".planning/milestones"
_PUT_AWAY = re.compile(rf"{re.escape(MILESTONES)}/([^/]{{1,80}})-phases/([^/]{{1,200}})/[^/]{{1,200}}\Z")


class Disk(Struct, frozen=True):
    plans: int = 0
    summaries: int = 0
    verified: str = ""  # the status in VERIFICATION.md

    @property
    def finished(self) -> bool:
        return 0 < self.plans <= self.summaries


def inspect_folder(folder: str, files: Iterable[str], read: Callable[[str], str]) -> Disk:
    own = [path for path in files if path.startswith(f"{folder}/")]
    plans = find_plans(own, folder)
    summaries = [path for path in own if _SUMMARY.match(PurePosixPath(path).name)]
    single = [path for path in summaries if not _OF_PHASE.match(PurePosixPath(path).name)]
    # One summary of the whole phase stands for its only plan, and for no more.
    count = len(summaries) if len(plans) == 1 else len(single)
    verification = next((path for path in sorted(own) if _VERIFICATION.match(PurePosixPath(path).name)), "")
    status = parse_frontmatter(read(verification)).text_of("status") if verification else ""
    return Disk(len(plans), count, status)


def put_away_with(phase: Phase, files: Iterable[str]) -> str:
    """The milestone with which GSD put the phase's folder away: it does so when a milestone is complete."""
    for path in files:
        found = _PUT_AWAY.match(path)
        if found and phase_of_folder(found[2]) == phase.id and not are_unrelated(found[2], phase.slug):
            return found[1]
    return ""
