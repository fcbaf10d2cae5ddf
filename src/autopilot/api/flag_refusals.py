"""Records refused flags in the newest run of the repository."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from autopilot.api.assembly import Assembly, Repository, assemble
from autopilot.api.projections import Projections
from autopilot.engine.history import read_history
from autopilot.engine.inbox import take_message
from autopilot.engine.ledger import Ledger
from autopilot.events.entry import Message
from autopilot.events.people import FlagsRefused
from autopilot.model.errors import AutopilotError
from autopilot.planning.choosing.flags import Clash
from autopilot.settings.reading import Settings


def record_refusal(repository: Repository, settings: Settings, clashes: Sequence[Clash]) -> None:
    """Without a run nothing is recorded. A failure to record must not hide the refusal itself."""
    if not repository.home.journal.exists():
        return
    with suppress(AutopilotError):
        _post_and_record(assemble(repository, settings), clashes)


def _post_and_record(assembly: Assembly, clashes: Sequence[Clash]) -> None:
    """A driving process records the message; without one it is recorded here."""
    ports = assembly.ports
    newest = next(reversed(read_history(ports.journal.read()).runs), "")
    if not newest:
        return
    time = ports.clock.now().isoformat()
    messages = [
        Message(f"flags/{newest}/{time}/{number}", newest, FlagsRefused(clash.flags, clash.reason))
        for number, clash in enumerate(clashes)
    ]
    for message in messages:
        ports.journal.post(message)
    assembly.lock.take("autopilot run")
    try:
        _record(assembly, newest, messages)
    finally:
        assembly.lock.release()


def _record(assembly: Assembly, run: str, messages: Sequence[Message]) -> None:
    ports = assembly.ports
    ledger = Ledger(read_history(ports.journal.read()).runs[run], ports.journal, ports.vault)
    projections = Projections(assembly.repository.path, ports.journal, eyes=ports.eyes)
    projections.begin(ports.journal.read(run))
    for message in messages:
        projections.take(take_message(ledger, ports, message))
    projections.write()
