"""Paths and phases for tests of planning formats."""

from __future__ import annotations

from autopilot.model.planning.roadmap import Phase
from autopilot.planning.roadmap.phase_id import carry_id

BOTH = {"spec-kit": ["specs/001-x/spec.md"], "task-master": [".taskmaster/tasks/tasks.json"]}


def named_phase(name: str) -> Phase:
    return Phase(carry_id(name), name, slug=name)
