"""After the phases: what is done, in which order, how often, and when nothing is.

covers: DONE-1
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from autopilot.events import closing as c
from autopilot.events import happened as h
from autopilot.events.fold_closing import AUDIT, VERSION
from autopilot.events.state import RunState
from autopilot.flows.command import Command, RunStep
from autopilot.model.audit import Gap
from autopilot.model.evidence.observation import Seen
from autopilot.model.planning.criterion import Kind
from autopilot.model.policy import Breaker
from autopilot.model.run import RunStatus, Step
from tests.unit.flows.chance import PHASES, by_lot
from tests.unit.flows.playing import Choose, always_well, answering
from tests.unit.flows.stage import Stage
from tests.unit.making import ONE, TWO, make_brief, make_policy, make_started

SEEDS = range(60)


def completing(**more: Any) -> Any:
    patient = Breaker(no_progress=50, same_error=50, retries_per_run=100)
    return make_policy(**{"self_audit": True, "version_bump": True, "breaker": patient, **more})


def play(choose: Choose = always_well, **more: Any) -> Stage:
    return Stage(make_started(make_brief(), policy=completing(**more)), choose).play()


def happened(stage: Stage) -> list[str]:
    """What the completion is told by, in order."""
    told = []
    for stored in stage.history:
        match stored.event:
            case c.ClosingBegun(brief=brief):
                told.append(f"begin {brief.id}")
            case h.StepEnded(step=Step.AUDIT | Step.BUMP as step, task=task):
                told.append(f"{step.value} {task}".strip())
            case c.AuditEnded() | c.VersionKept() | c.VersionBumped():
                told.append(type(stored.event).__name__)
            case h.PhaseCompleted(phase=phase) | h.PhaseFailed(phase=phase) if phase in stage.state.completion.closing:
                told.append(f"{type(stored.event).__name__} {phase}")
    return told


LOOK = ["begin audit", "audit integration", "audit requirements"]
GIVEN = ["begin version", "VersionBumped", "bump", "PhaseCompleted version"]
KEPT = ["begin version", "VersionKept"]
ROUND_1 = ["begin fix-1", "PhaseCompleted fix-1", "audit requirements"]
ROUND_2 = ["begin fix-2", "PhaseCompleted fix-2", "audit requirements"]


@pytest.mark.parametrize(
    ("answers", "policy", "expected"),
    [
        ({}, {}, [*LOOK, "AuditEnded", *GIVEN]),
        ({}, {"self_audit": False}, GIVEN),
        ({}, {"version_bump": False}, [*LOOK, "AuditEnded"]),
        ({}, {"self_audit": False, "version_bump": False}, []),
        ({"a_requirement": ["red gap"]}, {}, [*LOOK, *ROUND_1, "AuditEnded", *GIVEN]),
        ({"a_requirement": ["gap", "gap"]}, {}, [*LOOK, *ROUND_1, *ROUND_2, "AuditEnded", *GIVEN]),
        ({"a_requirement": "gap"}, {}, [*LOOK, *ROUND_1, *ROUND_2, "AuditEnded", *KEPT]),
        ({"wiring": ["red gap"]}, {}, [*LOOK, *ROUND_1, "AuditEnded", *GIVEN]),
        # What is only not shown is looked at again; nobody works on it.
        ({"a_requirement": ["not shown"]}, {}, [*LOOK, "audit requirements", "AuditEnded", *GIVEN]),
        ({"a_requirement": "not shown"}, {}, [*LOOK, *["audit requirements"] * 2, "AuditEnded", *KEPT]),
        ({"a_requirement": "silence"}, {}, [*LOOK, "AuditEnded", *KEPT]),
        # An auditor that cannot be understood ends the audit, not the run.
        ({"the_auditor_of_the_integration": False}, {}, [*LOOK[:2], LOOK[1], "AuditEnded", *KEPT]),
        ({"the_auditor_of_the_requirements": False}, {}, [*LOOK, LOOK[2], "AuditEnded", *KEPT]),
        ({"the_version": "kept"}, {"self_audit": False}, ["begin version", "VersionKept", "bump"]),
        (
            {"rules_about_versions": True},
            {"self_audit": False},
            ["begin version", "bump", "audit version", *GIVEN[1:]],
        ),
        (
            {"rules_about_versions": True, "the_auditor_of_the_version": False},
            {"self_audit": False},
            ["begin version", "bump", "audit version", "audit version", *GIVEN[1:]],
        ),
    ],
)
def test_the_completion_goes_step_by_step(answers: dict[str, Any], policy: dict[str, Any], expected: list[str]) -> None:
    stage = play(answering(**answers), **policy)
    assert happened(stage) == expected
    assert (stage.state.status, stage.state.session.exit_status) == (RunStatus.COMPLETED, 0)


def test_nothing_follows_where_no_phase_passed() -> None:
    stage = play(answering(verification=Seen.FAILED))
    assert stage.state.session.exit_status == 1 and happened(stage) == []


def test_what_completed_is_audited_although_another_phase_failed_and_again_once_that_one_passed() -> None:
    failing, briefs = answering(verification=Seen.FAILED), (make_brief(ONE), make_brief(TWO))
    started = make_started(*briefs, policy=completing())

    def choose_in(step: RunStep, _: int) -> Choose:
        return failing if step.phase == ONE and not stage.state.totals.resumes else always_well

    stage = Stage(started, always_well, choose_in=choose_in)
    stage.play()
    once = [*LOOK, "AuditEnded", *GIVEN]
    assert happened(stage) == once
    assert (stage.state.status, stage.state.session.exit_status) == (RunStatus.FAILED, 1)
    assert [e.phases for s in stage.history if isinstance(e := s.event, c.AuditStarted)] == [(TWO,)]
    stage.resumes = 1
    stage.play()
    assert happened(stage) == [*once, *once]
    assert (stage.state.status, stage.state.session.exit_status) == (RunStatus.COMPLETED, 0)
    assert [e.phases for s in stage.history if isinstance(e := s.event, c.AuditStarted)] == [(TWO,), (ONE, TWO)]


def test_nothing_follows_where_everything_was_there_already() -> None:
    stage = play(answering(triage="all done"))
    assert all(phase.plan.verify_only for phase in stage.state.phases.values())
    assert stage.state.session.exit_status == 0 and happened(stage) == []


def test_a_round_of_fixes_that_fails_leaves_the_gaps_open_and_the_run_complete() -> None:
    """Without a second look at what has not changed; and the tree is as it was before the round."""
    idle = answering(executor="commits nothing", debugger="commits nothing", debugger_of_the_phase="nothing")
    found = answering(a_requirement=["red gap"])
    started = make_started(make_brief(), policy=completing())
    stage = Stage(started, found, choose_in=lambda step, _: idle if step.phase.startswith("fix-") else found).play()
    told = happened(stage)
    assert told == [*LOOK, "begin fix-1", "PhaseFailed fix-1", "begin fix-2", "PhaseFailed fix-2", "AuditEnded", *KEPT]
    assert stage.state.session.exit_status == 0
    ended = stage.state.completion.audit.ended
    assert ended is not None and [gap.requirement for gap in ended.remaining] == ["REQ-1"]
    assert (ended.found, ended.fixed, ended.cycles) == (1, 0, 0)


def test_a_fix_promises_the_red_check_and_keeps_what_its_phase_promised() -> None:
    stage = play(answering(a_requirement=["red gap"]))
    [begun] = [s.event for s in stage.history if isinstance(s.event, c.ClosingBegun) and s.event.tasks]
    assert isinstance(begun, c.ClosingBegun)
    [task] = begun.tasks
    assert task.title == "close REQ-1 gap -- it is missing" and task.complexity == "complex"
    assert [criterion.kind for criterion in task.criteria][:2] == [Kind.NEW, Kind.KEEP]
    assert [seen.subject for seen in begun.red] == [task.criteria[0].id]


def test_the_version_says_why_it_stays() -> None:
    stage = play(answering(a_requirement="gap"))
    assert stage.state.completion.release is not None
    assert stage.state.completion.release.because == "the audit found gaps that are still open: REQ-1"


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_happens_after_the_phases_the_run_rests_and_what_it_says_of_itself_is_so(seed: int) -> None:
    """Killed and resumed at any append: keys that collide and steps out of turn show here first."""
    lot = Random(seed)
    started = make_started(*PHASES[: lot.randint(1, 2)], policy=completing(commit_docs=lot.random() < 0.7))
    after = by_lot(seed)
    stage = Stage(started, after, resumes=lot.randrange(4), choose_in=lambda step, _: _in(step, after))
    stage.play(_look)
    state = stage.state
    assert state.session.exit_status in (0, 1, 3, 4, 5, 130)
    if state.status is RunStatus.COMPLETED:
        _holds(state)


def _in(step: RunStep, after: Choose) -> Choose:
    """The phases go well, so that the walks are about what comes after them."""
    return after if step.phase in (AUDIT, VERSION) or step.phase.startswith("fix-") else always_well


def _look(stage: Stage, command: Command) -> None:
    state = stage.state
    assert state.completion.audit.rounds <= 2 and state.completion.audit.passes <= 3
    if isinstance(command, RunStep) and command.phase in state.completion.closing:
        assert all(phase.settled for phase in state.phases.values())
        phase = state.phase(command.phase)
        assert not phase.settled or command.step is Step.LAND


def _holds(state: RunState) -> None:
    ended, release = state.completion.audit.ended, state.completion.release
    assert ended is not None and release is not None
    assert all(phase.settled and phase.open is None for phase in state.completion.closing.values())
    if release.new:
        assert not ended.remaining and not ended.problem and not ended.unaudited
        assert state.completion.closing[VERSION].landing.state == "landed"
    closed = {gap.requirement for gap in state.completion.audit.first_gaps} - {
        gap.requirement for gap in ended.remaining
    }
    assert closed <= set(state.completion.audit.fixed), "a gap is closed by a look that says so, and by nothing else"
    assert all(isinstance(gap, Gap) for gap in ended.remaining)
