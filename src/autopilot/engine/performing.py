"""Performing one step: record its start, let it run, record what it brings back and its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from autopilot.engine.ledger import Ledger, Recorded, Slot
from autopilot.events.entry import Entry
from autopilot.events.happened import StepEnded, StepStarted
from autopilot.events.state import step_name
from autopilot.flows.command import RunStep
from autopilot.model.errors import Unavailable
from autopilot.model.run import Step
from autopilot.ports.bundle import Ports
from autopilot.steps import (
    debug,
    execute,
    gate,
    judge,
    land,
    mini_verify,
    plan,
    plan_check,
    preflight,
    rate,
    research,
    rollback,
    triage,
    verify,
)
from autopilot.steps.context import Result, StepContext, StepRun

Steps = Mapping[Step, Callable[[StepContext], StepRun]]
STEPS: Steps = {
    Step.PREFLIGHT: preflight.perform,
    Step.TRIAGE: triage.perform,
    Step.RESEARCH: research.perform,
    Step.PLAN: plan.perform,
    Step.PLAN_CHECK: plan_check.perform,
    Step.EXECUTE: execute.perform,
    Step.MINI_VERIFY: mini_verify.perform,
    Step.DEBUG: debug.perform,
    Step.VERIFY: verify.perform,
    Step.JUDGE: judge.perform,
    Step.RATE: rate.perform,
    Step.GATE: gate.perform,
    Step.ROLLBACK: rollback.perform,
    Step.LAND: land.perform,
}


def perform_step(command: RunStep, ledger: Ledger, ports: Ports, steps: Steps = STEPS) -> Iterator[Recorded]:
    """The step's intermediate batches are durable before it goes on; its result is recorded with its end, at once."""
    slot = ledger.slot(f"{command.phase}/{step_name(command.step, command.task)}/{command.attempt}")
    yield _start(command, ledger, slot)
    phase = ledger.state.phases[command.phase]
    context = StepContext(ledger.state, phase, command.step, command.attempt, command.task, ports)
    running = steps[command.step](context)
    try:
        while True:
            yield ledger.record(slot, next(running))
    except StopIteration as end:
        result: Result = end.value
    except Unavailable as missing:
        # Ours, not the work's: the run pauses with the reason, and a resume looks again.
        result = Result("unproven", detail=f"{missing}; {missing.hint}" if missing.hint else str(missing))
    ended = StepEnded(command.phase, command.step, command.attempt, result.status, command.task, result.detail)
    yield ledger.record(slot, (*result.events, ended))


def _start(command: RunStep, ledger: Ledger, slot: Slot) -> Recorded:
    """The start carries the try in its key: it alone is recorded anew after a crash."""
    event = StepStarted(command.phase, command.step, command.attempt, command.number, command.task)
    key = f"{slot.prefix}/StepStarted/{command.number}"
    return ledger.store([Entry(ledger.state.run, key, event)])
