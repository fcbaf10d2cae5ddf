"""Builds the report of a run, for `autopilot report` and for the files written when a run stops."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.files import translated, write_atomically
from autopilot.adapters.git.checkout.documents import read_document
from autopilot.adapters.journal.chain import naming_folder
from autopilot.adapters.lock import FileLock
from autopilot.adapters.redaction import make_redactor
from autopilot.api.assembly import Repository
from autopilot.api.missing_record import NO_RUN, explain_no_run, open_record
from autopilot.api.visual.report_pictures import read_pictures
from autopilot.engine.history import read_history
from autopilot.events.entry import Stored
from autopilot.events.state import RunState
from autopilot.model.errors import UsageError
from autopilot.model.run import RunStatus
from autopilot.ports.journal import Journal
from autopilot.reports.ci.code_quality import render_code_quality
from autopilot.reports.ci.sarif import render_sarif
from autopilot.reports.debugging.progress import session_ending
from autopilot.reports.debugging.session_file import render_session
from autopilot.reports.event_log.log import event_log
from autopilot.reports.html.page import render_html
from autopilot.reports.issue.report import render_issue_report, render_issue_summary
from autopilot.reports.run.batch import build_batch, render_batch, render_batch_json
from autopilot.reports.run.ci_summary import render_ci_summary
from autopilot.reports.run.completion import render_completion
from autopilot.reports.run.junit import render_junit
from autopilot.reports.run.metrics import ForeignMetrics, RunMetrics, foreign_rows, is_over, run_metrics
from autopilot.reports.run.trend import Trend, find_trend
from autopilot.reports.status.files import BATCH, BATCH_DATA, HTML, METRICS, completion_path
from autopilot.reports.status.state_json import state_document
from autopilot.text.naming import render_runs


class RunReport(Struct, frozen=True):
    """A run, its record, and the metrics of every finished run up to it, its own last."""

    state: RunState
    entries: tuple[Stored, ...]
    rows: tuple[RunMetrics, ...]
    runs: tuple[str, ...]  # the names of all runs
    alive: bool = True  # whether a process is at work in the repository
    foreign: tuple[ForeignMetrics, ...] = ()  # of runs of other programs before it, oldest first
    pictures: Mapping[str, bytes] = {}  # of interfaces, by digest

    @property
    def trend(self) -> Trend | None:
        """None for the first run and for an unfinished run, which has no metrics yet."""
        every: list[RunMetrics | ForeignMetrics] = [*self.foreign, *self.rows]
        if self.foreign:
            every.sort(key=lambda row: row.timestamp)
        return find_trend(every) if is_over(self.state) else None

    @property
    def markdown(self) -> str:
        state = self.shown
        if state.debugging is not None:
            return render_session(state.debugging)
        return render_issue_report(state, state.issue) if state.issue else render_completion(state, self.trend)

    @property
    def summary(self) -> str:
        """The short report, for the summary of a CI job."""
        state = self.shown
        if state.debugging is not None:
            return "".join(f"{line.strip()}\n" for line in session_ending(state.debugging))
        return render_issue_summary(state, state.issue) if state.issue else render_ci_summary(state, self.trend)

    def html(self, root: str = "..") -> str:
        return render_html(self.shown, self.entries, self.rows, root, self.pictures)

    @property
    def shown(self) -> RunState:
        """The state for people: a run that its process left behind does not run any more."""
        if self.alive or self.state.halted or self.state.archived:
            return self.state
        session = replace(self.state.session, stop_reason="interrupted: its process has ended")
        return replace(self.state, status=RunStatus.PAUSED, session=session)

    def files(self) -> Iterator[tuple[str, str]]:
        """Path and text of the files that are written when the run stops."""
        yield HTML, self.html()
        if is_over(self.state):
            if self.state.inputs.intent.complete:
                yield BATCH, render_batch(self.state)
                yield BATCH_DATA, render_batch_json(self.state)
            yield completion_path(self.state.now), self.markdown

    def document(self) -> dict[str, Any]:
        """`report --json`: state.json with metrics, trend and batch report."""
        return {
            **state_document(self.state, event_log(self.entries)),
            "run_metrics": None if not self.state.is_of_roadmap else msgspec.to_builtins(run_metrics(self.state)),
            "trend_summary": msgspec.to_builtins(self.trend),
            "batch_completion": msgspec.to_builtins(build_batch(self.state))
            if self.state.inputs.intent.complete
            else None,
        }


def build_report(journal: Journal, run: str = "", metrics: bytes | None = None) -> RunReport:
    """The report of the named or the last run; UsageError if there is none. ``metrics``: the file in the checkout."""
    entries = tuple(journal.read())
    history = read_history(entries)
    runs = history.runs
    if history.last is None:
        raise UsageError(NO_RUN, "`autopilot run all` starts one")
    name = run or history.last.run
    own = tuple(stored for stored in entries if stored.run == name)
    return report_of(runs, name, own, metrics)


def report_of(
    runs: Mapping[str, RunState], name: str, entries: tuple[Stored, ...], metrics: bytes | None = None
) -> RunReport:
    """Of one of all runs, oldest first, with the record of that one."""
    if name not in runs:
        raise UsageError(f"there is no run named {name!r}", render_runs(list(runs)))
    until = list(runs)[: list(runs).index(name) + 1]
    rows = tuple(run_metrics(runs[name_]) for name_ in until if is_over(runs[name_]))
    foreign = foreign_rows(metrics, runs, rows[-1].timestamp) if rows else ()
    return RunReport(runs[name], entries, rows, tuple(runs), foreign=foreign)


def read_report(repository: Repository, run: str = "") -> RunReport:
    """The report read from the journal, also while a run is in progress."""
    journal = open_record(repository.home, repository.path)
    if journal.head().seq == 0:
        raise explain_no_run(repository.home, repository.path)
    metrics = read_document(repository.path, METRICS)
    with naming_folder(repository.home.root):
        report = build_report(journal, run, metrics)
    pictures = read_pictures(FileBlobs(repository.home.visual, make_redactor({})), report.state)
    return replace(report, alive=FileLock(repository.home.lock).holder() is not None, pictures=pictures)


def write_html(report: RunReport, repository: Repository, file: Path) -> None:
    """Write the HTML report; its links are relative to its own folder."""
    html = report.html(os.path.relpath(repository.path, file.absolute().parent))
    _write(file, html, repository.path)


def write_junit(report: RunReport, file: Path, checkout: Path) -> None:
    _write(file, render_junit(report.state), checkout)


def write_sarif(report: RunReport, file: Path, checkout: Path) -> None:
    _write(file, render_sarif(report.shown), checkout)


def write_code_quality(report: RunReport, file: Path, checkout: Path) -> None:
    _write(file, render_code_quality(report.shown), checkout)


def write_summary(report: RunReport, file: Path, checkout: Path) -> None:
    _write(file, report.summary, checkout)


def _write(file: Path, text: str, checkout: Path) -> None:
    """Write atomically; a pipe or a terminal is written to and not replaced."""
    check_target(file, checkout)
    failure = f"the report cannot be written to {file}"
    with translated(file, failure):
        if file.exists() and not file.is_file():
            file.write_text(text, encoding="utf-8")
            return
    write_atomically(Path(os.path.realpath(file)), text.encode(), failure=failure)


def check_target(file: Path, checkout: Path, subject: str = "the report") -> None:
    """Refuse what no report can be written to, which is known before there is one."""
    failure = f"{subject} cannot be written to {file}"
    _refuse_links(file, checkout, failure)
    if file.is_dir():
        raise UsageError(f"{failure}: it is a folder", "name a file in it")
    folder = Path(os.path.realpath(file)).parent
    with translated(folder, failure):
        if not folder.exists():
            raise UsageError(f"{failure}: the folder {folder} does not exist", "create the folder, or name another one")


def _refuse_links(file: Path, checkout: Path, failure: str) -> None:
    """Refuse symbolic links in the checkout that lead out of it or into .git: an agent may have committed them."""
    written, real, root = (
        Path(os.path.normpath(file.absolute())),
        Path(os.path.realpath(file)),
        Path(os.path.realpath(checkout)),
    )
    if not any(written.is_relative_to(folder) for folder in (checkout.absolute(), root)):
        return
    folders = (folder for folder in (checkout.absolute(), root) if written.is_relative_to(folder))
    if any(".git" in written.relative_to(folder).parts for folder in folders):
        raise UsageError(f"{failure}: it is in git's own folder", "name a file elsewhere")
    if not real.is_relative_to(root) or ".git" in real.relative_to(root).parts:
        raise UsageError(
            f"{file} is a symbolic link out of the repository or into .git",
            "name another file, or remove the symbolic link",
        )
