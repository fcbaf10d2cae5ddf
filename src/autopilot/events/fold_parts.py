"""The parts of a split phase begin: each with its tasks, on a line of its own, past planning already."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from autopilot.events.pieces import StepState
from autopilot.events.recovery import SplitAgreed
from autopilot.events.state import PhaseState, RunState
from autopilot.model.agent import Usage
from autopilot.model.run import PhaseBrief, PhaseStatus, Step

BEFORE_WORK = (Step.PREFLIGHT, Step.TRIAGE, Step.RESEARCH, Step.PLAN, Step.PLAN_CHECK)


def begin_parts(state: RunState, phase: PhaseState, event: SplitAgreed, at: datetime) -> RunState:
    for brief, tasks in zip(event.parts, event.tasks, strict=True):
        part = _begin(state, phase, brief, tasks, at)
        state = replace(state, parts={**state.parts, brief.id: part})
    return state


def _begin(state: RunState, phase: PhaseState, brief: PhaseBrief, tasks: tuple[str, ...], at: datetime) -> PhaseState:
    base = state.tip_of(phase)
    skipped = StepState(status="skipped", detail=f"part of phase {phase.id}", started_at=at, ended_at=at)
    earlier = state.parts.get(brief.id)
    return PhaseState(
        brief=brief,
        status=PhaseStatus.IN_PROGRESS,
        attempt=phase.attempt,
        parent=phase.id,
        base=base,
        line=base,
        started_at=at,
        attempts=earlier.attempts if earlier else {},
        usage=earlier.usage if earlier else Usage(),
        steps={step.value: skipped for step in BEFORE_WORK},
        preflight_issues=(),
        triage=(),
        has_plan=phase.has_plan,
        plan_commit=phase.plan_commit,
        plan_ours=phase.plan_ours,
        plan_checked=True,
        plan_approved=True,
        phase_type=phase.phase_type,
        enhanced=phase.enhanced,
        baseline=phase.baseline,
        red=phase.red,
        tasks={name: phase.tasks[name] for name in tasks},
    )
