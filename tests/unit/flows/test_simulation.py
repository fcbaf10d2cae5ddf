"""Whole runs without a world: whatever steps bring back, a run rests, proves what it completes, and replays exactly."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from autopilot.events import happened as h
from autopilot.events.codec import decode, encode
from autopilot.events.fold import fold_all
from autopilot.events.recovery import RecoveryEvent, VerdictGiven, Withdrawn
from autopilot.flows.command import Command, Halt, Record, RunStep, Sleep
from autopilot.flows.roadmap import decide
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.intent import GAP_ITERATIONS
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.ruling import Action
from autopilot.model.run import PhaseStatus, RunStatus, Step
from autopilot.rails.assignment import ASKS, assigned_agent, find_assignment
from tests.unit.flows.chance import PHASES, stage_by_lot, stages
from tests.unit.flows.playing import always_well
from tests.unit.flows.stage import Stage
from tests.unit.making import make_started

# covers: GATE, DBG, LOOP-1, LOOP-2, LOOP-3, PCHK, PVRF-01, RBK, RES-1, T7.resume, STAT-05, CB, FORCE, QUAL, GAPS
LAW = settings(max_examples=30)  # a whole run each
SEEDS = range(40)
CHUNK = 10


def test_when_all_goes_well_every_phase_is_proven_and_landed() -> None:
    stage = Stage(make_started(*PHASES), always_well).play()
    assert (stage.state.status, stage.state.session.exit_status) == (RunStatus.COMPLETED, 0)
    assert all(phase.landing.state == "landed" for phase in stage.state.phases.values())
    assert Counter(type(stored.event).__name__ for stored in stage.history)["GateJudged"] == 3


@pytest.mark.parametrize("block", SEEDS)
def test_whatever_happens_a_run_comes_to_rest_and_every_law_holds_on_the_way(block: int) -> None:
    """Keys that collide, stages with nothing to do and steps out of turn show here first."""
    for seed in range(block * CHUNK, (block + 1) * CHUNK):
        stage = stage_by_lot(seed)
        try:
            stage.play(look_at_everything)
            check_what_completed(stage)
        except (AssertionError, KeyError, ValueError) as broken:
            broken.add_note(f"seed {seed}: {[stored.key for stored in stage.history[-6:]]}")
            raise


def test_the_walks_meet_every_kind_of_recovery() -> None:
    """The control: a walk that never gets anywhere would prove nothing."""
    met = {type(s.event).__name__ for seed in range(len(SEEDS) * CHUNK) for s in stage_by_lot(seed).play().history}
    assert {kind.__name__ for kind in RecoveryEvent.__args__} - met == set()


def look_at_everything(stage: Stage, command: Command) -> None:
    for law in (
        steps_are_for_what_is_open,
        chances_are_bounded,
        a_halt_says_why,
        open_steps_are_tried_again,
        a_resume_moves_on,
        work_is_given_back_before_a_failure,
        a_refinement_never_fails,
        reviews_rest_on_green_evidence,
        landing_follows_a_pass,
        landed_work_is_not_rolled_back,
        who_is_asked_can_be_asked,
        a_sleep_has_an_end,
    ):
        law(stage, command)


def steps_are_for_what_is_open(stage: Stage, command: Command) -> None:
    if not isinstance(command, RunStep):
        return
    phase = stage.state.phase(command.phase)
    lands_late = command.step is Step.LAND and phase.landing.state in ("started", "deferred")
    assert not phase.settled or phase.is_answered or lands_late, f"{command} although phase is {phase.status}"
    if phase.parent:
        assert stage.state.phases[phase.parent].status is PhaseStatus.IN_PROGRESS
        assert command.step not in (Step.LAND, Step.ROLLBACK, Step.SPLIT), "a part has a line of its own, no more"


def chances_are_bounded(stage: Stage, _: Command) -> None:
    policy = stage.state.policy
    for phase in (*stage.state.phases.values(), *stage.state.parts.values()):
        assert phase.totals.attempt <= policy.attempts.phases
        assert phase.plan.rounds <= policy.attempts.plan_rounds
        assert phase.retries.replans <= policy.breaker.replans_per_phase
        assert phase.other_chances.debugs <= policy.breaker.debugs_per_phase
        assert phase.other_chances.debugs_after_replan <= 1
        gaps = GAP_ITERATIONS if stage.state.inputs.intent.gaps else 0
        assert len(phase.remediation.cycles) <= policy.attempts.remediations + gaps + 1  # and one for a person's issues
        assert len(phase.remediation.enforced) <= 1
        assert phase.split.conflict is None or phase.split.conflict.rounds <= policy.attempts.task_debugs
        assert all(task.debugs <= policy.attempts.task_debugs for task in phase.tasks.values())


def a_halt_says_why(_: Stage, command: Command) -> None:
    """Its status fits its exit status; 5 is for reasons of our own alone."""
    if not isinstance(command, Halt):
        return
    assert command.reason
    expected = {0: RunStatus.COMPLETED, 3: RunStatus.WAITING, 4: RunStatus.PAUSED, 5: RunStatus.PAUSED}
    broken = "; the circuit breaker " in command.reason
    assert command.status is expected.get(command.exit_status, RunStatus.PAUSED if broken else RunStatus.FAILED)
    if command.exit_status == 5 and not command.reason.startswith("no agent is available for the role "):
        assert command.reason.endswith(("no sandbox", "git is not there"))


def open_steps_are_tried_again(stage: Stage, command: Command) -> None:
    current = stage.state.current
    parts = [stage.state.parts[name] for name in current.split.parts] if current else []
    opened = [phase for phase in (*stage.state.phases.values(), *parts) if phase.open is not None]
    assert len(opened) <= stage.state.policy.parallel.parts
    assert len(opened) <= 1 or all(phase.parent for phase in opened)
    if isinstance(command, RunStep) and (before := stage.state.phase(command.phase).open) is not None:
        assert (command.step, command.attempt, command.task) == (before.step, before.attempt, before.task)
        assert command.number == before.number + 1


def a_resume_moves_on(stage: Stage, command: Command) -> None:
    """What we lacked is there again: no run may pause for it a second time without having looked.

    Who was out gets another chance after a rest; after a kill nobody has looked at it yet.
    """
    if isinstance(stage.history[-1].event, h.RunResumed) and isinstance(stage.history[-2].event, h.RunStopped):
        assert not (isinstance(command, Halt) and command.exit_status == 5)


def work_is_given_back_before_a_failure(stage: Stage, command: Command) -> None:
    if isinstance(command, Record) and isinstance(command.events[0], h.PhaseFailed | Withdrawn):
        phase = stage.state.phase(command.events[0].phase)
        assert phase.line.tip or stage.state.line.tip in (phase.line.base, phase.ending.rolled_back_to)


def a_refinement_never_fails(stage: Stage, command: Command) -> None:
    """Nor is it ever called incomplete for not having reached more than enough."""
    for event in command.events if isinstance(command, Record) else ():
        if isinstance(event, h.PhaseFailed):
            assert not stage.state.phase(event.phase).brief.purpose.refines
    for phase in stage.state.phases.values():
        aims_high = stage.state.inputs.intent.quality or phase.brief.purpose.refines
        was_so = phase.brief.earlier is not None and phase.brief.earlier.incomplete
        assert not (aims_high and phase.remediation.incomplete) or was_so
        assert not (phase.remediation.withdrawn and phase.landing.state)


def reviews_rest_on_green_evidence(stage: Stage, command: Command) -> None:
    if isinstance(command, RunStep) and command.step in (Step.JUDGE, Step.RATE):
        phase = stage.state.phase(command.phase)
        assert phase.observed.observations and {o.seen for o in phase.observed.observations} == {Seen.PASSED}
        assert phase.observed.commit == stage.state.tip_of(phase)


def landing_follows_a_pass(stage: Stage, command: Command) -> None:
    if isinstance(command, RunStep) and command.step in (Step.LAND, Step.INTEGRATE):
        line = stage.state.phase(PhaseId(command.task)) if command.task else stage.state.phase(command.phase)
        assert line.ruling.outcome is Outcome.PASS


def landed_work_is_not_rolled_back(stage: Stage, command: Command) -> None:
    if isinstance(command, RunStep) and command.step is Step.ROLLBACK:
        assert stage.state.phase(command.phase).landing.state != "landed"


def who_is_asked_can_be_asked(stage: Stage, command: Command) -> None:
    if not isinstance(command, RunStep) or command.step not in ASKS or command.phase in stage.crew:
        return
    state, opened = stage.state, stage.state.phase(command.phase).open
    if not (opened and opened.replies):
        role = ASKS[command.step]
        assert str(find_assignment(state, state.policy, role)) == assigned_agent(state, state.policy, role)


def a_sleep_has_an_end(stage: Stage, command: Command) -> None:
    if isinstance(command, Sleep):
        assert stage.state.now < command.until
        waited = command.until - min(limit.since for limit in stage.state.provision.limits.values())
        assert waited <= timedelta(minutes=stage.state.policy.assignments.max_wait_minutes)


def check_what_completed(stage: Stage) -> None:
    """No phase and no part is completed without its gate, or a person, having said pass in that attempt."""
    passed: set[PhaseId] = set()
    for stored in stage.history:
        match stored.event:
            case h.PhaseStarted(phase=phase):
                passed -= {name for name in passed if name.startswith(phase)}
            case h.GateJudged(phase=phase, outcome=outcome, action=action):
                assert (outcome is Outcome.PASS) is (action in (Action.PASS, Action.PASS_INCOMPLETE))
                passed = passed | {phase} if outcome is Outcome.PASS else passed - {phase}
            case VerdictGiven(phase=phase, verdict="pass"):
                passed.add(phase)
            case h.PhaseCompleted(phase=phase) if stays_as_it_was(stage, phase):
                assert stage.state.phase(phase).reviews.score == stage.state.phase(phase).brief.earlier.score  # type: ignore[union-attr]
            case h.LandingStarted(phase=phase) | h.PhaseCompleted(phase=phase):
                assert phase in passed
    if stage.state.status is RunStatus.COMPLETED:
        phases = stage.state.phases.values()
        assert all(phase.status is PhaseStatus.COMPLETED and phase.open is None for phase in phases)
        assert all(phase.landing.state == "landed" or stays_as_it_was(stage, phase.id) for phase in phases)
    assert stage.state.session.exit_status in (0, 1, 3, 4, 5, 130)


def stays_as_it_was(stage: Stage, phase: PhaseId) -> bool:
    """A refinement that came to nothing lands nothing."""
    state = stage.state.phase(phase)
    return state.brief.purpose.refines and not state.landing.state


@LAW
@given(stages())
def test_the_same_laws_hold_where_a_failure_shrinks(stage: Stage) -> None:
    stage.play(look_at_everything)
    check_what_completed(stage)


@LAW
@given(stages())
def test_the_same_history_gives_the_same_decision_after_any_cut(stage: Stage) -> None:
    decisions: list[tuple[int, Command]] = []
    stage.play(lambda stage, command: decisions.append((len(stage.history), command)))
    read_back = [replace(stored, event=decode(*encode(stored.event))) for stored in stage.history]
    for length, command in decisions[:: max(1, len(decisions) // 10)]:
        state = fold_all(read_back[:length])
        assert command in decide(state, state.policy, state.now)
