"""The one loop: decide, perform, record, fold."""

from __future__ import annotations

import errno
from collections.abc import Iterator

from msgspec import UNSET

from autopilot.engine.history import load_run
from autopilot.engine.inbox import has_news, take_messages
from autopilot.engine.ledger import Ledger, Recorded, check_against_anchor
from autopilot.engine.performing import perform_step
from autopilot.engine.workers import Workers
from autopilot.events.happened import RunStopped
from autopilot.events.provision import WaitStarted, Woken
from autopilot.flows.command import Command, Halt, Record, RunStep, Sleep
from autopilot.flows.preparing import ask_at_checkpoint
from autopilot.flows.roadmap import decide
from autopilot.model.errors import CapReached, Interrupted
from autopilot.model.run import RunStatus, Step, StopKind
from autopilot.ports.bundle import Ports

NAP_S = 0.5  # how often a waiting run checks for messages


def drive(run: str, ports: Ports) -> Iterator[Recorded]:
    """Drive a run until it halts. Resuming is the same call on the same journal."""
    ledger = Ledger(load_run(ports.journal, run), ports.journal, ports.vault)
    workers = Workers(ledger, ports)
    while not ledger.state.halted:
        yield from take_messages(ledger, ports, cancels=not workers.phases)
        if not workers.phases and (reason := ports.interrupts.reason()) and not ledger.state.session.cancelled_by:
            yield from _stop(Interrupted("stopped between two steps", reason), ledger, ports)
            continue
        try:
            yield from _perform(decide(ledger.state, ledger.state.policy, ledger.state.now), workers, ledger, ports)
        except Interrupted as stop:
            yield from _stop(stop, ledger, ports)
        except CapReached as cap:
            yield _rest(ledger, _paused(f"{cap}; {cap.hint}", cap.exit_status, StopKind.PROBLEM))
        except OSError as error:
            # Wherever the disk fills up, it is a cap; nothing recorded is lost and the step is tried again.
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            yield _rest(ledger, _paused("the disk is full; free some space", 4, StopKind.PROBLEM))


def _perform(commands: tuple[Command, ...], workers: Workers, ledger: Ledger, ports: Ports) -> Iterator[Recorded]:
    """One command is performed here; several steps by worker threads, and every other command waits for them."""
    if ledger.state.availability.wait is not None and any(isinstance(command, RunStep) for command in commands):
        yield _wake(ledger, ports)  # what was recorded meanwhile has moved the time past the end of the wait
    match commands:
        case (RunStep() as step,) if not workers.phases:
            if step.step is Step.GATE:
                check_against_anchor(ports.journal, ports.vault)
            yield from perform_step(step, ledger, ports)
        case (Halt() as halt,) if not workers.phases:
            yield _rest(ledger, _stopped(halt))
        case _ if records := [command for command in commands if isinstance(command, Record)]:
            yield ledger.record(ledger.slot(records[0].slot), records[0].events)
        case _:
            for command in commands:
                if (
                    isinstance(command, RunStep)
                    and command.phase not in workers.phases
                    and not _is_asked_to_stop(ledger, ports)
                ):
                    if command.step is Step.GATE:
                        check_against_anchor(ports.journal, ports.vault)
                    yield from workers.begin(command)
            if workers.phases:  # no step was started when the request to stop came just now
                yield from workers.listen(lambda: has_news(ledger, ports))
            elif sleeps := [command for command in commands if isinstance(command, Sleep)]:
                yield from _sleep(min(sleeps, key=lambda sleep: sleep.until), ledger, ports)


def _sleep(command: Sleep, ledger: Ledger, ports: Ports) -> Iterator[Recorded]:
    """One short sleep of a wait; the loop repeats it until the wait is over, and reads messages in between."""
    state = ledger.state
    wait = state.availability.wait
    if wait is None or wait.until != command.until:
        slot = ledger.slot(f"wait/{state.provision.waits + 1}")
        yield ledger.record(slot, (WaitStarted(command.until, command.reason),))
    left_s = (command.until - ports.clock.now()).total_seconds()
    if left_s > 0:
        ports.clock.nap(min(NAP_S, left_s))
    else:
        yield _wake(ledger, ports)


def _wake(ledger: Ledger, ports: Ports) -> Recorded:
    """Record how long this session waited: time caps count from its start."""
    wait = ledger.state.availability.wait
    assert wait is not None, "only a wait can end"
    waited = ports.clock.now() - max(wait.since, ledger.state.session.since)
    slot = ledger.slot(f"wait/{ledger.state.provision.waits}")
    return ledger.record(slot, (Woken(max(0.0, waited.total_seconds())),))


def _is_asked_to_stop(ledger: Ledger, ports: Ports) -> bool:
    return bool(ledger.state.session.cancelled_by or ports.interrupts.reason())


def _stop(stop: Interrupted, ledger: Ledger, ports: Ports) -> Iterator[Recorded]:
    """The run was asked to stop. A cancel is in the inbox and `decide` handles it; a signal stops the run here."""
    yield from take_messages(ledger, ports)
    if not ledger.state.session.cancelled_by:
        yield _rest(ledger, _paused(str(stop), stop.exit_status, None))


def rest_cancelled(ledger: Ledger) -> Iterator[Recorded]:
    """Carry out a cancel where no loop is running."""
    for command in decide(ledger.state, ledger.state.policy, ledger.state.now):
        assert isinstance(command, Halt), "a cancelled run has nothing left to decide"
        yield _rest(ledger, _stopped(command))


def rest_rejected(ledger: Ledger) -> Iterator[Recorded]:
    """Stop a waiting run at its rejected checkpoint where no loop is running: the next resume then overrules it."""
    command = ask_at_checkpoint(ledger.state)
    is_waiting = ledger.state.status is RunStatus.WAITING
    if is_waiting and isinstance(command, Halt) and command.status is RunStatus.PAUSED:
        slot = ledger.slot(f"stop/{ledger.state.totals.resumes}/rejected")
        yield ledger.record(slot, (_stopped(command),))


def _rest(ledger: Ledger, event: RunStopped) -> Recorded:
    return ledger.record(ledger.slot(f"stop/{ledger.state.totals.resumes}"), (event,))


def _stopped(halt: Halt) -> RunStopped:
    return RunStopped(halt.status, halt.reason, halt.exit_status, kind=halt.kind, cap=halt.cap or UNSET)


def _paused(reason: str, exit_status: int, kind: StopKind | None) -> RunStopped:
    return RunStopped(RunStatus.PAUSED, reason, exit_status, kind=kind)
