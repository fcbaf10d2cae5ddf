"""The edit that makes files of GSD's of another tool's plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from autopilot.model.errors import UsageError
from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.edit import Edit
from autopilot.model.planning.outline import Outline
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands
from autopilot.planning.importing.comparing import differences, must_be_same
from autopilot.planning.importing.numbering import number_phases
from autopilot.planning.importing.plan_text import render_plan
from autopilot.planning.importing.roadmap_text import Plan, render_requirements, render_roadmap
from autopilot.planning.plan.folders import find_folder
from autopilot.planning.roadmap.graph import describe_circle
from autopilot.planning.roadmap.phase_id import folder_prefix
from autopilot.planning.roadmap.roadmap import read_roadmap
from autopilot.text.naming import plural

ROADMAP, REQUIREMENTS = ".planning/ROADMAP.md", ".planning/REQUIREMENTS.md"


def import_outline(
    outline: Outline,
    title: str,
    commands: Commands,
    folders: Sequence[str] = (),
    texts: Mapping[PhaseId, str] = {},
) -> Edit:
    """``folders``: paths that lie below .planning/phases already. UsageError where the plan would not stay the same."""
    if not outline.roadmap.phases:
        reason = next(_of_reader(outline), "nothing in it is a piece of work")
        raise UsageError(f"{title} has no phase: {reason}", "correct it, or name another source: --from NAME")
    plan = Plan(outline, title, number_phases(outline.roadmap.phases), commands, texts)
    text = render_roadmap(plan)
    found = read_roadmap(text, ROADMAP, commands)
    must_be_same(plan, found)
    files = {ROADMAP: text}
    if texts or any(phase.criteria for phase in outline.roadmap.phases):
        files[REQUIREMENTS] = render_requirements(plan)
    lost: list[str] = []
    for phase, read in zip(outline.roadmap.phases, found.phases, strict=True):
        listed = outline.listed.get(phase.id)
        tasks = render_plan(read, listed, title, commands) if listed else ""
        path = f"{find_folder(folders, read)}/{folder_prefix(read.id)}-01-PLAN.md"
        lost += differences(plan, phase, read, tasks)
        files |= {path: tasks} if tasks else {}
    count = plural(len(found.phases), "phase")
    return Edit(
        f"docs: import {count} from {title.partition(' (')[0]}",
        found.phases[0].id,
        {path: text.encode("utf-8", "surrogateescape") for path, text in files.items()},
        notes=(*_of_reader(outline), *lost, *_renamed(plan), *filter(None, [describe_circle(found.phases)])),
    )


def _of_reader(outline: Outline) -> Iterator[str]:
    """What was not understood when the files were read, and so is not carried over either."""
    yield from (str(found) for found in outline.roadmap.complaints if found.severity is not Severity.INFO)


def _renamed(plan: Plan) -> Iterator[str]:
    pairs = [f"{old} is phase {new}" for old, new in plan.ids.items() if old != new]
    if pairs:
        yield f"a roadmap knows numbers alone: {', '.join(pairs)}"
