"""state.json of another program: what is taken from it, and that nothing in it can do harm."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autopilot.model.planning.other_run import COMPLETED, FAILED, FOR_A_PERSON, OtherPhase, OtherRun
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.takeover.state_file import is_ours, parse_state_file, run_named

# covers: SWITCH-STATE

SOURCE = ".autopilot/state.json"
META = {"run_id": "run-2026-02-09-143052", "status": "running", "current_phase": "6.3", "current_step": "execute"}


def read(phases: Any, meta: Any = META) -> OtherRun:
    found = parse_state_file(json.dumps({"_meta": meta, "phases": phases}).encode(), SOURCE)
    assert isinstance(found, OtherRun)
    return found


def only(key: str, record: Any) -> OtherPhase | None:
    phases = read({key: record}).phases
    return phases[0] if phases else None


def test_completed_failed_and_deferred_phases_are_read_with_their_scores_and_where_it_was_interrupted() -> None:
    run = read(
        {
            "phase_6.1": {"status": "completed", "alignment_score": 8.2},
            "6.2": {"status": "completed", "steps": {"rate": {"alignment_score": "9.4/10"}}},
            "phase_06.3": {"status": "in_progress"},
            "phase-7": {"status": "failed", "alignment_score": 4},
            "8": {"status": "needs_human_verification"},
            "_meta": {"status": "completed"},
        }
    )
    assert [(phase.id, phase.status, phase.score) for phase in run.phases] == [
        ("6.1", COMPLETED, 8.2),
        ("6.2", COMPLETED, 9.4),
        ("6.3", "in_progress", None),
        ("7", FAILED, 4.0),
        ("8", FOR_A_PERSON, None),
    ]
    assert (run.run, run.interrupted, run.current_phase, run.current_step) == (META["run_id"], True, "6.3", "execute")
    assert not read({}, {**META, "status": "completed"}).interrupted


@pytest.mark.parametrize(
    ("verdict", "status"),
    [
        ({"verdict": "pass"}, COMPLETED),
        ({"verdict": "issues_found"}, FAILED),
        (None, FOR_A_PERSON),
        ("pass", FOR_A_PERSON),
    ],
)
def test_what_was_left_to_a_person_stands_as_that_person_said(verdict: Any, status: str) -> None:
    found = only("3", {"status": "needs_human_verification", "human_verdict": verdict})
    assert found is not None and found.status == status


@pytest.mark.parametrize("score", ["ten", "11/10", -1, 10.1, True, [9], {"a": 1}, None, "9" * 400, 10**400])
def test_a_score_that_is_none_is_left_out(score: Any) -> None:
    found = only("3", {"status": "completed", "alignment_score": score})
    assert found == OtherPhase(PhaseId("3"), COMPLETED, "run-2026-02-09-143052")


@pytest.mark.parametrize("record", ["completed", None, 1, ["completed"], True])
def test_a_phase_that_is_no_object_is_left_out(record: Any) -> None:
    assert only("3", record) is None


@pytest.mark.parametrize("status", [1, None, True, ["completed"], {"completed": 1}, "completed\x1b[31m", "Completed!"])
def test_a_status_of_another_form_completes_nothing(status: Any) -> None:
    found = only("3", {"status": status})
    assert found is not None and found.status != COMPLETED


def test_two_keys_of_one_phase_complete_it_only_together() -> None:
    both = {"3": {"status": "completed"}, "phase_3": {"status": "failed"}}
    assert [phase.status for phase in read(both).phases] == [FAILED]
    assert [phase.status for phase in read(dict(reversed(both.items()))).phases] == [FAILED]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is not valid JSON"),
        (b'{"_meta": {"run_id": "run-1"}, "phases": {"1": {"sta', "is not valid JSON"),
        (b"\xff\xfe{}", "is not valid JSON"),
        (b'{"_meta": {"run_id": ' + b"[" * 100_000, "is not valid JSON"),
        (b"[" * 100_000, "is of a program that Autopilot does not know"),
        (b"[]", "is of a program that Autopilot does not know"),
        (b'{"currentPhase": 4, "completedPhases": [0, 1]}', "is of a program that Autopilot does not know"),
        (b'{"phases": {"1": {"_phase": "done"}}, "last_phase": "6"}', "is of a program that Autopilot does not know"),
        (b'{"_meta": [], "phases": {}}', "is of a program that Autopilot does not know"),
        (b'{"_meta": {}, "phases": []}', "is of a program that Autopilot does not know"),
    ],
)
def test_a_file_that_is_none_is_told_and_read_no_further(content: bytes, reason: str) -> None:
    assert parse_state_file(content, SOURCE) == f"{SOURCE} {reason}"


@pytest.mark.parametrize(
    "place", ['{"_meta": {"log": [%s]}, "phases": {}}', '{"log": [%s], "_meta": {}, "phases": {}}']
)
def test_what_is_not_looked_at_takes_no_memory(place: str) -> None:
    """Whatever an attacker writes there: a dictionary of seven letters would be one of 200 bytes."""
    content = (place % ",".join(['{"":0}'] * 100_000)).encode()
    tracemalloc.start()
    try:
        assert isinstance(parse_state_file(content, SOURCE), OtherRun)
        assert tracemalloc.get_traced_memory()[1] < 2 * len(content)
    finally:
        tracemalloc.stop()


def test_ours_is_known_by_its_version() -> None:
    ours = b'{\n  "_meta": {"version": "1.0", "run_id": "run-1", "autopilot_version": "0.1.0"}}'
    assert run_named(ours) == "run-1" and run_named(b'{"run_id": 7}') == "" and run_named(b"") == ""
    assert is_ours(ours) and not is_ours(ours.replace(b"autopilot_version", b"version_of")) and not is_ours(b"")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=12,
)


@given(values, st.dictionaries(st.sampled_from(["1", "phase_2", "x", "phase_6.1"]), values, max_size=4), values)
def test_whatever_stands_in_it_is_read_or_refused(meta: Any, phases: Any, rest: Any) -> None:
    content = json.dumps({"_meta": meta, "phases": phases, "rest": rest}).encode()
    found = parse_state_file(content, SOURCE)
    if isinstance(found, OtherRun):
        assert all(phase.score is None or 0 <= phase.score <= 10 for phase in found.phases)
        assert all(len(word) <= 60 for word in (found.run, found.status, found.current_phase, found.current_step))
