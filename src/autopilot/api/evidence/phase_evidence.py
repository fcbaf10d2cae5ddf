"""Reads the evidence of one phase from the record, also while a run is in progress."""

from __future__ import annotations

from difflib import get_close_matches

import msgspec

from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.journal.chain import naming_folder
from autopilot.adapters.redaction import make_redactor
from autopilot.api.assembly import Repository
from autopilot.api.missing_record import explain_no_run, open_record
from autopilot.engine.history import read_history
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import RecordBroken, UsageError
from autopilot.model.evidence.testing import TestReport
from autopilot.ports.blobs import Blobs
from autopilot.reports.evidence.view import PhaseEvidence, ReadReport, view_evidence
from autopilot.text.naming import render_phases, render_runs


def read_evidence(repository: Repository, phase: str, run: str = "") -> PhaseEvidence:
    """The evidence in the named run, or in the last run that started this phase."""
    runs = read_runs(repository)
    if run:
        state = find_run(runs, run)
        return view_evidence(state, find_phase(state, phase), read_reports(repository))
    last = last_run_with(runs, phase) or next(reversed(runs.values()))
    return view_evidence(last, find_phase(last, phase), read_reports(repository))


def last_run_with(runs: dict[str, RunState], phase: str) -> RunState | None:
    """The last run that started this phase."""
    for state in reversed(runs.values()):
        known = all_phases(state).get(phase)
        if known is not None and known.started_at is not None:
            return state
    return None


def read_runs(repository: Repository) -> dict[str, RunState]:
    """Every run by its name, oldest first; UsageError if there is none."""
    with naming_folder(repository.home.root):
        runs = read_history(open_record(repository.home, repository.path).read()).runs
    if not runs:
        raise explain_no_run(repository.home, repository.path)
    return runs


def find_run(runs: dict[str, RunState], name: str) -> RunState:
    if name not in runs:
        raise UsageError(f"there is no run named {name!r}", render_runs(list(runs)))
    return runs[name]


def find_phase(state: RunState, name: str) -> PhaseState:
    known = all_phases(state)
    if name not in known:
        guess = get_close_matches(name, known, n=1)
        hint = f"did you mean {guess[0]}? " if guess else ""
        raise UsageError(f"{state.run} has no phase {name!r}", f"{hint}{render_phases(known)}")
    return known[name]


def read_reports(repository: Repository) -> ReadReport:
    return reports_in(FileBlobs(repository.home.blobs, make_redactor({})))


def read_stored(repository: Repository, beginning: str) -> str:
    """What a command printed, by the first characters of its digest; secrets were taken out when it was stored."""
    blobs = FileBlobs(repository.home.blobs, make_redactor({}))
    match blobs.find(beginning.lower()):
        case (digest,):
            return blobs.get(digest).decode("utf-8", "replace")
        case ():
            hint = "`autopilot evidence PHASE` shows the hash of every stored output"
            raise UsageError(f"there is no stored output {beginning}", hint)
        case several:
            raise UsageError(f"{len(several)} outputs begin with {beginning}", "write more of its characters")


def reports_in(blobs: Blobs) -> ReadReport:
    """A report that is missing, altered or written by a later version is read as None, and shown as such."""

    def read(digest: str) -> TestReport | None:
        try:
            return msgspec.json.decode(blobs.get(digest), type=TestReport)
        except (RecordBroken, msgspec.DecodeError, UnicodeError, RecursionError):
            return None

    return read


def all_phases(state: RunState) -> dict[str, PhaseState]:
    groups = (state.phases, state.parts, state.completion.closing)
    return {str(name): phase for group in groups for name, phase in group.items()}
