"""Whole runs without a world: whatever steps bring back, a run rests, proves what it completes, and replays exactly."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.codec import decode, encode
from autopilot.events.fold import fold_all
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.roadmap import decide
from autopilot.model.evidence import Seen
from autopilot.model.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, RunStatus, Step
from autopilot.model.verdict import Outcome
from tests.unit.flows.chance import PHASES, stages
from tests.unit.flows.performer import always_well
from tests.unit.flows.stage import Stage
from tests.unit.making import make_started

# covers: GATE, LOOP-1, LOOP-2, PCHK, PVRF-01, RBK, RES-1, T7.resume
LAW = settings(max_examples=60)  # a whole run each


def test_when_all_goes_well_every_phase_is_proven_and_landed() -> None:
    stage = Stage(make_started(*PHASES), always_well).play()
    assert (stage.state.status, stage.state.exit_status) == (RunStatus.COMPLETED, 0)
    assert all(phase.landing.state == "landed" for phase in stage.state.phases.values())
    assert Counter(type(stored.event).__name__ for stored in stage.history)["GateJudged"] == 3


@LAW
@given(stages())
def test_a_run_always_comes_to_rest(stage: Stage) -> None:
    stage.play()  # raises when it does not
    assert stage.state.halted
    assert stage.state.exit_status in (0, 1, 3, 4, 5, 130)


@LAW
@given(stages())
def test_no_phase_is_completed_without_a_gate_that_said_pass_in_that_attempt(stage: Stage) -> None:
    gates: dict[PhaseId, Outcome] = {}
    for stored in stage.play().history:
        match stored.event:
            case h.PhaseStarted(phase=phase):
                gates.pop(phase, None)
            case h.GateJudged(phase=phase, outcome=outcome):
                gates[phase] = outcome
            case h.LandingStarted(phase=phase) | h.PhaseCompleted(phase=phase):
                assert gates[phase] is Outcome.PASS


@LAW
@given(stages())
def test_a_run_is_called_completed_only_when_everything_landed_and_nothing_is_open(stage: Stage) -> None:
    stage.play()
    if stage.state.status is RunStatus.COMPLETED:
        phases = stage.state.phases.values()
        assert all(phase.status is PhaseStatus.COMPLETED and phase.open is None for phase in phases)
        assert all(phase.landing.state == "landed" for phase in phases)


@LAW
@given(stages())
def test_rounds_and_attempts_are_bounded(stage: Stage) -> None:
    policy = stage.state.policy

    def look(stage: Stage, _: Command) -> None:
        for phase in stage.state.phases.values():
            assert phase.attempt <= policy.max_phase_attempts
            assert phase.plan_rounds <= policy.max_plan_rounds
            assert all(task.debugs <= policy.max_task_debugs for task in phase.tasks.values())

    stage.play(look)


@LAW
@given(stages())
def test_a_phase_fails_only_after_its_work_was_given_back(stage: Stage) -> None:
    def look(stage: Stage, command: Command) -> None:
        if isinstance(command, Record) and isinstance(command.events[0], h.PhaseFailed):
            phase = stage.state.phases[command.events[0].phase]
            assert stage.state.tip in (phase.base, phase.rolled_back_to)

    stage.play(look)


@LAW
@given(stages())
def test_one_step_is_open_at_a_time_and_it_is_the_one_that_is_tried_again(stage: Stage) -> None:
    def look(stage: Stage, command: Command) -> None:
        opened = [phase for phase in stage.state.phases.values() if phase.open is not None]
        assert len(opened) <= 1
        if opened and opened[0].open and isinstance(command, RunStep):
            before = opened[0].open
            assert (command.step, command.attempt, command.task) == (before.step, before.attempt, before.task)
            assert command.number == before.number + 1

    stage.play(look)


@LAW
@given(stages())
def test_the_same_history_gives_the_same_decision_after_any_cut(stage: Stage) -> None:
    decisions: list[tuple[int, Command]] = []
    stage.play(lambda stage, command: decisions.append((len(stage.history), command)))
    read_back = [replace(stored, event=decode(*encode(stored.event))) for stored in stage.history]
    for length, command in decisions[:: max(1, len(decisions) // 10)]:
        state = fold_all(read_back[:length])
        assert decide(state, state.policy, state.now) == (command,)


@LAW
@given(stages())
def test_a_halt_says_why_and_its_status_fits(stage: Stage) -> None:
    statuses = {0: RunStatus.COMPLETED, 1: RunStatus.FAILED, 3: RunStatus.WAITING}

    def look(_: Stage, command: Command) -> None:
        if isinstance(command, Halt):
            assert command.reason
            assert command.status is statuses.get(command.exit_status, RunStatus.PAUSED)

    stage.play(look)


@LAW
@given(stages())
def test_a_run_pauses_with_status_5_only_for_reasons_of_our_own(stage: Stage) -> None:
    def look(_: Stage, command: Command) -> None:
        if isinstance(command, Halt) and command.exit_status == 5:
            assert command.reason.endswith(("no sandbox", "git is not there"))

    stage.play(look)


@LAW
@given(stages())
def test_judge_and_rater_are_asked_only_where_all_evidence_is_green(stage: Stage) -> None:
    def look(stage: Stage, command: Command) -> None:
        if isinstance(command, RunStep) and command.step in (Step.JUDGE, Step.RATE):
            observations = stage.state.phases[command.phase].observations
            assert observations and {o.seen for o in observations} == {Seen.PASSED}

    stage.play(look)
