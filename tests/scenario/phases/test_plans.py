"""A plan that could not show whether the work was done is not carried out. PLAN-03, PCHK, CRIT, TRI, T2, T4.2, T8.P"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autopilot.events.happened import AgentReplied, PhaseVerified, PlanChecked, Rerouted
from autopilot.model.agent import Role
from autopilot.model.run import PhaseStatus
from tests.scenario.kit.planning import toothless_plan
from tests.scenario.kit.plot import Plot, plan_files
from tests.scenario.kit.world import World, base_config, make_world

QUICK = {**base_config(), "workflow": {"research": False}}
PLAN = ".planning/phases/01-part-1/PLAN.md"


def events_of(world: World, kind: type) -> list[Any]:
    return [stored.event for stored in world.assemble().ports.journal.read() if isinstance(stored.event, kind)]


def test_a_plan_that_would_hold_had_nothing_been_done_is_refused_and_made_anew(tmp_path: Path) -> None:
    world = make_world(tmp_path, config=QUICK)
    world.play(toothless_plan(world.plot, 1))
    state = [recorded.state for recorded in world.drive()][-1]
    assert state.session.exit_status == 0, state.session.stop_reason
    assert [(check.passed, check.blockers[:1]) for check in events_of(world, PlanChecked)] == [
        (False, ("01-01.c1 (Part 01-01 says its name) passed before any work: test what is new",)),
        (True, ()),
    ]
    assert world.read(PLAN) == plan_files(world.plot, 1)[PLAN], "the second plan was carried out"
    assert len([subject for subject in world.subjects if ": plan " in subject]) == 1, "and the first left no trace"


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
