"""state.json: every field of the sources' shape, with its type, for a run in any state (STATE)."""

from __future__ import annotations

import json
from types import NoneType
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.fold import fold_all
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.events.pieces import BreakerState, Cycle, Deferral, OpenStep, PhaseDebug, TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import HumanGate
from autopilot.model.agent import Usage
from autopilot.model.evidence.observation import Seen
from autopilot.model.human import GateKind, HumanQuestion
from autopilot.model.intent import Intent, Scored
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Commands, Policy
from autopilot.model.result import Justification
from autopilot.model.run import PhaseStatus, RunStatus, Step
from autopilot.reports.event_log.log import event_log
from autopilot.reports.status.phase_record import retries_words
from autopilot.reports.status.state_json import state_document
from tests.unit.events.golden.reading import FOLDER, read_golden
from tests.unit.making import (
    ONE,
    START,
    THREE,
    TWO,
    alter,
    at,
    make_observation,
    make_phase,
    make_state,
    make_task,
    make_verification,
)
from tests.unit.reports.ending_states import closed_state

# covers: STATE, RESULT, STAT-04, STAT-05, CENF-01, CENF-03, CHK-5, CB, MTRC-02, LOOP-3
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
    "modes": (dict,),
    "command": MAYBE_TEXT,
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
    "usd_is_estimate": (bool,),
    "estimated_tokens": MAYBE_NUMBER,
    "human_verify_justification": (dict, NoneType),
    "human_verdict": (dict, NoneType),
    "force_incomplete": (bool,),
    "quality_exhausted": (bool,),
    "gaps_exhausted": (bool,),
    "diagnostic_path": MAYBE_TEXT,
    "remediation_cycles": COUNT,
    "score_history": (list,),
    "rubber_stamp_suspect": (bool,),
    "sub_phases": (list,),
    "split": (dict, NoneType),
    "evidence": (dict,),
    "result": (dict, NoneType),
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
COMPLETION: dict[str, tuple[type, ...]] = {
    "phases": (dict,),
    "integration": (dict, NoneType),
    "self_audit": (dict, NoneType),
    "version": (dict, NoneType),
}
METRICS: dict[str, tuple[type, ...]] = {
    "total_tokens_used": COUNT,
    "usd_is_estimate": (bool,),
    "total_duration_minutes": COUNT,
    "phases_completed": COUNT,
    "phases_failed": COUNT,
    "debug_loops_total": COUNT,
    "replan_count": COUNT,
    "total_estimated_tokens": COUNT,
    "phases_human_deferred": COUNT,
    "phases_force_incomplete": COUNT,
}


def check(found: dict[str, Any], shape: dict[str, tuple[type, ...]]) -> None:
    assert set(shape) - set(found) == set()
    wrong = {key: found[key] for key, types in shape.items() if type(found[key]) not in types}
    assert wrong == {}


def check_document(document: dict[str, Any]) -> None:
    document = json.loads(json.dumps(document))
    check(document["_meta"], META)
    check(document["spec"], {"path": TEXT, "hash": TEXT, "locked_at": TEXT})
    check(document, {"roadmap_path": TEXT, "event_log": (list,), "gates": (list,), "completion": (dict,)})
    check(document["completion"], COMPLETION)
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


def test_the_figures_of_a_real_run_add_up() -> None:
    document = golden()
    metrics, phases = document["metrics"], document["phases"].values()
    assert metrics["total_tokens_used"] == sum(phase["tokens_used"] for phase in phases) > 0
    assert (metrics["phases_completed"], metrics["phases_failed"], metrics["debug_loops_total"]) == (3, 0, 1)
    assert (metrics["total_estimated_tokens"], metrics["replan_count"]) == (0, 0)
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


def record(phase: PhaseState, *others: PhaseState, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = state_document(make_state(phase, *others, **more), ())["phases"][phase.id]
    return found


def test_a_phase_says_what_it_was_expected_to_cost_and_what_it_did() -> None:
    parts = {"1a": make_phase(PhaseId("1a"), parent=ONE, usage=Usage(20, 5)), "2a": make_phase(TWO, parent=TWO)}
    phase = make_phase(estimate=180_000, phase_type="ui", usage=Usage(100, 10), parts=("1a",))
    found = record(phase, parts=parts)
    assert (found["phase_type"], found["estimated_tokens"], found["tokens_used"]) == ("ui", 180_000, 135)


def test_other_chances_are_counted() -> None:
    tasks = {"01-01": TaskState(make_task(), "verified", "c1", debugs=2), "01-02": TaskState(make_task(), "already")}
    rounds = (PhaseDebug(1, (), "c2", (), (), ()), PhaseDebug(2, (), "", (), (), (), "nothing"))
    found = record(make_phase(tasks=tasks, debug_rounds=rounds, replans=1, cycles=(Cycle(1, 8.2, ()),)))
    assert (found["debug_attempts"], found["task_retries"]) == (4, 2)
    assert (found["replan_attempts"], found["remediation_cycles"]) == (1, 1)
    assert found["commit_shas"] == ["c1", "c2"]
    assert found["steps"]["execute"]["status"] == "completed"
    assert found["steps"]["execute"]["tasks"]["01-02"] == {
        "status": "completed",
        "commit": None,
        "retries": 0,
        "already_implemented": True,
        "fulfilled_by": None,
        "packages": [],
    }


def test_a_low_score_has_a_history_and_a_diagnostic() -> None:
    cycles = (Cycle(1, 8.0, (), new_score=8.1, ended=True), Cycle(2, 8.1, (), new_score=8.2, ended=True))
    history = (Scored(7.4, START, "initial"), Scored(8.1, START, "initial", 1), Scored(8.2, at(9), "quality", 1))
    done = make_phase(status=PhaseStatus.COMPLETED, score=8.2, cycles=cycles, history=history, incomplete=True)
    found = record(done)
    assert found["force_incomplete"] is True
    assert found["diagnostic_path"] == ".autopilot/diagnostics/phase-1-confidence.md"
    rows = [tuple(row.values()) for row in found["score_history"]]
    assert list(found["score_history"][0]) == ["score", "timestamp", "flag", "cycle"]
    assert rows == [
        (7.4, "2025-01-01T12:00:00Z", "initial", 0),
        (8.1, "2025-01-01T12:00:00Z", "initial", 1),
        (8.2, "2025-01-01T12:00:09Z", "quality", 1),
    ]


@pytest.mark.parametrize(
    ("status", "score", "written"),
    [
        (PhaseStatus.COMPLETED, 8.9, True),
        (PhaseStatus.COMPLETED, 9.0, False),
        (PhaseStatus.COMPLETED, None, False),
        (PhaseStatus.FAILED, 6.0, False),
    ],
)
def test_only_a_completed_phase_below_nine_has_a_diagnostic(
    status: PhaseStatus, score: float | None, written: bool
) -> None:
    assert (record(make_phase(status=status, score=score))["diagnostic_path"] is not None) is written


DEFERRAL = Deferral(Justification("01-02", "pay with a real card", 1, 1), (), 4.0, "autopilot/waiting")
WAITING = make_phase(status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=DEFERRAL, completed_at=START)
DONE = make_phase(TWO, status=PhaseStatus.COMPLETED, verification=make_verification(), completed_at=START)


def test_what_waits_for_a_person_says_why_and_is_counted() -> None:
    state = make_state(WAITING, DONE, make_phase(THREE), policy=Policy(deferral_confidence=5.5))
    meta = state_document(state, ())["_meta"]
    assert (meta["human_deferred_count"], meta["total_phases_processed"]) == (1, 2)
    assert (meta["autonomous_resolution_rate"], meta["deferral_rate_target"]) == (0.5, 0.05)
    assert meta["deferral_confidence_threshold"] == 5.5
    entry = {"human_verdict": None, "timestamp": "2025-01-01T12:00:00Z"}
    assert meta["deferral_history"] == [
        {"phase_id": "1", "reason": "deferred", "autonomous_confidence": 4.0, **entry},
        {"phase_id": "2", "reason": "completed", "autonomous_confidence": 9.0, **entry},
    ]
    found = record(WAITING)
    assert found["human_verify_justification"] == {
        "checkpoint_task_id": "01-02",
        "task_description": "pay with a real card",
        "auto_tasks_passed": 1,
        "auto_tasks_total": 1,
    }
    assert (found["human_verdict"], found["deferral_branch"]) == (None, "autopilot/waiting")


def test_a_verdict_stays_with_its_phase() -> None:
    told = replace(DEFERRAL, verdict="fail", issues=("no",), verdict_at=START)
    found = record(replace(WAITING, status=PhaseStatus.FAILED, deferral=told))
    assert found["human_verdict"] == {"verdict": "fail", "timestamp": "2025-01-01T12:00:00Z", "issues": ["no"]}


def test_the_parts_of_a_split_phase_are_listed_with_their_standing() -> None:
    open_ = OpenStep(Step.EXECUTE, 1, 1, "01-01")
    parts = {
        "1a": make_phase(PhaseId("1a"), parent=ONE, status=PhaseStatus.COMPLETED, score=9.4),
        "1b": make_phase(PhaseId("1b"), parent=ONE, open=open_),
    }
    phase = make_phase(parts=("1a", "1b"), split_reason="two areas", integrated=("1a",))
    found = record(phase, parts=parts)
    assert found["split"] == {"reason": "two areas", "integrated": ["1a"]}
    assert [(part["sub_phase_id"], part["status"], part["alignment_score"]) for part in found["sub_phases"]] == [
        ("1a", "completed", 9.4),
        ("1b", "in_progress", None),
    ]
    assert found["alignment_score"] is None
    assert state_document(make_state(phase, parts=parts), ())["_meta"]["current_step"] == "execute"
    both = {**parts, "1b": alter(parts["1b"], score=9.1)}
    assert record(phase, parts=both)["alignment_score"] == 9.2


def test_the_breaker_is_shown_as_it_stands() -> None:
    opened = BreakerState("open", 3, 1, "debug: red", tried={ONE: 4}, reason="no progress", until=START)
    found = state_document(make_state(breaker=opened), ())["circuit_breaker"]
    assert found == {
        "state": "open",
        "consecutive_no_progress": 3,
        "consecutive_same_error": 1,
        "last_error": "debug: red",
        "cooldown_until": "2025-01-01T12:00:00Z",
        "total_retries": 4,
        "reason": "no progress",
    }
    half_open = replace(opened, state="half_open")
    assert state_document(make_state(breaker=half_open), ())["circuit_breaker"]["cooldown_until"] is None


def test_every_phase_of_a_row_that_is_too_much_alike_is_suspect() -> None:
    scores = (8.0, 9.1, 9.2, 9.1, 9.3, 9.2, 9.1, 9.2, 9.9)
    phases = [
        make_phase(
            PhaseId(str(n)), status=PhaseStatus.COMPLETED, score=s, uniform_tier=3 if n == 8 else 0, completed_at=at(n)
        )
        for n, s in enumerate(scores, 1)
    ]
    found = state_document(make_state(*reversed(phases)), ())["phases"]
    assert [key for key, phase in found.items() if phase["rubber_stamp_suspect"]] == list("8765432")


def test_a_phase_that_began_has_its_result_and_one_that_did_not_has_none() -> None:
    document = state_document(make_state(DONE, make_phase(THREE, status=PhaseStatus.NOT_STARTED)), ())
    result = json.loads(json.dumps(document["phases"]["2"]["result"]))
    assert (result["phase"], result["status"]) == ("2", "completed")
    assert document["phases"]["3"]["result"] is None


def test_the_head_says_how_the_run_was_called() -> None:
    state = make_state(intent=Intent(complete=True, checkpoint_every=2), command="autopilot run --complete")
    meta = state_document(state, ())["_meta"]
    assert (meta["command"], meta["modes"]["complete"], meta["modes"]["checkpoint_every"]) == (
        state.inputs.command,
        True,
        2,
    )
    assert meta["modes"]["gaps"] is False


def test_a_phase_that_aimed_at_more_says_how_far_it_came() -> None:
    found = record(make_phase(exhausted=("gaps",), withdrawn="it scored lower"))
    assert (found["quality_exhausted"], found["gaps_exhausted"]) == (False, True)
    assert found["refinement_withdrawn"] == "it scored lower"


def test_questions_to_the_user_are_listed_with_what_was_said() -> None:
    asked = HumanAsked("map", GateKind.MAP, "1 phase needs more", (HumanQuestion("1.1", "Which port?", "1"),))
    said = HumanAnswered("map", {"1.1": "8080"}, "you")
    gates = {"map": HumanGate(asked, START, said, at(5)), "areas-1": HumanGate(replace(asked, gate="areas-1"), START)}
    answered, open_ = state_document(make_state(gates=gates), ())["gates"]
    assert (answered["open"], answered["answered_by"], answered["questions"][0]["answer"]) == (False, "you", "8080")
    assert (open_["open"], open_["answered_at"], open_["questions"][0]["answer"]) == (True, None, None)


def test_what_came_after_the_phases_stands_in_a_part_of_its_own() -> None:
    found = state_document(closed_state(), ())["completion"]
    assert found["self_audit"] == {
        "total_requirements_checked": 3,
        "passed_on_first_check": 1,
        "gaps_found": 2,
        "gaps_fixed": 1,
        "gaps_remaining": 1,
        "remaining_gap_details": [{"requirement_id": "REQ-3", "description": "no limit is kept"}],
        "audit_cycles": 2,
        "fix_commits": ["f1f1f1f1f1f1f1f1"],
    }
    assert found["version"]["new"] == "1.3.0"
    assert found["integration"]["passed"] is True
    assert list(found["phases"]) == ["fix-1"]


def test_the_retries_of_parts_are_those_of_their_phase() -> None:
    part = make_phase(PhaseId("1a"), parent=ONE, replans=2)
    state = make_state(make_phase(parts=("1a",), replans=1), parts={"1a": part})
    assert retries_words(state, state.phases[ONE]) == "3 re-plan"
    assert retries_words(make_state(make_phase()), make_phase()) == "none"
