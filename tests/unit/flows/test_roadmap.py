"""Which phase is next and when a run rests, with its exit status (LOOP-2, GATE, T4.5)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from autopilot.events.happened import AgentReplied, PhaseSkipped, PhaseStarted
from autopilot.events.pieces import BreakerState, Deferral, Landing, OpenStep, StepState
from autopilot.events.recovery import BreakerClosed, BreakerOpened, DeferRateHigh
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.roadmap import decide
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.assessment import Recommendation
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Breaker, Budget
from autopilot.model.result import Justification
from autopilot.model.ruling import Action
from autopilot.model.run import Cap, PhaseStatus, RunStatus, Step, StopKind
from tests.unit.making import (
    ONE,
    START,
    THREE,
    TWO,
    alter,
    make_judgement,
    make_phase,
    make_policy,
    make_rating,
    make_state,
    make_verification,
)

# covers: LOOP-2, LOOP-1, CB, STAT-04
WAITS = Deferral(Justification("01-99", "pay once", 1, 1), (), 4.0, "autopilot/deferred-phase-1")
NOT_STARTED, COMPLETED, FAILED = PhaseStatus.NOT_STARTED, PhaseStatus.COMPLETED, PhaseStatus.FAILED


def phase(id: PhaseId, status: PhaseStatus, *depends_on: PhaseId, **more: Any) -> PhaseState:
    if status is COMPLETED:
        more = {"landing": Landing("landed"), **more}
    return make_phase(id, *depends_on, status=status, **{"attempt": int(status is not NOT_STARTED), **more})


def next_command(*phases: PhaseState, **more: Any) -> Command:
    [command] = decide(make_state(*phases, **more), make_policy(), START)
    return command


def test_the_first_phase_that_was_not_started_is_started_from_the_tip() -> None:
    command = next_command(phase(ONE, COMPLETED), phase(TWO, NOT_STARTED, ONE), phase(THREE, NOT_STARTED), tip="t")
    assert command == Record("2/start/1", (PhaseStarted(TWO, 1, "t"),))


def test_a_second_attempt_is_numbered_on() -> None:
    assert next_command(phase(ONE, NOT_STARTED, attempt=1)) == Record("1/start/2", (PhaseStarted(ONE, 2, "base"),))


def test_a_phase_under_way_comes_before_every_other() -> None:
    command = next_command(phase(ONE, NOT_STARTED), make_phase(TWO))
    assert command == RunStep(TWO, Step.PREFLIGHT)


def test_after_an_independent_failure_the_run_goes_on() -> None:
    command = next_command(phase(ONE, FAILED), phase(TWO, NOT_STARTED))
    assert isinstance(command, Record) and isinstance(command.events[0], PhaseStarted)


@pytest.mark.parametrize(
    "phases",
    [
        (phase(ONE, FAILED), phase(TWO, NOT_STARTED, ONE)),
        (phase(ONE, FAILED), phase(TWO, NOT_STARTED), phase(THREE, NOT_STARTED, ONE)),
        (phase(ONE, COMPLETED), phase(TWO, FAILED), phase(THREE, NOT_STARTED, ONE, TWO)),
    ],
)
def test_what_depends_on_a_failure_is_left_out(phases: tuple[PhaseState, ...]) -> None:
    """And nothing else: the run goes on. covers: LOOP-2"""
    [failed] = [phase for phase in phases if phase.status is FAILED]
    [blocked] = [phase for phase in phases if failed.id in phase.brief.depends_on]
    skipped = PhaseSkipped(blocked.id, f"blocked_by_phase_{failed.id}", failed.id)
    assert next_command(*phases) == Record(f"{failed.id}/blocks/1", (skipped,))


def test_a_run_with_a_failure_ends_when_nothing_else_is_left_to_do() -> None:
    phases = (phase(ONE, FAILED), phase(TWO, PhaseStatus.SKIPPED, ONE), phase(THREE, COMPLETED))
    assert next_command(*phases) == Halt(RunStatus.FAILED, "phase 1 did not pass, phase 2 was skipped", 1)


def test_dependence_through_a_phase_that_is_not_part_of_the_run_counts() -> None:
    state = make_state(phase(ONE, FAILED), phase(THREE, NOT_STARTED, TWO))
    outside = make_phase(TWO, ONE).brief
    linked = alter(RunState(phases=state.phases), outline=(*state.inputs.outline, outside), active_since=START)
    [command] = decide(linked, make_policy(), START)
    assert command == Record("1/blocks/1", (PhaseSkipped(THREE, "blocked_by_phase_1", ONE),))


@pytest.mark.parametrize("word", [Recommendation.ROLLBACK, Recommendation.HALT])
def test_a_judge_who_says_stop_stops_the_run_even_where_nothing_depends_on_it(word: Recommendation) -> None:
    command = next_command(phase(ONE, FAILED, judgement=make_judgement(word)), phase(TWO, NOT_STARTED))
    assert command == Halt(RunStatus.FAILED, f"phase 1: the judge says {word}", 1)


def test_a_judge_who_asked_for_a_debug_does_not() -> None:
    command = next_command(phase(ONE, FAILED, judgement=make_judgement(Recommendation.DEBUG)), phase(TWO, NOT_STARTED))
    assert isinstance(command, Record)


def test_when_every_phase_passed_and_landed_the_run_is_completed() -> None:
    assert next_command(phase(ONE, COMPLETED)) == Halt(RunStatus.COMPLETED, "every phase passed", 0)


def test_when_some_phase_did_not_pass_the_run_failed() -> None:
    command = next_command(phase(ONE, COMPLETED), phase(TWO, FAILED))
    assert command == Halt(RunStatus.FAILED, "phase 2 did not pass", 1)


DEFERRED = Landing("deferred", because="a.py is modified", branch="autopilot/run-1")


def test_what_had_to_wait_is_tried_once_more_and_then_waits_for_a_person() -> None:
    waiting = phase(ONE, COMPLETED, landing=DEFERRED, attempts={"land": 1})
    assert next_command(waiting) == RunStep(ONE, Step.LAND, attempt=2)
    rest = next_command(waiting, landing_tried=True)
    assert rest == Halt(RunStatus.WAITING, "every phase passed; landing waits: a.py is modified", 3)


@pytest.mark.parametrize(
    "failed",
    [
        (phase(TWO, FAILED),),  # at the end of the run
        (phase(TWO, FAILED), phase(THREE, PhaseStatus.SKIPPED, TWO)),  # and where something was left out for it
        (phase(TWO, FAILED, judgement=make_judgement(Recommendation.HALT)), phase(THREE, NOT_STARTED)),
    ],
)
def test_what_had_to_wait_is_tried_once_more_after_a_failure_too(failed: tuple[PhaseState, ...]) -> None:
    waiting = phase(ONE, COMPLETED, landing=DEFERRED, attempts={"land": 1})
    assert next_command(waiting, *failed) == RunStep(ONE, Step.LAND, attempt=2)
    rest = next_command(waiting, *failed, landing_tried=True)
    assert isinstance(rest, Halt) and (rest.status, rest.exit_status) == (RunStatus.FAILED, 1)


def test_what_is_still_to_do_comes_before_a_landing_that_waits() -> None:
    command = next_command(phase(ONE, COMPLETED, landing=DEFERRED), phase(TWO, NOT_STARTED, ONE))
    assert isinstance(command, Record) and isinstance(command.events[0], PhaseStarted)


def test_of_several_that_wait_the_last_is_landed_because_it_holds_them_all() -> None:
    command = next_command(phase(ONE, COMPLETED, landing=DEFERRED), phase(TWO, COMPLETED, landing=DEFERRED))
    assert isinstance(command, RunStep) and command.phase == TWO


def test_a_landing_that_a_kill_cut_short_is_finished_before_the_run_is_called_completed() -> None:
    opened = OpenStep(Step.LAND, attempt=2, number=1, task="")
    command = next_command(phase(ONE, COMPLETED, landing=Landing("started"), open=opened))
    assert command == RunStep(ONE, Step.LAND, attempt=2, number=2)


def test_a_second_landing_that_lacks_something_of_ours_pauses_the_run() -> None:
    steps = {"land": StepState("unproven", detail="git is not there")}
    command = next_command(phase(ONE, COMPLETED, landing=DEFERRED, steps=steps))
    assert command == Halt(RunStatus.PAUSED, "phase 1: git is not there", 5, StopKind.PROBLEM)


def test_a_cancelled_run_rests_whatever_is_under_way() -> None:
    command = next_command(make_phase(open=OpenStep(Step.EXECUTE, 1, 1, "01-01")), cancelled_by="you")
    assert command == Halt(RunStatus.PAUSED, "cancelled by you", 1)


def test_a_paused_run_begins_no_further_step() -> None:
    """covers: CMD-PAUSE"""
    command = next_command(make_phase(**TRIAGED), pause_wanted_by="you")
    assert command == Halt(RunStatus.PAUSED, "paused by you", 1)
    assert isinstance(next_command(make_phase(**TRIAGED)), RunStep), "the control"


SPENT = Usage(tokens_in=5_000_000)
REPLY = AgentReplied(ONE, Step.EXECUTE, Role.EXECUTOR, "scripted", Ending.BUDGET, SPENT, 1)
TRIAGED: dict[str, Any] = {"preflight_issues": (), "triage": ()}
AT_GATE: dict[str, Any] = {
    **{**TRIAGED, "plan_approved": True, "done": (Step.VERIFY,)},
    **{"verification": make_verification(), "judgement": make_judgement(), "rating": make_rating(), "score": 9.6},
}


@pytest.mark.parametrize(
    "spends",
    [
        make_phase(**TRIAGED),  # a researcher would be asked
        make_phase(**TRIAGED, research="d" * 64),
        make_phase(**TRIAGED, research="d" * 64, plan_commit="plan"),
        make_phase(open=OpenStep(Step.EXECUTE, 1, 1, "01-01")),
        phase(ONE, NOT_STARTED),  # and so would the whole of a phase that is not begun yet
    ],
)
def test_a_cap_that_is_reached_pauses_the_run_with_status_4_before_more_is_spent(spends: PhaseState) -> None:
    command = next_command(spends, usage=SPENT)
    assert isinstance(command, Halt)
    assert (command.status, command.exit_status) == (RunStatus.PAUSED, 4)


@pytest.mark.parametrize(
    ("free", "step"),
    [
        (make_phase(), Step.PREFLIGHT),
        (make_phase(**AT_GATE), Step.GATE),
        (make_phase(**AT_GATE, gate=Outcome.PASS), Step.LAND),
        (make_phase(**AT_GATE, gate=Outcome.FAIL, action=Action.ROLLBACK, base="earlier"), Step.ROLLBACK),
        (make_phase(open=OpenStep(Step.INTEGRATE, 1, 1, "1a")), Step.INTEGRATE),
        (make_phase(open=OpenStep(Step.EXECUTE, 1, 1, "01-01", (REPLY,))), Step.EXECUTE),  # killed with its answer
        (make_phase(status=COMPLETED, landing=Landing("deferred")), Step.LAND),
    ],
)
def test_what_is_paid_for_is_still_judged_landed_and_given_back_above_a_cap(free: PhaseState, step: Step) -> None:
    command = next_command(free, usage=SPENT)
    assert isinstance(command, RunStep) and command.step is step


def test_an_agent_cut_off_by_a_cap_is_told_as_the_cap_and_anything_else_as_what_it_is() -> None:
    stuck = make_phase(
        **TRIAGED,
        steps={
            "research": StepState("unproven", detail="the researcher used up the cap of one call", ending=Ending.BUDGET)
        },
    )
    capped, otherwise = next_command(stuck, usage=SPENT), next_command(stuck)
    assert isinstance(capped, Halt) and (capped.exit_status, "token cap" in capped.reason) == (4, True)
    assert otherwise == Halt(RunStatus.PAUSED, "phase 1: the researcher used up the cap of one call", 4, StopKind.CALL)
    looking = make_phase(**TRIAGED, steps={"integrate.1a": StepState("unproven", detail="no sandbox")})
    assert next_command(looking, usage=SPENT) == Halt(RunStatus.PAUSED, "phase 1: no sandbox", 5, StopKind.PROBLEM)


def test_a_run_that_is_done_ends_as_done_above_a_cap() -> None:
    assert next_command(phase(ONE, COMPLETED), usage=SPENT) == Halt(RunStatus.COMPLETED, "every phase passed", 0)


def test_a_cancel_comes_before_a_cap() -> None:
    command = next_command(make_phase(**TRIAGED), usage=SPENT, cancelled_by="you")
    assert isinstance(command, Halt) and command.exit_status == 1


def test_the_clock_of_a_decision_is_the_one_it_is_given() -> None:
    state = make_state(make_phase(**TRIAGED))
    policy = make_policy(budget=Budget(minutes_per_phase=9_999))
    [early], [late] = (decide(state, policy, START + timedelta(hours=hours)) for hours in (23, 24))
    assert isinstance(early, RunStep)
    assert isinstance(late, Halt) and late.exit_status == 4


def test_a_phase_that_reached_its_own_cap_opens_the_breaker_with_status_4() -> None:
    spent = make_phase(**TRIAGED, attempt_usage=Usage(tokens_in=500_000))
    command = next_command(spent)
    assert isinstance(command, Record)
    assert command.events == (
        BreakerOpened(
            "the token cap of phase 1 is reached: 500,000 of 500,000 (tokens_per_phase)", 4, Cap.TOKENS_PER_PHASE
        ),
    )


def test_an_open_breaker_halts_the_run_with_its_reason_and_until_when() -> None:
    until = START + timedelta(minutes=5)
    for status in (1, 4):
        open_ = BreakerState(state="open", reason="no progress", exit_status=status, until=until)
        command = next_command(make_phase(**TRIAGED), breaker=open_)
        assert isinstance(command, Halt) and (command.status, command.exit_status) == (RunStatus.PAUSED, status)
        assert command.reason == "no progress; the circuit breaker cools down until 12:05 UTC"


@pytest.mark.parametrize(
    ("breaker", "event"),
    [
        (BreakerState(same_error=5, failing=(PhaseId("1"), PhaseId("2"))), BreakerOpened),
        (BreakerState(tried={PhaseId("1"): 10}), BreakerOpened),
        (BreakerState(state="half_open", no_progress=1), BreakerOpened),
        (BreakerState(state="half_open", progressed=True), BreakerClosed),
    ],
)
def test_the_breaker_opens_before_more_is_spent_and_closes_on_progress(breaker: BreakerState, event: type) -> None:
    command = next_command(make_phase(**TRIAGED), breaker=breaker)
    assert isinstance(command, Record) and isinstance(command.events[0], event)
    assert isinstance(next_command(make_phase(**TRIAGED), breaker=BreakerState(state="half_open")), RunStep)


def test_a_breaker_stops_no_step_that_spends_nothing() -> None:
    for free in (make_phase(**AT_GATE), make_phase(**AT_GATE, gate=Outcome.PASS)):
        assert isinstance(next_command(free, breaker=BreakerState(tried={PhaseId("1"): 10})), RunStep)


def test_a_breaker_of_the_users_own_measure_opens_by_it() -> None:
    [command] = decide(
        make_state(make_phase(**TRIAGED), breaker=BreakerState(tried={PhaseId("1"): 2})),
        make_policy(breaker=Breaker(retries_per_run=2)),
        START,
    )
    assert isinstance(command, Record) and isinstance(command.events[0], BreakerOpened)


def test_that_people_are_asked_too_often_is_said_once_for_each_count() -> None:
    waits = phase(ONE, PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=WAITS)
    command = next_command(waits, phase(TWO, COMPLETED))
    assert isinstance(command, Record)
    [event] = command.events
    assert isinstance(event, DeferRateHigh)
    told = next_command(waits, phase(TWO, COMPLETED), warnings=(event.text,))
    assert isinstance(told, Halt)
    # The same phases are settled, one more of them is deferred: another word, and so another key.
    more = next_command(waits, phase(TWO, PhaseStatus.NEEDS_HUMAN_VERIFICATION, deferral=WAITS), warnings=(event.text,))
    assert isinstance(more, Record) and more.events != command.events and more.slot != command.slot
