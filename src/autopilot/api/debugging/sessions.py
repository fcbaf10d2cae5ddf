"""The debug sessions of a repository: which there are, and how a person ends one."""

from __future__ import annotations

from msgspec import Struct

from autopilot.api.assembly import Assembly
from autopilot.api.projections import Projections
from autopilot.engine.debugging.session_opening import START_ONE
from autopilot.engine.debugging.taking_up import match_name
from autopilot.engine.history import History, load_history, read_history
from autopilot.engine.ledger import check_against_anchor
from autopilot.engine.leftovers import clear_leftovers
from autopilot.engine.resuming import ledger_of
from autopilot.events.debugging.handover import sessions_left
from autopilot.events.debugging.happened import SessionClosed
from autopilot.events.debugging.state import DebugState
from autopilot.events.happened import RunStopped
from autopilot.events.state import RunState
from autopilot.model.debugging.session import SESSION, DebugBrief, Status
from autopilot.model.errors import UsageError
from autopilot.model.run import RunStatus
from autopilot.reports.debugging.listing import waits_to_land


class Listed(Struct, frozen=True):
    """A session, or what a failed phase left for one."""

    brief: DebugBrief
    run: RunState | None = None  # None where nobody took it up yet

    @property
    def session(self) -> DebugState | None:
        return self.run.debugging if self.run else None

    @property
    def is_open(self) -> bool:
        return self.run is None or not is_over(self.run)


def is_over(run: RunState) -> bool:
    """Whether nothing is left for anybody to do."""
    return run.debugging is not None and run.debugging.status.is_settled and not waits_to_land(run)


def list_sessions(assembly: Assembly) -> tuple[Listed, ...]:
    return _listed(read_history(assembly.ports.journal.read()))


def find_session(assembly: Assembly, slug: str) -> Listed:
    every = list_sessions(assembly)
    name = match_name(slug, [entry.brief.slug for entry in every]) if slug else ""
    found = [entry for entry in every if (entry.brief.slug == name if name else entry.is_open)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(entry.brief.slug for entry in every)
    if slug:
        raise UsageError(
            f"there is no debug session {slug}", f"sessions of this repository: {names}" if names else START_ONE
        )
    if not found:
        raise UsageError("no debug session is open", START_ONE)
    open_names = ", ".join(entry.brief.slug for entry in found)
    raise UsageError("several debug sessions are open: name one", f"they are: {open_names}")


def end_session(assembly: Assembly, slug: str, status: Status, because: str, by: str) -> str:
    """Recorded as the user's word. A session that is being worked on is stopped first, by its own command."""
    found = find_session(assembly, slug)
    if found.run is None:
        raise UsageError(
            f"{found.brief.slug} was left by a failed phase and is no session yet",
            f"`autopilot debug continue {found.brief.slug}` continues it; a phase that passes removes it from the list",
        )
    assembly.lock.take("autopilot debug")
    try:
        ports = assembly.ports
        check_against_anchor(ports.journal, ports.vault)
        run = load_history(ports.journal).runs[found.run.run]
        session = run.debugging
        assert session is not None, "it is a debug session"
        if is_over(run):
            raise UsageError(f"debug session {found.brief.slug} is {session.status.value} already", "nothing is left")
        clear_leftovers(ports)
        _record(assembly, run, SessionClosed(SESSION, status, because or f"{status.value} by {by}", by))
    finally:
        assembly.lock.release()
    return f"debug session {found.brief.slug} is {status.value}; its file: {found.brief.archived_path}"


def _record(assembly: Assembly, run: RunState, closed: SessionClosed) -> None:
    ports = assembly.ports
    ledger = ledger_of(run, ports)
    projections = Projections(assembly.repository.path, ports.journal)
    projections.begin(ports.journal.read(run.run))
    stopped = RunStopped(RunStatus.COMPLETED, f"debug session {closed.status.value}: {closed.because}", 0, kind=None)
    projections.take(ledger.record(ledger.slot(f"ended/{run.totals.resumes}"), (closed, stopped)))
    projections.write()


def _listed(history: History) -> tuple[Listed, ...]:
    left = sessions_left(history.runs.values())
    sessions = (Listed(run.debugging.brief, run) for run in history.sessions.values() if run.debugging)
    return (*sessions, *(Listed(brief) for brief in left.values()))
