"""Stops a run, from any process: at once, or when what is in progress has ended."""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.api.assembly import Assembly
from autopilot.api.missing_record import explain_no_run
from autopilot.api.projections import Projections
from autopilot.engine.history import read_history
from autopilot.engine.inbox import take_messages
from autopilot.engine.ledger import Ledger
from autopilot.engine.leftovers import clear_leftovers
from autopilot.engine.loop import rest_cancelled
from autopilot.events.entry import Message
from autopilot.events.happened import CancelRequested
from autopilot.events.people import PauseRequested
from autopilot.events.state import RunState
from autopilot.model.errors import UsageError
from autopilot.model.run import RunStatus, StopKind
from autopilot.reports.run.ways_on import next_lines
from autopilot.reports.status.gates import resume_command

_RESTS = {RunStatus.WAITING: "it waits for you", RunStatus.FAILED: "it failed"}


def cancel(assembly: Assembly, by: str) -> str:
    """Post the request. A driving process stops within a second; without one, the run is stopped here."""
    return _ask_to_stop(assembly, "cancel", CancelRequested(by))


def pause(assembly: Assembly, by: str) -> str:
    """The same, but a driving process first ends the steps that are in progress: nothing that was paid for is lost."""
    return _ask_to_stop(assembly, "pause", PauseRequested(by))


def _ask_to_stop(assembly: Assembly, word: str, request: CancelRequested | PauseRequested) -> str:
    ports = assembly.ports
    # Only one run, of the roadmap or of an issue, can be in progress; others may be waiting.
    history = read_history(ports.journal.read())
    if history.last is None:
        raise explain_no_run(assembly.repository.home, assembly.repository.path)
    open_runs = history.all_unfinished
    under_way = [run for run in open_runs if not run.halted]
    if not under_way:
        raise _nothing_to_stop(word, open_runs)
    unfinished = under_way[-1]
    key = f"{word}/{unfinished.run}/{unfinished.totals.resumes}"
    ports.journal.post(Message(key, unfinished.run, request))
    if (holder := assembly.lock.holder()) is not None:
        if isinstance(request, PauseRequested):
            rest = "ends the step in progress, then stops; `autopilot cancel` stops it at once"
            return f"{unfinished.run} is pausing: process {holder.pid} {rest}"
        return f"{unfinished.run} is stopping: process {holder.pid} ends it within a second"
    assembly.lock.take(f"autopilot {word}")
    try:
        # The driving process may have ended meanwhile, with or without reading the request.
        unfinished = read_history(ports.journal.read()).runs[unfinished.run]
        if unfinished.halted:
            return f"{unfinished.run} is stopped; `{resume_command(unfinished)}` resumes it"
        clear_leftovers(ports)
        ledger = Ledger(unfinished, ports.journal, ports.vault)
        projections = Projections(assembly.repository.path, ports.journal, eyes=ports.eyes)
        projections.begin(ports.journal.read(unfinished.run))
        for recorded in (*take_messages(ledger, ports), *rest_cancelled(ledger)):
            projections.take(recorded)
        projections.write()
    finally:
        assembly.lock.release()
    return f"{unfinished.run} is stopped; `{resume_command(unfinished)}` resumes it"


def _nothing_to_stop(word: str, halted: Sequence[RunState]) -> UsageError:
    if not halted:
        return UsageError("no run is in progress in this repository", "`autopilot status` shows the last one")
    last = halted[-1]
    # The same ways on as `status` prints.
    first, *more = [line.strip() for line in next_lines(last)] or [f"`{resume_command(last)}` resumes it"]
    message = f"nothing to {word}: {last.run} is not running, {_RESTS.get(last.status, 'it was stopped')}"
    if last.session.stop_kind is StopKind.LIMIT:
        message += f": {last.session.stop_reason}"  # with the time that the way on speaks of
    return UsageError(message, first, more_hints=more)
