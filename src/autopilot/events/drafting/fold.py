"""What an event means to the draft a run is about."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from msgspec.structs import replace

from autopilot.events.drafting import happened as d
from autopilot.events.drafting.state import DraftState
from autopilot.events.state import RunState, complete
from autopilot.model.run import PhaseStatus, StepStatus


def fold_draft(state: RunState, event: d.DraftRunEvent | d.DraftEvent, time: datetime) -> RunState:
    if isinstance(event, d.DraftBegun):
        return replace(state, drafting=DraftState(event.brief))
    draft = draft_of(state)
    match event:
        case d.Drafted(commit=commit):
            state = replace(state, drafting=replace(draft, rounds=(*draft.rounds, event)))
            return replace(state, line=replace(state.line, tip=commit)) if commit else state
        case d.DraftSettled(accepted=accepted):
            phase = complete(state.phase(event.phase), time)
            phase = phase if accepted else replace(phase, status=PhaseStatus.SKIPPED)
            return replace(state.with_phase(replace(phase, open=None)), drafting=replace(draft, settled=event))
        case _:
            assert_never(event)


def draft_of(state: RunState) -> DraftState:
    assert state.drafting is not None, "only a draft has such events"
    return state.drafting


def reenter(state: RunState) -> RunState:
    """A draft that is resumed tries again what ended in an error."""
    for phase in state.phases.values():
        steps = {name: step for name, step in phase.steps.items() if step.status != StepStatus.ERROR}
        state = state.with_phase(replace(phase, steps=steps))
    return state
