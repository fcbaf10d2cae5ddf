"""Driving a run from start to rest: lock, open, loop, projections."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from autopilot.api.assembly import Assembly
from autopilot.api.projections import Projections, ignore
from autopilot.engine.ledger import Recorded
from autopilot.engine.loop import drive
from autopilot.engine.opening import open_run
from autopilot.model.policy import Policy
from autopilot.model.run import RunRequest


def run(
    request: RunRequest,
    policy: Policy,
    assembly: Assembly,
    command: str,
    warn: Callable[[str], None] = ignore,
) -> Iterator[Recorded]:
    """Yield every recorded batch with the state after it. The last state says how the run came to rest.

    ``warn`` hears what went wrong beside the run and is no part of its record.
    """
    assembly.lock.take(command)
    try:
        yield from _run(request, policy, assembly, warn)
    finally:
        assembly.lock.release()


def _run(request: RunRequest, policy: Policy, assembly: Assembly, warn: Callable[[str], None]) -> Iterator[Recorded]:
    ports = assembly.ports
    projections = Projections(assembly.repository.path, ports.journal, warn)
    projections.catch_up()
    run_id = ""
    try:
        for recorded in open_run(request, policy, ports):
            if recorded.state.run != run_id:
                run_id = recorded.state.run
                first = recorded.entries[0].seq if recorded.entries else recorded.state.seq + 1
                projections.begin(stored for stored in ports.journal.read(run_id) if stored.seq < first)
            projections.take(recorded)
            yield recorded
        for recorded in drive(run_id, ports):
            projections.take(recorded)
            yield recorded
    finally:
        projections.write()
