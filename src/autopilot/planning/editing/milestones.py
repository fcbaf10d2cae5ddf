"""A milestone completed or begun: what changes in every planning file, or why it must not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.errors import UsageError
from autopilot.model.planning.edit import Edit
from autopilot.model.planning.milestone import Course, Milestone
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.editing.checking import BY_HAND
from autopilot.planning.editing.milestone_text import with_milestone_begun, with_milestone_shipped
from autopilot.planning.editing.obstacles import Work
from autopilot.planning.editing.phase_folders import own_folder
from autopilot.planning.editing.project import REQUIREMENTS, Project
from autopilot.planning.editing.state_text import with_labels
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.planning.roadmap.standing.disk import MILESTONES
from autopilot.planning.roadmap.standing.position import STATE
from autopilot.text.naming import name_phases

RECORD = ".planning/MILESTONES.md"
_VERSION = re.compile(r"v?[0-9]{1,4}(?:\.[0-9]{1,4}){0,3}\Z")


class Completion(Struct, frozen=True):
    """What the user asks for."""

    version: str = ""  # "": the milestone that has no open phase left
    name: str = ""
    keep_folders: bool = False
    accept_unproven: bool = False


def complete_milestone(project: Project, work: Work, asked: Completion, date: str) -> Edit:
    milestone = _to_complete(project, asked)
    phases = [phase for phase in project.roadmap.phases if phase.id in milestone.phases]
    _refuse_unfinished(milestone, phases, work, accept_unproven=asked.accept_unproven)
    ids = [phase.id for phase in phases]
    text = with_milestone_shipped(project.text, milestone, ids, date)
    _must_be_archived(project, text, ids)
    files: dict[str, bytes | None] = {project.text.path: text.encode("utf-8", "surrogateescape")}
    files |= _archives(project, milestone, phases, work, date)
    moved = {} if asked.keep_folders else _moved(project, phases, milestone.version)
    for old, new in moved.items():
        files |= {old: None, new: project.read(old) or b""}
    _write_state(files, project, {"status": f"{milestone.version} milestone complete", "last activity": date})
    return Edit(
        f"docs: complete milestone {milestone.title}",
        ids[-1] if ids else PhaseId(""),
        files,
        moved,
        notes=(f"`git tag {milestone.version}` marks it, if you tag releases", *_kept(project)),
    )


def start_milestone(project: Project, version: str, name: str, date: str) -> Edit:
    known = [each for each in project.roadmap.milestones if _is(each, version)]
    if not known and not _VERSION.match(version):
        raise UsageError(f"{version!r} is not the version of a milestone", "write a version such as v1.1")
    milestone = known[0] if known else Milestone(version, name)
    if not milestone.name and not name:
        raise UsageError(f"milestone {version} has no name", f"name it: `autopilot milestone start {version} NAME`")
    _refuse_second(project, milestone)
    text = with_milestone_begun(project.text, replace(milestone, name=milestone.name or name))
    after = parse_roadmap(text, project.text.path)
    if [phase.id for phase in after.phases] != list(project.live):
        raise UsageError(f"{project.text.path} is written in a form that this edit would damage", BY_HAND)
    files: dict[str, bytes | None] = {project.text.path: text.encode("utf-8", "surrogateescape")}
    labels = {
        "milestone": milestone.version,
        "milestone_name": milestone.name or name,
        "status": f"Ready to plan {milestone.version}",
        "last activity": date,
    }
    _write_state(files, project, labels)
    notes = () if milestone.phases else ("add its phases: `autopilot phase add NAME --goal TEXT`",)
    return Edit(f"docs: start milestone {milestone.version} {milestone.name or name}", PhaseId(""), files, notes=notes)


def _to_complete(project: Project, asked: Completion) -> Milestone:
    known = project.roadmap.milestones
    if asked.version:
        found = next((each for each in known if _is(each, asked.version) and each.phases), None)
    else:
        over = [each for each in known if each.phases and not any(_is_open(project, id) for id in each.phases)]
        found = (
            over[0] if over else next((each for each in known if each.course is Course.CURRENT and each.phases), None)
        )
    if found is not None:
        return replace(found, name=asked.name or found.name)
    version = asked.version or project.roadmap.milestone
    if known or not version:
        listed = ", ".join(each.title for each in known) or "none"
        raise UsageError(
            f"which milestone is complete is not said, and the roadmap does not tell (milestones in it: {listed})",
            "name it: `autopilot milestone complete v1.0 --name NAME`",
        )
    # A roadmap without milestones is one as a whole.
    return Milestone(version, asked.name, project.live)


def _refuse_unfinished(milestone: Milestone, phases: Sequence[Phase], work: Work, *, accept_unproven: bool) -> None:
    if not phases:
        raise UsageError(f"milestone {milestone.title} has no phase", "add phases to it, or take it out by hand")
    if running := [phase.id for phase in phases if phase.id in work.running]:
        hint = "let the run end: `autopilot resume`"
        raise UsageError(
            f"milestone {milestone.title} is not complete: {name_phases(running)} {_is_at(running)} work", hint
        )
    if left := [p.id for p in phases if p.id not in work.proven and not p.ticked and not p.dropped]:
        hint = f"run them: `autopilot run {' '.join(left)}`; or give one up: mark it (deferred) in the roadmap"
        raise UsageError(f"milestone {milestone.title} is not complete: {name_phases(left)} still open", hint)
    unproven = [p.id for p in phases if p.id not in work.proven and not p.dropped]
    if unproven and not accept_unproven:
        raise UsageError(
            f"milestone {milestone.title} is not proven: only the planning files call {name_phases(unproven)} done",
            f"prove it: `autopilot run --force {' '.join(unproven)}`; or take it as it is: --accept-unproven",
        )


def _is_at(phases: Sequence[PhaseId]) -> str:
    return "is at" if len(phases) == 1 else "are at"


def _must_be_archived(project: Project, text: str, phases: Sequence[PhaseId]) -> None:
    """Read back: exactly these phases are history now, and every other one is as it was."""
    before, after = parse_roadmap(project.text.text, project.text.path), parse_roadmap(text, project.text.path)
    rest = {phase.id: (phase.name, phase.goal, phase.criteria and len(phase.criteria)) for phase in before.phases}
    left = {phase.id: (phase.name, phase.goal, phase.criteria and len(phase.criteria)) for phase in after.phases}
    if left != {id: facts for id, facts in rest.items() if id not in phases} or not set(phases) <= set(after.archived):
        raise UsageError(f"{project.text.path} is written in a form that this edit would damage", BY_HAND)


def _archives(
    project: Project, milestone: Milestone, phases: Sequence[Phase], work: Work, date: str
) -> dict[str, bytes | None]:
    """GSD's three: the roadmap as it was, the requirements as they were, a record of what was shipped."""
    where = f"{MILESTONES}/{milestone.version}"
    files: dict[str, bytes | None] = {}
    for path, content in (
        (f"{where}-ROADMAP.md", project.read(project.text.path)),
        *_requirements(project, where, milestone, date),
    ):
        if project.read(path) is not None:
            hint = "another milestone has this version: give this one its own, or move that file away"
            raise UsageError(f"{path} exists already", hint)
        files[path] = content or b""
    entry = _record(milestone, phases, work, date)
    earlier = project.text_of(RECORD) or ""
    head = re.match(r"#{1,3}\s[^\n]*\n\n?", earlier)
    text = f"{head[0]}{entry}{earlier[head.end() :]}" if head else f"# Milestones\n\n{entry}{earlier}"
    return files | {RECORD: text.encode("utf-8", "surrogateescape")}


def _requirements(project: Project, where: str, milestone: Milestone, date: str) -> list[tuple[str, bytes]]:
    content = project.read(REQUIREMENTS)
    if content is None:
        return []
    head = f"# Requirements Archive: {milestone.title}\n\n**Archived:** {date}\n**Status:** SHIPPED\n\n---\n\n"
    return [(f"{where}-REQUIREMENTS.md", head.encode() + content)]


def _record(milestone: Milestone, phases: Sequence[Phase], work: Work, date: str) -> str:
    """With what is proven of it, which only our own journal knows."""
    lines = [f"## {milestone.title} (Shipped: {date})", "", f"**Phases completed:** {len(phases)} phases", ""]
    lines.append("**Key accomplishments:**")
    for phase in phases:
        how = (
            f"proven in {work.proven[phase.id]}"
            if phase.id in work.proven
            else "not run"
            if phase.dropped
            else "not proven"
        )
        lines.append(f"- Phase {phase.id}: {phase.name} ({how})")
    return "\n".join([*lines, "", "---", "", ""])


def _moved(project: Project, phases: Sequence[Phase], version: str) -> dict[str, str]:
    moved = {}
    for phase in phases:
        folder = own_folder(phase, project.paths)
        for path in (path for path in project.paths if folder and path.startswith(f"{folder}/")):
            moved[path] = f"{MILESTONES}/{version}-phases/{path.split('/', 2)[2]}"
    return moved


def _write_state(files: dict[str, bytes | None], project: Project, labels: dict[str, str]) -> None:
    state = project.text_of(STATE)
    if state is not None and (text := with_labels(state, labels)) != state:
        files[STATE] = text.encode("utf-8", "surrogateescape")


def _kept(project: Project) -> list[str]:
    return (
        [f"{REQUIREMENTS} stays as it is, beside its archived copy"] if project.read(REQUIREMENTS) is not None else []
    )


def _refuse_second(project: Project, milestone: Milestone) -> None:
    for other in project.roadmap.milestones:
        if (
            other.title != milestone.title
            and other.course is Course.CURRENT
            and any(_is_open(project, id) for id in other.phases)
        ):
            raise UsageError(
                f"milestone {other.title} is in progress and has open phases",
                "complete it first: `autopilot milestone complete`; or run phases of the other by number",
            )
    if milestone.course is Course.CURRENT and _is(milestone, project.roadmap.milestone):
        raise UsageError(f"milestone {milestone.title} is the current one already", "nothing was written")


def _is(milestone: Milestone, version: str) -> bool:
    own, other = milestone.version.casefold(), version.casefold()
    return bool(other) and own in (other, f"v{other}", f"milestone {other}")


def _is_open(project: Project, id: str) -> bool:
    found = project.find(PhaseId(id))
    return found is not None and not found.ticked and not found.dropped
