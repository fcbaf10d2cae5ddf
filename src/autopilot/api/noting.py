"""A person's word into the record, from any process: through the inbox, or at once where nobody drives."""

from __future__ import annotations

from autopilot.api.assembly import Assembly
from autopilot.api.projections import Projections
from autopilot.engine.inbox import take_messages
from autopilot.engine.ledger import Ledger
from autopilot.engine.opening import read_history
from autopilot.events.entry import Message
from autopilot.events.state import RunState
from autopilot.model.errors import UsageError


def note(assembly: Assembly, message: Message, command: str) -> tuple[Message, bool]:
    """Post it; return what is kept under its key, and whether it is in the record already."""
    kept = assembly.ports.journal.post(message)
    if assembly.lock.holder() is not None:
        return kept, False
    try:
        assembly.lock.take(command)
    except UsageError:
        return kept, False  # somebody began to drive just now, and finds it in the inbox
    try:
        _record(assembly, message.run)
    finally:
        assembly.lock.release()
    return kept, True


def read_run(assembly: Assembly) -> RunState:
    """The run that can still be spoken to."""
    unfinished = read_history(assembly.ports.journal.read()).unfinished
    if unfinished is None:
        raise UsageError("no run of this repository waits for anybody", "autopilot gates")
    return unfinished


def read_state(assembly: Assembly, run: str) -> RunState:
    """A run as it is now: whoever looked at it before may have said something since."""
    return read_history(assembly.ports.journal.read()).runs[run]


def _record(assembly: Assembly, run: str) -> None:
    ports = assembly.ports
    ledger = Ledger(read_state(assembly, run), ports.journal, ports.vault)
    projections = Projections(assembly.repository.path, ports.journal)
    projections.begin(ports.journal.read(run))
    for recorded in take_messages(ledger, ports):
        projections.take(recorded)
    projections.write()
