"""What an auditor gets: the requirements, where the work is and our observations; no report, no claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from autopilot.events.accounts import accounts_of
from autopilot.events.criteria import criteria_of
from autopilot.events.state import PhaseState
from autopilot.planning.spec.audited import Wanted, completed
from autopilot.steps.context import StepContext


def audit_facts(ctx: StepContext, asked: Iterable[Wanted] = ()) -> Mapping[str, bytes]:
    facts = {
        "audit": ctx.task,
        "spec": ctx.state.inputs.spec.path,
        "phases": [_phase(ctx, phase) for phase in completed(ctx.state)],
        "requirements": [_wanted(requirement) for requirement in asked],
    }
    return {"facts.json": msgspec.json.format(msgspec.json.encode(facts), indent=2)}


def phase_lines(ctx: StepContext) -> list[str]:
    return [
        f"{phase.id}, {phase.brief.name}: {phase.brief.goal or 'see the roadmap'}" for phase in completed(ctx.state)
    ]


def requirement_lines(asked: Sequence[Wanted]) -> list[str]:
    return [_line(requirement) for requirement in asked]


def _line(requirement: Wanted) -> str:
    where = f" (phase {requirement.phase})" if requirement.phase else ""
    missing = f" -- missing at the last audit: {requirement.gap.description}" if requirement.gap else ""
    return f"{requirement.id}{where}: {requirement.text}{missing}"


def _phase(ctx: StepContext, phase: PhaseState) -> dict[str, Any]:
    tasks = [task for part in _with_parts(ctx, phase) for task in part.tasks.values()]
    seen = {
        observation.subject: observation.seen.value
        for part in _with_parts(ctx, phase)
        for observation in part.observed.observations or ()
    }
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
        "asked_for": [
            {"name": a.name, "text": a.text, "account": a.status.value, "by": a.by} for a in accounts_of(phase)
        ],
    }


def _with_parts(ctx: StepContext, phase: PhaseState) -> tuple[PhaseState, ...]:
    return (*(ctx.state.parts[name] for name in phase.split.parts if name in ctx.state.parts), phase)


def _wanted(requirement: Wanted) -> dict[str, str]:
    missing = requirement.gap.description if requirement.gap else ""
    return {"id": requirement.id, "phase": requirement.phase, "text": requirement.text, "missing": missing}
