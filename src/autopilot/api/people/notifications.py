"""Notifies the user that a run has stopped. A notification never delays or fails a run."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from autopilot.adapters.notify.command import Command
from autopilot.adapters.notify.desktop import Desktop
from autopilot.events.state import RunState
from autopilot.model.errors import AutopilotError, CapReached, Unavailable
from autopilot.model.notice import Notice, NoticeKind, Notify
from autopilot.model.secrecy.redaction import Redactor
from autopilot.ports.journal import Journal
from autopilot.ports.notifier import Notifier
from autopilot.reports.run.notice import make_notice, notice_kind
from autopilot.settings.reading import Settings

SENT_ROW = "notified"
TIMEOUT_S = 12.0  # for all notifiers together


class Announcer:
    """``claim`` while the lock is held, ``announce`` after its release: a slow webhook blocks no other process."""

    def __init__(
        self, notifiers: Sequence[Notifier], on: Sequence[str], repository: Path, journal: Journal, redactor: Redactor
    ) -> None:
        self._notifiers = tuple(notifiers)
        self._on = frozenset(on)
        self._repository = repository
        self._journal = journal
        self._redactor = redactor

    def claim(self, state: RunState) -> Notice | None:
        """The notice for this stop; None when it is not wanted or was sent before.

        It is marked as sent before it is sent: a kill in between loses the notice rather than sending it twice.
        """
        kind = notice_kind(state)
        if kind is None or kind not in self._on or not self._notifiers:
            return None
        notice_id = _notice_id(state, kind)
        try:
            before = self._journal.prepared(SENT_ROW)
            if before is not None and before[1] == notice_id:
                return None
            self._journal.prepare(state.seq, {SENT_ROW: notice_id})
        except (Unavailable, CapReached):
            return None  # without the mark it would be sent again and again
        return make_notice(state, kind, str(self._repository), self._redactor)

    def announce(self, notice: Notice, warn: Callable[[str], None]) -> None:
        problems: dict[str, str] = {}
        threads = [
            threading.Thread(target=_send, args=(notifier, notice, problems), name="notice", daemon=True)
            for notifier in self._notifiers
        ]
        for thread in threads:
            thread.start()
        deadline = time.monotonic() + TIMEOUT_S
        for notifier, thread in zip(self._notifiers, threads, strict=True):
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                problems.setdefault(notifier.name, f"no response within {TIMEOUT_S:g} s")
        if problems:
            failures = "; ".join(f"{name}: {reason}" for name, reason in sorted(problems.items()))
            warn(self._redactor.clean(f"some notifications were not sent: {failures}"))


def make_notifiers(settings: Settings) -> tuple[Notifier, ...]:
    notify: Notify = settings.notify
    notifiers: list[Notifier] = []
    if notify.desktop:
        notifiers.append(Desktop(settings.environment))
    if notify.command:
        notifiers.append(Command(notify.command, settings.environment))
    if notify.webhook:
        from autopilot.adapters.notify.webhook import Webhook  # Late: it imports the HTTP client.

        notifiers.append(Webhook(notify.webhook))
    return tuple(notifiers)


def _send(notifier: Notifier, notice: Notice, problems: dict[str, str]) -> None:
    try:
        notifier.send(notice)
    except AutopilotError as error:
        problems[notifier.name] = str(error)


def _notice_id(state: RunState, kind: NoticeKind) -> str:
    """The same id as long as nothing has changed: a run that stops repeatedly without progress notifies once."""
    phases = [[p.id, p.status.value, p.totals.attempt, p.landing.state] for p in state.phases.values()]
    gates = [gate.asked.gate for gate in state.open_gates]
    return json.dumps([state.run, kind.value, state.session.exit_status, gates, phases, state.totals.usage.tokens])
