"""state.json: every field of the sources' shape, with its type, for a run in any state (STATE)."""

from __future__ import annotations

import json
from types import NoneType
from typing import Any

import pytest
from hypothesis import given, settings

from autopilot.events.fold import fold_all
from autopilot.events.state import RunState
from autopilot.model.evidence import Seen
from autopilot.model.policy import Commands, Policy
from autopilot.model.run import PhaseStatus, RunStatus, Step
from autopilot.reports.event_log import event_log
from autopilot.reports.state_json import state_document
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.flows.chance import stages
from tests.unit.flows.stage import Stage
from tests.unit.making import ONE, TWO, make_observation, make_phase, make_state

# covers: STATE
TEXT, COUNT, MAYBE_TEXT = (str,), (int,), (str, NoneType)
NUMBER, MAYBE_NUMBER = (int, float), (int, float, NoneType)
META: dict[str, tuple[type, ...]] = {
    "version": TEXT,
    "run_id": TEXT,
    "started_at": TEXT,
    "last_checkpoint": TEXT,
    "status": TEXT,
    "total_phases": COUNT,
    "current_phase": MAYBE_TEXT,
    "current_step": MAYBE_TEXT,
    "orchestrator_context_pct": COUNT,
    "human_deferred_count": COUNT,
    "total_phases_processed": COUNT,
    "pass_threshold": NUMBER,
    "autonomous_resolution_rate": NUMBER,
    "deferral_threshold": NUMBER,
    "deferral_rate_target": NUMBER,
    "deferral_confidence_threshold": NUMBER,
    "deferral_history": (list,),
}
PHASE: dict[str, tuple[type, ...]] = {
    "phase_type": MAYBE_TEXT,
    "status": TEXT,
    "started_at": MAYBE_TEXT,
    "completed_at": MAYBE_TEXT,
    "steps": (dict,),
    "debug_attempts": COUNT,
    "replan_attempts": COUNT,
    "tokens_used": COUNT,
    "estimated_tokens": MAYBE_NUMBER,
    "human_verify_justification": MAYBE_TEXT,
    "human_verdict": (dict, NoneType),
    "force_incomplete": (bool,),
    "diagnostic_path": MAYBE_TEXT,
    "remediation_cycles": COUNT,
}
STEPS: dict[str, dict[str, tuple[type, ...]]] = {
    "preflight": {"status": TEXT, "timestamp": TEXT},
    "research": {"status": TEXT, "output": TEXT, "hash": TEXT},
    "plan": {"status": TEXT, "output": TEXT, "hash": TEXT, "validation_rounds": COUNT},
    "plan_check": {"status": TEXT, "confidence": NUMBER},
    "execute": {"status": TEXT, "tasks": (dict,)},
    "verify": {"status": TEXT, "automated": (dict,), "scope_creep": (list,)},
    "judge": {"recommendation": TEXT, "concerns": (list,)},
    "rate": {"status": TEXT, "alignment_score": NUMBER, "score_band": TEXT},
}
TASK: dict[str, tuple[type, ...]] = {"status": TEXT, "commit": MAYBE_TEXT, "retries": COUNT}
BREAKER: dict[str, tuple[type, ...]] = {
    "state": TEXT,
    "consecutive_no_progress": COUNT,
    "consecutive_same_error": COUNT,
    "last_error": MAYBE_TEXT,
    "cooldown_until": MAYBE_TEXT,
}
METRICS: dict[str, tuple[type, ...]] = {
    "total_tokens_used": COUNT,
    "total_duration_minutes": COUNT,
    "phases_completed": COUNT,
    "phases_failed": COUNT,
    "debug_loops_total": COUNT,
    "replan_count": COUNT,
}


def check(found: dict[str, Any], shape: dict[str, tuple[type, ...]]) -> None:
    assert set(shape) - set(found) == set()
    wrong = {key: found[key] for key, types in shape.items() if type(found[key]) not in types}
    assert wrong == {}


def check_document(document: dict[str, Any]) -> None:
    document = json.loads(json.dumps(document))
    check(document["_meta"], META)
    check(document["spec"], {"path": TEXT, "hash": TEXT, "locked_at": TEXT})
    check(document, {"roadmap_path": TEXT, "event_log": (list,)})
    check(document["circuit_breaker"], BREAKER)
    check(document["metrics"], METRICS)
    for phase in document["phases"].values():
        check(phase, PHASE)


def golden() -> dict[str, Any]:
    entries = list(read_golden(FOLDER / "journal-1.jsonl"))
    return json.loads(json.dumps(state_document(fold_all(entries), event_log(entries))))  # type: ignore[no-any-return]


def test_a_real_run_has_every_field_of_the_shape() -> None:
    document = golden()
    check_document(document)
    assert document["spec"]["hash"].startswith("sha256:")
    assert list(document["phases"]) == ["1", "2", "3"]
    for phase in document["phases"].values():
        for name, shape in STEPS.items():
            check(phase["steps"][name], shape)
        for task in phase["steps"]["execute"]["tasks"].values():
            check(task, TASK)


@settings(max_examples=50)
@given(stages())
def test_a_run_in_any_state_has_that_shape(stage: Stage) -> None:
    history = stage.play().history
    check_document(state_document(stage.state, event_log(history)))
    half = history[: len(history) // 2]
    check_document(state_document(fold_all(half), event_log(half)))


def test_the_figures_of_a_real_run_add_up() -> None:
    document = golden()
    metrics, phases = document["metrics"], document["phases"].values()
    assert metrics["total_tokens_used"] == sum(phase["tokens_used"] for phase in phases) > 0
    assert (metrics["phases_completed"], metrics["phases_failed"], metrics["debug_loops_total"]) == (3, 0, 1)
    assert document["_meta"]["autonomous_resolution_rate"] == 1.0
    assert document["phases"]["2"]["steps"]["execute"]["tasks"]["02-01"]["retries"] == 1


def checks_of(state: RunState) -> dict[str, Any]:
    found: dict[str, Any] = state_document(state, ())["phases"]["1"]["automated_checks"]
    return found


def test_a_check_that_is_not_configured_does_not_apply_and_one_that_could_not_run_is_unknown() -> None:
    seen = (make_observation("compile"), make_observation("lint", Seen.FAILED), make_observation("test", Seen.NOTHING))
    policy = Policy(commands=Commands(compile="a", lint="b", test="c"))
    observed = make_state(make_phase(observations=seen), policy=policy)
    assert checks_of(observed) == {"compile": True, "lint": False, "build": "n/a", "test": None}
    assert checks_of(make_state(policy=policy)) == {"compile": None, "lint": None, "build": "n/a", "test": None}


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (make_state(), {"current_phase": "1", "current_step": None, "status": "running"}),
        (
            make_state(make_phase(TWO, status=PhaseStatus.FAILED), status=RunStatus.FAILED, exit_status=1),
            {"current_phase": None, "status": "failed", "exit_status": 1, "total_phases_processed": 1},
        ),
    ],
)
def test_the_head_of_the_document_says_where_the_run_stands(state: RunState, expected: dict[str, Any]) -> None:
    meta = state_document(state, ())["_meta"]
    assert {key: meta[key] for key in expected} == expected


def test_the_step_that_is_open_is_the_current_one() -> None:
    entries = list(read_golden(FOLDER / "journal-1.jsonl"))
    cut = next(n for n, e in enumerate(entries, 1) if "verify/1/StepStarted" in e.key and "/mini_" not in e.key)
    meta = state_document(fold_all(entries[:cut]), ())["_meta"]
    assert (meta["current_phase"], meta["current_step"]) == (ONE, Step.VERIFY.value)
