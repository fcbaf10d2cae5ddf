"""What a resolved session teaches: an entry of learnings.md, for those who plan and build next."""

from __future__ import annotations

from collections.abc import Iterable

from autopilot.events.debugging.state import DebugState
from autopilot.events.state import RunState
from autopilot.reports.markdown import stamp


def lessons_of(runs: Iterable[RunState]) -> tuple[str, ...]:
    return tuple(lesson for run in runs if run.debugging and (lesson := lesson_of(run.debugging)))


def lesson_of(session: DebugState) -> str:
    """ "" unless a fix of it is proven: what was only thought teaches nothing."""
    cause, fix = session.cause, session.fix
    if cause is None or fix is None or not session.is_proven or session.ending is None:
        return ""
    rule = fix.rule or f"cover what showed it by a test: `{session.symptoms.reproduction if session.symptoms else ''}`"
    return (
        f"### Debug session: {session.brief.slug} -- {cause.category or 'unclassified'}\n"
        f"**Prevention rule:** {' '.join(rule.split())}\n"
        f"**Context:** Root cause: {' '.join(cause.statement.split())}. Recorded: {stamp(session.ending.time)}."
    )
