"""Progress after the phases: does all of it fit together, is everything there, and which version it is."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.events import closing as c
from autopilot.events import happened as h
from autopilot.events.state import PhaseState
from autopilot.model.audit import NO_VERSION_FILE, Gap
from autopilot.reports.markdown import seconds
from autopilot.reports.progress.steps import check_lines
from autopilot.text.naming import plural

Closing = c.ClosingBegun | c.ClosingEvent
CLOSING = (
    *(c.ClosingBegun, c.IntegrationChecked, c.AuditStarted, c.Audited, c.AuditEnded),
    *(c.VersionAdvised, c.VersionBumped, c.VersionKept),
)


def closing_lines(event: Closing) -> Iterator[str]:
    match event:
        case c.ClosingBegun(brief=brief, tasks=tasks):
            work = f": {plural(len(tasks), 'task')}" if tasks else ""
            yield f"--- [COMPLETION] {brief.name}{work} ---"
        case c.IntegrationChecked(report=report, gaps=gaps):
            yield f"[Phase {event.phase}] Integration: {'pass' if report.passed else 'fail'}"
            yield from _gap_lines(event.phase, gaps)
        case c.AuditStarted(phases=phases, spec=spec):
            yield f"[Phase {event.phase}] Self-audit: {plural(len(phases), 'phase')} against {spec}"
        case c.Audited():
            yield from _audited(event)
        case c.AuditEnded(checked=checked, passed=passed, found=found, fixed=fixed, remaining=remaining):
            counts = f"{passed}/{checked} passed on first check, {plural(found, 'gap')} found, {fixed} fixed"
            yield f"[Phase {event.phase}] Self-audit complete. {counts}, {len(remaining)} remaining"
            if event.problem:
                yield f"[Phase {event.phase}] warning: the self-audit did not finish: {event.problem}"
            if event.unaudited:
                yield f"[Phase {event.phase}] warning: the auditor did not report on {', '.join(event.unaudited)}"
        case c.VersionAdvised(problem=problem):
            # What it advises is told by what is made of it.
            if problem:
                yield f"[Phase {event.phase}] warning: the version rules could not be read: {problem}"
        case c.VersionBumped(old=old, new=new, files=files, because=because, observations=observations):
            yield from check_lines(f"[Phase {event.phase}]", observations)
            yield f"[Phase {event.phase}] Version: {old} -> {new} in {', '.join(files)} -- {because}"
        case c.VersionKept(because=because):
            if because != NO_VERSION_FILE:
                yield f"[Phase {event.phase}] Version: unchanged -- {because}"


def closing_phase_lines(event: h.LifeEvent, phase: PhaseState) -> Iterator[str]:
    """A round of fixes ends as a phase does; it is none of those that are counted."""
    took = seconds(phase.started_at, phase.ending.completed_at)
    match event:
        case h.PhaseCompleted():
            score = f": {phase.reviews.score}/10" if phase.reviews.score is not None else ""
            yield f"--- [COMPLETION] {phase.brief.name} complete{score} | {took}s ---"
        case h.PhaseFailed(reason=reason):
            yield f"--- [COMPLETION] {phase.brief.name} failed: {reason} | {took}s ---"
        case _:
            return


def _audited(event: c.Audited) -> Iterator[str]:
    prefix = f"[Phase {event.phase}]"
    if event.cycle == 0:
        gaps = plural(len(event.gaps), "gap")
        yield f"{prefix} Self-audit: {plural(len(event.results), 'requirement')} checked, {gaps} found"
        yield from _gap_lines(event.phase, event.gaps)
        return
    for requirement in event.closed:
        yield f"{prefix} {requirement}: gap closed"
    yield f"{prefix} Self-audit cycle {event.cycle}: {len(event.closed)} closed, {len(event.gaps)} open"


def _gap_lines(phase: str, gaps: tuple[Gap, ...]) -> Iterator[str]:
    for gap in gaps:
        yield f"[Phase {phase}] {gap.requirement}: gap ({gap.complexity}) -- {gap.description}"
