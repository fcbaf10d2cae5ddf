"""Phases that were completed before: made again from scratch, or held to all they promised while they are refined.

covers: FORCE, QUAL, GAPS, ALREADY, TRI, PCHK
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autopilot.engine.performing import STEPS
from autopilot.events.happened import AgentReplied, Event, Planned, RedObserved, Triaged, Warned
from autopilot.events.pieces import Cycle, TaskState
from autopilot.events.recovery import Exhausted, RemediationEnded, TaskAlreadyThere
from autopilot.events.state import PhaseState
from autopilot.flows.command import RunStep
from autopilot.gates.criterion import judge_criteria
from autopilot.model.agent import Ending, Role, Usage
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.verdict import Outcome as Verdict
from autopilot.model.intent import Deficiency, Earlier, Intent, Purpose
from autopilot.model.planning.criterion import Criterion, Kind, Strength
from autopilot.model.ruling import Deduction
from autopilot.model.run import Step
from autopilot.ports.sandbox import Exited, Outcome
from autopilot.reports.documents.documents import is_report
from autopilot.steps.accepting import is_there_again
from autopilot.steps.asking.asking import Answer
from autopilot.steps.context import Result
from autopilot.steps.pipeline.earlier_plan import is_ours_again, put_away
from tests.unit.flows.playing import quiet_context
from tests.unit.making import (
    ONE,
    START,
    make_brief,
    make_criterion,
    make_judgement,
    make_observation,
    make_phase,
    make_rating,
    make_state,
    make_task,
    make_verification,
    policy_of,
)
from tests.unit.steps.sample import PLAN
from tests.unit.steps.world import Answering, World

FOLDER = ".planning/phases/01-part"
PLAN_PATH, SCRIPT_PATH = f"{FOLDER}/PLAN.md", f"{FOLDER}/tests/task-01-01.sh"
WRITTEN = PLAN.replace("`make test`", "`keep books`").encode()
FILES = {PLAN_PATH: WRITTEN, SCRIPT_PATH: b"make test\n"}
OWN = tuple((path, hashlib.sha256(text).hexdigest()) for path, text in FILES.items())
GOOD_SCRIPT = Outcome(Exited(0), b"PASS: it keeps books\n")


def brief_of(purpose: Purpose, plans: tuple[tuple[str, str], ...] = OWN, **more: Any) -> Any:
    return make_brief(purpose=purpose, earlier=Earlier("run-0", START, 8.4, plans=plans), **more)


def triaged(folder: Path, purpose: Purpose, files: dict[str, bytes], **more: Any) -> tuple[Result, Triaged]:
    world = World(folder, sandbox=Answering({f"bash {SCRIPT_PATH}": GOOD_SCRIPT}), files=files)
    phase = replace(make_phase(), brief=brief_of(purpose, **more))
    running = STEPS[Step.TRIAGE](world.context(make_state(phase), phase, Step.TRIAGE))
    with pytest.raises(StopIteration) as end:
        next(running)
    result: Result = end.value.value
    return result, next(event for event in result.events if isinstance(event, Triaged))


def test_a_plan_of_ours_is_not_found_again_when_its_phase_is_made_from_scratch(tmp_path: Path) -> None:
    roadmap = (make_criterion("phase.c1"),)
    result, event = triaged(tmp_path, Purpose.REDO, FILES, criteria=roadmap)
    assert (result.status, event.has_plan, event.verify_only) == ("full_pipeline", False, False)
    assert (event.source, event.criteria) == ("roadmap", roadmap), "all of it holds, and it is made again"


@pytest.mark.parametrize(
    ("files", "plans"),
    [
        ({**FILES, PLAN_PATH: WRITTEN + b"\nI changed my mind.\n"}, OWN),
        (FILES, ()),
        ({**FILES, f"{FOLDER}/01-02-PLAN.md": WRITTEN}, OWN),
    ],
    ids=["edited", "never ours", "one beside ours"],
)
def test_a_plan_the_user_wrote_or_touched_stays_the_plan_and_is_said_to(
    tmp_path: Path, files: dict[str, bytes], plans: tuple[tuple[str, str], ...]
) -> None:
    result, event = triaged(tmp_path, Purpose.REDO, files, plans=plans)
    assert (event.has_plan, event.verify_only) == (True, False)
    assert [e.text for e in result.events if isinstance(e, Warned) and "the plan is yours and is kept" in e.text]


def test_the_earlier_plan_and_its_scripts_are_put_away_where_nobody_touched_them(tmp_path: Path) -> None:
    edited = {**FILES, SCRIPT_PATH: b"exit 0\n"}
    phase = replace(make_phase(), brief=brief_of(Purpose.REDO))
    for files, gone in ((FILES, [PLAN_PATH, SCRIPT_PATH]), (edited, [PLAN_PATH]), ({}, [])):
        ctx = World(tmp_path, files=files).context(make_state(phase), phase, Step.PLAN)
        assert put_away(ctx) == dict.fromkeys(gone)
        assert is_ours_again(ctx, [PLAN_PATH]) is (PLAN_PATH in gone)
    built = replace(phase, brief=brief_of(Purpose.BUILD))
    assert put_away(World(tmp_path, files=FILES).context(make_state(built), built, Step.PLAN)) == {}


@pytest.mark.parametrize("purpose", [Purpose.REFINE, Purpose.GAPS])
def test_a_refinement_is_held_to_the_whole_plan_and_its_scripts(tmp_path: Path, purpose: Purpose) -> None:
    result, event = triaged(tmp_path, purpose, FILES)
    assert (result.status, event.verify_only) == ("refine", False)
    assert {criterion.kind for criterion in event.criteria} == {Kind.ALREADY}
    [planned] = [e for e in result.events if isinstance(e, Planned)]
    assert ([task.id for task in planned.tasks], planned.ours) == (["01-01"], False)
    assert [e.task for e in result.events if isinstance(e, TaskAlreadyThere)] == ["01-01"]
    [red] = [e for e in result.events if isinstance(e, RedObserved)]
    assert {o.subject for o in red.observations} == {"01-01.c1", "script:01-01"}


def test_without_a_plan_a_refinement_is_held_to_the_roadmaps_criteria(tmp_path: Path) -> None:
    result, event = triaged(tmp_path, Purpose.GAPS, {}, criteria=(make_criterion("phase.c1"),))
    assert [c.kind for c in event.criteria] == [Kind.ALREADY]
    assert not [e for e in result.events if isinstance(e, Planned)]


# -- evidence of a phase that is made again

FIRST, SECOND = make_criterion("01-01.c1", "it sings"), make_criterion("01-01.c2", "it dances")
SCRIPT, TASK = "script:01-01", "01-01"


def seen(first: Seen, second: Seen, script: Seen | None = None) -> list[Observation]:
    looks = [make_observation(FIRST.id, first), make_observation(SECOND.id, second)]
    return looks + ([make_observation(SCRIPT, script)] if script else [])


P, F, L = Seen.PASSED, Seen.FAILED, Seen.TIMED_OUT


@pytest.mark.parametrize(
    ("before", "after", "outcomes"),
    [
        (seen(P, P, P), seen(P, P, P), [Verdict.PASS] * 3),
        (seen(P, F, F), seen(P, P, P), [Verdict.PASS] * 3),
        (seen(P, F, P), seen(P, P, P), [Verdict.PASS] * 3),
        (seen(P, P, P), seen(P, F, F), [Verdict.PASS, Verdict.FAIL, Verdict.FAIL]),
        (seen(L, P), seen(P, P), [Verdict.UNPROVEN, Verdict.PASS]),  # that it timed out proves nothing yet
    ],
)
def test_what_held_when_a_phase_is_made_again_has_to_hold_on(
    before: list[Observation], after: list[Observation], outcomes: list[Verdict]
) -> None:
    verdicts = judge_criteria((FIRST, SECOND), before, after, TASK, repeated=True)
    assert [verdict.outcome for verdict in verdicts] == outcomes


def test_the_first_time_what_held_before_the_work_proves_nothing() -> None:
    verdicts = judge_criteria((FIRST, SECOND), seen(P, P), seen(P, P))
    assert [verdict.outcome for verdict in verdicts] == [Verdict.UNPROVEN] * 2


def answered(head: str = "", ending: Ending = Ending.COMPLETED) -> Answer[Any]:
    event = AgentReplied(ONE, Step.EXECUTE, Role.EXECUTOR, "ear", ending, Usage(), 5, "01-01", head=head)
    return Answer(None, "", event)


def grep(id: str) -> Criterion:
    return make_criterion(id, strength=Strength.GREP)


@pytest.mark.parametrize(
    ("purpose", "criteria", "red", "answer", "expected"),
    [
        (Purpose.REDO, (FIRST, SECOND), seen(P, P), answered(), True),
        (Purpose.REDO, (FIRST, SECOND), seen(P, P, P), answered("base"), True),
        (Purpose.REDO, (FIRST, SECOND), seen(P, F), answered(), False),
        (Purpose.REDO, (FIRST, SECOND), seen(P, P, F), answered(), False),
        (Purpose.REDO, (FIRST, SECOND), seen(P, P), answered("other"), False),  # it did something
        (Purpose.REDO, (FIRST, SECOND), seen(P, P), answered(ending=Ending.CRASHED), False),
        (Purpose.REDO, (grep("01-01.c1"),), [make_observation("01-01.c1", strength=Strength.GREP)], answered(), False),
        (Purpose.REDO, (FIRST,), [], answered(), False),
        (Purpose.BUILD, (FIRST, SECOND), seen(P, P), answered(), False),
    ],
)
def test_whoever_changes_nothing_is_believed_only_where_everything_was_seen_to_hold(
    tmp_path: Path,
    purpose: Purpose,
    criteria: tuple[Criterion, ...],
    red: list[Observation],
    answer: Answer[Any],
    expected: bool,
) -> None:
    task = make_task("01-01", *criteria)
    phase = replace(make_phase(red=tuple(red), tasks={"01-01": TaskState(task)}), brief=brief_of(purpose))
    ctx = World(tmp_path).context(make_state(phase), phase, Step.EXECUTE, "01-01")
    assert is_there_again(ctx, task, answer) is expected


# -- the gate

DULL = Deduction("it sings", 9.0, 1.0, 0.5, "no test covers an empty song", "b.py")
REVIEWED: dict[str, Any] = {
    **{"verification": make_verification(), "judgement": make_judgement(), "rating": make_rating()},
    **{"observations": (make_observation("phase.c1"),), "deductions": (DULL,)},
    **{"criteria": (make_criterion("phase.c1", "it works", Kind.ALREADY),), "verify_only": True},
}


def gated(intent: Intent, purpose: Purpose, score: float, *cycles: Cycle, **more: Any) -> tuple[Event, ...]:
    earlier = Earlier(
        "run-0", START, 9.2, deficiencies=(Deficiency("slow", "it is quick"), Deficiency("odd", "it sings"))
    )
    task = TaskState(make_task("01-r1", make_criterion("01-r1.k1"), type="remediation"), "verified", commit="work")
    phase: PhaseState = replace(
        make_phase(score=score, cycles=cycles, tasks={"01-r1": task}, **REVIEWED),
        brief=make_brief(purpose=purpose, earlier=earlier if purpose.refines else None),
    )
    policy = policy_of(pass_threshold=9.5 if intent.quality else 9.0, remediations=3)
    state = make_state(phase, intent=intent, policy=policy)
    running = STEPS[Step.GATE](quiet_context(state, phase, RunStep(ONE, Step.GATE)))
    with pytest.raises(StopIteration) as end:
        next(running)
    result: Result = end.value.value
    return result.events


def gap(number: int, deficiency: str, old: float = 9.2) -> Cycle:
    return Cycle(number, old, ("01-r1",), flag="gaps", deficiency=deficiency, left=1)


@pytest.mark.parametrize(
    ("intent", "purpose", "score", "cycles", "exhausted"),
    [
        (Intent(quality=True), Purpose.REFINE, 9.2, (Cycle(1, 9.2, (), flag="quality"),), ("quality", 9.5, 1, 0)),
        (Intent(quality=True), Purpose.BUILD, 9.2, (Cycle(1, 9.2, (), flag="quality"),), ("quality", 9.5, 1, 0)),
        (Intent(quality=True), Purpose.REFINE, 9.5, (Cycle(1, 9.2, (), flag="quality"),), None),
        (Intent(gaps=True), Purpose.GAPS, 9.4, (gap(1, "it is quick"), gap(2, "it sings")), ("gaps", 9.5, 2, 0)),
        (Intent(gaps=True), Purpose.GAPS, 9.4, tuple(gap(n, "it is quick") for n in range(1, 6)), ("gaps", 9.5, 5, 1)),
    ],
)
def test_a_pass_below_what_was_aimed_at_is_called_exhausted(
    intent: Intent, purpose: Purpose, score: float, cycles: tuple[Cycle, ...], exhausted: tuple[Any, ...] | None
) -> None:
    events = gated(intent, purpose, score, *cycles)
    found = [(e.flag, e.target, e.cycles, e.left) for e in events if isinstance(e, Exhausted)]
    assert found == ([exhausted] if exhausted else [])


def test_the_end_of_a_cycle_carries_what_it_was_about() -> None:
    events = gated(Intent(gaps=True), Purpose.GAPS, 9.4, gap(1, "it is quick"))
    [ended] = [event for event in events if isinstance(event, RemediationEnded)]
    assert ended == RemediationEnded(ONE, 1, 9.2, 9.4, 9.5, "gaps", "it is quick", 1)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(("SCORECARD.md", True), ("TRACE.jsonl", True), ("20a-VERIFICATION.md", True), ("6.1b-HANDOFF.md", True)),
        *(("03-01-SUMMARY.md", False), ("03-VERIFICATION.md", False), ("PLAN.md", False), ("RESEARCH.md", False)),
        *(("old/SCORECARD.md", False), ("CONTEXT.md", False)),
    ],
)
def test_what_another_tool_or_the_user_wrote_is_not_taken_for_a_report_of_ours(name: str, expected: bool) -> None:
    assert is_report(name) is expected
