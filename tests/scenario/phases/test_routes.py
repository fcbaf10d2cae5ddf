"""Which steps a phase takes, and what keeps it from beginning. ROUTE, TRI, PRE, INV-4, RES-1"""

from __future__ import annotations

import json
from pathlib import Path

from autopilot.events.happened import PhaseCompleted, PreflightDone, RunResumed, RunStarted, StepSkipped
from autopilot.model.run import RunRequest
from tests.scenario.kit.plot import Plot, part_text
from tests.scenario.kit.world import base_config, make_world

ROUTE = ("RESEARCH", "PLAN", "PLAN-CHECK", "EXECUTE")
# Nothing changed, so the rater has to find the place itself.
RATER = {
    "role": "rater",
    "reply": {
        "scorecard": [
            {
                "criterion": "Part 1 says its name",
                "score": 9.6,
                "verification_command": "sh part-01-01.sh",
                "command_output": "part 01-01",
                "evidence": "part-01-01.sh:1 -- prints its name",
                "justification": "it speaks",
            }
        ],
        "side_effects": [],
        "commands_run": ["sh part-01-01.sh -> part 01-01"],
        "aggregate_justification": "the one criterion holds",
    },
}


def test_a_phase_that_is_there_already_is_only_verified(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(criteria=True))
    world.write("part-01-01.sh", part_text("01-01"))
    world.commit("the part, by hand")
    world.play(RATER)
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
    assert "phase 1 is skipped: ticked in the roadmap: done, unproven" in ran.err
    assert not (world.project / "part-01-01.sh").exists()


def test_a_spec_that_changes_while_a_run_goes_on_fails_the_next_phase_with_both_hashes(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, planned=True))
    state = None
    for recorded in world.drive():
        state = recorded.state
        if any(isinstance(stored.event, PhaseCompleted) for stored in recorded.entries):
            world.write(".planning/REQUIREMENTS.md", "# Requirements\n\n- [ ] **PART-02**: something else\n")
    assert state is not None
    failure = state.phases["2"].ending.failure
    assert failure.startswith("spec_hash_mismatch: .planning/REQUIREMENTS.md was locked as ")
    assert state.inputs.spec.sha256[:12] in failure
    assert len(failure.rpartition(" ")[2]) == 12
    assert state.session.exit_status == 1


def test_a_spec_that_changed_between_is_warned_about_at_resume_and_the_run_goes_on(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.drive_until(RunStarted)
    world.write(".planning/REQUIREMENTS.md", world.read(".planning/REQUIREMENTS.md") + "- [ ] **PART-09**: more\n")
    world.commit("another requirement")
    ran = world.resume()
    assert "warning: .planning/REQUIREMENTS.md changed since the run began (" in ran.err
    assert "given the new text with the old criteria; `autopilot run --fresh` reads all of it anew" in ran.err
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
