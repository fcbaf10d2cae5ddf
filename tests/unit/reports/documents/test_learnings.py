"""learnings.md and the prevention rules in it: precise, made by code, of this run alone."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.events.pieces import Conflict, TaskState
from autopilot.events.state import PhaseState
from autopilot.model.assessment import Failure
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Expectation, Want
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.ruling import Deduction
from autopilot.model.run import PhaseStatus
from autopilot.reports.documents.learnings import render_learnings
from autopilot.reports.documents.prevention import LONGEST, prevention_rule, rule_of
from autopilot.reports.documents.vagueness import is_vague
from tests.unit.making import (
    START,
    TWO,
    make_criterion,
    make_judgement,
    make_observation,
    make_phase,
    make_state,
    make_task,
    make_verdict,
    make_verification,
)

# covers: LRNG-01, LRNG-02, LRNG-03, LRNG-04, OBSV-03
CRITERION = make_criterion(text="search ignores case", command="make check", expectation=Expectation(Want.AT_LEAST, 2))
TASK = TaskState(make_task("01-01", CRITERION, files=("shelf/find.py",)), "failed", "c" * 40, files=("shelf/find.py",))


def failed(**more: Any) -> PhaseState:
    fields: dict[str, Any] = {
        "status": PhaseStatus.FAILED,
        "failure": "01-01.c1: the check failed after the change",
        "failure_category": "acceptance_criteria_unmet",
        "failure_step": "gate",
        "completed_at": START,
        "plan_approved": True,
        "tasks": {"01-01": TASK},
        "verdicts": (make_verdict(Outcome.FAIL, because="the check failed after the change"),),
        "observations": (
            make_observation("01-01.c1", Seen.FAILED, command="make check", exit_code=1, excerpt="0 found\n"),
        ),
    }
    return make_phase(**{**fields, **more})


def bare(**more: Any) -> PhaseState:
    """Failed before any work."""
    return failed(**{"tasks": {}, "verdicts": (), "observations": None, **more})


def test_a_run_without_failures_has_learnt_nothing() -> None:
    assert render_learnings(make_state(make_phase(status=PhaseStatus.COMPLETED))) == ""


def test_a_failed_phase_leaves_one_entry_in_the_sources_shape() -> None:
    assert render_learnings(make_state(failed())) == (
        "# Learnings (current run)\n"
        "\n"
        "### Phase 1 failure -- acceptance_criteria_unmet\n"
        '**Prevention rule:** "search ignores case" (task 01-01: shelf/find.py) kept failing: run `make check` and see '
        "returns at least 2 before committing; last result: failed (exit 1): 0 found.\n"
        "**Context:** Phase 1 (Part 1) failed with category `acceptance_criteria_unmet`. "
        "Recorded: 2025-01-01T12:00:00Z.\n"
    )


def test_what_people_taught_stands_after_what_failures_taught() -> None:
    entry = "### Human Verdict: Phase 7 -- PASS (confidence calibration)\nIt passed.\n**Calibration:** more of it.\n"
    text = render_learnings(make_state(failed(), calibration=(entry,)))
    assert text.endswith(f"\n\n{entry}")
    assert text.index("Phase 1 failure") < text.index("Human Verdict")
    assert render_learnings(make_state(make_phase(), calibration=(entry,))) == f"# Learnings (current run)\n\n{entry}"


RULES: dict[str, tuple[PhaseState, list[str]]] = {
    "criterion": (failed(), ['"search ignores case"', "01-01", "shelf/find.py", "`make check`", "exit 1"]),
    "preflight": (bare(preflight_issues=("node is not installed",)), ["phase 1", "node is not installed"]),
    "plan": (
        bare(plan_approved=False, plan_blockers=("01-PLAN.md:12: task 01-02 has no criterion",)),
        ["01-PLAN.md", "task 01-02 has no criterion"],
    ),
    "check": (
        failed(
            verdicts=(make_verdict(Outcome.FAIL, "compile", "the command failed"),),
            observations=(make_observation("compile", Seen.FAILED, command="make build", exit_code=2),),
        ),
        ["`make build`", "compile", "exit 2"],
    ),
    "script": (
        failed(
            verdicts=(make_verdict(Outcome.FAIL, "script:01-01"),),
            observations=(
                make_observation(
                    "script:01-01", Seen.FAILED, command="bash tests/task-01-01.sh", reason="FAIL: it sings"
                ),
            ),
        ),
        ["`bash tests/task-01-01.sh`", "01-01", "FAIL: it sings"],
    ),
    "refused": (
        failed(verdicts=(make_verdict(Outcome.FAIL, "task 01-01", "the agent committed nothing"),), observations=()),
        ["01-01", "the agent committed nothing", "shelf/find.py"],
    ),
    "unproven": (
        failed(verdicts=(make_verdict(Outcome.UNPROVEN, because="the check already passed at the base"),)),
        ['"search ignores case"', "already passed at the base", "fails without the work"],
    ),
    "context": (
        failed(
            failure_category="context_exhaustion",
            tasks={"01-01": TaskState(TASK.task, "handed_over", handovers=("full", "full"))},
            verdicts=(),
        ),
        ["01-01", "2 times", "shelf/find.py"],
    ),
    "scope": (
        failed(
            failure_category="scope_creep",
            tasks={"01-01": TaskState(TASK.task, "failed", outside=("setup.cfg",))},
        ),
        ["01-01", "shelf/find.py", "setup.cfg"],
    ),
    "conflict": (
        bare(conflict=Conflict(PhaseId("1b"), "c", ("shelf/find.py",), "it conflicts in shelf/find.py")),
        ["1b", "shelf/find.py"],
    ),
    "verifier": (
        failed(
            verdicts=(make_verdict(Outcome.PASS),),
            verification=make_verification(
                False, failures=(Failure("shelf/find.py:3 compares raw titles", "executor_incomplete"),)
            ),
        ),
        ["the verifier", "shelf/find.py", "compares raw titles"],
    ),
    "judge": (
        failed(
            verdicts=(make_verdict(Outcome.PASS),),
            judgement=make_judgement(missing_requirements=("FIND-02 is not there",), concerns=("a worry",)),
        ),
        ["the judge", "FIND-02 is not there"],
    ),
    "score": (
        failed(
            verdicts=(make_verdict(Outcome.PASS),),
            deductions=(
                Deduction("search ignores case", 6.9, 3.1, 3.1, "no file and line is named as evidence", "a.py"),
            ),
        ),
        ["search ignores case", "6.9", "a.py", "no file and line"],
    ),
    "nothing known": (
        bare(failure="rate: the rater gave no answer", failure_step="rate"),
        ["Phase 1", "rate", "the rater gave no answer"],
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_a_prevention_rule_names_what_went_wrong(name: str) -> None:
    phase, words = RULES[name]
    rule = prevention_rule(phase)
    assert [word for word in words if word not in rule] == []


@pytest.mark.parametrize("name", RULES)
def test_a_prevention_rule_is_short_and_never_vague(name: str) -> None:
    rule = prevention_rule(RULES[name][0])
    assert 0 < len(rule) <= LONGEST and "\n" not in rule
    assert not is_vague(rule)


def test_a_rule_stays_short_whatever_was_said() -> None:
    assert len(prevention_rule(bare(preflight_issues=("x" * 10_000,)))) == LONGEST


def test_of_several_failures_a_criterion_says_more_than_its_script() -> None:
    verdicts = (make_verdict(Outcome.FAIL, "script:01-01"), make_verdict(Outcome.FAIL))
    assert "search ignores case" in prevention_rule(failed(verdicts=verdicts))


def test_a_phase_that_never_came_to_its_gate_is_known_by_its_tasks() -> None:
    task = TaskState(TASK.task, "failed", "c" * 40, verdicts=(make_verdict(Outcome.FAIL),))
    assert "search ignores case" in prevention_rule(failed(verdicts=(), observations=None, tasks={"01-01": task}))


def test_a_split_phase_learns_from_the_part_that_failed() -> None:
    part = failed()
    whole = make_phase(TWO, status=PhaseStatus.FAILED, failure="part 2a: no", parts=(PhaseId("2a"),))
    state = make_state(whole, parts={PhaseId("2a"): part})
    assert rule_of(state, whole) == prevention_rule(part)


def test_a_rule_is_one_line_whatever_a_criterion_says() -> None:
    task = TaskState(make_task("01-01", make_criterion(text="x\n# Learnings\n### Phase 9 failure")), "failed")
    text = render_learnings(make_state(failed(tasks={"01-01": task})))
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# Learnings (current run)",
        "### Phase 1 failure -- acceptance_criteria_unmet",
    ]
