"""A plan that could not show whether the work was done is not carried out. PLAN-03, PCHK, CRIT, TRI, T2, T4.2, T8.P"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autopilot.events.happened import AgentReplied, PhaseVerified, PlanChecked, Rerouted, TaskVerified
from autopilot.model.agent import Role
from autopilot.model.evidence.objection import Weight
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import PhaseStatus
from tests.scenario.kit.calls import Call, claim, commit_all, plan_call
from tests.scenario.kit.planning import FORM, HANDLER, PROOF, READ_FORM, TRACE, beside, toothless_plan, with_trace
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, base_config, make_world

QUICK = {**base_config(), "workflow": {"research": False}}
PLAN = ".planning/phases/01-part-1/PLAN.md"

NOT_NEW = "test what is new, or mark it [keep] if it only has to stay so"


def events_of(world: World, kind: type) -> list[Any]:
    return [stored.event for stored in world.assemble().ports.journal.read() if isinstance(stored.event, kind)]


def test_a_plan_that_would_hold_had_nothing_been_done_is_refused_and_made_anew(tmp_path: Path) -> None:
    """And before it one for a user interface in which no handler is followed, by rule.

    covers: BEH
    """
    world = make_world(tmp_path, Plot(files=(FORM,)), config=QUICK)
    plans = [{**plan_call(world.plot, 1), "attempt": 1}, with_trace(toothless_plan(world.plot, 2), TRACE)]
    plans.append(with_trace({**plan_call(world.plot, 1), "attempt": 3}, TRACE))
    world.play(*plans, claim("01-01", {"write": FORM, "text": HANDLER}, READ_FORM, *commit_all("01-01")))
    state = [recorded.state for recorded in world.drive()][-1]
    assert state.session.exit_status == 0, state.session.stop_reason
    rule = f"{PLAN}:12: task 01-01 builds what people act on, and no criterion of the plan follows a handler; "
    form = "add one: `read FILE:handler and trace to what it finally calls`"
    assert [(check.passed, check.blockers[:1]) for check in events_of(world, PlanChecked)] == [
        (False, (rule + form,)),
        (False, (f"01-01.c2 (Part 01-01 says its name) passed before any work: {NOT_NEW}",)),
        (True, ()),
    ]
    assert TRACE in world.read(PLAN), "the third plan was carried out"
    assert len([subject for subject in world.subjects if ": plan " in subject]) == 1, "and the others left no trace"


def test_a_plan_that_asks_a_person_to_decide_fails_before_anyone_is_paid(world: World) -> None:
    """To look at finished work a person may be asked; a question in the middle of it cannot be put yet."""
    world.write(PLAN, world.read(PLAN).replace('type="auto"', 'type="checkpoint:decision"'))
    head = world.commit("somebody shall choose")
    ran = world.run()
    assert ran.status == 1
    assert "phase 1 failed in plan_check: the plan: " in ran.out
    assert "task 01-01 asks a person (checkpoint:decision): not possible unattended yet" in ran.out
    assert events_of(world, AgentReplied) == []
    assert world.head == head


def test_a_plan_in_the_users_own_prose_is_never_written_over(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    prose = "# My plan\n\nFirst I shall think about it, then I shall do it.\n"
    world.write(PLAN, prose)
    world.commit("a plan of mine")
    ran = world.run()
    assert ran.status == 1
    assert "phase 1 failed in plan_check: the plan: " in ran.out
    assert "the plan has no task" in ran.out
    assert world.read(PLAN) == prose
    assert world.git("status", "--porcelain") == ""
    assert events_of(world, AgentReplied) == [], "no planner was asked for another one"


def objects(text: str, about: str, attempt: int) -> Call:
    issue = {"plan": "PLAN.md", "dimension": "criteria", "severity": "blocker", "description": text}
    said = {"passed": False, "issues": [{**issue, "fix_hint": "test it", "about": about}], "confidence": 3.0}
    return {"role": "plan_checker", "phase": "1", "attempt": attempt, "reply": said}


def test_a_plan_of_the_users_is_supplemented_for_what_was_seen_and_not_refused_for_what_a_checker_thinks(
    tmp_path: Path,
) -> None:
    # covers: PLAN, PCHK
    world = make_world(tmp_path, Plot(tasks=2, planned=True))
    mine = world.read(PLAN).replace(PROOF, "sh -n check.sh`")
    world.write(PLAN, mine)
    (world.project / ".planning/phases/01-part-1/tests/task-01-01.sh").unlink()
    world.commit("a check that holds without any work")
    doubts = objects("it would hold had nothing been done", "01-01.c1", 1)
    world.play(doubts, objects("I would have built it otherwise", "", 2), beside(world.plot))
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    first, second = events_of(world, PlanChecked)
    assert (first.passed, second.passed) == (False, True)
    seen = "nothing that task 01-01 promises fails before the work"
    assert first.blockers == first.lacks == (f"it would hold had nothing been done (test it); {seen}",)
    assert any("I would have built it otherwise" in complaint.text for complaint in second.complaints)
    assert world.read(PLAN) == mine, "it is never rewritten"
    assert "01-01" in world.read(".planning/phases/01-part-1/PLAN.autopilot.md")


def test_what_a_users_plan_lacks_is_told_where_no_planner_adds_it(tmp_path: Path) -> None:
    # covers: PLAN
    world = make_world(tmp_path)
    world.write(PLAN, '<task type="auto">\n<name>Part 1</name>\n<action>Write it</action>\n</task>\n')
    world.commit("a plan of mine that nothing checks")
    ran = world.run()
    assert ran.status == 1
    (told,) = [line for line in ran.out.splitlines() if "phase 1 failed in plan: " in line]
    assert "the planner committed no PLAN.autopilot.md in .planning/phases/01-part-1; your plan lacks: " in told
    assert "task 01-01 (.planning/phases/01-part-1/PLAN.md:1, Part 1): criteria with a command each" in told


def test_a_fact_about_a_users_plan_that_no_supplement_cures_fails_the_phase_after_three_rounds(tmp_path: Path) -> None:
    # covers: PLAN, PCHK
    world = make_world(tmp_path, Plot(tasks=2, planned=True))
    world.write(PLAN, world.read(PLAN).replace(PROOF, "sh -n check.sh`"))
    (world.project / ".planning/phases/01-part-1/tests/task-01-01.sh").unlink()
    world.commit("a check that holds without any work")
    idle = beside(world.plot)
    idle["do"] = [
        {**action, "text": action["text"].replace(PROOF, "sh -n part-01-01.sh || sh -n check.sh`")}
        for action in idle["do"]
        if action.get("write", "").endswith("PLAN.autopilot.md")
    ] + [action for action in idle["do"] if "git" in action]
    world.play(*(objects("it would hold anyway", "01-01", attempt) for attempt in (1, 2, 3)), idle)
    ran = world.run()
    assert ran.status == 1
    assert "phase 1 failed in plan_check: the plan was refused 3 times: it would hold anyway" in ran.out
    assert [check.passed for check in events_of(world, PlanChecked)] == [False] * 3


def test_the_roadmaps_own_criterion_must_hold_although_everything_in_the_plan_does(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True, criteria=True))
    roadmap = world.read(".planning/ROADMAP.md").replace("`sh part-01-01.sh`", "`sh part-01-01.sh aloud`")
    world.write(".planning/ROADMAP.md", roadmap.replace('(contains "part 01-01")', '(contains "PART 01-01")'))
    head = world.commit("it shall be loud")
    ran = world.run()
    assert ran.status == 1
    assert "[Phase 1] Task 01-01: VERIFIED" in ran.err, "the plan holds"
    assert '      $ sh part-01-01.sh aloud\n      expected: text containing "PART 01-01"\n' in ran.out
    assert '      actual:   it printed "part 01-01", exit status 0\n      | part 01-01\n' in ran.out
    roles = {reply.role for reply in events_of(world, AgentReplied)}
    assert not roles & {Role.VERIFIER, Role.JUDGE, Role.RATER}, "no opinion is paid for where evidence refuses"
    assert world.head == head


def test_what_was_there_already_must_meet_the_roadmap_and_not_only_an_old_plan(tmp_path: Path) -> None:
    """The plan's own criterion holds before any work: taken alone it would make the phase look done."""
    world = make_world(tmp_path, Plot(planned=True, criteria=True))
    world.write("part-01-01.sh", "echo part 01-01\n")
    world.write(".planning/ROADMAP.md", world.read(".planning/ROADMAP.md").replace("sh part-01-01.sh", "sh more.sh"))
    world.commit("the part is there, and more is wanted")
    ran = world.run()
    assert ran.status == 1
    assert "Routing: full pipeline" in ran.err


REFUSAL = {
    "passed": False,
    "criteria_results": [
        {"criterion": "Part 1 says its name", "status": "failed", "evidence": "part-01-01.sh:1 -- it says another one"}
    ],
    "commands_run": ["sh part-01-01.sh -> part of something"],
    "failures": [{"failure": "it says another name", "category": "executor_incomplete"}],
    "scope_creep": [],
    "concerns": [],
    "autonomous_confidence": 9.0,
}


def test_what_the_verifier_does_not_take_for_done_goes_through_the_whole_pipeline_once_and_passes(
    tmp_path: Path,
) -> None:
    # covers: ROUTE
    world = make_world(tmp_path, Plot(criteria=True), config=QUICK)
    roadmap = world.read(".planning/ROADMAP.md").replace('(contains "part 01-01")', '(contains "part")')
    world.write(".planning/ROADMAP.md", roadmap)
    world.write("part-01-01.sh", "echo part of something\n")
    world.commit("half of it is there")
    world.play({"role": "verifier", "phase": "1", "attempt": 1, "reply": REFUSAL})
    state = [recorded.state for recorded in world.drive()][-1]
    phase = state.phases["1"]  # type: ignore[index]
    assert (state.session.exit_status, phase.status) == (0, PhaseStatus.COMPLETED), (
        phase.ending.failure,
        phase.gate.reason,
    )
    [rerouted] = events_of(world, Rerouted)
    assert rerouted.reason.startswith("triage found the phase done, but the verifier refused it: it says another name")
    assert [event.assessment.passed for event in events_of(world, PhaseVerified)] == [False, True]
    assert world.read("part-01-01.sh") == "echo part 01-01\n"


LOOSE = "module Spare\nend\n"


def test_a_file_that_nothing_uses_leaves_the_task_incomplete_until_it_is_used_or_says_why(world: World) -> None:
    # covers: EXEC
    done = {"write": "part-01-01.sh", "text": "echo part 01-01\n"}
    first = claim("01-01", done, {"write": "spare.rb", "text": LOOSE}, *commit_all("01-01"))
    said = {"write": "spare.rb", "text": f"# standalone: loaded by the name that the user gives\n{LOOSE}"}
    world.play(first, claim("01-01", done, said, *commit_all("01-01"), role="debugger"))
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    refused, held = (event for event in events_of(world, TaskVerified))
    assert (refused.outcome, held.outcome) == (Outcome.FAIL, Outcome.PASS)
    [objection] = [found for found in refused.objections if found.weight is Weight.REFUSE]
    assert objection.description == "nothing refers to spare.rb, which is new"
