"""The files beside a roadmap that tell of a milestone: GSD's archives and record of it, folders of phases, STATE.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from autopilot.model.errors import UsageError
from autopilot.model.planning.milestone import Milestone
from autopilot.model.planning.roadmap import Phase
from autopilot.planning.editing.milestone_audit import render_audit, standing_of
from autopilot.planning.editing.obstacles import Work
from autopilot.planning.editing.phase_folders import own_folder
from autopilot.planning.editing.project import REQUIREMENTS, Project
from autopilot.planning.editing.state_text import with_fields
from autopilot.planning.plan.files import find_plans
from autopilot.planning.roadmap.standing.disk import MILESTONES
from autopilot.planning.roadmap.standing.notes import one_liner
from autopilot.planning.roadmap.standing.position import STATE, parse_position
from autopilot.text.naming import plural

LONGEST_GOAL = 160  # characters, in the record of milestones
RECORD = ".planning/MILESTONES.md"
Files = dict[str, bytes | None]


def archive_files(project: Project, milestone: Milestone, phases: Sequence[Phase], work: Work, date: str) -> Files:
    """The roadmap as it was, the requirements as they were, the audit, and an entry in the record of milestones."""
    where = f"{MILESTONES}/{milestone.slug}"
    files: Files = {}
    for path, content in _archives(project, where, milestone, date):
        if project.read(path) is not None:
            hint = "another milestone has this version: give this one its own, or move that file away"
            raise UsageError(f"{path} exists already", hint)
        files[path] = content
    audit = f".planning/{milestone.slug}-MILESTONE-AUDIT.md"
    if (audited := project.read(audit)) is not None:
        files[audit] = None
    files[f"{where}-MILESTONE-AUDIT.md"] = audited or render_audit(milestone, phases, work, date).encode()
    files[RECORD] = _with_entry(project.text_of(RECORD) or "", _entry(project, milestone, phases, work, date))
    return files


def _archives(project: Project, where: str, milestone: Milestone, date: str) -> Iterator[tuple[str, bytes]]:
    yield f"{where}-ROADMAP.md", project.read(project.text.path) or b""
    if (content := project.read(REQUIREMENTS)) is not None:
        head = f"# Requirements Archive: {milestone.title}\n\n**Archived:** {date}\n**Status:** SHIPPED\n\n"
        current = f"For current requirements, see `{REQUIREMENTS}`.\n\n---\n\n"
        yield f"{where}-REQUIREMENTS.md", f"{head}{current}".encode() + content


def _entry(project: Project, milestone: Milestone, phases: Sequence[Phase], work: Work, date: str) -> list[str]:
    """GSD's form, with what is proven of each phase: that only our own journal knows."""
    plans = {phase.id: _plans(project, phase) for phase in phases}
    counted = f"{plural(len(phases), 'phase')}, {plural(sum(map(len, plans.values())), 'plan')}"
    lines = [f"## {milestone.title} (Shipped: {date})", "", f"**Phases completed:** {counted}", ""]
    lines.append("**Key accomplishments:**")
    for phase in phases:
        goal = f" — {' '.join(phase.goal.split())[:LONGEST_GOAL]}" if phase.goal else ""
        lines.append(f"- Phase {phase.id}: {phase.name}{goal} ({standing_of(phase, work)})")
        for plan in plans[phase.id]:
            folder, _, name = plan.rpartition("/")
            summary = project.text_of(f"{folder}/{name.replace('PLAN', 'SUMMARY')}")
            done = one_liner(summary or "")
            lines += [f"  - {done}"] if done and done not in goal else []
    return [*lines, "", "---", "", ""]


def _with_entry(earlier: str, entry: Sequence[str]) -> bytes:
    """The newest first, below the title of the record."""
    end = "\r\n" if "\r\n" in earlier else "\n"
    head = re.match(r"#{1,3}\s[^\n]*\n(?:\r?\n)?", earlier)
    start = head[0] if head else f"# Milestones{end}{end}"
    return f"{start}{end.join(entry)}{earlier[head.end() if head else 0 :]}".encode("utf-8", "surrogateescape")


def _plans(project: Project, phase: Phase) -> Sequence[str]:
    folder = own_folder(phase, project.paths)
    return find_plans(project.paths, folder) if folder else ()


def moved_folders(project: Project, phases: Sequence[Phase], milestone: Milestone) -> dict[str, str]:
    place = f"{MILESTONES}/{milestone.slug}-phases"
    moved = {}
    for phase in phases:
        folder = own_folder(phase, project.paths)
        for path in (path for path in project.paths if folder and path.startswith(f"{folder}/")):
            moved[path] = f"{place}/{path.split('/', 2)[2]}"
    return moved


def state_of_complete(project: Project, milestone: Milestone, date: str) -> Files:
    """Where STATE.md is at a phase of another milestone, that stays its position."""
    position = parse_position(project.text_of(STATE) or "")
    is_elsewhere = position.phase in project.live and position.phase not in milestone.phases
    over = {"status": f"{milestone.version} milestone complete", "current focus": "Planning next milestone"}
    body, front = ({}, {}) if is_elsewhere else (over, {"status": "completed"})
    message = f"{date} — {milestone.version} milestone completed and archived"
    return _state(project, {**front, "last_activity": message}, {**body, "last activity": message})


def state_of_begun(project: Project, milestone: Milestone, first: Phase | None, date: str) -> Files:
    message = f"{date} — Milestone {milestone.version} started"
    body = {
        "phase": f"{first.id} ({first.name})" if first else "Not started",
        "plan": "Not started",
        "status": "Ready to plan",
        "last activity": message,
        "current focus": milestone.title,
        "milestone": milestone.title,
        "current milestone": milestone.title,
    }
    front = {
        "milestone": milestone.version,
        "milestone_name": milestone.name,
        "current_phase": first.id if first else "",
        "current_phase_name": first.name if first else "",
        "status": "planning",
        "last_activity": message,
    }
    counts = dict.fromkeys(("total_phases", "completed_phases", "total_plans", "completed_plans", "percent"), "0")
    return _state(project, front | ({} if milestone.phases else counts), body)


def _state(project: Project, front: Mapping[str, str], body: Mapping[str, str]) -> Files:
    state = project.text_of(STATE)
    if state is None or (text := with_fields(state, front, body)) == state:
        return {}
    return {STATE: text.encode("utf-8", "surrogateescape")}
