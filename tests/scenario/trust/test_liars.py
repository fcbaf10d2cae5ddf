"""A report that contradicts the facts, or is none, is refused with its reason; the reviewer is asked once more.

VRFY-01, VRFY-03, VRFY-04, VRFY-05, RATE, CHK-9, CHK-10, CHK-11, CHK-12
"""

from __future__ import annotations

import pytest

from autopilot.events.happened import GateJudged, PhaseRated, PhaseVerified, StepEnded
from autopilot.events.recovery import IntegrityChecked, TaskRead
from tests.scenario.kit.aftermath import happened, state_of
from tests.scenario.kit.hearing import heard
from tests.scenario.kit.lying import LIES, Lie
from tests.scenario.kit.telling import Told, tell
from tests.scenario.stories.liars import AT_FIRST, PAIRS, RED, STORIES, UNCLASSIFIED, WHOLE

STEPS = {"plan_checker": "plan_check", "verifier": "verify", "judge": "judge", "rater": "rate"}
PLACES = {name: (phase, attempt) for phase, pair in enumerate(PAIRS, 1) for attempt, name in enumerate(pair, 1)}


@pytest.fixture(scope="module")
def lied_twice(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell((WHOLE,), "lied_twice", tmp_path_factory.mktemp("lied_twice"))


@pytest.fixture(scope="module")
def lied_once(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return tell(STORIES, "lied_once", tmp_path_factory.mktemp("lied_once"))


def refusals(told: Told, phase: int, step: str) -> list[str]:
    ended = [e for e in happened(told.world, StepEnded) if e.phase == str(phase) and e.step == step]
    return [event.detail for event in ended if event.status == "error"]


# -- twice


@pytest.mark.parametrize("name", LIES)
def test_it_is_refused_with_the_reason_in_the_journal(lied_twice: Told, name: str) -> None:
    phase, attempt = PLACES[name]
    said = refusals(lied_twice, phase, STEPS[LIES[name].role])
    assert len(said) == 2
    assert LIES[name].reason in said[attempt - 1]


@pytest.mark.parametrize("pair", PAIRS, ids=[pair[0] for pair in PAIRS])
def test_who_lies_is_asked_once_more_and_told_why(lied_twice: Told, pair: tuple[str, str]) -> None:
    phase, role = PLACES[pair[0]][0], LIES[pair[0]].role
    told = heard(lied_twice.world, role, phase)
    calls = [text for text in told if "your findings are recorded" not in text]  # a judge is called twice an attempt
    assert len(calls) == 2
    assert "Your last report was refused" not in calls[0]
    assert "Your last report was refused: " in calls[1]
    assert LIES[pair[0]].reason in calls[1]


@pytest.mark.parametrize("pair", PAIRS, ids=[pair[0] for pair in PAIRS])
def test_who_lies_twice_fails_the_phase_by_its_step(lied_twice: Told, pair: tuple[str, str]) -> None:
    phase = state_of(lied_twice.world)["phases"][str(PLACES[pair[0]][0])]
    step = STEPS[LIES[pair[0]].role]
    assert (phase["status"], phase["failure_category"]) == ("failed", "coordination_failure")
    assert phase["failure"].startswith(f"{step}: ")
    assert LIES[pair[1]].reason in phase["failure"]


def test_nothing_of_a_refused_report_counts(lied_twice: Told) -> None:
    assert happened(lied_twice.world, PhaseRated) == []
    assert happened(lied_twice.world, GateJudged) == []
    verified = {int(event.phase) for event in happened(lied_twice.world, PhaseVerified)}
    assert verified == {PLACES[name][0] for name, lie in LIES.items() if lie.role in ("judge", "rater")}


# -- once


@pytest.mark.parametrize("lie", AT_FIRST, ids=[lie.role for lie in AT_FIRST])
def test_who_lies_once_is_told_and_then_believed(lied_once: Told, lie: Lie) -> None:
    (said,) = refusals(lied_once, 1, STEPS[lie.role])
    assert lie.reason in said
    told = [text for text in heard(lied_once.world, lie.role) if "Your last report was refused: " in text]
    assert lie.reason in told[0]
    assert state_of(lied_once.world)["phases"]["1"]["status"] == "completed"


def test_a_mini_verifier_that_calls_a_red_command_green_is_asked_once_more(lied_once: Told) -> None:
    first, second = heard(lied_once.world, "mini_verifier")
    assert RED in first
    assert "Your last review was refused: `sh part-01-01.sh`: it is reported as 'passed'" in second
    (read,) = (event for event in happened(lied_once.world, TaskRead) if event.task == "01-01")
    assert read.assessment is not None


def test_without_a_usable_reading_of_a_task_the_evidence_stands(lied_once: Told) -> None:
    (read,) = (event for event in happened(lied_once.world, TaskRead) if event.task == "02-01")
    assert (read.assessment, read.problem) == (None, "the reviewer ran no command")
    assert "[Phase 2] Task 02-01: VERIFIED" in lied_once.ran.err


def test_a_failure_without_a_category_is_a_warning_and_counts_all_the_same(lied_once: Told) -> None:
    findings = [f for e in happened(lied_once.world, IntegrityChecked) if e.phase == "2" for f in e.findings]
    assert [(f.refuses, f.message) for f in findings if f.check == 12] == [
        (False, f"unclassified failure: {UNCLASSIFIED}")
    ]
    assert f"[Phase 2] Integrity check 12: warning -- unclassified failure: {UNCLASSIFIED}" in lied_once.ran.err
    rulings = [event.reason for event in happened(lied_once.world, GateJudged) if event.phase == "2"]
    assert rulings[0] == f"the verifier refused it: {UNCLASSIFIED}"
    assert state_of(lied_once.world)["phases"]["2"]["status"] == "completed", "a debugger mended it"


def test_a_verifier_may_see_a_command_fail_that_passed_with_us(lied_once: Told) -> None:
    assert refusals(lied_once, 3, "verify") == []
    assert state_of(lied_once.world)["phases"]["3"]["status"] == "completed"
