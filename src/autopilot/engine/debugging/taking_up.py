"""Which debug session a call takes up: by its name, the beginning of one, or the very words it was started with."""

from __future__ import annotations

from collections.abc import Collection

from autopilot.engine.history import History
from autopilot.events.debugging.handover import sessions_left
from autopilot.events.state import RunState
from autopilot.model.debugging.session import DebugRequest


def session_taken_up(asked: DebugRequest, history: History) -> RunState | None:
    """None where the call starts a new one."""
    if asked.slug:
        return history.sessions.get(full_name(asked.slug, history))
    # Of those with the same words only one that was interrupted: the same command resumes it, as it does a run.
    same = [run for run in history.all_unfinished if run.debugging and run.debugging.brief.text == asked.text]
    return same[-1] if same else None


def full_name(slug: str, history: History) -> str:
    return match_name(slug, (*history.sessions, *sessions_left(history.runs.values())))


def match_name(slug: str, names: Collection[str]) -> str:
    """The beginning of a name will do where only one begins so; anything else stays as it was given."""
    begun = [name for name in names if name.startswith(slug)]
    return begun[0] if slug not in names and len(begun) == 1 else slug
