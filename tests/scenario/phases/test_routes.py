"""Which steps a phase takes, and what keeps it from beginning. ROUTE, TRI, PRE, INV-4, RES-1"""

from __future__ import annotations

import json
from pathlib import Path

from autopilot.events.happened import PhaseCompleted, PreflightDone, RunResumed, RunStarted, StepSkipped
from autopilot.model.run import PhaseStatus, RunRequest
from autopilot.planning.formats.locking import KEPT
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.ratings import OF_WHAT_IS_THERE
from tests.scenario.kit.world import base_config, make_world

SPEC = ".planning/REQUIREMENTS.md"
ROUTE = ("RESEARCH", "PLAN", "PLAN-CHECK", "EXECUTE")


def test_a_phase_that_is_there_already_is_only_verified(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(criteria=True))
    world.write("part-01-01.sh", part_text("01-01"))
    world.commit("the part, by hand")
    world.play(OF_WHAT_IS_THERE)
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "[Phase 1] Routing: verify only" in ran.err
    for step in ROUTE:
        assert f"[Phase 1] Step: {step} skipped (triage found it done)." in ran.err
    triage = json.loads(world.read(f"{world.plot.folder(1)}/TRIAGE.json"))
    assert triage["routing_decision"] == "verify_only"
    assert triage["skipped_steps"] == ["research", "plan", "plan_check", "execute"]
    assert (triage["criteria_source"], triage["total_criteria"], triage["passed_criteria"]) == ("roadmap", 1, 1)
    assert not [subject for subject in world.subjects if subject.startswith("feat")], "nothing was left to commit"


def test_a_plan_that_exists_is_taken_as_it_is(tmp_path: Path) -> None:
    # covers: T4.2
    world = make_world(tmp_path, Plot(planned=True))
    plan = world.read(f"{world.plot.folder(1)}/PLAN.md")
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "[Phase 1] Step: RESEARCH skipped (a plan exists)." in ran.err
    assert "[Phase 1] Step: PLAN skipped (a plan exists)." in ran.err
    assert world.read(f"{world.plot.folder(1)}/PLAN.md") == plan
    assert not [subject for subject in world.subjects if ": plan " in subject]


def test_research_is_left_out_when_the_config_says_so(tmp_path: Path) -> None:
    world = make_world(tmp_path, config={**base_config(), "workflow": {"research": False}})
    skipped = [
        (stored.event.step.value, stored.event.reason)
        for recorded in world.drive()
        for stored in recorded.entries
        if isinstance(stored.event, StepSkipped)
    ]
    assert skipped == [("research", "workflow.research is false")]
    assert not (world.project / world.plot.folder(1) / "RESEARCH.md").exists()
    assert (world.project / "part-01-01.sh").exists()


def test_a_phase_whose_dependency_is_not_completed_fails_preflight(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, depends={2: [1]}, planned=True))
    ran = world.run("2")
    assert ran.status == 1
    assert "phase 2 failed in preflight: it depends on phase 1, which is not completed" in ran.out
    assert "to continue with what it depends on: `autopilot run --fresh 1 2 " in ran.out
    assert "TRIAGE" not in ran.err


def test_a_dependency_that_is_only_ticked_lets_the_phase_begin_and_is_said_to_be_unproven(tmp_path: Path) -> None:
    # covers: INV-1
    world = make_world(tmp_path, Plot(phases=2, depends={2: [1]}, planned=True))
    world.write(".planning/ROADMAP.md", world.read(".planning/ROADMAP.md").replace("- [ ]", "- [x]", 1))
    world.commit("done, says the user")
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "phase 1 is skipped: ticked in the roadmap (done, unproven)" in ran.err
    assert not (world.project / "part-01-01.sh").exists()


def test_a_spec_that_changes_while_a_run_goes_on_is_given_to_the_phases_after_it_and_fails_none(
    tmp_path: Path,
) -> None:
    # covers: PRE, INV-4
    world = make_world(tmp_path, Plot(phases=3, planned=True))
    state = None
    for recorded in world.drive():
        state = recorded.state
        ended = [stored.event.phase for stored in recorded.entries if isinstance(stored.event, PhaseCompleted)]
        if ended == ["1"]:
            world.write(SPEC, "# Requirements\n\n- [ ] **PART-02**: something else\n")
            world.commit("in other words")
        if ended == ["2"]:
            world.git("switch", "-q", "-c", "elsewhere")
            world.git("rm", "-q", SPEC)
            world.git("commit", "-q", "-m", "another line of work, without a spec")
    assert state is not None
    locked, now = state.inputs.spec.sha256[:12], state.inputs.spec_changed_to[:12]
    assert now and now != locked
    changed = [line for phase in state.phases.values() for line in phase.warnings if "changed since" in line]
    assert changed == [f"{SPEC} changed since the run began ({locked} -> {now}): from this one on, phases {KEPT}"]
    assert "something else" in world.git("show", f"main:{SPEC}"), "phase 2 landed over the commit that holds it"
    assert [phase.status for phase in state.phases.values()] == [PhaseStatus.COMPLETED] * 3
    assert state.session.exit_status == 3, "only the last landing waits, for the branch"


def test_a_spec_that_changed_between_is_warned_about_at_resume_and_the_run_goes_on(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.drive_until(RunStarted)
    world.write(".planning/REQUIREMENTS.md", world.read(".planning/REQUIREMENTS.md") + "- [ ] **PART-09**: more\n")
    world.commit("another requirement")
    ran = world.resume()
    assert "warning: .planning/REQUIREMENTS.md changed since the run began (" in ran.err
    assert "keep the criteria that the run began with; to start over" in ran.err
    assert "phase 1 passed" in ran.out
    assert ran.status == 0, "the user's commit holds nothing but the spec the phase was given"
    assert "PART-09" in world.read(".planning/REQUIREMENTS.md")
    assert world.git("status", "--porcelain") == ""


def test_ticking_a_box_of_the_spec_is_no_change_of_it(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.drive_until(RunStarted)
    world.write(".planning/REQUIREMENTS.md", world.read(".planning/REQUIREMENTS.md").replace("[ ]", "[x]"))
    assert world.drive_until(PreflightDone, RunRequest(resume_only=True)).phases["1"].intake.preflight_issues == ()
    assert world.drive_until(RunResumed, RunRequest(resume_only=True)).inputs.spec_changed_to == ""


def test_a_complaint_about_a_script_that_is_missing_is_not_what_the_criterion_asks_for(tmp_path: Path) -> None:
    """ "cannot open part-01-01.sh" contains "part": the phase would pass as one that was there already."""
    world = make_world(tmp_path)
    asked = 'Part 1 says its name -- verified by: `sh part-01-01.sh` (contains "part")'
    world.write(".planning/ROADMAP.md", world.read(".planning/ROADMAP.md").replace("Part 1 says its name", asked))
    world.commit("it has a command")
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    assert "[Phase 1] Routing: full pipeline" in ran.err
    assert world.read("part-01-01.sh")
    assert "proven by phase.c1 (green only)" not in world.autopilot("evidence", "1").out


GSD_PLAN = """---
phase: 0{n}-part-{n}
plan: 01
type: execute
---

<tasks>
<task type="auto">
  <name>Task 1: Write part {n}</name>
  <files>part-0{n}-01.sh</files>
  <action>Write a script that says the name of the part.</action>
  <verify>{check}</verify>
  <done>Part {n} says its name</done>
</task>
</tasks>
"""
IDLE = [{"role": role, "phase": "2", "do": []} for role in ("executor", "debugger")]


def test_work_that_is_there_and_that_no_check_shows_waits_for_a_person_and_never_fails(tmp_path: Path) -> None:
    """By its summary, by agents that find nothing to change, and by checks that all hold before the work.

    covers: ALREADY, TRI
    """
    world = make_world(tmp_path, Plot(phases=3))
    for n in (1, 2, 3):
        world.write(f"part-0{n}-01.sh", part_text(f"0{n}-01"))
    one, two = world.plot.folder(1), world.plot.folder(2)
    world.write(f"{one}/01-01-PLAN.md", GSD_PLAN.format(n=1, check="Run it and read what it prints"))
    world.write(f"{one}/01-01-SUMMARY.md", "# Summary\n\nThe part says its name.\n")
    world.write(f"{one}/01-VERIFICATION.md", "---\nstatus: human_needed\n---\n\nSomebody has to listen.\n")
    world.write(f"{two}/02-01-PLAN.md", GSD_PLAN.format(n=2, check="sh check.sh"))
    world.commit("the parts, by hand")
    world.play(*IDLE)
    ran = world.run()
    assert ran.status == 3, ran.out + ran.err
    shown = "nothing that can be run shows"
    assert f"[Phase 1] Gate: UNPROVEN -- its plans are followed by summaries, and {shown}" in ran.err
    assert "[Phase 1] Step: EXECUTE skipped (nothing is left to build, as far as was seen)." in ran.err
    assert f"[Phase 2] Gate: UNPROVEN -- agents committed nothing for 02-01.1, and {shown}" in ran.err
    assert "[Phase 3] Rerouted to verification: everything that its plans check held before any work" in ran.err
    assert "Phases: 0 of 3 succeeded | 3 left to you" in ran.out
    assert "judged by a reviewer (opinion): Part 3 says its name" in world.autopilot("evidence", "3").out
    assert "- [x]" not in world.read(".planning/ROADMAP.md")
    for phase in "123":
        world.autopilot("verdict", phase, "pass")
    ended = world.resume()
    assert ended.status == 0, ended.out + ended.err
    assert world.read(".planning/ROADMAP.md").count("- [x]") == 3
