"""The parts of a split phase begin: each with its tasks, on a line of its own, past planning already."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from autopilot.events.pieces import StepState
from autopilot.events.recovery import SplitAgreed
from autopilot.events.rooms.phase import Intake, Line, Plan, Retries, Totals
from autopilot.events.state import PhaseState, RunState
from autopilot.model.run import PhaseBrief, PhaseStatus, StepStatus
from autopilot.model.step import StepKind, steps_of

BEFORE_WORK = steps_of(StepKind.INTAKE, StepKind.PLANNING)


def begin_parts(state: RunState, phase: PhaseState, event: SplitAgreed, time: datetime) -> RunState:
    for brief, tasks in zip(event.parts, event.tasks, strict=True):
        part = _begin(state, phase, brief, tasks, time)
        state = replace(state, parts={**state.parts, brief.id: part})
    return state


def _begin(state: RunState, phase: PhaseState, brief: PhaseBrief, tasks: tuple[str, ...], time: datetime) -> PhaseState:
    base = state.tip_of(phase)
    skipped = StepState(status=StepStatus.SKIPPED, detail=f"part of phase {phase.id}", started_at=time, ended_at=time)
    earlier = state.parts.get(brief.id)
    totals = replace(earlier.totals if earlier else Totals(), attempt=phase.totals.attempt)
    plan = phase.plan
    return PhaseState(
        brief=brief,
        parent=phase.id,
        status=PhaseStatus.IN_PROGRESS,
        started_at=time,
        steps={step.value: skipped for step in BEFORE_WORK},
        totals=replace(totals, history=()),
        line=Line(base, tip=base),
        intake=Intake(preflight_issues=(), triage=(), phase_type=phase.intake.phase_type),
        retries=Retries(enhanced=phase.retries.enhanced),
        plan=Plan(
            has_plan=plan.has_plan,
            commit=plan.commit,
            ours=plan.ours,
            checked=True,
            approved=True,
            baseline=plan.baseline,
            red=plan.red,
        ),
        tasks={name: phase.tasks[name] for name in tasks},
    )
