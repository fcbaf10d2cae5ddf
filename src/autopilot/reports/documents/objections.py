"""Objections as text: the layer, what was observed, where, and what would satisfy it."""

from __future__ import annotations

from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.reports.documents.tasks import parts_of

LAYERS = {
    Layer.PLAN: "plan",
    Layer.COMMIT: "commit",
    Layer.CHANGE: "control files",
    Layer.RUN: "run of the tests",
    Layer.RED: "red before the work",
    Layer.SABOTAGE: "sabotage",
    Layer.HELD_OUT: "held-out examples",
    Layer.LOOK: "second look",
}


def objections_of(state: RunState, phase: PhaseState) -> tuple[Objection, ...]:
    """Everything that was objected to a phase, its parts and their tasks, as it stands now; each once."""
    homes = (phase, *parts_of(state, phase))
    known = [objection for home in homes for task in home.tasks.values() for objection in task.objections]
    return tuple(dict.fromkeys([*known, *(objection for home in homes for objection in home.observed.objections)]))


def flags_of(state: RunState, phase: PhaseState) -> tuple[Objection, ...]:
    return tuple(objection for objection in objections_of(state, phase) if objection.weight is Weight.FLAG)


def refusals_of(state: RunState, phase: PhaseState) -> tuple[Objection, ...]:
    return tuple(objection for objection in objections_of(state, phase) if objection.weight is not Weight.FLAG)


def objection_words(objection: Objection) -> str:
    """One line for a report: "S (control files), refused, 01-01.c1: …"."""
    weights = {Weight.REFUSE: "refused", Weight.UNPROVEN: "unproven", Weight.OURS: "could not be observed"}
    weight = weights.get(objection.weight, "flag")
    return f"{objection.layer.value} ({LAYERS[objection.layer]}), {weight}, {objection.subject}: {objection}"
