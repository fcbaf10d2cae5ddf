"""What an auditor is told: what was asked for, where the work is and what we saw; nobody's report, nobody's claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from autopilot.events.criteria import criteria_of
from autopilot.events.state import PhaseState
from autopilot.planning.spec.audited import Wanted, completed
from autopilot.steps.context import StepContext


def audit_facts(ctx: StepContext, asked: Iterable[Wanted] = ()) -> Mapping[str, bytes]:
    told = {
        "audit": ctx.task,
        "spec": ctx.state.inputs.spec.path,
        "phases": [_phase(ctx, phase) for phase in completed(ctx.state)],
        "requirements": [_wanted(one) for one in asked],
    }
    return {"facts.json": msgspec.json.format(msgspec.json.encode(told), indent=2)}


def phase_lines(ctx: StepContext) -> list[str]:
    return [
        f"{phase.id}, {phase.brief.name}: {phase.brief.goal or 'see the roadmap'}" for phase in completed(ctx.state)
    ]


def requirement_lines(asked: Sequence[Wanted]) -> list[str]:
    return [_line(one) for one in asked]


def _line(one: Wanted) -> str:
    where = f" (phase {one.phase})" if one.phase else ""
    missing = f" -- missing at the last audit: {one.gap.description}" if one.gap else ""
    return f"{one.id}{where}: {one.text}{missing}"


def _phase(ctx: StepContext, phase: PhaseState) -> dict[str, Any]:
    tasks = [task for part in _with_parts(ctx, phase) for task in part.tasks.values()]
    seen = {o.subject: o.seen.value for part in _with_parts(ctx, phase) for o in part.observed.observations or ()}
    return {
        "id": phase.id,
        "name": phase.brief.name,
        "goal": phase.brief.goal,
        "folder": phase.brief.folder,
        "requirements": phase.brief.requirements,
        "files": sorted({path for task in tasks for path in task.files}),
        "criteria": [
            {"text": c.text, "command": c.command, "seen": seen.get(c.id, "not run")} for c in criteria_of(phase)
        ],
    }


def _with_parts(ctx: StepContext, phase: PhaseState) -> tuple[PhaseState, ...]:
    return (*(ctx.state.parts[name] for name in phase.split.parts if name in ctx.state.parts), phase)


def _wanted(one: Wanted) -> dict[str, str]:
    missing = one.gap.description if one.gap else ""
    return {"id": one.id, "phase": one.phase, "text": one.text, "missing": missing}
