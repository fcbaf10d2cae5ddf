"""The pipeline of one phase as a table: a state by hand, the one command that must follow (ROUTE, PCHK, DBG, RBK)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.happened import PhaseCompleted, PhaseFailed, Rerouted, StepSkipped
from autopilot.events.pieces import Landing, OpenStep, StepState, TaskState
from autopilot.events.state import PhaseState
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.roadmap import decide
from autopilot.model.assessment import Recommendation
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.plan import REMEDIATION
from autopilot.model.policy import Policy
from autopilot.model.ruling import Action
from autopilot.model.run import RunStatus, Step, StopKind
from tests.unit.making import (
    ONE,
    START,
    make_judgement,
    make_observation,
    make_phase,
    make_policy,
    make_rating,
    make_state,
    make_task,
    make_verification,
)

# covers: ROUTE, PCHK, PVRF-01, DBG, RBK, GATE, CTXE-01, ALREADY, HV
GREEN, RED = (make_observation("01-01.c1"),), (make_observation("01-01.c1", Seen.FAILED),)
NOTHING = (make_observation("01-01.c1", Seen.NOTHING),)

# Each is the one before it, one step further.
FRESH: dict[str, Any] = {}
CHECKED: dict[str, Any] = {"preflight_issues": (), "done": (Step.PREFLIGHT,)}
TRIAGED = {**CHECKED, "triage": (), "done": (Step.PREFLIGHT, Step.TRIAGE)}
RESEARCHED = {**TRIAGED, "research": "d" * 64}
PLANNED = {**RESEARCHED, "plan_commit": "plan", "plan_rounds": 1}
APPROVED = {**PLANNED, "plan_checked": True, "plan_approved": True, "red": RED}


def with_task(status: str, **task: Any) -> dict[str, Any]:
    return {**APPROVED, "tasks": {"01-01": TaskState(make_task(), status, **task)}}


EXECUTED = with_task("verified")
OBSERVED = {**EXECUTED, "observations": GREEN, "observed_commit": "tip"}
REFUSED = {**EXECUTED, "observations": RED, "steps": {"verify": StepState("fail")}}
VERIFIED = {**OBSERVED, "verification": make_verification()}
JUDGED = {**VERIFIED, "judgement": make_judgement()}
RATED = {**JUDGED, "rating": make_rating(), "score": 9.6}
PASSED = {**RATED, "gate": Outcome.PASS, "records_commit": "records"}
WAITING = {**PASSED, "landing": Landing("deferred", because="the checkout is not clean")}


def next_command(fields: dict[str, Any], policy: Policy | None = None, tip: str = "base") -> Command:
    state = make_state(make_phase(**fields), tip=tip)
    [command] = decide(state, policy or make_policy(), START)
    return command


def step_of(command: Command) -> tuple[Step, str]:
    assert isinstance(command, RunStep), command
    return command.step, command.task


@pytest.mark.parametrize(
    ("fields", "step", "task"),
    [
        (FRESH, Step.PREFLIGHT, ""),
        (CHECKED, Step.TRIAGE, ""),
        (TRIAGED, Step.RESEARCH, ""),
        (RESEARCHED, Step.PLAN, ""),
        (PLANNED, Step.PLAN_CHECK, ""),
        (with_task("pending"), Step.EXECUTE, "01-01"),
        (with_task("committed", commit="work"), Step.MINI_VERIFY, "01-01"),
        (with_task("already"), Step.VERIFY, ""),  # there is nothing to do
        (with_task("handed_over", handovers=("full",) * 2), Step.EXECUTE, "01-01"),  # to a fresh agent, twice
        (with_task("handed_over", handovers=("full",) * 2, commit="half"), Step.EXECUTE, "01-01"),
        (with_task("handed_over", handovers=("full",) * 3, commit="half"), Step.MINI_VERIFY, "01-01"),
        (with_task("handed_over", handovers=("full",) * 3), Step.DEBUG, "01-01"),
        (with_task("handed_over", handovers=("full",) * 3, debugs=2), Step.VERIFY, ""),
        (with_task("refused"), Step.DEBUG, "01-01"),
        (with_task("failed", debugs=1), Step.DEBUG, "01-01"),
        (with_task("failed", debugs=2), Step.VERIFY, ""),  # a task that failed for good does not stop the phase
        (with_task("refused", debugs=2), Step.VERIFY, ""),
        (EXECUTED, Step.VERIFY, ""),
        (OBSERVED, Step.VERIFY, ""),  # observed, but the verifier has not been heard yet
        (VERIFIED, Step.JUDGE, ""),
        (JUDGED, Step.RATE, ""),
        (RATED, Step.GATE, ""),
        (REFUSED, Step.GATE, ""),  # no opinion can raise what evidence refuses
        ({**RATED, "verification": make_verification(False)}, Step.GATE, ""),
        (PASSED, Step.LAND, ""),
        ({**PASSED, "landing": Landing("started")}, Step.LAND, ""),
    ],
)
def test_the_first_thing_that_is_not_done_yet_comes_next(fields: dict[str, Any], step: Step, task: str) -> None:
    assert step_of(next_command(fields)) == (step, task)


PERSON = make_task(type="checkpoint:human-verify")
ALL_FOR_A_PERSON = {**APPROVED, "tasks": {"01-01": TaskState(PERSON)}}


@pytest.mark.parametrize(
    ("fields", "policy", "skipped", "next_step"),
    [
        ({"has_plan": True}, make_policy(), {Step.RESEARCH, Step.PLAN}, Step.PLAN_CHECK),
        ({}, make_policy(research=False), {Step.RESEARCH}, Step.PLAN),
        ({"verify_only": True}, make_policy(), {Step.RESEARCH, Step.PLAN, Step.PLAN_CHECK, Step.EXECUTE}, Step.VERIFY),
        (ALL_FOR_A_PERSON, make_policy(), {Step.EXECUTE}, Step.VERIFY),
        ({**ALL_FOR_A_PERSON, "has_plan": True}, make_policy(), {Step.RESEARCH, Step.PLAN, Step.EXECUTE}, Step.VERIFY),
    ],
)
def test_a_route_skips_steps_each_with_its_reason_and_only_once(
    fields: dict[str, Any], policy: Policy, skipped: set[Step], next_step: Step
) -> None:
    command = next_command({**TRIAGED, **fields}, policy)
    assert isinstance(command, Record)
    assert {event.step for event in command.events if isinstance(event, StepSkipped) and event.reason} == skipped
    steps = {step.value: StepState("skipped") for step in skipped}
    assert step_of(next_command({**TRIAGED, **fields, "steps": steps}, policy)) == (next_step, "")


SKIPS = {step: StepState("skipped") for step in ("research", "plan", "plan_check", "execute")}
TAKEN_FOR_DONE = {**TRIAGED, "verify_only": True, "steps": SKIPS}


@pytest.mark.parametrize(
    "refused",
    [
        {"gate": Outcome.FAIL, "gate_reason": "phase.c1: the check failed", "action": Action.DEBUG},  # evidence
        {"gate": Outcome.UNPROVEN, "gate_reason": "nothing was checked", "action": Action.DEBUG},
        {**RATED, "steps": SKIPS, "gate": Outcome.FAIL, "gate_reason": "it scored 6.0", "action": Action.REPLAN},
    ],
)
def test_what_triage_took_for_done_and_the_gate_does_not_takes_the_whole_pipeline(refused: dict[str, Any]) -> None:
    event = only_event(next_command({**TAKEN_FOR_DONE, **refused}))
    assert isinstance(event, Rerouted)
    assert event.reason == f"triage found the phase done, but {refused['gate_reason']}"
    after = {**TAKEN_FOR_DONE, "verify_only": False, "rerouted": True}
    assert step_of(next_command(after)) == (Step.RESEARCH, "")
    again = {**after, "gate": Outcome.FAIL, "gate_reason": "again", "action": Action.ROLLBACK}
    assert isinstance(only_event(next_command(again)), PhaseFailed)


def test_what_triage_took_for_done_goes_to_the_gate_before_anything_is_said_of_it() -> None:
    red = {**TAKEN_FOR_DONE, "observations": RED, "steps": {**SKIPS, "verify": StepState("fail")}}
    assert step_of(next_command(red)) == (Step.GATE, "")
    assert step_of(next_command({**PASSED, "verify_only": True, "steps": SKIPS})) == (Step.LAND, "")


def test_plans_that_were_refused_because_all_of_it_holds_leave_the_phase_to_be_verified() -> None:
    """covers: ALREADY"""
    refused = {**PLANNED, "plan_checked": True, "plan_rounds": 3, "plan_blockers": ("it holds",), "plan_holds": True}
    event = only_event(next_command(refused))
    assert isinstance(event, Rerouted) and event.verify_only
    assert isinstance(only_event(next_command({**refused, "plan_holds": False})), PhaseFailed)
    assert isinstance(only_event(next_command({**refused, "rerouted": True})), PhaseFailed)


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_refused_plan_of_ours_is_made_again(rounds: int) -> None:
    refused = {**PLANNED, "plan_checked": True, "plan_rounds": rounds, "plan_blockers": ("a command cannot fail",)}
    assert step_of(next_command(refused)) == (Step.PLAN, "")


def test_to_be_asked_for_clauses_takes_no_round_of_a_plan() -> None:
    asked = {**PLANNED, "plan_checked": True, "plan_rounds": 3, "plan_clauses_asked": True, "plan_blockers": ("no",)}
    assert step_of(next_command(asked)) == (Step.PLAN, "")
    assert isinstance(only_event(next_command({**asked, "plan_rounds": 4})), PhaseFailed)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"plan_rounds": 3}, "refused 3 times: a command cannot fail"),
        ({"plan_ours": False, "plan_rounds": 1, "has_plan": True}, "the plan: a command cannot fail"),
    ],
)
def test_a_plan_refused_for_good_fails_the_phase(fields: dict[str, Any], words: str) -> None:
    refused = {**PLANNED, "plan_checked": True, "plan_blockers": ("a command cannot fail",), **fields}
    failed = only_event(next_command({**refused, "done": tuple(Step)}))
    assert isinstance(failed, PhaseFailed)
    assert failed.step is Step.PLAN_CHECK
    assert words in failed.reason


def only_event(command: Command) -> object:
    assert isinstance(command, Record), command
    [event] = command.events
    return event


BAD_ENDS: list[tuple[dict[str, Any], Step]] = [
    ({**CHECKED, "preflight_issues": ("the spec is gone",)}, Step.PREFLIGHT),
    ({**RATED, "gate": Outcome.FAIL, "action": Action.ROLLBACK, "gate_reason": "c1 failed"}, Step.GATE),
    ({**RATED, "gate": Outcome.UNPROVEN, "action": Action.ROLLBACK, "gate_reason": "no red evidence"}, Step.GATE),
    ({**TRIAGED, "steps": {"research": StepState("error", errors=2)}}, Step.RESEARCH),
    ({**EXECUTED, "steps": {"verify": StepState("error", errors=2)}}, Step.VERIFY),
    ({**EXECUTED, "steps": {"split": StepState("error", errors=2)}}, Step.SPLIT),
]


@pytest.mark.parametrize(("fields", "step"), BAD_ENDS)
def test_a_phase_that_cannot_go_on_fails_where_nothing_was_changed(fields: dict[str, Any], step: Step) -> None:
    failed = only_event(next_command(fields))
    assert isinstance(failed, PhaseFailed)
    assert failed.step is step


@pytest.mark.parametrize(("fields", "step"), BAD_ENDS)
def test_a_phase_that_changed_something_gives_it_back_before_it_fails(fields: dict[str, Any], step: Step) -> None:
    assert step_of(next_command(fields, tip="work")) == (Step.ROLLBACK, "")
    failed = only_event(next_command({**fields, "rolled_back_to": "restored"}, tip="restored"))
    assert isinstance(failed, PhaseFailed)
    assert failed.step is step


def test_a_step_that_broke_down_once_is_tried_again() -> None:
    fields = {**TRIAGED, "steps": {"research": StepState("error", errors=1)}, "attempts": {"research": 1}}
    command = next_command(fields)
    assert command == RunStep(ONE, Step.RESEARCH, attempt=2)


@pytest.mark.parametrize(
    ("fields", "stuck"),
    [
        (PLANNED, "plan_check"),
        (with_task("committed", commit="work"), "mini_verify.01-01"),
        (EXECUTED, "verify"),
        ({**RATED, "gate": Outcome.UNPROVEN, "action": Action.PAUSE}, "gate"),
        ({**RATED, "gate": Outcome.FAIL, "action": Action.ROLLBACK}, "rollback"),
        (PASSED, "land"),
    ],
)
def test_what_could_not_be_seen_for_our_own_reasons_pauses_the_run(fields: dict[str, Any], stuck: str) -> None:
    steps = {stuck: StepState("unproven", detail="no sandbox")}
    command = next_command({**fields, "steps": steps}, tip="work")
    assert command == Halt(RunStatus.PAUSED, "phase 1: no sandbox", 5, StopKind.PROBLEM)


def test_a_phase_lands_only_after_its_gate_said_pass() -> None:
    for gate in (None, Outcome.UNPROVEN, Outcome.FAIL):
        command = next_command({**PASSED, "gate": gate})
        assert not (isinstance(command, RunStep) and command.step is Step.LAND)
        assert not isinstance(command, Record) or not isinstance(command.events[0], PhaseCompleted)


@pytest.mark.parametrize("landing", ["landed", "deferred"])
def test_a_phase_that_landed_or_had_to_wait_is_completed_with_its_score(landing: str) -> None:
    completed = only_event(next_command({**PASSED, "landing": Landing(landing)}))
    assert completed == PhaseCompleted(ONE, 9.6, "records")


def test_a_step_that_was_cut_short_is_the_same_attempt_one_try_further() -> None:
    opened = OpenStep(Step.EXECUTE, attempt=2, number=3, task="01-01")
    command = next_command({**with_task("pending"), "open": opened})
    assert command == RunStep(ONE, Step.EXECUTE, attempt=2, number=4, task="01-01")


def test_attempts_are_counted_over_all_attempts_at_the_phase() -> None:
    again: PhaseState = make_phase(attempt=2, attempts={"preflight": 1})
    [command] = decide(make_state(again), make_policy(), START)
    assert command == RunStep(ONE, Step.PREFLIGHT, attempt=2)


def test_a_task_for_a_person_is_left_to_a_person() -> None:
    mixed = {
        "01-01": TaskState(make_task(type="checkpoint:human-verify")),
        "01-02": TaskState(make_task("01-02")),
    }
    assert step_of(next_command({**APPROVED, "tasks": mixed})) == (Step.EXECUTE, "01-02")


@pytest.mark.parametrize(
    ("word", "step"),
    [
        (Recommendation.DEBUG, Step.RATE),
        (Recommendation.ROLLBACK, Step.GATE),
        (Recommendation.HALT, Step.GATE),
    ],
)
def test_the_rater_is_asked_unless_the_judge_ended_it(word: Recommendation, step: Step) -> None:
    assert step_of(next_command({**VERIFIED, "judgement": make_judgement(word)})) == (step, "")


@pytest.mark.parametrize(("confidence", "step"), [(5.9, Step.GATE), (6.0, Step.RATE)])
def test_where_nothing_was_built_and_the_verifier_is_unsure_there_is_nothing_to_score(
    confidence: float, step: Step
) -> None:
    unsure = replace(make_verification(False), autonomous_confidence=confidence)
    judged = {**ALL_FOR_A_PERSON, **JUDGED, "tasks": {"01-01": TaskState(PERSON)}, "verification": unsure}
    assert step_of(next_command({**judged, "steps": SKIPS})) == (step, "")


def many(count: int, **more: Any) -> dict[str, Any]:
    tasks = [make_task(f"01-{n:02}", **more) for n in range(1, count + 1)]
    return {**APPROVED, "tasks": {task.id: TaskState(task) for task in tasks}}


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (many(8), (Step.EXECUTE, "01-01")),
        (many(9), (Step.EXECUTE, "")),  # one agent does them all
        ({**many(9), "steps": {"execute": StepState("completed")}}, (Step.EXECUTE, "01-01")),  # once
        (many(5, complexity="complex"), (Step.EXECUTE, "01-01")),
        (many(6, complexity="complex"), (Step.SPLIT, "")),
        ({**many(6, complexity="complex"), "steps": {"split": StepState("error", errors=1)}}, (Step.SPLIT, "")),
        ({**many(6, complexity="complex"), "parent": ONE, "line": "work"}, (Step.EXECUTE, "01-01")),
        ({**many(6, complexity="complex"), "line": "work"}, (Step.EXECUTE, "01-01")),  # it waited for a person
    ],
)
def test_a_long_plan_goes_to_one_agent_and_a_hard_one_is_cut(
    fields: dict[str, Any], expected: tuple[Step, str]
) -> None:
    assert step_of(next_command(fields)) == expected


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"plan_ours": False}, (Step.EXECUTE, "01-01")),  # taken over midway: a part could not wait for a person
        ({"plan_ours": False, "red": RED}, (Step.SPLIT, "")),  # nothing of it is there
        ({"plan_ours": False, "red": ()}, (Step.SPLIT, "")),  # nothing was run
        ({"plan_ours": True}, (Step.SPLIT, "")),
    ],
)
def test_a_users_phase_of_which_a_task_may_be_built_is_not_cut(
    more: dict[str, Any], expected: tuple[Step, str]
) -> None:
    assert step_of(next_command({**many(6, complexity="complex"), "red": GREEN, **more})) == expected


def test_a_phase_whose_planning_folder_stays_out_of_commits_is_not_cut() -> None:
    hard = many(6, complexity="complex")
    assert step_of(next_command(hard, make_policy(commit_docs=False))) == (Step.EXECUTE, "01-01")


def test_tasks_of_a_person_do_not_count_towards_a_cut_or_a_batch() -> None:
    hard = many(6, complexity="complex", type="checkpoint:human-verify")
    assert step_of(next_command({**hard, "steps": SKIPS})) == (Step.VERIFY, "")


@pytest.mark.parametrize(("files", "step"), [(3, Step.EXECUTE), (4, Step.SPLIT)])
def test_remediation_that_spreads_over_too_many_files_is_cut(files: int, step: Step) -> None:
    mends = [make_task(f"01-r1.{n}", type=REMEDIATION, files=(f"{n}.py",), action="mend") for n in range(files)]
    tasks = {"01-01": TaskState(make_task(), "verified"), **{task.id: TaskState(task) for task in mends}}
    command = next_command({**EXECUTED, "tasks": tasks})
    assert isinstance(command, RunStep) and command.step is step
