"""TRIAGE.json: what was there before the phase began."""

from __future__ import annotations

import json

from autopilot.events.criteria import texts_of
from autopilot.events.state import PhaseState
from autopilot.model.evidence.observation import Seen
from autopilot.model.step import PLANNING_STEPS, Step
from autopilot.reports.markdown import stamp

RESULTS = {Seen.PASSED: "pass", Seen.NOTHING: "unproven"}
SKIPPED: dict[str, tuple[Step, ...]] = {
    "full_pipeline": (),
    "verify_only": (*PLANNING_STEPS, Step.EXECUTE),
    "refine": PLANNING_STEPS,
}


def route_of(phase: PhaseState) -> str:
    if phase.brief.purpose.refines:
        return "refine"
    return "verify_only" if phase.plan.verify_only else "full_pipeline"


def render_triage(phase: PhaseState) -> str:
    observations = phase.intake.triage or ()
    texts = texts_of(phase)
    passed = sum(observation.seen is Seen.PASSED for observation in observations)
    step = phase.steps.get("triage")
    document = {
        "phase_id": phase.id,
        "timestamp": stamp(step.ended_at if step else None),
        "criteria_source": phase.intake.triage_source,
        "criteria_checked": [
            {
                "criterion": texts.get(observation.subject, observation.subject),
                "command": observation.command,
                "result": RESULTS.get(observation.seen, "fail"),
                "output": observation.excerpt,
            }
            for observation in observations
        ],
        "total_criteria": len(observations),
        "passed_criteria": passed,
        "pass_ratio": round(passed / len(observations), 2) if observations else 0.0,
        "routing_decision": route_of(phase),
        "skipped_steps": [step.value for step in SKIPPED[route_of(phase)]],
        "note": phase.intake.triage_note,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
