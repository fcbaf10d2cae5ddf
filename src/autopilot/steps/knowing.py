"""What an agent is told, as files it reads at .autopilot/ of its clone. Blindness is what is left out here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from autopilot.events.state import PhaseState
from autopilot.model.criterion import Criterion, Form
from autopilot.model.evidence import Observation
from autopilot.model.plan import Task


def facts(phase: PhaseState, task: Task | None = None) -> Mapping[str, bytes]:
    """For those who build: the phase, the criteria, and the task at hand."""
    return {"facts.json": _json(_facts(phase, task))}


def facts_with_findings(phase: PhaseState, task: Task, findings: Sequence[str]) -> Mapping[str, bytes]:
    """For the one who mends: also what was seen to be wrong."""
    text = "# What does not hold\n\n" + "\n".join(f"- {finding}" for finding in findings) + "\n"
    return {**facts(phase, task), "findings.md": text.encode()}


def facts_for_review(phase: PhaseState, observations: Sequence[Observation]) -> Mapping[str, bytes]:
    """For those who review: criteria and what we saw ourselves; nobody's claims, nobody else's review."""
    return {
        "facts.json": _json(_facts(phase, None)),
        "observations.json": _json([_observation(o, phase) for o in observations]),
    }


def every_criterion(phase: PhaseState) -> tuple[tuple[str, Criterion], ...]:
    """(task id, criterion) of the plan, and of the roadmap what can be run or is all there is."""
    if not phase.tasks:
        return tuple(("", criterion) for criterion in phase.criteria)
    planned = tuple((task.task.id, c) for task in phase.tasks.values() for c in task.task.criteria)
    return (*planned, *(("", c) for c in phase.brief.criteria if c.form is Form.COMMAND))


def _facts(phase: PhaseState, task: Task | None) -> dict[str, Any]:
    brief = phase.brief
    return {
        "phase": {
            "id": brief.id,
            "name": brief.name,
            "goal": brief.goal,
            "folder": brief.folder,
            "requirements": brief.requirements,
        },
        "task": _task(task) if task else None,
        "criteria": [{**_criterion(c), "task": task_id} for task_id, c in every_criterion(phase)],
    }


def _task(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "title": task.title,
        "files": task.files,
        "action": task.action,
        "criteria": [_criterion(c) for c in task.criteria],
    }


def _criterion(criterion: Criterion) -> dict[str, Any]:
    return {
        "id": criterion.id,
        "text": criterion.text,
        "command": criterion.command,
        "expectation": str(criterion.expectation),
        "kind": criterion.kind.value,
    }


def _observation(observation: Observation, phase: PhaseState) -> dict[str, Any]:
    texts = {c.id: c.text for _, c in every_criterion(phase)}
    return {
        "subject": observation.subject,
        "text": texts.get(observation.subject, observation.subject),
        "command": observation.command,
        "seen": observation.seen.value,
        "exit_code": observation.exit_code,
        "excerpt": observation.excerpt,
    }


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2)
