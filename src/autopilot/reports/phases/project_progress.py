"""How far a project is, in the form that users of GSD's progress command know: Markdown with the next command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from autopilot.text.naming import plural

_WIDTH = 20
# GSD's words, and one of ours: proven.
Standing = Literal["Proven", "In Progress", "Complete", "Deferred", "Pending", "Needs Review", "Executed", "Planned"]
DONE: tuple[Standing, ...] = ("Complete", "Proven")


class PhaseProgress(Struct, frozen=True):
    number: str
    name: str
    plans: int
    summaries: int
    status: Standing


class Position(Struct, frozen=True):
    """Where the project is: a phase, and of its plans which."""

    phase: str = ""
    name: str = ""
    plan: int = 0
    plans: int = 0
    status: str = ""
    context: bool = False  # whether what the user decided about it is written down


class Next(Struct, frozen=True):
    subject: str
    why: str = ""
    command: str = ""
    also: tuple[tuple[str, str], ...] = ()  # other commands, each with what it is for


class ProjectProgress(Struct, frozen=True):
    project: str
    phases: tuple[PhaseProgress, ...]
    next: Next
    position: Position = Position()
    profile: str = ""
    recent: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()
    todos: int = 0
    debug_sessions: int = 0
    milestone: str = ""  # the current one, with how much of it is done

    @property
    def plans(self) -> int:
        return sum(phase.plans for phase in self.phases)

    @property
    def summaries(self) -> int:
        return sum(min(phase.plans, phase.summaries) for phase in self.phases)

    @property
    def percent(self) -> int:
        return round(100 * self.summaries / self.plans) if self.plans else 0


def render_progress(progress: ProjectProgress) -> Iterator[str]:
    yield from (f"# {progress.project}", "", f"**Progress:** {render_bar(progress)}")
    if progress.milestone:
        yield f"**Milestone:** {progress.milestone}"
    if progress.profile:
        yield f"**Profile:** {progress.profile}"
    yield from _section("Recent Work", progress.recent)
    yield from ("", "## Current Position", *_position(progress))
    yield from ("", "| Phase | Name | Plans | Status |", "|-------|------|-------|--------|")
    for phase in progress.phases:
        yield f"| {phase.number} | {phase.name.replace('|', '/')} | {phase.summaries}/{phase.plans} | {phase.status} |"
    yield from _section("Key Decisions Made", progress.decisions)
    yield from _section("Blockers/Concerns", progress.blockers)
    if progress.todos:
        yield from ("", "## Pending Todos", f"- {progress.todos} pending in .planning/todos/pending")
    if progress.debug_sessions:
        yield from ("", "## Active Debug Sessions", f"- {progress.debug_sessions} active in .planning/debug")
    yield from ("", "## What's Next", *_next(progress.next))


def render_bar(progress: ProjectProgress) -> str:
    """GSD's bar, which counts written plans alone, and beside it how many phases are done."""
    filled = round(_WIDTH * progress.percent / 100)
    bar = "█" * filled + "░" * (_WIDTH - filled)
    done = sum(phase.status in DONE for phase in progress.phases)
    phases = f"{done} of {plural(len(progress.phases), 'phase')} done"
    return f"[{bar}] {progress.summaries}/{progress.plans} plans ({progress.percent}%), {phases}"


def progress_document(progress: ProjectProgress) -> dict[str, Any]:
    document: dict[str, Any] = msgspec.to_builtins(progress)
    return {
        **document,
        "total_plans": progress.plans,
        "total_summaries": progress.summaries,
        "percent": progress.percent,
    }


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"## {title}", *(f"- {line}" for line in lines))


def _position(progress: ProjectProgress) -> Iterator[str]:
    here = progress.position
    if not here.phase:
        yield "at no phase"
        return
    place = [phase.number for phase in progress.phases].index(here.phase) + 1
    # "Phase 30 of 7" would say nothing: numbers go on over milestones, and decimals stand between them.
    number = here.phase if here.phase == str(place) else f"{here.phase}, number {place}"
    yield f"Phase {number} of {len(progress.phases)}: {here.name}"
    yield f"Plan {here.plan} of {here.plans}: {here.status}" if here.plans else f"no plan yet: {here.status}"
    yield f"CONTEXT: {'✓' if here.context else '-'}"


def _next(following: Next) -> Iterator[str]:
    yield f"**{following.subject}**" + (f" — {following.why}" if following.why else "")
    if following.command:
        yield from ("", f"`{following.command}`")
    if following.also:
        yield from ("", "Also available:", *(f"- `{command}` — {purpose}" for command, purpose in following.also))
