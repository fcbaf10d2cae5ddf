"""The milestones of a repository with what is proven of each. It only reads, and makes no records."""

from __future__ import annotations

from autopilot.api.assembly import Repository
from autopilot.api.phases.reading import read_source
from autopilot.api.phases.showing import open_to_read
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.choosing.current_milestone import find_bounds
from autopilot.reports.phases.milestone_list import MilestoneRow
from autopilot.settings.reading import Settings


def read_milestones(repository: Repository, settings: Settings) -> tuple[MilestoneRow, ...]:
    with open_to_read(repository, settings) as assembly:
        source = read_source(assembly, commits=False)
    roadmap, proven = source.project.roadmap, set(source.work.proven)
    open_phases = frozenset(p.id for p in roadmap.phases if not (p.ticked or p.dropped or p.id in proven))
    current = find_bounds(roadmap, open_phases).current
    return tuple(
        MilestoneRow(
            each,
            is_current=each is current,
            proven=tuple(id for id in map(PhaseId, each.phases) if id in proven),
            left=tuple(id for id in map(PhaseId, each.phases) if id in open_phases),
        )
        for each in roadmap.milestones
    )
