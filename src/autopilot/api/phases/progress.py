"""How far the project of a repository is: by its planning files, and by what the journal proves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from autopilot.api.assembly import Repository
from autopilot.api.phases.reading import Source, read_source
from autopilot.api.phases.showing import open_to_read
from autopilot.engine.history import read_history
from autopilot.engine.planning_files import CONFIG
from autopilot.events.state import RunState
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.model.run import RunStatus
from autopilot.planning.choosing.current_milestone import find_bounds, find_current
from autopilot.planning.config.config import parse_config
from autopilot.planning.editing.phase_folders import own_folder
from autopilot.planning.plan.files import find_plans, plan_number
from autopilot.planning.roadmap.standing.disk import Disk, inspect_folder
from autopilot.planning.roadmap.standing.notes import listed_below, one_liner, title_of
from autopilot.planning.roadmap.standing.position import STATE
from autopilot.reports.phases.project_progress import Next, PhaseProgress, Position, ProjectProgress, Standing
from autopilot.reports.run.ways_on import attempts_used, command_to_start_over, may_try_again, recorded_options
from autopilot.reports.status.gates import LANDING, find_waiting
from autopilot.settings.reading import Settings
from autopilot.text.naming import plural

PROJECT = ".planning/PROJECT.md"
MOST_RECENT = 3


def read_progress(repository: Repository, settings: Settings) -> ProjectProgress:
    with open_to_read(repository, settings) as assembly:
        source = read_source(assembly, commits=False)
        unfinished = read_history(assembly.ports.journal.read()).unfinished
        return _progress(source, unfinished, repository.path.name)


def _progress(source: Source, unfinished: RunState | None, folder: str) -> ProjectProgress:
    project = source.project
    state, config = _text(source, STATE), parse_config(_text(source, CONFIG) or "{}", CONFIG)
    disks = {phase.id: _disk(source, phase) for phase in project.roadmap.phases}
    phases = tuple(
        PhaseProgress(phase.id, phase.name, disks[phase.id].plans, disks[phase.id].summaries, _status(source, phase))
        for phase in project.roadmap.phases
    )
    return ProjectProgress(
        project=title_of(_text(source, PROJECT)) or title_of(project.text.text) or folder,
        phases=phases,
        next=_next(source, unfinished),
        position=_position(source, phases),
        profile=config.model_profile or "",
        recent=tuple(_recent(source)),
        decisions=listed_below(state, "decisions"),
        blockers=listed_below(state, "blockers"),
        todos=_count(source, ".planning/todos/pending/"),
        debug_sessions=_count(source, ".planning/debug/"),
        milestone=_milestone(source),
    )


def _milestone(source: Source) -> str:
    """The current one, where the roadmap has any."""
    current = find_current(source.project.roadmap, _open_ids(source))
    if current is None:
        return ""
    left = len(_open_ids(source).intersection(map(PhaseId, current.phases)))
    return f"{current.title} ({len(current.phases) - left} of {plural(len(current.phases), 'phase')} done)"


def _open_ids(source: Source) -> frozenset[PhaseId]:
    return frozenset(phase.id for phase in source.project.roadmap.phases if _is_open(source, phase))


def _text(source: Source, path: str) -> str:
    return (source.project.read(path) or b"").decode("utf-8", "replace")


def _disk(source: Source, phase: Phase) -> Disk:
    folder = own_folder(phase, source.project.paths)
    if phase.id in source.listed:  # another tool's list of tasks is the phase's one plan
        return Disk(plans=1, summaries=int(phase.ticked or phase.id in source.work.proven))
    return inspect_folder(folder, source.project.paths, lambda path: _text(source, path)) if folder else Disk()


def _status(source: Source, phase: Phase) -> Standing:
    disk = _disk(source, phase)
    if phase.id in source.work.proven:
        return "Proven"
    if phase.id in source.work.running:
        return "In Progress"
    if phase.ticked or phase.dropped:
        return "Complete" if phase.ticked else "Deferred"
    if not disk.plans:
        return "Pending"
    if disk.verified == "human_needed":
        return "Needs Review"
    return "Executed" if disk.finished else "In Progress" if disk.summaries else "Planned"


def _is_open(source: Source, phase: Phase) -> bool:
    return not (phase.ticked or phase.dropped or phase.id in source.work.proven)


def _next_phase(source: Source) -> Phase | None:
    """Where STATE.md is, if that is open; else the first open one of the current milestone that waits for none."""
    beyond = find_bounds(source.project.roadmap, _open_ids(source)).beyond
    found = (phase for phase in source.project.roadmap.phases if _is_open(source, phase))
    open_ = {phase.id: phase for phase in found if phase.id not in beyond}
    here = source.project.roadmap.current
    if here in open_:
        return open_[here]
    ready = (phase for phase in open_.values() if not any(id in open_ for id in phase.depends_on))
    return next(ready, next(iter(open_.values()), None))


def _position(source: Source, phases: tuple[PhaseProgress, ...]) -> Position:
    here = _next_phase(source)
    if here is None:
        return Position()
    own = next(phase for phase in phases if phase.number == here.id)
    folder = own_folder(here, source.project.paths)
    names = [PurePosixPath(path).name for path in source.project.paths if folder and path.startswith(f"{folder}/")]
    return Position(
        here.id,
        here.name,
        min(own.summaries + 1, own.plans),
        own.plans,
        own.status.lower(),
        any(name.endswith("CONTEXT.md") for name in names),
    )


def _next(source: Source, unfinished: RunState | None) -> Next:
    phase = _next_phase(source)
    if unfinished:
        return next_of_run(unfinished)
    if phase is None:
        return _next_milestone(source)
    also = (
        (f"autopilot run --discuss {phase.id}", "talk about it first"),
        (f"autopilot phase show {phase.id}", "what is read of it"),
        ("autopilot run --complete --dry-run", "everything outstanding, in order"),
    )
    return Next(f"Phase {phase.id}: {phase.name}", phase.goal, f"autopilot run {phase.id}", also)


def next_of_run(run: RunState) -> Next:
    """A resume leads nowhere while a decision is open, or when every attempt is used."""
    look = (("autopilot status", "where it stands"), ("autopilot gates", "what waits for you"))
    if waiting := next((found for found in find_waiting(run) if run.halted and found.kind != LANDING), None):
        return Next(f"Decide in {run.run}", waiting.title, waiting.command, look)
    if run.status is RunStatus.FAILED and not may_try_again(run):
        command = command_to_start_over(run, recorded_options(run))
        why = f"{attempts_used(run)}: change its plan or config first"
        return Next(f"Start over after {run.run}", why, command, look)
    return Next(f"Resume {run.run}", "it is not finished", "autopilot resume", look)


def _next_milestone(source: Source) -> Next:
    roadmap = source.project.roadmap
    also = (('autopilot phase add "NAME"', "one phase more"),)
    if not roadmap.phases:
        return Next("Milestone complete", "everything is archived", "autopilot milestone start VERSION NAME", also)
    beyond = find_bounds(roadmap, _open_ids(source)).beyond
    if planned := next(iter(beyond.values()), None):
        start = f"autopilot milestone start {planned.version}"
        return Next(
            "Milestone complete",
            f"{planned.title} is planned next",
            "autopilot milestone complete",
            ((start, "begin it"),),
        )
    why = f"all {len(roadmap.phases)} phases are finished"
    return Next("Milestone complete", why, "autopilot milestone complete", also)


def _recent(source: Source) -> Iterator[str]:
    """The last summaries, by the order of phases and plans."""
    found: list[tuple[str, str, str]] = []
    for phase in source.project.roadmap.phases:
        folder = own_folder(phase, source.project.paths)
        for plan in find_plans(source.project.paths, folder) if folder else ():
            summary = plan.replace("PLAN", "SUMMARY")
            if summary in source.project.paths and (line := one_liner(_text(source, summary))):
                found.append((phase.id, plan_number(plan), line))
    for id, plan, line in reversed(found[-MOST_RECENT:]):
        yield f"[Phase {id}{f', Plan {plan}' if plan else ''}]: {line}"


def _count(source: Source, folder: str) -> int:
    paths = (path for path in source.project.paths if path.startswith(folder) and path.endswith(".md"))
    return sum(1 for path in paths if "/" not in path[len(folder) :])
