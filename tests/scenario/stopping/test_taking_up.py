"""What was begun, passed or landed is neither forgotten nor taken for something else. INV-1, INV-5, INV-6, RES-1"""

from __future__ import annotations

import shutil
from pathlib import Path

from autopilot.events.happened import LandingStarted, PhaseStarted, Planned, RunStarted, Triaged
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import RunRequest
from tests.scenario.kit.calls import plan_call
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, base_config, make_world

ROADMAP, SPEC = ".planning/ROADMAP.md", ".planning/REQUIREMENTS.md"


def test_a_phase_stays_proven_when_its_box_is_cleared_and_its_number_is_open_to_another(tmp_path: Path) -> None:
    # covers: T7.history
    world = make_world(tmp_path, Plot(planned=True))
    roadmap = world.read(ROADMAP)
    assert world.run().status == 0
    world.write(ROADMAP, roadmap)
    world.commit("not done, says the user")
    ran = world.run("1")
    assert ran.status == 0, "what was asked for is there"
    assert "nothing to run: phase 1 is skipped: completed in an earlier run" in ran.out
    world.write(ROADMAP, roadmap.replace("Phase 1: Part 1", "Phase 1: Another part"))
    world.commit("the next milestone counts from 1 again")
    phase = world.drive_until(Triaged).phases[PhaseId("1")]
    assert (phase.brief.name, phase.brief.folder) == ("Another part", ".planning/phases/01-another-part")
    assert (phase.plan.verify_only, phase.plan.has_plan) == (False, False), (
        "the old plan holds, and is not this phase's"
    )


def test_a_fresh_run_is_refused_while_passed_work_waits_and_begins_once_it_is_merged(tmp_path: Path) -> None:
    # covers: T4.5
    world = make_world(tmp_path, Plot(phases=2, planned=True))
    world.write("README.md", "# mine\n")
    assert world.run("1").status == 3
    ran = world.run("2", "--fresh")
    branch = next(name for name in world.branches if name.startswith("autopilot/run-"))
    assert ran.status == 2
    hint = f"hint: merge it first: `git merge {branch}`"
    assert ran.err.splitlines() == ["error: phase 1 passed but has not landed", hint]
    world.git("merge", "-q", branch)
    state = world.drive_until(RunStarted, RunRequest(phases=("2",), fresh=True))
    assert (tuple(state.phases), state.inputs.proven) == (("2",), ("1",))


def test_a_fresh_run_is_refused_while_a_landing_is_open_and_the_hint_repeats_the_options(world: World) -> None:
    world.drive_until(LandingStarted)
    ran = world.run("--fresh")
    hint = f"hint: `autopilot resume --script {world.script}` lands it"
    assert ran.status == 2
    assert ran.err.splitlines() == ["error: phase 1 was landing when the run was stopped", hint]


def test_other_phases_than_those_of_an_unfinished_run_are_refused_and_its_own_take_it_up(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=3, planned=True))
    state = world.drive_until(PhaseStarted, RunRequest(phases=("1",)))
    ran = world.run("3")
    script = f" --script {world.script}"
    assert ran.status == 2
    assert ran.err.splitlines() == [
        f"error: {state.run} (phase 1) is unfinished",
        f"hint: `autopilot resume{script}` continues it; `autopilot run --fresh 3{script}` archives it and starts over",
    ]
    again = world.run("1")
    assert again.status == 0, again.err
    assert f"Autopilot: resuming {state.run}" in again.err


def begin_with_other_words(world: World) -> None:
    """A run that began with a roadmap which is not committed yet."""
    world.write(ROADMAP, world.read(ROADMAP).replace("Some words of the user's own.", "Other words."))
    assert world.drive_until(PhaseStarted).line.base != world.head


def test_a_roadmap_that_the_user_commits_meanwhile_does_not_hold_up_landing_and_nothing_is_lost(world: World) -> None:
    # covers: T4.5
    begin_with_other_words(world)
    theirs = world.commit("my roadmap")
    ran = world.resume()
    assert ran.status == 0, ran.out + ran.err
    assert world.git("rev-parse", "HEAD^1") == theirs, "a merge onto the user's own commit"
    assert len(world.git("rev-parse", "HEAD^@").split()) == 2
    assert world.read("part-01-01.sh") == "echo part 01-01\n"
    assert "Other words." in world.read(ROADMAP)
    assert "- [x] **Phase 1: Part 1**" in world.read(ROADMAP)
    assert world.git("status", "--porcelain") == ""


def test_a_roadmap_that_the_user_changed_further_keeps_all_of_the_users_words(world: World) -> None:
    begin_with_other_words(world)
    world.write(ROADMAP, world.read(ROADMAP).replace("Other words.", "Other words, and more."))
    theirs = world.commit("my roadmap, and more")
    ran = world.resume()
    assert ran.status == 0, ran.out + ran.err
    assert world.git("rev-parse", "HEAD^1") == theirs, "a merge onto the user's own commit"
    assert "Other words, and more." in world.read(ROADMAP)
    assert "- [x] **Phase 1: Part 1**" in world.read(ROADMAP)
    assert world.git("status", "--porcelain") == ""


def test_what_had_to_wait_is_landed_by_a_resume_although_another_phase_fails_again(tmp_path: Path) -> None:
    # covers: LOOP-2
    world = make_world(tmp_path, Plot(phases=3, depends={2: [1], 3: [2]}, planned=True))
    world.write(f"{world.plot.folder(2)}/PLAN.md", "# I shall think of something\n")
    world.commit("a plan that nothing can be done with")
    world.write("README.md", "# mine\n")
    first = world.run()
    assert first.status == 1
    assert "phase 2 did not pass, phase 3 was skipped" in first.out
    assert not (world.project / "part-01-01.sh").exists()
    world.git("checkout", "-q", "README.md")
    second = world.resume()
    assert second.status == 1
    assert "[Phase 1] Landed on main at " in second.err
    assert "phase 1 passed: 1/1 proven, 9.6/10, landed" in second.out
    assert world.read("part-01-01.sh") == "echo part 01-01\n"
    assert world.git("status", "--porcelain") == ""


def test_a_spec_that_changed_while_a_phase_was_in_flight_fails_it_and_the_next_attempt_plans_with_the_new_one(
    tmp_path: Path,
) -> None:
    # covers: PRE, T4.1
    world = make_world(tmp_path, config={**base_config(), "workflow": {"research": False}})
    state = world.drive_until(Planned)
    world.write(SPEC, world.read(SPEC) + "- [ ] **PART-09**: something else\n")
    world.commit("another requirement")
    first = world.resume()
    assert first.status == 1
    assert (
        f"phase 1 failed in preflight: spec_hash_mismatch: {SPEC} was locked as {state.inputs.spec.sha256[:12]}"
        in first.out
    )
    assert "Task 01-01" not in first.err
    # A planner that does not find the new text in its clone breaks down.
    seeing = plan_call(world.plot, 1)
    seeing["do"] = [{"git": ["grep", "-q", "PART-09", "--", SPEC]}, *seeing["do"]]
    world.play(seeing)
    second = world.resume()
    assert second.status == 0, second.out + second.err
    assert "(attempt 2) ---" in second.err
    assert "PART-09" in world.read(SPEC)
    assert world.git("status", "--porcelain") == ""


def test_another_phase_than_the_one_that_failed_is_a_run_of_its_own_and_does_not_try_it_again(tmp_path: Path) -> None:
    # covers: LOOP-2
    world = make_world(tmp_path, Plot(phases=3, planned=True))
    world.write(f"{world.plot.folder(1)}/PLAN.md", "# I shall think of something\n")
    world.commit("a plan that nothing can be done with")
    assert world.run("1-2").status == 1
    ran = world.run("3")
    assert ran.status == 0, ran.out + ran.err
    assert "[Phase 1]" not in ran.err and "[Phase 3]" in ran.err


def test_one_phase_of_a_run_that_was_stopped_is_not_all_of_it(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=3, planned=True))
    state = world.drive_until(PhaseStarted, RunRequest(phases=("1-3",)))
    ran = world.run("3")
    assert ran.status == 2
    assert f"error: {state.run} (phases 1, 2, 3) is unfinished" in ran.err


def test_a_run_without_attempts_left_is_not_to_be_resumed_and_the_refusal_says_so(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(planned=True))
    world.play({"role": "executor", "phase": "1", "task": "01-01"})
    assert (world.run().status, world.resume().status) == (1, 1)
    ran = world.run("--quality")
    assert ran.status == 2
    refusal, hint = ran.err.splitlines()
    assert refusal.endswith("is unfinished, and nothing of it is left to run: phase 1 has used its 2 attempts")
    forecast = world.autopilot("run", "--dry-run").out
    assert "warning: nothing is left to run: phase 1 has used its 2 attempts; after changing roadmap, plan" in forecast
    assert hint.startswith("hint: `autopilot run --fresh ") and "resume" not in hint
    shutil.rmtree(world.repository.home.vault)
    lost = world.resume()
    assert lost.status == 6
    assert "or start over: `autopilot run --fresh 1`" in lost.err, "what failed is not left out"
