"""Questions, answers and flags, in the words of ``state.json``'s event log."""

from __future__ import annotations

from typing import Any

from autopilot.events import happened as h
from autopilot.events import people as e
from autopilot.events.state import RunState
from autopilot.model.human import GateKind
from autopilot.reports.event_log.refinement import Named
from autopilot.reports.markdown import stamp
from autopilot.reports.status.files import CONTEXT_MAP

ENOUGH = 8  # a phase about which less is known is asked about


def people_named(event: h.Event, state: RunState) -> list[Named]:
    match event:
        case e.FlagsRefused(flags=flags, reason=reason):
            return [("", "flag_mutual_exclusivity_error", {"flags": list(flags), "reason": reason})]
        case e.PhasePassedOver(phase=phase, run=run, completed_at=completed_at):
            details = {"phase_id": phase, "reason": "already_completed", "original_run_timestamp": stamp(completed_at)}
            return [("", "phase_skipped", {**details, "original_run_id": run})]
        case e.MappingStarted(phases=phases, mode=mode):
            return [("map", "context_mapping_started", {"target_phases": list(phases), "mode": mode})]
        case e.MappingEnded():
            return [("map", "context_mapping_completed", _mapped(event, state))]
        case e.HumanAsked():
            return _asked(event)
        case e.HumanAnswered():
            return _answered(event, state)
        case _:
            return []


def _mapped(event: e.MappingEnded, state: RunState) -> dict[str, Any]:
    return {
        "phases_scored": len(event.after),
        "phases_below_threshold": sum(mapped.before.score < ENOUGH for mapped in state.people.mapping.values()),
        "questions_generated": event.questions,
        "questions_answered": event.answered,
        "context_map_path": CONTEXT_MAP,
    }


def _asked(event: e.HumanAsked) -> list[Named]:
    details = {"gate": event.gate, "kind": event.kind.value, "title": event.title, "questions": len(event.questions)}
    asked: Named = ("", "human_gate_opened", details)
    if event.kind is GateKind.AREAS:
        return [("discuss", "discuss_session_started", {"phase_id": event.phase, "gate": event.gate}), asked]
    return [asked]


def _answered(event: e.HumanAnswered, state: RunState) -> list[Named]:
    given = sum(bool(answer.strip()) for answer in event.answers.values())
    details = {"gate": event.gate, "by": event.by, "answers": given, "approved": event.approved}
    answered: Named = ("", "human_gate_answered", details)
    gate = state.people.gates.get(event.gate)
    if gate is None or gate.asked.kind is not GateKind.DISCUSS:
        return [answered]
    counts = {"questions_asked": len(gate.asked.questions), "questions_answered": given}
    return [answered, ("discuss", "discuss_answers_recorded", {"phase_id": gate.asked.phase, **counts})]
