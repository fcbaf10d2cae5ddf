"""A phase that is too much for one agent is cut, worked on side by side, and put together under the same gates.

LOOP-3, SPLIT
"""

from __future__ import annotations

import json
import signal
from datetime import timedelta
from pathlib import Path

import pytest

from autopilot.events.happened import AgentReplied
from autopilot.events.recovery import ConflictFound, Integrated, Resolved, SplitAgreed
from autopilot.model.agent import Role
from autopilot.model.run import Step
from tests.scenario.kit.aftermath import happened, log_of, state_of, stored
from tests.scenario.kit.calls import debugger_claim, executor_claim
from tests.scenario.kit.looking import end, wait_for_line
from tests.scenario.kit.world import Ran, World
from tests.scenario.stories import parts

Finished = tuple[World, Ran]
FOLDER = ".planning/phases/20-part-20"
NOTHING_DONE = {"executor": executor_claim("20-01"), "debugger": debugger_claim()}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    world = parts.fitting(tmp_path_factory.mktemp("fitting"))
    return world, world.run("all")


@pytest.fixture(scope="module")
def resolved(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    world = parts.conflicting(tmp_path_factory.mktemp("conflicting"))
    return world, world.run("all")


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    world = parts.failing(tmp_path_factory.mktemp("failing"))
    return world, world.run("all")


# --- three that fit


def test_a_phase_of_too_many_files_is_cut_in_parts_named_after_it(finished: Finished) -> None:
    world, ran = finished
    assert ran.status == 0, ran.err
    (agreed,) = happened(world, SplitAgreed)
    assert [part.id for part in agreed.parts] == ["20a", "20b", "20c"]
    assert agreed.reason == "the plan touches 16 files, more than 10"
    phase = state_of(world)["phases"]["20"]
    assert phase["split"] == {"reason": agreed.reason, "integrated": ["20a", "20b", "20c"]}
    assert [(part["sub_phase_id"], part["status"], part["alignment_score"]) for part in phase["sub_phases"]] == [
        ("20a", "completed", 9.6),
        ("20b", "completed", 9.3),
        ("20c", "completed", 9.6),
    ]
    assert phase["result"]["split_details"]["total_sub_phases"] == 3


def test_parts_are_worked_on_at_the_same_time(finished: Finished) -> None:
    """By the record: no agent's work ends before every other's has begun."""
    world, _ = finished
    work = [
        entry for entry in stored(world) if isinstance(entry.event, AgentReplied) and entry.event.task in parts.TASKS
    ]
    work = [entry for entry in work if entry.event.step is Step.EXECUTE]
    ends = [entry.time for entry in work]
    begins = [entry.time - timedelta(milliseconds=entry.event.duration_ms) for entry in work]
    assert {entry.event.phase for entry in work} == {"20a", "20b", "20c"}
    assert max(begins) < min(ends)


def test_each_part_is_verified_judged_and_rated_by_itself(finished: Finished) -> None:
    world, _ = finished
    asked = [(reply.phase, reply.role) for reply in happened(world, AgentReplied)]
    for part in ("20a", "20b", "20c"):
        assert [asked.count((part, role)) for role in (Role.VERIFIER, Role.JUDGE, Role.RATER)] == [1, 2, 1]
        for document in ("VERIFICATION", "JUDGE-REPORT", "SCORECARD", "EXECUTION-LOG"):
            assert world.read(f"{FOLDER}/{part}-{document}.md")
    assert ("20", Role.VERIFIER) not in asked


def test_the_score_of_the_phase_is_the_mean_of_its_parts_rounded_down(finished: Finished) -> None:
    world, _ = finished
    assert state_of(world)["phases"]["20"]["alignment_score"] == 9.5, "(9.6 + 9.3 + 9.6) / 3"


def test_parts_land_at_once_each_as_a_merge_of_its_own_commits(finished: Finished) -> None:
    world, _ = finished
    done = [row["phase"] for row in log_of(world, "phase_completed")]
    assert (sorted(done[:3]), done[3:]) == (["20a", "20b", "20c"], ["20"])
    assert world.branches == ["main"]
    first_parents = world.git("log", "--first-parent", "--format=%s", "-4").splitlines()
    assert first_parents == [
        "docs(20): records of phase 20, Part 20",
        "Merge phase 20c: Three",
        "Merge phase 20b: Two",
        "feat(20a): 20-01 - Part 20-01 speaks",
    ]
    assert world.git("status", "--porcelain") == ""
    assert "- [x] **Phase 20" in world.read(".planning/ROADMAP.md")
    report = world.read(f"{FOLDER}/VERIFICATION.md")
    assert "score: 1/1 must-haves verified" in report


def test_a_run_killed_while_its_parts_are_at_work_ends_the_same(tmp_path: Path, finished: Finished) -> None:
    undisturbed, _ = finished
    world = parts.fitting(tmp_path, parts.executor("20c", {"sleep": 1.0}))
    running = world.start("run", "all", "--script", str(world.script))
    try:
        wait_for_line(running, "[Phase 20b] Task 20-02: VERIFIED")
        running.send_signal(signal.SIGKILL)
    finally:
        end(running)
    ran = world.resume()
    assert ran.status == 0, ran.err
    here, there = (
        [line for line in each.git("ls-tree", "-r", "HEAD").splitlines() if ".planning/" not in line]
        for each in (world, undisturbed)
    )
    assert here == there
    assert world.subjects == undisturbed.subjects
    assert state_of(world)["phases"]["20"]["alignment_score"] == 9.5
    keys = [entry.key for entry in stored(world)]
    assert len(keys) == len(set(keys))


# --- three that clash


def test_both_sides_of_a_conflict_are_kept_and_looked_at_together(resolved: Finished) -> None:
    world, _ = resolved
    assert world.read(parts.NAMES) == "names:\none\nthree\n"
    conflicts = [(found.part, found.paths) for found in happened(world, ConflictFound)]
    assert conflicts == [("20b", ()), ("20c", (parts.NAMES,))]
    last = happened(world, Integrated)[-1]
    subjects = {observation.subject for observation in last.observations}
    assert {"test", "20-01.c1", "20-02.c1", "20-03.c1", "script:20-01"} <= subjects


def test_parts_that_merge_as_text_and_do_not_hold_together_go_to_a_resolver(resolved: Finished) -> None:
    world, _ = resolved
    first = happened(world, ConflictFound)[0]
    assert first.because == "on the merged tree test: the command failed"
    assert [resolved.part for resolved in happened(world, Resolved)] == ["20b", "20c"]
    assert world.read("seat-20-02") == "2\n"


def test_what_a_resolver_made_is_reviewed_as_a_whole(resolved: Finished) -> None:
    """No part's reviewers have read it."""
    world, ran = resolved
    assert ran.status == 0, ran.err
    asked = [reply.role for reply in happened(world, AgentReplied) if reply.phase == "20"]
    assert [asked.count(role) for role in (Role.VERIFIER, Role.JUDGE, Role.RATER)] == [1, 2, 1]
    assert world.git("log", "--first-parent", "--format=%s", "-3").splitlines() == [
        "docs(20): records of phase 20, Part 20",
        "Merge phase 20c: Three",
        "Merge phase 20b: Two",
    ]


# --- one that fails


def test_a_cut_that_leaves_a_task_out_is_refused_and_asked_for_again(failed: Finished) -> None:
    world, ran = failed
    assert "[Phase 20] Step: SPLIT failed -- the split was refused: task 20-03 is in no part" in ran.err
    assert [reply.role for reply in happened(world, AgentReplied)].count(Role.SPLITTER) == 2
    assert len(happened(world, SplitAgreed)) == 1


def test_a_part_that_fails_fails_the_phase_and_nothing_lands(failed: Finished) -> None:
    world, ran = failed
    assert ran.status == 1
    assert "phase 20 failed in integrate: part 20b: " in ran.out
    assert "20-02.c1" not in ran.out, "the criterion is named by its words"
    assert world.subjects == ["parts: a beginning", "a list, and seats"]
    assert happened(world, Integrated) == []
    phase = state_of(world)["phases"]["20"]
    assert [part["status"] for part in phase["sub_phases"]] == ["completed", "failed", "completed"]
    postmortem = json.loads(world.read(".autopilot/diagnostics/phase-20-postmortem.json"))
    assert postmortem["root_cause"]["category"] == "acceptance_criteria_unmet"
    assert (world.project / ".autopilot/diagnostics/phase-20b-postmortem.json").exists()


def test_parts_that_fail_by_the_same_error_are_the_trouble_of_one_phase(tmp_path: Path) -> None:
    """covers: CB"""
    idle = [{"role": role, "phase": part, "reply": said} for part in parts.PARTS for role, said in NOTHING_DONE.items()]
    world = parts.fitting(tmp_path, *idle)
    ran = world.run("all")
    assert (ran.status, "phase 20 failed in integrate: " in ran.out) == (1, True), ran.out
    assert state_of(world)["circuit_breaker"]["state"] == "closed"


def test_the_other_parts_work_is_safe_on_branches(failed: Finished) -> None:
    world, ran = failed
    run = state_of(world)["_meta"]["run_id"]
    for part, task in parts.PARTS.items():
        branch = f"autopilot/part-{part}-{run}-1"
        assert branch in ran.out, "whoever comes back is told where it is"
        subject = world.git("log", "--format=%s", f"main..{branch}").splitlines()[-1]
        assert subject == f"feat({part}): {task} - Part {task} speaks"
    assert f"autopilot/diagnostic-phase-20-{run}-1" in world.branches


def test_a_resolver_that_fails_twice_fails_the_phase_and_gives_everything_back(tmp_path: Path) -> None:
    world = parts.unresolved(tmp_path)
    ran = world.run("all")
    assert ran.status == 1
    assert (
        "20b could not be merged with the work that is there: on the merged tree 20-01.c1: the check failed" in ran.out
    )
    assert len(happened(world, Resolved)) == 2
    assert [integrated.part for integrated in happened(world, Integrated)] == ["20a"]
    assert world.subjects == ["parts: a beginning", "a list, and seats"]
    assert len([name for name in world.branches if name.startswith("autopilot/part-20")]) == 3
    assert state_of(world)["phases"]["20"]["failure_category"] == "coordination_failure"
    assert [row["event"] for row in log_of(world) if "rollback" in row["event"]] == [
        "rollback_initiated",
        "rollback_completed",
    ]


# --- and besides


def test_a_checkpoint_of_a_split_phase_is_asked_of_the_whole(tmp_path: Path) -> None:
    # covers: HV
    world = parts.for_a_person(tmp_path)
    ran = world.run("all")
    assert ran.status == 3, ran.err
    asked = state_of(world)["phases"]["20"]["human_verify_justification"]
    assert (asked["checkpoint_task_id"], asked["auto_tasks_passed"], asked["auto_tasks_total"]) == ("20-04", 3, 3)
    assert world.subjects == ["parts: a beginning", "a list, and seats"]
    world.autopilot("verdict", "20", "pass")
    ran = world.resume()
    assert ran.status == 0, ran.err
    assert world.read(parts.NAMES) == "names:\none\n"


def test_remediation_of_many_files_is_cut_too_and_the_whole_is_reviewed_again(tmp_path: Path) -> None:
    world = parts.mended_in_parts(tmp_path)
    ran = world.run("all")
    assert ran.status == 0, ran.err
    (agreed,) = happened(world, SplitAgreed)
    assert agreed.reason == "the feedback names 4 issues in 4 files"
    assert sorted(task for tasks in agreed.tasks for task in tasks) == [f"01-r1.{n}" for n in range(1, 5)]
    phase = state_of(world)["phases"]["1"]
    assert (phase["alignment_score"], phase["remediation_cycles"]) == (9.6, 1)
    asked = [(reply.phase, reply.role) for reply in happened(world, AgentReplied)]
    assert asked.count(("1", Role.RATER)) == 2
    assert all("# it says why" in world.read(f"part-{task}.sh") for task in world.plot.task_ids(1))
