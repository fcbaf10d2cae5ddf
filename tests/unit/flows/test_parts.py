"""A split phase: parts side by side, then one after the other onto the run's line, or not at all (LOOP-3, SPLIT)."""

from __future__ import annotations

from typing import Any

import pytest

from autopilot.events.happened import PhaseCompleted, PhaseFailed
from autopilot.events.pieces import Conflict, Landing, OpenStep, StepState, TaskState
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.roadmap import decide
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.ruling import Action
from autopilot.model.run import PhaseStatus, RunStatus, Step, StopKind
from tests.unit.making import (
    ONE,
    START,
    make_judgement,
    make_phase,
    make_policy,
    make_rating,
    make_state,
    make_task,
    make_verification,
)

# covers: LOOP-3, SPLIT
A, B, C, D = (PhaseId(f"1{letter}") for letter in "abcd")
PLANNED: dict[str, Any] = {
    **{"preflight_issues": (), "triage": (), "research": "d" * 64, "plan_commit": "plan", "plan_rounds": 1},
    **{"plan_checked": True, "plan_approved": True},
}
SPLIT = {"split": StepState("split")}


def part(id: PhaseId, status: PhaseStatus = PhaseStatus.IN_PROGRESS, **more: Any) -> PhaseState:
    task = make_task(f"01-0{id[-1]}")
    fields = {"parent": ONE, "line": f"line-{id}", "tasks": {task.id: TaskState(task)}}
    return make_phase(id, **{**PLANNED, **fields, "status": status, **more})


def done(id: PhaseId, **more: Any) -> PhaseState:
    return part(id, PhaseStatus.COMPLETED, score=9.6, gate=Outcome.PASS, **more)


def split(*parts: PhaseState, **more: Any) -> RunState:
    tasks = {name: TaskState(task.task) for each in parts for name, task in each.tasks.items()}
    fields = {"tasks": {**tasks, **more.pop("tasks", {})}, "parts": tuple(p.id for p in parts), "steps": SPLIT}
    tip = more.pop("tip", "plan")
    whole = make_phase(**{**PLANNED, **fields, **more})
    return make_state(whole, parts={p.id: p for p in parts}, tip=tip)


def commands(state: RunState, policy: Policy | None = None) -> tuple[Command, ...]:
    return decide(state, policy or make_policy(), START)


def steps(state: RunState, policy: Policy | None = None) -> list[tuple[PhaseId, Step, str]]:
    return [(c.phase, c.step, c.task) for c in commands(state, policy) if isinstance(c, RunStep)]


@pytest.mark.parametrize(("limit", "at_work"), [(1, [A]), (2, [A, B]), (3, [A, B, C]), (9, [A, B, C, D])])
def test_at_most_so_many_parts_are_at_work(limit: int, at_work: list[PhaseId]) -> None:
    found = steps(split(part(A), part(B), part(C), part(D)), make_policy(parts=limit))
    assert [(phase, step) for phase, step, _ in found] == [(id, Step.EXECUTE) for id in at_work]


def test_a_part_that_is_settled_makes_room_for_the_next() -> None:
    state = split(done(A), part(B), part(C, PhaseStatus.FAILED), part(D))
    assert [phase for phase, _, _ in steps(state, make_policy(parts=2))] == [B, D]


def test_a_part_that_was_cut_short_is_tried_again_beside_the_others() -> None:
    opened = part(A, open=OpenStep(Step.VERIFY, 2, 1, ""))
    assert commands(split(opened, part(B)))[0] == RunStep(A, Step.VERIFY, 2, 2)
    assert len(commands(split(opened, part(B)))) == 2


def test_a_part_that_lacks_something_waits_while_the_others_go_on_and_then_the_run_pauses() -> None:
    stuck = part(A, steps={"execute.01-0a": StepState("unproven", detail="no sandbox")})
    assert [phase for phase, _, _ in steps(split(stuck, part(B)))] == [B]
    assert commands(split(stuck, done(B))) == (Halt(RunStatus.PAUSED, "phase 1a: no sandbox", 5, StopKind.PROBLEM),)


def test_a_part_is_completed_by_its_gate_alone_and_lands_nowhere() -> None:
    reviews = {"verification": make_verification(), "judgement": make_judgement(), "rating": make_rating()}
    passed = part(A, tasks={}, gate=Outcome.PASS, action=Action.PASS, score=9.6, attempts={"gate": 2}, **reviews)
    [command] = commands(split(passed))
    assert command == Record("1a/complete/2", (PhaseCompleted(A, 9.6, "line-1a"),))


def test_a_part_that_fails_gives_nothing_back_because_its_line_is_in_nobodys_way() -> None:
    refused = part(A, tasks={}, gate=Outcome.FAIL, action=Action.ROLLBACK, gate_reason="red", gate_category="x")
    [command] = commands(split(refused))
    assert command == Record("1a/fail/1", (PhaseFailed(A, "red", "x", Step.GATE),))


def test_when_all_parts_passed_they_come_together_one_after_the_other() -> None:
    assert steps(split(done(A), done(B))) == [(ONE, Step.INTEGRATE, A)]
    assert steps(split(done(A), done(B), integrated=(A,))) == [(ONE, Step.INTEGRATE, B)]
    assert steps(split(done(A), done(B), integrated=(A, B))) == [(ONE, Step.VERIFY, "")]


def test_what_the_parts_did_is_not_done_again_and_what_came_later_is() -> None:
    """A cycle of remediation after a cut one: its tasks are nobody's yet."""
    later = {"01-r2": TaskState(make_task("01-r2", type="remediation"))}
    state = split(done(A), done(B), integrated=(A, B), tasks=later)
    assert steps(state) == [(ONE, Step.EXECUTE, "01-r2")]


def test_one_failed_part_fails_the_phase_after_a_rollback_that_keeps_them_all() -> None:
    failed = part(B, PhaseStatus.FAILED, failure="red", failure_category="lint_failure")
    assert steps(split(done(A), failed)) == [(ONE, Step.ROLLBACK, "")]
    [command] = commands(split(done(A), failed, rolled_back_to="restored", tip="restored"))
    assert command == Record("1/fail/1", (PhaseFailed(ONE, "part 1b: red", "lint_failure", Step.INTEGRATE),))


def test_nothing_is_merged_while_a_part_is_at_work_or_failed() -> None:
    for other in (part(B), part(B, PhaseStatus.FAILED, failure="red")):
        assert Step.INTEGRATE not in [step for _, step, _ in steps(split(done(A), other))]


def conflict(rounds: int = 0, **more: Any) -> Conflict:
    return Conflict(A, "merge", ("a.py",), "it conflicts in a.py", rounds, **more)


@pytest.mark.parametrize(
    ("found", "step"),
    [
        (conflict(0), Step.RESOLVE),
        (conflict(1), Step.RESOLVE),
        (conflict(1, resolved="r"), Step.INTEGRATE),  # what a resolver made is looked at before it counts
        (conflict(2, resolved="r"), Step.INTEGRATE),
        (conflict(2), Step.ROLLBACK),
    ],
)
def test_a_conflict_is_resolved_twice_at_most_and_looked_at_each_time(found: Conflict, step: Step) -> None:
    [(phase, next_step, task)] = steps(split(done(A), done(B), conflict=found))
    assert (phase, next_step, task) == (ONE, step, "" if step is Step.ROLLBACK else A)


@pytest.mark.parametrize(("refusal", "words"), [("", "it conflicts in a.py"), ("markers are left", "markers are left")])
def test_a_conflict_nobody_resolves_fails_the_phase_and_says_which(refusal: str, words: str) -> None:
    found = conflict(2, refusal=refusal)
    state = split(done(A), done(B), conflict=found, rolled_back_to="restored", tip="restored")
    [command] = commands(state)
    assert isinstance(command, Record)
    [failed] = command.events
    assert isinstance(failed, PhaseFailed)
    assert failed.reason == f"1a could not be merged with the work that is there: {words}"
    assert failed.category == "coordination_failure"


def test_observed_together_the_whole_goes_straight_to_its_gate() -> None:
    """The parts were reviewed each by itself."""
    seen = {**SPLIT, "verify": StepState("observed")}
    assert steps(split(done(A), done(B), integrated=(A, B), steps=seen)) == [(ONE, Step.GATE, "")]
    passed = {"gate": Outcome.PASS, "action": Action.PASS, "landing": Landing()}
    assert steps(split(done(A), done(B), integrated=(A, B), steps=seen, **passed)) == [(ONE, Step.LAND, "")]
