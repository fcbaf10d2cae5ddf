"""A milestone completed or begun: what changes in every planning file, or why it must not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.errors import UsageError
from autopilot.model.planning.edit import Edit
from autopilot.model.planning.milestone import Course, Milestone
from autopilot.model.planning.roadmap import Phase, PhaseId, Roadmap
from autopilot.planning.editing.checking import BY_HAND, Facts, facts_of
from autopilot.planning.editing.milestone_files import archive_files, moved_folders, state_of_begun, state_of_complete
from autopilot.planning.editing.milestone_text import with_milestone_begun, with_milestone_shipped
from autopilot.planning.editing.obstacles import Work
from autopilot.planning.editing.project import REQUIREMENTS, Project
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.planning.roadmap.standing.position import STATE, parse_position
from autopilot.planning.roadmap.standing.standing import Surroundings

_VERSION = re.compile(r"v?[0-9]{1,4}(?:\.[0-9]{1,4}){0,3}(?:-[A-Za-z][A-Za-z0-9.]{0,20})?\Z")
Files = dict[str, bytes | None]


class Completion(Struct, frozen=True):
    """What the user asks for."""

    version: str = ""  # "": the milestone that has no open phase left
    name: str = ""
    keep_folders: bool = False
    accept_unproven: bool = False


class Lack(Struct, frozen=True):
    """What phases lack before their milestone is complete, and the smallest remedy."""

    phases: tuple[PhaseId, ...]
    why: str
    remedy: str  # a command
    acceptable: bool = False  # by the user, with --accept-unproven


def find_lacks(phases: Sequence[Phase], work: Work) -> tuple[Lack, ...]:
    """One for each remedy, with every phase that needs it."""
    waiting = tuple(phase.id for phase in phases if phase.id in work.waiting)
    running = tuple(phase.id for phase in phases if phase.id in work.running and phase.id not in waiting)
    rest = [phase for phase in phases if phase.id not in {*work.running, *work.proven} and not phase.dropped]
    left = tuple(phase.id for phase in rest if _is_open(phase))
    claimed = tuple(phase.id for phase in rest if phase.ticked)
    found = (
        Lack(running, "; ".join(work.running[id] for id in running), "autopilot resume"),
        *(Lack((id,), work.running[id], f"autopilot verdict {id} pass") for id in waiting),
        Lack(left, "still open", f"autopilot run {','.join(left)}"),
        Lack(claimed, "done, unproven", f"autopilot run --force {','.join(claimed)}", acceptable=True),
    )
    return tuple(lack for lack in found if lack.phases)


def complete_milestone(project: Project, work: Work, asked: Completion, date: str) -> Edit:
    milestone = _to_complete(project, asked)
    phases = [phase for phase in project.roadmap.phases if phase.id in milestone.phases]
    _refuse_incomplete(milestone, find_lacks(phases, work), accept_unproven=asked.accept_unproven)
    text = with_milestone_shipped(project.text, milestone, phases, date)
    files: Files = {project.text.path: text.encode("utf-8", "surrogateescape")}
    files |= archive_files(project, milestone, phases, work, date)
    moved = moved_folders(project, [] if asked.keep_folders else phases, milestone)
    for old, new in moved.items():
        files |= {old: None, new: project.read(old) or b""}
    files |= state_of_complete(project, milestone, date)
    _must_read_back(project, files, frozenset(phase.id for phase in phases))
    kept = f"{REQUIREMENTS} stays as it is, beside its archived copy: the next milestone's go there"
    return Edit(
        f"docs: complete {milestone.called}",
        phases[-1].id,
        files,
        moved,
        notes=(
            f"`git tag {milestone.slug}` marks it, if you tag releases",
            *([kept] if project.read(REQUIREMENTS) is not None else []),
            _next_step(project, milestone),
        ),
    )


def start_milestone(project: Project, version: str, name: str, date: str) -> Edit:
    known = find_milestone(project.roadmap, version)
    if not known and not _VERSION.match(version):
        raise UsageError(f"{version!r} is not the version of a milestone", "write a version such as v1.1")
    milestone = known or Milestone(version if version.startswith("v") else f"v{version}", name)
    if not milestone.name and not name:
        hint = f"name it: `autopilot milestone start {version} NAME`"
        raise UsageError(f"milestone {version} has no name", hint)
    _refuse_second(project, milestone)
    milestone = replace(milestone, name=milestone.name or name)
    text = with_milestone_begun(project.text, milestone)
    files: Files = {project.text.path: text.encode("utf-8", "surrogateescape")}
    first = next((found for id in milestone.phases if (found := project.find(PhaseId(id))) and _is_open(found)), None)
    files |= state_of_begun(project, milestone, first, date)
    if all(project.read(path) == content for path, content in files.items()):
        raise UsageError(f"{milestone.called} is the current one already", "nothing was written")
    _must_read_back(project, files, frozenset())
    way = (
        f"run its phases: `autopilot run {first.id}`"
        if first
        else "add its phases: `autopilot phase add NAME --goal TEXT`"
    )
    return Edit(f"docs: start {milestone.called}", PhaseId(""), files, notes=(way,))


def find_milestone(roadmap: Roadmap, version: str) -> Milestone | None:
    """Two may have one version: the one that has phases, else one that is not shipped, else the first."""
    found = [candidate for candidate in roadmap.milestones if candidate.answers_to(version)]
    return min(found, key=lambda candidate: (not candidate.phases, candidate.course is Course.SHIPPED), default=None)


def _to_complete(project: Project, asked: Completion) -> Milestone:
    known = [candidate for candidate in project.roadmap.milestones if candidate.phases]
    if asked.version:
        named = find_milestone(project.roadmap, asked.version)
        if named and not named.phases and named.course is Course.SHIPPED:
            raise UsageError(f"{named.called} is shipped already", "`autopilot milestone` lists them")
        if named is None and known:
            listed = ", ".join(candidate.version for candidate in known)
            raise UsageError(f"the roadmap has no milestone {asked.version}", f"those with phases in it: {listed}")
        found = named if named and named.phases else None
    else:
        over = [candidate for candidate in known if not any(map(_is_open, _phases(project, candidate)))]
        begun = [candidate for candidate in known if candidate.course is Course.CURRENT]
        found = next(iter((*over, *begun, *(known if len(known) == 1 else ()))), None)
    if found is not None:
        return replace(found, name=asked.name or found.name)
    version = asked.version or project.roadmap.milestone
    if not known and not version and project.live:
        whole = "to take all its phases as one: `autopilot milestone complete v1.0 --name NAME`"
        raise UsageError("the roadmap names no milestone", whole)
    if known or not version or not project.live:
        listed = ", ".join(candidate.title for candidate in known) or "none"
        raise UsageError(
            f"which milestone is complete is not said, and the roadmap does not tell (with phases in it: {listed})",
            "name it: `autopilot milestone complete v1.0 --name NAME`",
        )
    # A roadmap without milestones is one as a whole.
    return Milestone(version, asked.name, project.live)


def _refuse_incomplete(milestone: Milestone, lacks: Sequence[Lack], *, accept_unproven: bool) -> None:
    left = [lack for lack in lacks if not (accept_unproven and lack.acceptable)]
    if not left:
        return
    why = "; ".join(map(describe_lack, left))
    ways = ["then ".join(f"`{lack.remedy}`, " for lack in left).removesuffix(", ") + " first"]
    if any(not lack.acceptable for lack in left):
        ways.append("or give a phase up: write (deferred) into its heading")
    if any(lack.acceptable for lack in left):
        ways.append("or take what is done without proof: --accept-unproven")
    raise UsageError(f"{milestone.called} is not complete: {why}", "; ".join(ways))


def describe_lack(lack: Lack) -> str:
    return f"phase{'' if len(lack.phases) == 1 else 's'} {', '.join(lack.phases)}: {lack.why}"


def _must_read_back(project: Project, files: Mapping[str, bytes | None], archived: frozenset[PhaseId]) -> None:
    """As they will lie there: exactly these phases are history now, and every other one is as it was."""

    def read(path: str) -> str:
        content = files[path] if path in files else project.read(path)
        return (content or b"").decode("utf-8", "surrogateescape")

    paths = tuple(sorted({*project.paths, *files} - {path for path, content in files.items() if content is None}))
    around = Surroundings(parse_position(read(STATE)), paths, read)
    after = parse_roadmap(read(project.text.path), project.text.path, around=around)
    wanted = {phase.id: _facts(phase, archived) for phase in project.roadmap.phases if phase.id not in archived}
    found = {phase.id: _facts(phase, archived) for phase in after.phases}
    changed = [id for id in (*wanted, *found) if wanted.get(id) != found.get(id)]
    if changed or not archived <= set(after.archived):
        which = f"phase {changed[0]}" if changed else "what is shipped"
        begun = any(candidate.phases and candidate.course is Course.CURRENT for candidate in project.roadmap.milestones)
        first = "complete the milestone that is in progress first: `autopilot milestone complete`; or "
        hint = f"{first if begun and not archived else ''}{BY_HAND}"
        raise UsageError(
            f"{project.text.path} is written in a form that this edit would damage: {which} would be read otherwise",
            hint,
        )


def _facts(phase: Phase, archived: frozenset[PhaseId]) -> Facts:
    """What waited for a phase that is history waits for nothing."""
    facts = facts_of(phase)
    return replace(facts, depends_on=facts.depends_on - archived)


def _refuse_second(project: Project, milestone: Milestone) -> None:
    if milestone.course is Course.SHIPPED:
        hint = "give the next one another version, such as `autopilot milestone start v1.1 NAME`"
        raise UsageError(f"{milestone.called} is shipped already", hint)
    for other in project.roadmap.milestones:
        is_going = other.course is Course.CURRENT and any(map(_is_open, _phases(project, other)))
        if other.title != milestone.title and is_going:
            raise UsageError(
                f"{other.called} is in progress and has open phases",
                "complete it first: `autopilot milestone complete`; or run phases of the other by number",
            )
    if milestone.course is Course.CURRENT and milestone.answers_to(project.roadmap.milestone):
        raise UsageError(f"{milestone.called} is the current one already", "nothing was written")


def _next_step(project: Project, milestone: Milestone) -> str:
    planned = [
        candidate
        for candidate in project.roadmap.milestones
        if candidate.course not in (Course.SHIPPED, Course.CURRENT)
    ]
    following = next((candidate for candidate in planned if candidate.title != milestone.title), None)
    return f"begin the next: `autopilot milestone start {following.version if following else 'VERSION NAME'}`"


def _phases(project: Project, milestone: Milestone) -> list[Phase]:
    return [found for id in milestone.phases if (found := project.find(PhaseId(id)))]


def _is_open(phase: Phase) -> bool:
    return not phase.ticked and not phase.dropped
