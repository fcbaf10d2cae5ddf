"""The milestones of a repository with what is proven of each. It only reads, and makes no records."""

from __future__ import annotations

from autopilot.api.assembly import Repository
from autopilot.api.phases.reading import Source, must_be_gsd, read_source
from autopilot.api.phases.showing import open_to_read
from autopilot.model.errors import UsageError
from autopilot.model.planning.milestone import Milestone
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.choosing.current_milestone import find_current
from autopilot.planning.editing.milestones import describe_lack, find_lacks, find_milestone
from autopilot.planning.roadmap.standing.disk import MILESTONES
from autopilot.reports.phases.milestone_list import MilestoneCard, MilestoneRow, Step
from autopilot.settings.reading import Settings


def read_milestones(repository: Repository, settings: Settings) -> tuple[MilestoneRow, ...]:
    with open_to_read(repository, settings) as assembly:
        must_be_gsd(assembly.ports.checkout)
        source = read_source(assembly, commits=False)
    current = _current(source)
    return tuple(_row(source, candidate, current) for candidate in source.project.roadmap.milestones)


def read_milestone(repository: Repository, settings: Settings, version: str) -> MilestoneCard:
    with open_to_read(repository, settings) as assembly:
        must_be_gsd(assembly.ports.checkout)
        source = read_source(assembly, commits=False)
    roadmap, current = source.project.roadmap, _current(source)
    found = find_milestone(roadmap, version) if version else current
    if found is None:
        known = ", ".join(candidate.version for candidate in roadmap.milestones)
        hint = f"its milestones are {known}" if known else "`autopilot milestone start v1.0 NAME` begins one"
        if done := [milestone.version for milestone in roadmap.milestones if _is_done(source, milestone)]:
            hint += f"; every phase of {done[0]} is done: `autopilot milestone complete {done[0]}` archives it"
        subject = f"no milestone {version}" if version else "no current milestone"
        raise UsageError(f"{roadmap.path} has {subject}", hint)
    phases = [phase for phase in roadmap.phases if phase.id in found.phases]
    steps = tuple(
        Step(describe_lack(lack), lack.remedy, acceptable=lack.acceptable) for lack in find_lacks(phases, source.work)
    )
    archives = (path for path in source.project.paths if path.startswith(f"{MILESTONES}/{found.slug}-"))
    return MilestoneCard(
        _row(source, found, current),
        tuple((phase.id, phase.name, _stand(source, phase)) for phase in phases),
        steps,
        tuple(sorted({"/".join(path.split("/")[:3]) for path in archives})),
    )


def _is_done(source: Source, milestone: Milestone) -> bool:
    own = [phase for phase in source.project.roadmap.phases if phase.id in milestone.phases]
    return bool(own) and not any(_open(source, phase) for phase in own)


def _current(source: Source) -> Milestone | None:
    return find_current(
        source.project.roadmap, frozenset(p.id for p in source.project.roadmap.phases if _open(source, p))
    )


def _row(source: Source, milestone: Milestone, current: Milestone | None) -> MilestoneRow:
    own = [phase for phase in source.project.roadmap.phases if phase.id in milestone.phases]
    return MilestoneRow(
        milestone,
        is_current=milestone is current,
        proven=tuple(PhaseId(phase.id) for phase in own if phase.id in source.work.proven),
        left=tuple(phase.id for phase in own if _open(source, phase)),
    )


def _open(source: Source, phase: Phase) -> bool:
    return not (phase.ticked or phase.dropped or phase.id in source.work.proven)


def _stand(source: Source, phase: Phase) -> str:
    if run := source.work.proven.get(phase.id):
        return f"proven in {run}"
    return source.work.running.get(phase.id) or (str(phase.standing) if phase.standing.because else "open")
