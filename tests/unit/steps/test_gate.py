"""The gate step: what of the record reaches the gate, and in which word it is recorded (GATE, T2)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import GateJudged
from autopilot.events.pieces import Cycle, Deferral, TaskState
from autopilot.events.recovery import IntegrityChecked, MarkedIncomplete, PhaseDeferred, RemediationEnded, ResolvedAlone
from autopilot.flows.command import RunStep
from autopilot.model.assessment import CannotVerify, CriterionReading, Verification
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.planning.criterion import Form, Kind
from autopilot.model.policy import Policy
from autopilot.model.result import Justification
from autopilot.model.ruling import Action
from autopilot.model.run import Step
from autopilot.steps.context import Result
from tests.unit.flows.playing import quiet_context
from tests.unit.making import (
    make_brief,
    make_criterion,
    make_judgement,
    make_observation,
    make_phase,
    make_state,
    make_task,
    make_verification,
)

# covers: GATE, T2, ALREADY, HV, STAT-02, CENF-01, CENF-03, CHK-8
HOLD = tuple(CriterionReading(text, "verified", "a.py:3 it is there") for text in ("it works", "two"))
REPORT = make_verification(criteria_results=HOLD)
REVIEWED: dict[str, Any] = {"verification": REPORT, "judgement": make_judgement(), "score": 9.6}
TASKS = {"01-01": TaskState(make_task(), "verified")}
RED = (make_observation("01-01.c1", Seen.FAILED),)
ALREADY = make_criterion("phase.c1", kind=Kind.ALREADY)
HOLDS = (make_observation("phase.c1"),)


def green(*subjects: str) -> tuple[Observation, ...]:
    return tuple(make_observation(subject) for subject in subjects or ("01-01.c1",))


def judge(**fields: Any) -> tuple[Result, GateJudged]:
    brief, policy = fields.pop("brief", make_brief()), fields.pop("policy", Policy())
    phase = replace(make_phase(observed_commit="c1", **{**REVIEWED, **fields}), brief=brief)
    state = make_state(phase, policy=policy)
    running = STEPS[Step.GATE](quiet_context(state, phase, RunStep(phase.id, Step.GATE)))
    with pytest.raises(StopIteration) as end:
        next(running)
    result: Result = end.value.value
    [event] = [event for event in result.events if isinstance(event, GateJudged)]
    return result, event


@pytest.mark.parametrize(
    ("fields", "outcome", "status"),
    [
        ({"tasks": TASKS, "red": RED, "observations": green()}, Outcome.PASS, "pass"),
        ({"tasks": TASKS, "red": RED, "observations": RED}, Outcome.FAIL, "fail"),
        ({"tasks": TASKS, "red": green(), "observations": green()}, Outcome.UNPROVEN, "fail"),  # the work's fault
        ({"tasks": TASKS, "red": RED, "observations": ()}, Outcome.UNPROVEN, "unproven"),  # ours: we did not look
        (
            {"tasks": TASKS, "red": RED, "observations": (make_observation("01-01.c1", Seen.NOTHING),)},
            Outcome.UNPROVEN,
            "unproven",
        ),
        ({}, Outcome.UNPROVEN, "fail"),  # nothing was checked: nobody's sandbox is to blame
        ({"tasks": TASKS, "red": RED, "observations": green(), "score": 8.9}, Outcome.FAIL, "fail"),
        (
            {"criteria": (ALREADY,), "triage": green("phase.c1"), "observations": green("phase.c1")},
            Outcome.PASS,
            "pass",
        ),
    ],
)
def test_only_what_is_ours_is_recorded_as_unproven(fields: dict[str, Any], outcome: Outcome, status: str) -> None:
    result, event = judge(**fields)
    assert (event.outcome, result.status) == (outcome, status)
    assert event.commit == "c1"


def test_a_red_check_fails_a_phase_whose_criteria_all_hold() -> None:
    seen = (*green(), make_observation("test", Seen.FAILED))
    _, event = judge(tasks=TASKS, red=RED, observations=seen)
    assert (event.outcome, event.reason) == (Outcome.FAIL, "test: the command failed")


def test_a_task_that_was_never_taken_in_fails_the_phase_however_green_it_is() -> None:
    refused = {"01-01": TaskState(make_task(), "refused", refusal="the agent committed nothing")}
    _, event = judge(tasks=refused, red=RED, observations=green())
    assert (event.outcome, event.reason) == (Outcome.FAIL, "task 01-01: the agent committed nothing")


LOOK = make_criterion("01-02.c1", "two", form=Form.PROSE, command="")
MANUAL = make_task("01-02", LOOK, type="checkpoint:human-verify", title="pay once", action="Pay with a test card.")
TRIED = CannotVerify("two", ("read the handler",), "the card network answers only in production")
MIXED: dict[str, Any] = {"tasks": {**TASKS, "01-02": TaskState(MANUAL)}, "red": RED, "observations": green()}


def unsure(*evidence: CannotVerify, confidence: float = 5.9) -> Verification:
    return replace(REPORT, passed=False, autonomous_confidence=confidence, deferral_evidence=evidence)


@pytest.mark.parametrize(
    ("report", "action", "status", "left"),
    [
        (replace(REPORT, autonomous_confidence=6.0), Action.PASS, "pass", [ResolvedAlone]),  # sure enough: nobody is
        (unsure(TRIED), Action.DEFER, "deferred", [PhaseDeferred]),
        (unsure(), Action.ENFORCE, "fail", []),  # it does not say what was tried
        (unsure(replace(TRIED, why_insufficient="I cannot tell")), Action.ENFORCE, "fail", []),
    ],
)
def test_a_task_for_a_person_is_left_to_one_only_where_the_verifier_tried_in_earnest(
    report: Verification, action: Action, status: str, left: list[type]
) -> None:
    """HV, STAT-02."""
    result, event = judge(**MIXED, verification=report)
    assert (event.action, result.status) == (action, status), event.reason
    assert [verdict.subject for verdict in event.verdicts] == ["01-01.c1"], "no command stands for a person's look"
    person = [type(e) for e in result.events if isinstance(e, ResolvedAlone | PhaseDeferred)]
    assert person == left


def test_a_phase_a_person_spoke_of_does_not_ask_again() -> None:
    told = Deferral(Justification("01-02", "pay once", 1, 1), (), 4.0, "b", "issues_found", ("no receipt",))
    _, event = judge(**MIXED, deferral=told, verification=REPORT)
    assert event.action is Action.PASS


def test_a_low_score_ends_the_open_cycle_with_it_and_says_what_is_next() -> None:
    cycles = (Cycle(1, 8.0, (), ended=True, new_score=8.2), Cycle(2, 8.2, ()))
    result, event = judge(tasks=TASKS, red=RED, observations=green(), score=8.4, cycles=cycles)
    assert event.action is Action.PASS_INCOMPLETE
    [ended] = [e for e in result.events if isinstance(e, RemediationEnded)]
    assert (ended.cycle, ended.old_score, ended.new_score) == (2, 8.2, 8.4)
    [marked] = [e for e in result.events if isinstance(e, MarkedIncomplete)]
    assert (marked.score, marked.threshold, marked.cycles) == (8.4, 9.0, 2)


@pytest.mark.parametrize(
    ("fields", "action"),
    [({}, Action.REPLAN), ({"plan_ours": False}, Action.ROLLBACK), ({"line": "own"}, Action.ROLLBACK)],
)
def test_a_score_below_the_floor_re_plans_what_may_be_planned_anew(fields: dict[str, Any], action: Action) -> None:
    _, event = judge(tasks=TASKS, red=RED, observations=green(), score=6.9, **fields)
    assert event.action is action


def test_a_report_that_breaks_a_rule_of_integrity_is_asked_for_again_and_written_down() -> None:
    """Nothing was committed, and the verifier shows no file and line for it (CHK-8)."""
    there = {
        "criteria": (ALREADY,),
        "triage": green("phase.c1"),
        "observations": green("phase.c1"),
        "verify_only": True,
    }
    result, event = judge(**there, verification=make_verification())
    [checked] = [e for e in result.events if isinstance(e, IntegrityChecked)]
    assert (event.action, event.outcome) == (Action.ENFORCE, Outcome.UNPROVEN)
    assert [f.check for f in checked.findings if f.refuses] == [8]


@pytest.mark.parametrize(
    ("base", "after", "outcome"),
    [
        (Seen.FAILED, Seen.PASSED, Outcome.PASS),
        (Seen.FAILED, Seen.FAILED, Outcome.FAIL),  # the plan holds, the phase does not
        (Seen.PASSED, Seen.PASSED, Outcome.PASS),  # it held before the phase began
        (Seen.PASSED, Seen.FAILED, Outcome.FAIL),  # and does no more
        (Seen.TIMED_OUT, Seen.PASSED, Outcome.UNPROVEN),
        (Seen.FAILED, None, Outcome.UNPROVEN),
    ],
)
@pytest.mark.parametrize("ours", [True, False])
def test_the_roadmaps_own_criteria_must_hold_beside_those_of_the_plan(
    base: Seen, after: Seen | None, outcome: Outcome, ours: bool
) -> None:
    brief = make_brief(criteria=(make_criterion("phase.c1"), make_criterion("phase.c2", form=Form.PROSE, command="")))
    seen = (*green(), make_observation("phase.c1", after)) if after else green()
    red = (*RED, make_observation("phase.c1", base))
    _, event = judge(brief=brief, tasks=TASKS, red=red, observations=seen, plan_ours=ours)
    assert [verdict.subject for verdict in event.verdicts] == ["01-01.c1", "phase.c1"]
    assert event.outcome is outcome


def test_what_holds_before_the_work_counts_in_a_users_plan_beside_something_new() -> None:
    task = make_task("01-01", make_criterion("01-01.c1"), make_criterion("01-01.c2", "two"))
    fields = {"tasks": {"01-01": TaskState(task)}, "red": (*RED, *green("01-01.c2"))}
    both = green("01-01.c1", "01-01.c2")
    assert judge(**fields, observations=both, plan_ours=False)[1].outcome is Outcome.PASS
    assert judge(**fields, observations=both, plan_ours=True)[1].outcome is Outcome.UNPROVEN


USERS = {"plan_ours": False, "red": green()}


@pytest.mark.parametrize(
    ("fields", "deferred"),
    [
        ({"unshown": "nothing shows it", "verify_only": True}, True),
        ({"verify_only": True}, False),
        ({"tasks": {"01-01": replace(TASKS["01-01"], status="already", unshown=True)}, **USERS}, True),
        ({"unshown": "nothing shows it", "verify_only": True, "policy": Policy(land_before_person=True)}, True),
    ],
)
def test_what_nothing_shows_to_be_there_waits_for_a_person_whatever_reviewers_say(
    fields: dict[str, Any], deferred: bool
) -> None:
    """covers: ALREADY"""
    prose = make_criterion("phase.c1", "it sings", Kind.ALREADY, form=Form.PROSE, command="")
    read = (CriterionReading(text, "verified", "b.py:1 -- it is there") for text in ("it sings", "it works"))
    places = make_verification(criteria_results=tuple(read))
    result, event = judge(
        brief=make_brief(criteria=(prose,)),
        criteria=(prose,),
        observations=green("test", "01-01.c1"),
        verification=places,
        **fields,
    )
    waits = [e for e in result.events if isinstance(e, PhaseDeferred)]
    assert (event.action is Action.DEFER, bool(waits)) == (deferred, deferred)
    assert not deferred or "nothing" in waits[0].justification.task_description
