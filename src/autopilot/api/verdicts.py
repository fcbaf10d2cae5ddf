"""A person's verdict on work that waits for it, from any process, at any time."""

from __future__ import annotations

from autopilot.api.assembly import Assembly
from autopilot.api.projections import Projections
from autopilot.engine.inbox import take_messages
from autopilot.engine.ledger import Ledger
from autopilot.engine.opening import read_history
from autopilot.events.entry import Message
from autopilot.events.recovery import VerdictGiven
from autopilot.events.state import PhaseState, RunState
from autopilot.model.errors import UsageError
from autopilot.model.run import PhaseStatus
from autopilot.planning.phase_id import parse_phase_id


def give_verdict(assembly: Assembly, phase: str, verdict: str, issues: tuple[str, ...], by: str) -> str:
    """Post it. A driving process takes it up; when nobody drives, it is recorded here and `resume` acts on it."""
    if verdict == "issues_found" and not issues:
        raise UsageError("issues_found needs at least one issue", f'autopilot verdict {phase} issues_found --issue "…"')
    ports = assembly.ports
    run, waiting = _find(assembly, phase)
    assert waiting.deferral is not None
    if waiting.deferral.verdict:
        raise _has_one(phase, waiting.deferral.verdict, waiting.deferral.issues)
    key = f"verdict/{run.run}/{waiting.id}/{waiting.attempt}/{len(waiting.cycles)}"
    given = VerdictGiven(waiting.id, verdict, issues, by)
    kept = ports.journal.post(Message(key, run.run, given))
    if kept.event != given:
        assert isinstance(kept.event, VerdictGiven), "no other message has such a key"
        raise _has_one(phase, kept.event.verdict, kept.event.issues)
    if assembly.lock.holder() is not None:
        return f"phase {phase}: {verdict} is noted; the running process takes it up after its present step"
    assembly.lock.take("autopilot verdict")
    try:
        _record(assembly, run)
    finally:
        assembly.lock.release()
    return f"phase {phase}: {verdict} is recorded; act on it with: autopilot resume"


def _has_one(phase: str, verdict: str, issues: tuple[str, ...]) -> UsageError:
    said = f" ({'; '.join(issues)})" if issues else ""
    return UsageError(f"phase {phase} has its verdict already: {verdict}{said}", "autopilot resume")


def _find(assembly: Assembly, phase: str) -> tuple[RunState, PhaseState]:
    unfinished = read_history(assembly.ports.journal.read()).unfinished
    waiting = [p for p in (unfinished.phases.values() if unfinished else ()) if _waits(p)]
    for one in waiting:
        if unfinished is not None and one.id == parse_phase_id(phase):
            return unfinished, one
    names = ", ".join(p.id for p in waiting)
    raise UsageError(f"phase {phase} does not wait for a verdict", f"waiting: {names}" if names else "autopilot status")


def _waits(phase: PhaseState) -> bool:
    return phase.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION


def _record(assembly: Assembly, run: RunState) -> None:
    ports = assembly.ports
    state = read_history(ports.journal.read()).runs[run.run]
    ledger = Ledger(state, ports.journal, ports.vault)
    projections = Projections(assembly.repository.path, ports.journal)
    projections.begin(ports.journal.read(run.run))
    for recorded in take_messages(ledger, ports):
        projections.take(recorded)
    projections.write()
