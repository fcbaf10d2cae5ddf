"""Exports the traces of a run while it goes on, beside it: a collector that is slow or gone is not waited for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from autopilot.api.assembly import Assembly, Repository
from autopilot.api.telemetry.exporting import RESOURCE, Receiver, make_receiver, open_journal, spans_of
from autopilot.events.entry import Head
from autopilot.model.errors import AutopilotError
from autopilot.model.secrecy.redaction import Redactor
from autopilot.settings.reading import Settings

EVERY_S = 15.0
LAST_S = 10.0  # for what is left when the run has stopped


class LiveTraces:
    """Reads the journal as any other reader does; the process that drives the run hands it nothing."""

    def __init__(self, repository: Repository, receiver: Receiver, redactor: Redactor) -> None:
        self._repository = repository
        self._receiver = receiver
        self._redactor = redactor
        self._over = threading.Event()
        self._seen = self._head()
        self._problem = ""
        self._thread = threading.Thread(target=self._follow, name="traces", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def finish(self) -> str:
        """What is left goes now. The reason why the last attempt failed, "" where it did not."""
        self._over.set()
        self._thread.join(LAST_S)
        return f"no answer within {LAST_S:g} s" if self._thread.is_alive() else self._problem

    def _follow(self) -> None:
        is_over = False
        while not is_over:
            is_over = self._over.wait(EVERY_S)
            try:
                self._export()
                self._problem = ""
            except AutopilotError as error:
                self._problem = str(error)

    def _export(self) -> None:
        """What could not be sent is tried again with what comes next."""
        with closing(open_journal(self._repository)) as journal:
            head = journal.head()
            if head.seq == self._seen.seq:
                return
            runs = dict.fromkeys(stored.run for stored in journal.read(after=self._seen if self._seen.seq else None))
            spans = [
                span
                for run in runs
                for span in spans_of(journal.read(run), self._repository, self._redactor, self._seen.seq)
            ]
        self._receiver.send(spans, RESOURCE)
        self._seen = head

    def _head(self) -> Head:
        with closing(open_journal(self._repository)) as journal:
            return journal.head()


@contextmanager
def traced(assembly: Assembly, settings: Settings, warn: Callable[[str], None]) -> Iterator[None]:
    """Export what happens meanwhile, where the user's settings say so. Nothing of it ends a run."""
    if not settings.telemetry.otlp:
        yield
        return
    try:
        traces = LiveTraces(assembly.repository, make_receiver(settings), assembly.redactor)
    except AutopilotError as error:
        warn(f"no traces are exported: {error}; {error.hint}")
        yield
        return
    traces.start()
    try:
        yield
    finally:
        if problem := traces.finish():
            remedy = "`autopilot trace` sends them when it is back"
            warn(assembly.redactor.clean(f"traces of this run are not complete: {problem}; {remedy}"))
