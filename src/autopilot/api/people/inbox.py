"""Records answers and verdicts from any process: through the inbox, or at once if no process drives the run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from autopilot.api.assembly import Assembly
from autopilot.api.missing_record import explain_no_run
from autopilot.api.people.settled import explain_late
from autopilot.api.projections import Projections
from autopilot.engine.history import read_history
from autopilot.engine.inbox import take_messages
from autopilot.engine.ledger import Ledger
from autopilot.engine.loop import rest_rejected
from autopilot.events.entry import Message
from autopilot.events.state import RunState
from autopilot.events.talk import HumanGate
from autopilot.model.errors import UsageError
from autopilot.model.human import GateKind
from autopilot.ports.blobs import Blobs
from autopilot.reports.status.gates import LANDING, Waiting, find_waiting

GATE_NAME = re.compile(r"[a-z]+(?:-\d+)+")


def post_and_record(assembly: Assembly, message: Message, command: str) -> tuple[Message, bool]:
    """Post a message; returns the message kept under its key, and whether it is recorded."""
    posted = assembly.ports.journal.post(message)
    if assembly.lock.holder() is not None:
        return posted, False
    try:
        assembly.lock.take(command)
    except UsageError:
        return posted, False  # a process has just started to drive, and reads the inbox
    try:
        _record(assembly, message.run)
    finally:
        assembly.lock.release()
    return posted, True


def read_open_runs(assembly: Assembly, name: str = "") -> tuple[RunState, ...]:
    """Unfinished runs of the roadmap and of issues, the most recent one last. ``name``: what a decision is about."""
    history = read_history(assembly.ports.journal.read())
    unfinished = history.all_unfinished
    if history.last is None:
        raise explain_no_run(assembly.repository.home, assembly.repository.path)
    if not unfinished:
        raise explain_late(history.last, name)
    return unfinished


def choose_run(runs: Sequence[RunState], name: str = "") -> RunState:
    """The waiting run; else the run whose gate was answered already; else the most recent one."""
    waiting = [run for run in runs if is_waiting_for(run, name)]
    if len(waiting) > 1:
        raise UsageError("several runs are waiting for you; name the gate", _open_words(waiting, name))
    answered = [run for run in runs if name in run.people.gates]
    return (waiting or answered or list(runs))[-1]


def choose_run_by_word(runs: Sequence[RunState], word: str) -> RunState:
    """The run whose gate the word names, or else the only waiting run: the word may be an answer to it."""
    if any(word in run.people.gates or is_waiting_for(run, word) for run in runs):
        return choose_run(runs, word)
    waiting = [run for run in runs if is_waiting_for(run, "")]
    if GATE_NAME.fullmatch(word) and len(waiting) > 1:
        raise UsageError(f"there is no open gate named {word}", _open_words(waiting, ""))
    return choose_run(runs)


def _open_words(waiting: Sequence[RunState], name: str) -> str:
    names = (f"{wait.name} ({run.run})" for run in waiting for wait in find_waiting(run) if _matches(wait, name))
    return f"open: {', '.join(names)}"


def is_waiting_for(run: RunState, name: str) -> bool:
    return any(_matches(waiting, name) for waiting in find_waiting(run))


def _matches(waiting: Waiting, name: str) -> bool:
    """By name or prefix; a waiting landing needs no answer."""
    return waiting.kind != LANDING and (not name or waiting.name == name or waiting.name.startswith(f"{name}-"))


def read_state(assembly: Assembly, run: str) -> RunState:
    """The current state of a run; it may have changed since it was last read."""
    return read_history(assembly.ports.journal.read()).runs[run]


def read_gate_message(assembly: Assembly, state: RunState, gate: HumanGate) -> str:
    """The message presented with a gate; "" if it has only questions."""
    return read_presented(assembly.ports.blobs, state, gate)


def read_presented(blobs: Blobs, state: RunState, gate: HumanGate) -> str:
    presented = state.issue.presentation.last if state.issue else None
    if presented is None or gate.asked.kind not in (GateKind.DESIGN, GateKind.CAUSE):
        return ""
    return blobs.get(presented.body).decode("utf-8", "replace")


def _record(assembly: Assembly, run: str) -> None:
    ports = assembly.ports
    ledger = Ledger(read_state(assembly, run), ports.journal, ports.vault)
    projections = Projections(assembly.repository.path, ports.journal, eyes=ports.eyes)
    projections.begin(ports.journal.read(run))
    for recorded in (*take_messages(ledger, ports), *rest_rejected(ledger)):
        projections.take(recorded)
    projections.write()
