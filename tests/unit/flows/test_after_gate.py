"""What the gate ordered, carried out: one command for each action and each verdict of a person (GATE, DBG, STAT-05)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from autopilot.events.happened import PhaseCompleted, PhaseFailed
from autopilot.events.pieces import Cycle, Deferral, TaskState
from autopilot.events.recovery import RemediationStarted, Replanned, StepEnforced
from autopilot.events.state import PhaseState
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.roadmap import decide
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.result import Justification
from autopilot.model.ruling import Action, Deduction, Finding
from autopilot.model.run import PhaseStatus, RunStatus, Step
from autopilot.rails.deferral import warn_of_deferrals
from tests.unit.making import (
    ONE,
    START,
    THREE,
    TWO,
    make_judgement,
    make_observation,
    make_phase,
    make_policy,
    make_rating,
    make_state,
    make_task,
    make_verification,
)

# covers: GATE, DBG, RBK, CENF-01, STAT-05, HV, CHK-9
SLOW = Deduction("it works", 8.0, 2.0, 1.0, "it is slow", "shelf/a.py")
AT_GATE: dict[str, Any] = {
    **{"preflight_issues": (), "triage": (), "research": "d" * 64, "plan_commit": "plan", "plan_rounds": 1},
    **{"plan_checked": True, "plan_approved": True, "tasks": {"01-01": TaskState(make_task(), "verified")}},
    **{"verification": make_verification(), "judgement": make_judgement(), "rating": make_rating(), "score": 8.2},
    **{"observations": (make_observation("01-01.c1"),), "deductions": (SLOW,), "observed_commit": "work"},
    **{"attempts": {"gate": 3}, "gate_reason": "so it was judged", "gate_category": "lint_failure"},
}
REFUSED = Finding(8, True, Step.VERIFY, "no file and line shows: it works")


def ordered(action: Action, tip: str = "work", **fields: Any) -> Command:
    outcome = Outcome.PASS if action in (Action.PASS, Action.PASS_INCOMPLETE) else Outcome.FAIL
    phase = make_phase(**{**AT_GATE, "gate": outcome, "action": action, **fields})
    [command] = decide(make_state(phase, tip=tip), make_policy(), START)
    return command


@pytest.mark.parametrize(
    ("action", "fields", "step"),
    [
        (Action.PASS, {}, Step.LAND),
        (Action.PASS_INCOMPLETE, {}, Step.LAND),
        (Action.DEBUG, {}, Step.DEBUG),
        (Action.REPLAN, {}, Step.ROLLBACK),  # the work of the earlier plan is taken back first
        (Action.ROLLBACK, {}, Step.ROLLBACK),
    ],
)
def test_an_order_is_carried_out_by_a_step(action: Action, fields: dict[str, Any], step: Step) -> None:
    command = ordered(action, **fields)
    assert isinstance(command, RunStep) and (command.step, command.task) == (step, "")


def test_a_failed_phase_has_the_gates_reason_and_category() -> None:
    command = ordered(Action.ROLLBACK, tip="restored", rolled_back_to="restored")
    assert command == Record("1/fail/1", (PhaseFailed(ONE, "so it was judged", "lint_failure", Step.GATE),))


def test_remediation_begins_with_targeted_tasks_and_a_key_of_its_own() -> None:
    command = ordered(Action.REMEDIATE)
    assert isinstance(command, Record) and command.slot == "1/remediate/3"
    [event] = command.events
    assert isinstance(event, RemediationStarted)
    assert (event.cycle, event.score, event.threshold, event.by_person) == (1, 8.2, 9.0, False)
    assert [task.id for task in event.tasks] == ["01-r1"]


def test_a_re_plan_follows_the_rollback_with_what_was_wrong() -> None:
    command = ordered(Action.REPLAN, tip="restored", rolled_back_to="restored", score=6.4)
    assert isinstance(command, Record) and command.slot == "1/replan/3"
    [event] = command.events
    assert isinstance(event, Replanned)
    assert (event.score, event.issues[0]) == (6.4, "it works: it is slow (scored 8.0)")


def test_where_nothing_was_changed_a_re_plan_needs_no_rollback() -> None:
    command = ordered(Action.REPLAN, tip="base")
    assert isinstance(command, Record) and isinstance(command.events[0], Replanned)


def test_an_enforced_step_is_told_what_was_wrong_with_its_report() -> None:
    remark = Finding(3, False, None, "quick")
    command = ordered(Action.ENFORCE, integrity=(remark, REFUSED))
    assert command == Record("1/enforce/3", (StepEnforced(ONE, Step.VERIFY, REFUSED.message),))


def test_no_order_but_a_pass_lands_or_completes_anything() -> None:
    for action in set(Action) - {Action.PASS, Action.PASS_INCOMPLETE}:
        command = ordered(action, integrity=(REFUSED,))
        assert not (isinstance(command, RunStep) and command.step in (Step.LAND, Step.INTEGRATE)), action
        assert not (isinstance(command, Record) and isinstance(command.events[0], PhaseCompleted)), action


WAITS = Deferral(Justification("01-99", "pay once", 1, 1), (), 4.0, "autopilot/deferred-phase-1")


def answered(verdict: str, issues: tuple[str, ...] = (), **fields: Any) -> Command:
    """A phase that waited on a line of its own, while another one landed."""
    deferral = Deferral(WAITS.justification, (), 4.0, WAITS.branch, verdict, issues, START)
    told: dict[str, Any] = {"gate": Outcome.UNPROVEN, "action": None, "line": "work", "deferral": deferral}
    if verdict == "pass":
        told |= {"gate": Outcome.PASS, "action": Action.PASS}
    phase = make_phase(status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, **{**AT_GATE, **told, **fields})
    [command] = decide(make_state(phase, tip="other"), make_policy(), START)
    return command


def test_what_a_person_passed_comes_onto_the_runs_line_and_then_lands() -> None:
    joining = answered("pass")
    assert isinstance(joining, RunStep) and (joining.step, joining.task) == (Step.INTEGRATE, ONE)
    joined = answered("pass", line="", integrated=(ONE,))
    assert isinstance(joined, RunStep) and joined.step is Step.LAND


def test_what_a_person_failed_fails_without_touching_what_others_did() -> None:
    command = answered("fail", ("the receipt is empty",))
    assert isinstance(command, Record)
    [failed] = command.events
    assert isinstance(failed, PhaseFailed)
    assert failed.reason == "a person rejected the work: the receipt is empty"


def test_a_persons_issues_are_remediated_once_and_as_they_were_said() -> None:
    command = answered("issues_found", ("the receipt is empty",))
    assert isinstance(command, Record)
    [started] = command.events
    assert isinstance(started, RemediationStarted) and started.by_person
    assert started.tasks[0].action == "- the receipt is empty"
    cycles = (Cycle(1, 8.2, ("01-r1",), by_person=True),)
    mending = {"01-01": TaskState(make_task(), "verified"), "01-r1": TaskState(started.tasks[0])}
    again = answered("issues_found", cycles=cycles, tasks=mending)
    assert isinstance(again, RunStep) and (again.step, again.task) == (Step.EXECUTE, "01-r1")


def test_a_phase_that_waits_holds_what_depends_on_it_and_lets_the_rest_go_on() -> None:
    waits = make_phase(ONE, status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=WAITS, line="work")
    held = make_phase(TWO, ONE, status=PhaseStatus.NOT_STARTED, attempt=0)
    free = make_phase(THREE, status=PhaseStatus.NOT_STARTED, attempt=0)
    [command] = decide(make_state(waits, held, free), make_policy(), START)
    assert isinstance(command, Record) and command.slot == "3/start/1"
    [rest] = decide(make_state(waits, held), make_policy(), START)
    assert rest == Halt(RunStatus.WAITING, "phase 1 waits for your verdict: autopilot verdict 1 pass", 3)


def test_with_a_failure_beside_it_the_run_failed() -> None:
    waits = make_phase(ONE, status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=WAITS, line="work")
    failed = make_phase(THREE, status=PhaseStatus.FAILED)
    [rest] = decide(make_state(waits, failed, warnings=(warn_of_deferrals(1, 2),)), make_policy(), START)
    assert isinstance(rest, Halt) and (rest.status, rest.exit_status) == (RunStatus.FAILED, 1)


def test_of_two_that_were_answered_the_first_goes_on_until_it_is_settled() -> None:
    """A verdict that comes between another phase's merge and its landing waits its turn."""

    def passed(id: Any, minutes: int, **more: Any) -> PhaseState:
        verdict_at = START + timedelta(minutes=minutes)
        deferral = Deferral(WAITS.justification, (), 4.0, WAITS.branch, "pass", (), verdict_at)
        told = {**AT_GATE, "gate": Outcome.PASS, "action": Action.PASS, "deferral": deferral, "line": "work", **more}
        return make_phase(id, status=PhaseStatus.NEEDS_HUMAN_VERIFICATION, **told)

    merged = passed(THREE, 1, line="", integrated=(THREE,))
    state = make_state(passed(ONE, 2), merged, warnings=(warn_of_deferrals(2, 2),))
    assert decide(state, make_policy(), START) == (RunStep(THREE, Step.LAND),)
