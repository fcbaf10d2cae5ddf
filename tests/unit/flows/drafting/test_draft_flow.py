"""A draft is written, sent back twice at most, and then it is its user's. covers: PLAN-DRAFT"""

from __future__ import annotations

from autopilot.events.drafting.happened import Drafted, DraftSettled
from autopilot.events.drafting.state import DraftState
from autopilot.events.pieces import StepState
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.drafting import next_for_draft
from autopilot.model.planning.draft import DRAFT, MOST_ROUNDS, DraftBrief
from autopilot.model.run import PhaseStatus, RunStatus, StepStatus
from tests.unit.making import START, make_phase, make_state


def next_of(draft: DraftState, status: PhaseStatus = PhaseStatus.IN_PROGRESS, **steps: StepState) -> Command:
    phase = make_phase(DRAFT, status=status, steps=steps)
    (command,) = next_for_draft(make_state(phase, tip="base", drafting=draft, now=START))
    return command


def drafted(*complaints: str, number: int = 1) -> Drafted:
    return Drafted(DRAFT, number, f"c{number}", complaints)


WANTED = DraftState(DraftBrief("tea"))


def test_it_begins_and_then_a_planner_is_asked() -> None:
    assert isinstance(next_of(WANTED, PhaseStatus.NOT_STARTED), Record)
    command = next_of(WANTED)
    assert isinstance(command, RunStep) and command.task == "round-1"


def test_what_holds_by_rule_waits_for_its_user_and_no_agent_is_asked_again() -> None:
    command = next_of(DraftState(DraftBrief("tea"), (drafted(),)))
    assert isinstance(command, Halt) and (command.status, command.exit_status) == (RunStatus.WAITING, 3)


def test_a_refused_one_is_sent_back_twice_and_no_more() -> None:
    rounds: tuple[Drafted, ...] = ()
    for number in range(1, MOST_ROUNDS):
        rounds = (*rounds, drafted("no goal", number=number))
        command = next_of(DraftState(DraftBrief("tea"), rounds))
        assert isinstance(command, RunStep) and command.task == f"round-{number + 1}"
    command = next_of(DraftState(DraftBrief("tea"), (*rounds, drafted("no goal", number=MOST_ROUNDS))))
    assert isinstance(command, Halt) and command.status is RunStatus.FAILED and "no goal" in command.reason


def test_what_its_user_decided_is_its_end() -> None:
    settled = DraftState(DraftBrief("tea"), (drafted(),), DraftSettled(DRAFT, True, "ann"))
    command = next_of(settled)
    assert isinstance(command, Halt) and command.status is RunStatus.COMPLETED


def test_a_step_that_breaks_down_twice_ends_it() -> None:
    broken = StepState(status=StepStatus.ERROR, errors=2, detail="its answer was unreadable", started_at=START)
    command = next_of(WANTED, **{"draft.round-1": broken})
    assert isinstance(command, Halt) and "unreadable" in command.reason
