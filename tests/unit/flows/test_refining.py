"""Refining what is completed: it begins with what is known to be wanting, and never costs the phase what it has.

covers: QUAL, GAPS, FORCE, ROUTE
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.events.happened import PhaseCompleted, PhaseFailed, StepSkipped, Warned
from autopilot.events.pieces import Cycle, TaskState
from autopilot.events.recovery import Exhausted, RemediationEnded, RemediationStarted, Withdrawn
from autopilot.events.state import PhaseState
from autopilot.flows.command import Command, Record, RunStep
from autopilot.flows.roadmap import decide
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.intent import Deficiency, Earlier, Intent, Purpose
from autopilot.model.planning.criterion import Form, Kind
from autopilot.model.policy import Commands
from autopilot.model.ruling import Action, Deduction
from autopilot.model.run import Step
from autopilot.planning.choosing.flags import aim
from tests.unit.making import (
    ONE,
    START,
    alter,
    make_brief,
    make_criterion,
    make_judgement,
    make_observation,
    make_phase,
    make_policy,
    make_rating,
    make_state,
    make_task,
    make_verification,
)

QUICK = Deficiency("it reads every file twice", "it is quick", 8.2, "a.py", "scorecard")
DULL = Deficiency("no test covers an empty song", "it sings", 9.0, "b.py", "scorecard")
WORRY = Deficiency("the naming is odd", source="judge_report", weight="low")
TRIAGED: dict[str, Any] = {
    **{"preflight_issues": (), "triage": (), "criteria": (make_criterion("phase.c1", kind=Kind.ALREADY),)},
    "attempts": {"gate": 2},
}
SKIPPED = (Step.RESEARCH, Step.PLAN, Step.PLAN_CHECK)
ROUTED = {**TRIAGED, "done": SKIPPED}
EVERY = (QUICK, DULL, WORRY)


def refined(purpose: Purpose, *lacks: Deficiency, before: float = 8.4, **more: Any) -> PhaseState:
    earlier = Earlier("run-0", START, before, deficiencies=lacks)
    brief = make_brief(purpose=purpose, earlier=earlier)
    return replace(make_phase(**{**ROUTED, **more}), brief=brief)


def decided(phase: PhaseState, intent: Intent, tip: str = "base", **policy: Any) -> Command:
    settled = aim(make_policy(**policy), intent)
    [command] = decide(make_state(phase, tip=tip, intent=intent, policy=settled), settled, START)
    return command


QUALITY, GAPS = Intent(quality=True), Intent(gaps=True)


@pytest.mark.parametrize(("purpose", "flag"), [(Purpose.REFINE, "--quality"), (Purpose.GAPS, "--gaps")])
def test_nothing_is_researched_or_planned_for_what_is_refined(purpose: Purpose, flag: str) -> None:
    command = decided(refined(purpose, QUICK, **TRIAGED, done=()), QUALITY)
    assert isinstance(command, Record)
    skipped = [event for event in command.events if isinstance(event, StepSkipped)]
    assert [event.step for event in skipped] == list(SKIPPED)
    assert all(event.reason.startswith(flag) for event in skipped)


def test_quality_begins_with_one_cycle_about_all_that_is_known() -> None:
    command = decided(refined(Purpose.REFINE, *EVERY), QUALITY)
    assert isinstance(command, Record) and command.slot == "1/refine/1"
    [started] = command.events
    assert isinstance(started, RemediationStarted)
    assert (started.flag, started.cycle, started.score, started.threshold) == ("quality", 1, 8.4, 9.5)
    [task] = started.tasks
    assert task.action.splitlines() == [
        "- it is quick: it reads every file twice (scored 8.2)",
        "- it sings: no test covers an empty song (scored 9.0)",
        "- the naming is odd",
    ]
    assert (task.files, {c.kind for c in task.criteria}) == (("a.py", "b.py"), {Kind.KEEP})


@pytest.mark.parametrize(("score", "target"), [(8.4, 9.5), (9.6, 9.8)])
def test_gaps_begin_with_the_biggest_alone(score: float, target: float) -> None:
    command = decided(refined(Purpose.GAPS, *EVERY, before=score), GAPS)
    assert isinstance(command, Record)
    [started] = command.events
    assert isinstance(started, RemediationStarted)
    assert (started.flag, started.score, started.threshold) == ("gaps", score, target)
    assert (started.deficiency, started.left) == ("it is quick", 2)
    assert [task.action for task in started.tasks] == ["- it is quick: it reads every file twice (scored 8.2)"]


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        (refined(Purpose.GAPS), "no report says what it lacks"),
        (alter(refined(Purpose.REFINE, QUICK), criteria=()), "could not check a refinement"),
        (
            alter(refined(Purpose.REFINE, QUICK), criteria=(make_criterion(form=Form.PROSE, command=""),)),
            "could not check a refinement",
        ),
    ],
)
def test_where_there_is_nothing_to_do_the_phase_is_completed_at_once(phase: PhaseState, said: str) -> None:
    command = decided(phase, QUALITY)
    assert isinstance(command, Record)
    warned, done = command.events
    assert isinstance(warned, Warned) and said in warned.text and warned.phase == ONE
    assert done == PhaseCompleted(ONE, 8.4, "")


def test_a_configured_check_is_enough_to_hold_a_refinement_to() -> None:
    phase = alter(refined(Purpose.REFINE, QUICK), criteria=())
    command = decided(phase, QUALITY, commands=Commands(test="make test"))
    assert isinstance(command, Record) and isinstance(command.events[0], RemediationStarted)


def fruitless(purpose: Purpose, flag: str, *lacks: Deficiency, deficiency: str = "") -> PhaseState:
    task = make_task("01-r1", type="remediation")
    cycle = Cycle(1, 8.4, ("01-r1",), flag=flag, deficiency=deficiency, left=max(0, len(lacks) - 1))
    refused = TaskState(task, "refused", debugs=2, refusal="the agent committed nothing")
    return refined(purpose, *lacks, cycles=(cycle,), tasks={"01-r1": refused})


def test_a_cycle_that_changed_nothing_is_not_reviewed_and_quality_ends_with_it() -> None:
    command = decided(fruitless(Purpose.REFINE, "quality", QUICK), QUALITY)
    assert isinstance(command, Record)
    ended, exhausted, done = command.events
    assert ended == RemediationEnded(ONE, 1, 8.4, 8.4, 9.5, "quality")
    assert exhausted == Exhausted(ONE, "quality", 8.4, 9.5, 1)
    assert done == PhaseCompleted(ONE, 8.4, ""), "nothing to land"


def test_a_gap_that_nobody_closed_gives_way_to_the_next() -> None:
    phase = fruitless(Purpose.GAPS, "gaps", QUICK, DULL, deficiency="it is quick")
    command = decided(phase, GAPS)
    assert isinstance(command, Record)
    ended, started = command.events
    assert isinstance(ended, RemediationEnded) and (ended.deficiency, ended.new_score) == ("it is quick", 8.4)
    assert isinstance(started, RemediationStarted)
    assert (started.cycle, started.deficiency, started.left) == (2, "it sings", 0)


def test_after_the_last_gap_the_phase_is_what_it_was() -> None:
    command = decided(fruitless(Purpose.GAPS, "gaps", QUICK, deficiency="it is quick"), GAPS)
    assert isinstance(command, Record)
    assert command.events[1:] == (Exhausted(ONE, "gaps", 8.4, 9.5, 1, 0), PhaseCompleted(ONE, 8.4, ""))


def test_what_was_changed_is_reviewed() -> None:
    phase = fruitless(Purpose.REFINE, "quality", QUICK)
    done = TaskState(make_task("01-r1", type="remediation"), "verified", commit="work")
    command = decided(replace(phase, tasks={"01-r1": done}), QUALITY, tip="work")
    assert isinstance(command, RunStep) and command.step is Step.VERIFY


AT_GATE: dict[str, Any] = {
    **{"verification": make_verification(), "judgement": make_judgement(), "rating": make_rating(), "score": 8.1},
    **{"observations": (make_observation("phase.c1"),), "observed_commit": "work", "gate_reason": "it is worse"},
    "cycles": (Cycle(1, 8.4, (), flag="quality", ended=True),),
}


def test_what_a_gate_gives_back_is_rolled_back_and_then_withdrawn() -> None:
    phase = refined(Purpose.REFINE, QUICK, **AT_GATE, gate=Outcome.FAIL, action=Action.ROLLBACK)
    first = decided(phase, QUALITY, tip="work")
    assert isinstance(first, RunStep) and first.step is Step.ROLLBACK
    then = decided(alter(phase, rolled_back_to="restored"), QUALITY, tip="restored")
    short = Exhausted(ONE, "quality", 8.4, 9.5, 1)
    given_back = (Withdrawn(ONE, "it is worse"), short, PhaseCompleted(ONE, 8.4, "restored"))
    assert then == Record("1/withdraw/1", given_back)


def test_a_refinement_that_may_not_begin_is_withdrawn_too() -> None:
    command = decided(refined(Purpose.GAPS, QUICK, preflight_issues=("the spec is gone",)), GAPS)
    assert isinstance(command, Record) and command.events[0] == Withdrawn(ONE, "the spec is gone")


def test_a_phase_made_again_fails_as_any_other() -> None:
    phase = refined(Purpose.REDO, **AT_GATE, gate=Outcome.FAIL, action=Action.ROLLBACK, rolled_back_to="restored")
    command = decided(phase, Intent(force=True), tip="restored")
    assert isinstance(command, Record) and isinstance(command.events[0], PhaseFailed)


def test_the_next_cycle_of_quality_is_about_what_the_last_card_took_off() -> None:
    lost = Deduction("it rests", 9.0, 1.0, 0.5, "it never stops", "c.py")
    phase = refined(Purpose.REFINE, QUICK, **AT_GATE, gate=Outcome.FAIL, action=Action.REMEDIATE, deductions=(lost,))
    command = decided(phase, QUALITY, tip="work")
    assert isinstance(command, Record) and command.slot == "1/remediate/2"
    [started] = command.events
    assert isinstance(started, RemediationStarted)
    assert (started.cycle, started.score, started.flag) == (2, 8.1, "quality")
    assert "it rests" in started.tasks[0].action and "it is quick" not in started.tasks[0].action


def test_with_both_flags_gaps_follow_once_the_quality_is_reached() -> None:
    lost = Deduction("it rests", 9.6, 0.4, 0.2, "it never stops", "c.py")
    fields = {**AT_GATE, "score": 9.6, "deductions": (lost,)}
    phase = refined(Purpose.REFINE, QUICK, **fields, gate=Outcome.FAIL, action=Action.REMEDIATE)
    command = decided(phase, Intent(quality=True, gaps=True), tip="work")
    assert isinstance(command, Record)
    [started] = command.events
    assert isinstance(started, RemediationStarted)
    assert (started.flag, started.threshold, started.deficiency) == ("gaps", 9.8, "it rests")
