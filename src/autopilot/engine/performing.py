"""Performing one step: record its start, let it run, record what it brings back and its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from autopilot.engine.ledger import Ledger, Recorded, Slot
from autopilot.events.entry import Entry
from autopilot.events.happened import StepEnded, StepStarted
from autopilot.events.pieces import step_name
from autopilot.events.provision import AgentCutOff
from autopilot.flows.command import RunStep
from autopilot.model.errors import CapReached, Interrupted, Overdue, Unavailable
from autopilot.model.run import Step, StepStatus
from autopilot.model.step import DEBUG_STEPS, ISSUE_STEPS
from autopilot.ports.bundle import Ports
from autopilot.ports.git import Workspaces
from autopilot.steps.closing import audit, bump
from autopilot.steps.context import Batch, Result, StepContext, StepRun
from autopilot.steps.people import discuss, map
from autopilot.steps.pipeline import (
    debug,
    execute,
    gate,
    integrate,
    judge,
    land,
    mini_verify,
    plan,
    plan_check,
    preflight,
    rate,
    research,
    resolve,
    rollback,
    split,
    triage,
    verify,
)

FULL_BYTES = 16_000_000  # a commit or a checkout may need as much
Steps = Mapping[Step, Callable[[StepContext], StepRun]]


def load_issue_steps() -> Steps:
    """Imported when the first of them is performed: a run of the roadmap has none, and need not load them."""
    from autopilot.steps.issue import define, design, freeze, halt, hand_off, implement, oracle, present, record

    return {
        Step.DEFINE: define.perform,
        Step.FREEZE: freeze.perform,
        Step.DESIGN: design.perform,
        Step.IMPLEMENT: implement.perform,
        Step.ORACLE: oracle.perform,
        Step.RECORD: record.perform,
        Step.HALT: halt.perform,
        Step.PRESENT: present.perform,
        Step.HAND_OFF: hand_off.perform,
    }


def _perform_of_issue(ctx: StepContext) -> StepRun:
    return load_issue_steps()[ctx.step](ctx)


def load_debug_steps() -> Steps:
    from autopilot.steps.debugging import archive, bisect, fix, gather, hypothesize, prove, refute, reproduce

    return {
        Step.GATHER: gather.perform,
        Step.REPRODUCE: reproduce.perform,
        Step.BISECT: bisect.perform,
        Step.HYPOTHESIZE: hypothesize.perform,
        Step.REFUTE: refute.perform,
        Step.FIX: fix.perform,
        Step.PROVE: prove.perform,
        Step.ARCHIVE: archive.perform,
    }


def _perform_draft(ctx: StepContext) -> StepRun:
    from autopilot.steps import drafting

    return drafting.perform(ctx)


def _perform_of_session(ctx: StepContext) -> StepRun:
    return load_debug_steps()[ctx.step](ctx)


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
    Step.SPLIT: split.perform,
    Step.INTEGRATE: integrate.perform,
    Step.RESOLVE: resolve.perform,
    Step.MAP: map.perform,
    Step.DISCUSS: discuss.perform,
    Step.AUDIT: audit.perform,
    Step.BUMP: bump.perform,
    **dict.fromkeys(ISSUE_STEPS, _perform_of_issue),
    **dict.fromkeys(DEBUG_STEPS, _perform_of_session),
    Step.DRAFT: _perform_draft,
}


class Performing:
    """A step whose start is recorded: it brings batches, each to be durable before the next is asked for."""

    def __init__(self, command: RunStep, slot: Slot, cut: Slot, running: StepRun, workspaces: Workspaces) -> None:
        self.phase = command.phase
        self.label = f"{command.phase} {step_name(command.step, command.task)}"
        self._command = command
        self._slot = slot
        self._cut = cut  # for what this try brings back although it is broken off
        self._running = running
        self._workspaces = workspaces

    def batches(self) -> Iterator[Batch]:
        """What the step yields, and at the end its result together with that end."""
        try:
            while True:
                yield next(self._running)
        except StopIteration as end:
            result: Result = end.value
        except Overdue as overdue:
            # It would compute as long the next time: the step is tried once more, and then the phase fails.
            result = Result(StepStatus.ERROR, detail=str(overdue))
        except (Interrupted, CapReached) as stop:
            if stop.spent is not None:
                yield (stop.spent,)
            raise
        except Unavailable as missing:
            if self._workspaces.free_bytes() < FULL_BYTES:  # whatever was tried last could not have been written
                raise CapReached("the disk is full", "free some space, then resume") from missing
            # Ours, not the work's: the run pauses with the reason, and a resume retries it.
            result = Result(StepStatus.UNPROVEN, detail=f"{missing}; {missing.hint}" if missing.hint else str(missing))
        command = self._command
        ended = StepEnded(command.phase, command.step, command.attempt, result.status, command.task, result.detail)
        ended = replace(ended, ending=result.ending)
        yield (*result.events, ended)

    def record(self, ledger: Ledger, batch: Batch) -> Recorded:
        cut = any(isinstance(event, AgentCutOff) for event in batch)
        return ledger.record(self._cut if cut else self._slot, batch)


def begin_step(command: RunStep, ledger: Ledger, ports: Ports, steps: Steps = STEPS) -> tuple[Recorded, Performing]:
    slot = ledger.slot(f"{command.phase}/{step_name(command.step, command.task)}/{command.attempt}")
    started = _start(command, ledger, slot)
    phase = ledger.state.phase(command.phase)
    context = StepContext(ledger.state, phase, command.step, command.attempt, command.task, ports)
    cut = ledger.slot(f"{command.phase}/{step_name(command.step, command.task)}/{command.attempt}/try-{command.number}")
    return started, Performing(command, slot, cut, steps[command.step](context), ports.workspaces)


def perform_step(command: RunStep, ledger: Ledger, ports: Ports, steps: Steps = STEPS) -> Iterator[Recorded]:
    """The step's intermediate batches are durable before it goes on; its result is recorded with its end, at once."""
    started, performing = begin_step(command, ledger, ports, steps)
    yield started
    for batch in performing.batches():
        yield performing.record(ledger, batch)


def _start(command: RunStep, ledger: Ledger, slot: Slot) -> Recorded:
    """The start carries the try in its key: it alone is recorded again after a crash."""
    event = StepStarted(command.phase, command.step, command.attempt, command.number, command.task)
    key = f"{slot.prefix}/StepStarted/{command.number}"
    return ledger.store([Entry(ledger.state.run, key, event)])
