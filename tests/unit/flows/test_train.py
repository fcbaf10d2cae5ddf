"""The landing train, case by case: who may come onto the run's line, and who has to wait for whom.

covers: LOOP-4, LOOP-2, LOOP-3
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.fold import fold_all
from autopilot.events.happened import PhaseSkipped, PhaseStarted
from autopilot.events.people import HumanAnswered, HumanAsked
from autopilot.events.pieces import Conflict, Cycle, Deferral, Landing, OpenStep, StepState, TaskState
from autopilot.events.recovery import BreakerOpened, PhaseHeld
from autopilot.events.rooms.phase import PhaseAgents
from autopilot.events.state import PhaseState, RunState
from autopilot.events.talk import HumanGate
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.roadmap import decide
from autopilot.model.agent import Ending, Usage
from autopilot.model.assessment import Recommendation
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.human import GateKind
from autopilot.model.intent import Intent
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Budget
from autopilot.model.result import Justification
from autopilot.model.ruling import Action
from autopilot.model.run import PhaseStatus, RunStatus, Step, StopKind
from tests.unit.making import (
    ONE,
    START,
    THREE,
    TWO,
    make_brief,
    make_judgement,
    make_phase,
    make_policy,
    make_rating,
    make_started,
    make_state,
    make_task,
    make_verification,
    store,
)

DONE = (Step.PREFLIGHT, Step.TRIAGE, Step.RESEARCH, Step.PLAN, Step.PLAN_CHECK, Step.EXECUTE)
MISFIT = Conflict(ONE, "merge", (), "it does not fit")


def reviewed(id: PhaseId = ONE, **more: Any) -> PhaseState:
    """Built on a line of its own and reviewed; only its gate is missing."""
    fields: dict[str, Any] = {
        **{"on_own_branch": True, "line": f"line-{id}", "preflight_issues": (), "triage": (), "verify_only": True},
        **{"verification": make_verification(), "judgement": make_judgement(), "rating": make_rating(), "score": 9.5},
    }
    return make_phase(id, done=DONE, **{**fields, **more})


def passed(id: PhaseId = ONE, **more: Any) -> PhaseState:
    return reviewed(id, **{"gate": Outcome.PASS, "action": Action.PASS, **more})


def begun(id: PhaseId = ONE, **more: Any) -> PhaseState:
    return make_phase(id, **{"on_own_branch": True, "line": "base", "preflight_issues": (), "triage": (), **more})


def judged(id: PhaseId, verdict_at: datetime, **more: Any) -> PhaseState:
    """It waited for a person, who found issues that are being fixed."""
    deferral = Deferral(
        Justification("01-99", "pay once", 1, 1), (), 4.0, "work", "issues_found", ("late",), verdict_at
    )
    cycle = Cycle(1, 8.2, ("01-r1",), by_person=True)
    fix = {"01-r1": TaskState(make_task("01-r1"))}
    waits = {"status": PhaseStatus.NEEDS_HUMAN_VERIFICATION, "deferral": deferral, "cycles": (cycle,), "tasks": fix}
    return reviewed(id, **{**waits, "plan_approved": True, "plan_checked": True, **more})


def beside(*phases: PhaseState, **more: Any) -> RunState:
    policy = make_policy(**{"parallel_phases": more.pop("parallel_phases", 3), **more.pop("policy", {})})
    return make_state(*phases, policy=policy, **more)


def next_of(state: RunState) -> list[tuple[str, str]]:
    return [(c.phase, c.step.value) for c in decided(state) if isinstance(c, RunStep)]


def decided(state: RunState) -> tuple[Command, ...]:
    return decide(state, state.policy, state.now)


def lacking(*steps: Step) -> dict[str, StepState]:
    lack = StepState("unproven", detail="git is not there")
    return {**{step.value: StepState("completed") for step in DONE}, **{step.value: lack for step in steps}}


@pytest.mark.parametrize(
    ("phases", "expected"),
    [
        ((passed(ONE), passed(TWO)), [("1", "integrate")]),
        ((begun(ONE), passed(TWO)), [("1", "research"), ("2", "integrate")]),
        ((passed(ONE, line=""), passed(TWO)), [("1", "land")]),
        ((reviewed(ONE, line=""), passed(TWO)), [("1", "gate")]),
        ((passed(ONE), passed(TWO, conflict=replace(MISFIT, part=TWO))), [("2", "resolve")]),
        ((passed(ONE), passed(TWO, conflict=replace(MISFIT, part=TWO, resolved="both"))), [("2", "integrate")]),
        ((passed(ONE), passed(TWO, open=OpenStep(Step.INTEGRATE, 1, 1, TWO))), [("2", "integrate")]),
    ],
)
def test_the_line_takes_one_at_a_time_and_who_has_begun_keeps_its_place(
    phases: tuple[PhaseState, ...], expected: list[tuple[str, str]]
) -> None:
    assert next_of(beside(*phases)) == expected


def test_whoever_is_made_to_fit_keeps_its_place_while_it_cannot_go_on() -> None:
    """The line must not move on meanwhile: the resolver's tree would take back what came onto it."""
    stuck = passed(ONE, conflict=MISFIT, steps=lacking(Step.RESOLVE))
    assert decided(beside(stuck, passed(TWO))) == (
        Halt(RunStatus.PAUSED, "phase 1: git is not there", 5, StopKind.PROBLEM),
    )
    assert next_of(beside(stuck, passed(TWO), begun(THREE))) == [("3", "research")]


def test_what_one_of_them_lacks_stops_the_run_only_when_the_others_are_done() -> None:
    stuck = begun(ONE, steps=lacking(Step.RESEARCH))
    held = PhaseHeld(ONE, "git is not there")
    assert decided(beside(stuck, begun(TWO))) == (Record("1/held/0", (held,)),)
    assert decided(beside(stuck)) == (Halt(RunStatus.PAUSED, "phase 1: git is not there", 5, StopKind.PROBLEM),)


def test_the_cap_of_one_phase_holds_it_back_and_stops_the_run_when_the_others_are_done() -> None:
    spent = begun(ONE, agents=PhaseAgents(usage=Usage(tokens_in=10)))
    policy = {"policy": {"budget": Budget(tokens_per_phase=10)}}
    [record] = decided(beside(spent, begun(TWO), **policy))
    assert isinstance(record, Record) and isinstance(record.events[0], PhaseHeld)
    held = replace(spent, line=replace(spent.line, held_at=START))
    assert next_of(beside(held, begun(TWO), **policy)) == [("2", "research")]
    [opened] = decided(beside(held, **policy))
    assert isinstance(opened, Record) and isinstance(opened.events[0], BreakerOpened)
    assert opened.events[0].exit_status == 4


@pytest.mark.parametrize("parallel_phases", [1, 3])
def test_what_a_person_judged_is_held_back_as_well_and_the_others_go_on(parallel_phases: int) -> None:
    spent = judged(ONE, START, agents=PhaseAgents(usage=Usage(tokens_in=10)))
    waiting = make_phase(TWO, status=PhaseStatus.NOT_STARTED, attempt=0)
    policy = {"parallel_phases": parallel_phases, "policy": {"budget": Budget(tokens_per_phase=10)}}
    [record] = decided(beside(spent, waiting, **policy))
    assert isinstance(record, Record) and isinstance(record.events[0], PhaseHeld)
    held = replace(spent, line=replace(spent.line, held_at=START))
    [record] = decided(beside(held, waiting, **policy))
    assert isinstance(record, Record) and isinstance(record.events[0], PhaseStarted)
    [opened] = decided(beside(held, **policy))
    assert isinstance(opened, Record) and isinstance(opened.events[0], BreakerOpened)


def test_a_cap_of_the_run_holds_back_no_phase() -> None:
    """What an agent was cut off by is the run's cap: nothing would go on without the phase."""
    cut = StepState("unproven", detail="its budget is used up", ending=Ending.BUDGET)
    stuck = begun(ONE, steps={Step.RESEARCH.value: cut})
    waiting = make_phase(TWO, status=PhaseStatus.NOT_STARTED, attempt=0)
    [stop] = decided(beside(stuck, waiting, usage=Usage(tokens_in=10), policy={"budget": Budget(tokens=10)}))
    assert isinstance(stop, Halt) and stop.exit_status == 4
    assert "the run's token cap" in stop.reason


def test_a_cap_stops_what_would_spend_and_what_is_done_beside_it_lands() -> None:
    spent = {"usage": Usage(tokens_in=10), "policy": {"budget": Budget(tokens=10)}}
    assert next_of(beside(begun(ONE), passed(TWO), **spent)) == [("2", "integrate")]
    [stop] = decided(beside(begun(ONE), **spent))
    assert isinstance(stop, Halt) and stop.exit_status == 4


def test_a_phase_begins_when_all_it_needs_is_completed_and_there_is_room() -> None:
    waiting = [
        make_phase(id, *needs, status=PhaseStatus.NOT_STARTED, attempt=0) for id, needs in ((TWO, (ONE,)), (THREE, ()))
    ]
    [record, *_] = decided(beside(begun(ONE), *waiting))
    assert isinstance(record, Record) and record.events == (PhaseStarted(THREE, 1, "base", on_own_branch=True),)
    assert next_of(beside(begun(ONE), waiting[0])) == [("1", "research")]
    full = replace(beside(begun(ONE), waiting[1]), policy=make_policy(parallel_phases=1))
    assert not any(isinstance(command, Record) for command in decided(full))


def completed(id: PhaseId, second: int) -> PhaseState:
    return passed(id, status=PhaseStatus.COMPLETED, line="", completed_at=START + timedelta(seconds=second))


def checkpoint(number: int, answered_s: int | None, approved: bool = True) -> HumanGate:
    name = f"checkpoint-{number}"
    gate = HumanGate(HumanAsked(name, GateKind.CHECKPOINT, "go on?"), START)
    if answered_s is None:
        return gate
    at = START + timedelta(seconds=answered_s)
    return replace(gate, answered=HumanAnswered(name, {}, "you", approved=approved), answered_at=at)


@pytest.mark.parametrize(
    ("gates", "expected"),
    [
        ((), "checkpoint-1 is asked"),
        ((checkpoint(1, None),), "waits"),
        ((checkpoint(1, 9),), "goes on"),  # both were done when it was answered
        ((checkpoint(1, 1),), "checkpoint-2 is asked"),
        ((checkpoint(1, 9, approved=False),), "stops"),
    ],
)
def test_nothing_begins_beyond_a_checkpoint_and_nobody_is_asked_twice(
    gates: tuple[HumanGate, ...], expected: str
) -> None:
    state = beside(
        completed(ONE, 2),
        completed(TWO, 3),
        make_phase(THREE, status=PhaseStatus.NOT_STARTED, attempt=0),
        intent=Intent(checkpoint_every=2),
        gates={gate.asked.gate: gate for gate in gates},
        now=START + timedelta(seconds=20),
    )
    match decided(state)[0]:
        case Record(events=(HumanAsked(gate=name), *_)):
            told = f"{name} is asked"
        case Record(events=(PhaseStarted(), *_)):
            told = "goes on"
        case Halt(exit_status=status):
            told = "waits" if status == 3 else "stops"
        case other:
            told = str(other)
    assert told == expected


def test_those_at_work_go_on_while_a_checkpoint_waits() -> None:
    state = beside(
        completed(ONE, 2), begun(TWO), intent=Intent(checkpoint_every=1), gates={"checkpoint-1": checkpoint(1, None)}
    )
    assert next_of(state) == [("2", "research")]


def test_what_builds_on_a_phase_without_another_attempt_stays_left_out_when_the_run_is_taken_up_again() -> None:
    """It was endless: skipped again under the key it had been skipped under before."""
    briefs = (make_brief(ONE), make_brief(TWO, ONE), make_brief(THREE))
    failed = h.PhaseFailed(ONE, "it did not pass", "", Step.GATE)
    stopped = h.RunStopped(RunStatus.FAILED, "phases 1, 2 did not pass", 1)
    resumed = h.RunResumed("0.1.0", (), Budget())
    first: tuple[h.Event, ...] = (
        make_started(*briefs, intent=Intent(complete=True)),
        PhaseStarted(ONE, 1, "base"),
        failed,
    )
    again = (*first, PhaseSkipped(TWO, "blocked_by_phase_1"), stopped, resumed)
    assert fold_all(store(*again)).phases[TWO].status is PhaseStatus.NOT_STARTED
    twice = (*again, PhaseStarted(ONE, 2, "base"), failed, PhaseSkipped(TWO, "blocked_by_phase_1"), stopped, resumed)
    state = fold_all(store(*twice))
    assert {id: phase.status for id, phase in state.phases.items()} == {
        ONE: PhaseStatus.FAILED,
        TWO: PhaseStatus.SKIPPED,
        THREE: PhaseStatus.NOT_STARTED,
    }


NEXT = make_phase(THREE, status=PhaseStatus.NOT_STARTED, attempt=0)


@pytest.mark.parametrize(
    ("on_the_line", "base"),
    [
        (reviewed(ONE, line="", base="below"), "below"),  # made to fit, and looked at anew
        (passed(ONE, line="", base="below"), "merged"),
    ],
)
def test_what_begins_meanwhile_builds_only_on_what_has_passed(on_the_line: PhaseState, base: str) -> None:
    """Else what then waits for a person, or is taken back, would land with the next."""
    [record, *_] = decided(beside(on_the_line, NEXT, tip="merged"))
    assert isinstance(record, Record) and record.events == (PhaseStarted(THREE, 1, base, on_own_branch=True),)


@pytest.mark.parametrize(
    "other",
    [
        reviewed(TWO, line=""),
        passed(TWO, line=""),
        passed(TWO, open=OpenStep(Step.INTEGRATE, 1, 1, TWO)),
        passed(TWO, conflict=replace(MISFIT, part=TWO)),
    ],
)
def test_nothing_lands_late_while_another_is_on_the_line_or_comes_onto_it(other: PhaseState) -> None:
    """The judge stops the run; what lands is the line's end, and nobody has passed that yet."""
    waits = replace(completed(ONE, 2), landing=Landing("deferred", "tip-1"))
    judged = make_judgement(Recommendation.HALT)
    failed = make_phase(THREE, status=PhaseStatus.FAILED, judgement=judged)
    [stop] = decided(beside(waits, other, failed))
    assert isinstance(stop, Halt) and stop.status is RunStatus.FAILED
    assert next_of(beside(waits, begun(TWO), failed)) == [("1", "land")]
