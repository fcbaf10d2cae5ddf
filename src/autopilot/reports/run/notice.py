"""A notice: why a run stopped, for a user who is not watching it."""

from __future__ import annotations

from pathlib import PurePath

from autopilot.events.state import RunState
from autopilot.model.notice import Notice, NoticeKind, Wanted
from autopilot.model.run import RunStatus
from autopilot.model.secrecy.redaction import Redactor
from autopilot.reports.markdown import one_line, shorten
from autopilot.reports.status.brief import stop_words
from autopilot.reports.status.gates import find_waiting

LONGEST = 400  # characters of a reason
BY_HAND = (130, 143)  # whoever stopped it knows


def notice_kind(state: RunState) -> NoticeKind | None:
    """None for a run that is in progress, or was stopped by its user."""
    session = state.session
    if not state.halted or session.cancelled_by or session.pause_wanted_by or session.exit_status in BY_HAND:
        return None
    if state.status is RunStatus.WAITING:
        return NoticeKind.GATE
    return NoticeKind.COMPLETION if state.status is RunStatus.COMPLETED else NoticeKind.HALT


def make_notice(state: RunState, kind: NoticeKind, repository: str, redactor: Redactor) -> Notice:
    def clean(text: str) -> str:
        return redactor.clean(one_line(text))

    waiting = tuple(Wanted(clean(item.name), clean(item.title), clean(item.command)) for item in find_waiting(state))
    commands = [item.command for item in waiting] if kind is NoticeKind.GATE else []
    return Notice(
        kind=kind,
        run=state.run,
        repository=clean(repository),
        status=state.status,
        exit_status=state.session.exit_status or 0,
        title=clean(f"Autopilot: {PurePath(repository).name} {_WORDS[kind]}"),
        reason=shorten(clean(stop_words(state)), LONGEST),
        command=commands[0] if commands else "autopilot status" if kind is NoticeKind.HALT else "",
        waiting=waiting,
    )


_WORDS = {
    NoticeKind.GATE: "waits for you",
    NoticeKind.HALT: "has stopped",
    NoticeKind.COMPLETION: "is done",
}
