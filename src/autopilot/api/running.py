"""Drives a run from start to stop: lock, open, loop, projections."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing

from autopilot.adapters.journal.chain import naming_folder
from autopilot.api.assembly import Assembly
from autopilot.api.log_snapshot import load_log
from autopilot.api.projections import Projections, ignore_warning
from autopilot.engine.debugging.session_opening import open_session
from autopilot.engine.drafting import open_draft
from autopilot.engine.history import SNAPSHOT_EVERY, load_history
from autopilot.engine.issue.issue_opening import open_issue
from autopilot.engine.ledger import Recorded
from autopilot.engine.leftovers import prune_records
from autopilot.engine.loop import drive
from autopilot.engine.opening import open_run
from autopilot.events.state import RunState
from autopilot.model.policy import Policy
from autopilot.model.run import RunRequest, RunStatus
from autopilot.ports.bundle import Ports


def ignore_state(_: RunState) -> None: ...


def run(
    request: RunRequest,
    policy: Policy,
    assembly: Assembly,
    command: str,
    warn: Callable[[str], None] = ignore_warning,
    listen: Callable[[RunState], None] = ignore_state,
) -> Iterator[Recorded]:
    """Yield every recorded batch with the state after it. The last state says why the run stopped.

    ``warn`` receives problems that are not part of the record. ``listen`` receives every state before the run
    continues, and may post answers to its questions.
    """
    state, notice = RunState(), None
    assembly.lock.take(command)
    try:
        assembly.checkout_lock.take(command)
        with naming_folder(assembly.repository.home.root), closing(_run(request, policy, assembly, warn)) as batches:
            for recorded in batches:
                state = recorded.state
                listen(state)
                yield recorded
        if state.status is RunStatus.COMPLETED:
            prune_records(assembly.ports)
        notice = assembly.announcer.claim(state)
    finally:
        assembly.checkout_lock.release()
        assembly.lock.release()
    if notice is not None:
        assembly.announcer.announce(notice, warn)


def _run(
    request: RunRequest, policy: Policy, assembly: Assembly, warn: Callable[[str], None]
) -> Generator[Recorded, None, None]:
    ports = assembly.ports
    projections = Projections(assembly.repository.path, ports.journal, warn, ports.eyes)
    projections.catch_up()
    run_id = ""
    try:
        for recorded in _open(request, policy, ports):
            if recorded.state.run != run_id:
                run_id = recorded.state.run
                first = recorded.entries[0].seq if recorded.entries else recorded.state.seq + 1
                projections.resume(run_id, first)
            projections.take(recorded)
            yield recorded
        snapshot_at = ports.journal.head().seq
        for recorded in drive(run_id, ports):
            projections.take(recorded)
            yield recorded
            if recorded.state.seq - snapshot_at >= SNAPSHOT_EVERY:
                snapshot_at = recorded.state.seq
                load_history(ports.journal)
                load_log(ports.journal, run_id, snapshot_at + 1)
    finally:
        projections.write()


def _open(request: RunRequest, policy: Policy, ports: Ports) -> Iterator[Recorded]:
    if request.issue is not None:
        return open_issue(request, request.issue, policy, ports)
    if request.debug is not None:
        return open_session(request, request.debug, policy, ports)
    if request.draft is not None:
        return open_draft(request, request.draft, policy, ports)
    return open_run(request, policy, ports)
