"""Sends the traces of a run to the collector that the user's settings name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Protocol

from autopilot import __version__
from autopilot.adapters.clock import SystemClock
from autopilot.adapters.journal.sqlite import SqliteJournal
from autopilot.adapters.key import read_key
from autopilot.api.assembly import Repository, known_secrets
from autopilot.api.evidence.phase_evidence import find_run, read_runs
from autopilot.events.entry import Stored
from autopilot.model.errors import Unavailable, UsageError
from autopilot.model.secrecy.redaction import Redactor
from autopilot.model.telemetry.spans import Attribute, Span
from autopilot.reports.telemetry.spans import SCHEMA, render_spans
from autopilot.settings.reading import Settings

INSTALL = (
    "install it with `pip install 'autopilot-roadmap[otel]'`, "
    "or where pipx installed it: `pipx inject autopilot-roadmap opentelemetry-proto`"
)
RESOURCE: dict[str, Attribute] = {"service.name": "autopilot", "service.version": __version__}


class Receiver(Protocol):
    def send(self, spans: Sequence[Span], resource: dict[str, Attribute]) -> None: ...


def make_receiver(settings: Settings) -> Receiver:
    """Unavailable without the package, UsageError where no collector is named."""
    config = settings.telemetry
    if not config.otlp:
        raise UsageError(
            "your settings name no collector for traces",
            f'write otlp = "http://127.0.0.1:4318" below [telemetry] in {settings.source}',
        )
    try:
        from autopilot.adapters.telemetry.otlp import Collector
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("opentelemetry", "google"):
            raise
        raise Unavailable(f"traces need a package that is not installed ({error.name} is missing)", INSTALL) from error
    return Collector(config.otlp, settings.telemetry_headers, SCHEMA)


def export_run(repository: Repository, settings: Settings, run: str = "") -> tuple[str, int]:
    """Of the named run or of the last one: its name, and how many spans were sent."""
    receiver = make_receiver(settings)
    runs = read_runs(repository)
    state = find_run(runs, run) if run else max(runs.values(), key=lambda known: known.seq)
    with closing(open_journal(repository)) as journal:
        spans = spans_of(journal.read(state.run), repository, known_secrets(repository, settings))
    receiver.send(spans, RESOURCE)
    return state.run, len(spans)


def spans_of(entries: Iterable[Stored], repository: Repository, redactor: Redactor, since: int = 0) -> list[Span]:
    return render_spans(entries, repository.home.root.name, redactor.clean, since)


def open_journal(repository: Repository) -> SqliteJournal:
    home = repository.home
    return SqliteJournal(home.journal, read_key(home.key), SystemClock(), readonly=True)
