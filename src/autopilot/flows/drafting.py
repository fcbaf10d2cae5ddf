"""A draft: written, sent back with the complaints at most twice, then it waits for its user."""

from __future__ import annotations

from autopilot.events.drafting.state import DraftState
from autopilot.events.happened import PhaseStarted
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import Command, Halt, Record
from autopilot.flows.phase import MAX_STEP_ERRORS, next_step, try_again, wait_for_us
from autopilot.model.planning.draft import DRAFT
from autopilot.model.run import PhaseStatus, RunStatus, Step, StepStatus


def next_for_draft(state: RunState) -> tuple[Command, ...]:
    draft, phase = state.drafting, state.phase(DRAFT)
    assert draft is not None, "only a draft comes here"
    if phase.open is not None:
        return (try_again(phase.id, phase.open),)
    if stop := wait_for_us(phase) or _broken_down(phase) or _ended(draft):
        return (stop,)
    if phase.status is PhaseStatus.NOT_STARTED:
        attempt = phase.totals.attempt + 1
        return (Record(f"{phase.id}/start/{attempt}", (PhaseStarted(phase.id, attempt, state.line.tip),)),)
    return (next_step(phase, Step.DRAFT, f"round-{len(draft.rounds) + 1}"),)


def _broken_down(phase: PhaseState) -> Halt | None:
    """A step that fails twice for the same reason is not retried."""
    for name, step in phase.steps.items():
        if step.status == StepStatus.ERROR and step.errors >= MAX_STEP_ERRORS:
            return Halt(RunStatus.FAILED, f"{name}: {step.detail}", 1)
    return None


def _ended(draft: DraftState) -> Halt | None:
    if draft.settled is not None:
        return Halt(
            RunStatus.COMPLETED, "the draft is written" if draft.settled.accepted else "the draft is dropped", 0
        )
    if draft.is_ready:
        return Halt(RunStatus.WAITING, "the draft waits for you; nothing is written yet", 3)
    if draft.is_refused:
        return Halt(RunStatus.FAILED, f"no draft held in {len(draft.rounds)} rounds: {draft.complaints[0]}", 1)
    return None
