"""Work that only a person can settle waits for one, out of everyone's way; everything else goes on.

HV, STAT-02, STAT-03, STAT-04, STAT-05, CHK-13, CHK-14, LRNG-04
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from autopilot.adapters.clock import SystemClock
from autopilot.api.people.verdicts import record_verdict
from autopilot.events.happened import AgentReplied
from autopilot.events.recovery import PhaseDeferred, StepEnforced
from autopilot.model.agent import Role
from tests.scenario.kit.aftermath import Kept, happened, keep, log_of, state_of
from tests.scenario.kit.calls import work
from tests.scenario.kit.hearing import heard
from tests.scenario.kit.looking import PATIENCE_S, end, wait_for_line
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.reviews import verifier
from tests.scenario.kit.world import Ran, World, make_world
from tests.scenario.stories import people

Rested = tuple[World, Ran]
FOLDER = ".planning/phases/01-part-1"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Kept, Ran]:
    world = people.deferred(tmp_path_factory.mktemp("deferred") / "world")
    ran = world.run("all")
    return keep(world), ran


@pytest.fixture
def rested(kept: tuple[Kept, Ran]) -> Rested:
    """The run at rest, as often as it is wanted."""
    return kept[0].put_back(), kept[1]


def branch_of(world: World) -> str:
    return f"autopilot/deferred-phase-1-{state_of(world)['_meta']['run_id']}"


# --- at rest


def test_a_phase_that_only_a_person_can_settle_waits_and_the_run_ends_with_status_3(rested: Rested) -> None:
    world, ran = rested
    assert ran.status == 3, ran.err
    state = state_of(world)
    assert state["_meta"]["status"] == "waiting"
    assert [phase["status"] for phase in state["phases"].values()] == [
        "needs_human_verification",
        "completed",
        "not_started",
    ]
    assert state["phases"]["1"]["alignment_score"] == 9.6
    assert "  to decide: `autopilot verdict 1 pass`, or fail, or issues_found" in ran.out.splitlines()
    assert "autopilot verdict 1 pass" in world.autopilot("status").out


def test_the_work_that_waits_is_on_a_branch_and_not_on_the_users(rested: Rested) -> None:
    world, ran = rested
    assert branch_of(world) in world.branches
    assert branch_of(world) in ran.out
    assert world.git("show", f"{branch_of(world)}:part-01-01.sh") == "echo part 01-01"
    assert not (world.project / "part-01-01.sh").exists()
    assert (world.project / "part-02-01.sh").exists(), "an independent phase goes on and lands"
    assert not (world.project / "part-03-01.sh").exists(), "what builds on it waits with it"
    assert world.git("status", "--porcelain") == ""
    roadmap = world.read(".planning/ROADMAP.md")
    assert "- [ ] **Phase 1" in roadmap
    assert "- [x] **Phase 2" in roadmap


def test_why_a_person_is_needed_is_on_record(rested: Rested) -> None:
    # covers: CHK-13
    world, _ = rested
    asked = state_of(world)["phases"]["1"]["result"]
    assert asked["status"] == "needs_human_verification"
    assert asked["human_verify_justification"] == {
        "checkpoint_task_id": "01-02",
        "task_description": f"{people.LISTEN}. Try it as its user would.",
        "auto_tasks_passed": 1,
        "auto_tasks_total": 1,
    }
    assert asked["deferral_evidence"] == [people.NO_PHONE]
    assert asked["autonomous_confidence"] == 4.0
    assert len(happened(world, PhaseDeferred)) == 1


def test_phases_left_to_a_person_are_counted_and_warned_about(rested: Rested) -> None:
    # covers: STAT-04
    world, ran = rested
    meta = state_of(world)["_meta"]
    assert (meta["human_deferred_count"], meta["total_phases_processed"]) == (1, 2)
    assert meta["autonomous_resolution_rate"] == 0.5
    assert (meta["deferral_rate_target"], meta["deferral_confidence_threshold"]) == (0.05, 6.0)
    assert [entry["reason"] for entry in meta["deferral_history"]] == ["deferred", "completed"]
    assert "warning: 1 of 2 phases were left to a person; the target is at most 5%" in ran.err
    assert len(log_of(world, "high_defer_rate_warning")) == 1


# --- the verdict


def test_a_verdict_of_pass_puts_the_work_onto_the_moved_branch_and_what_waited_runs(rested: Rested) -> None:
    world, _ = rested
    resume = f"autopilot resume --script {world.script}"
    said = world.autopilot("verdict", "1", "pass")
    assert (said.status, said.out) == (0, f"phase 1: pass is recorded; continue with: {resume}\n")
    assert f"your verdict is recorded; continue with: {resume}" in world.autopilot("status").out
    ran = world.resume()
    assert ran.status == 0, ran.err
    assert [(world.project / f"part-0{n}-01.sh").exists() for n in (1, 2, 3)] == [True, True, True]
    merge = world.git("log", "-1", "--format=%H", "--grep=^Merge phase 1: Part 1$")
    first, second = world.git("rev-list", "--parents", "-1", merge).split()[1:]
    assert world.git("log", "-1", "--format=%s", first) == "docs(2): records of phase 2, Part 2"
    assert world.git("rev-parse", branch_of(world)) == second
    report = world.read(f"{FOLDER}/VERIFICATION.md")
    assert f"Observed by Autopilot at commit `{merge[:12]}`" in report, "it was checked again where it landed"
    assert re.search(r"- Verdict: pass, \d{4}-", report)
    assert world.read(".planning/ROADMAP.md").count("- [x]") == 3
    assert state_of(world)["phases"]["1"]["human_verdict"]["verdict"] == "pass"
    assert [row["details"]["verdict"] for row in log_of(world, "human_verdict_recorded")] == ["pass"]


def test_work_that_waited_and_does_not_fit_any_more_is_resolved_and_reviewed_again(tmp_path: Path) -> None:
    # covers: LOOP-3
    world = people.deferred_in_conflict(tmp_path)
    assert world.run().status == 3
    world.autopilot("verdict", "1", "pass")
    ran = world.resume()
    assert ran.status == 0, ran.err
    assert world.read(people.NAMES) == "names:\n02-01\n01-01\n", "both sides are kept"
    asked = [reply.role for reply in happened(world, AgentReplied) if reply.phase == "1"]
    assert [asked.count(role) for role in (Role.VERIFIER, Role.RATER)] == [2, 2]


def test_issues_a_person_found_are_mended_in_his_words_and_then_landed(rested: Rested) -> None:
    world, _ = rested
    assert world.autopilot("verdict", "1", "issues_found", "--issue", people.HEARD).status == 0
    ran = world.resume("--quiet")
    assert ran.status == 0, ran.err
    assert people.HEARD in world.read("part-01-01.sh")
    started = log_of(world, "remediation_started")
    assert [(row["details"]["by_person"], row["details"]["feedback_items"]) for row in started] == [(True, 1)]
    assert len(log_of(world, "remediation_completed")) == 1
    asked = [reply.role for reply in happened(world, AgentReplied) if reply.phase == "1"]
    assert asked.count(Role.VERIFIER) == 2, "the mended work was read again"
    assert people.HEARD in heard(world, "verifier")[1], "and its reader was told what to look for"
    assert f"- Issue: {people.HEARD}" in world.read(f"{FOLDER}/VERIFICATION.md")
    assert world.subjects.count("feat(01): 01-r1 - fix 1 deficiency of phase 1") == 1
    learnt = world.read(".autopilot/learnings.md")
    assert "### Human Verdict: Phase 1 -- ISSUES_FOUND (confidence calibration)" in learnt
    assert people.HEARD in learnt


def test_mended_work_that_the_verifier_does_not_pass_waits_for_a_person_again(tmp_path: Path) -> None:
    world = people.asked_twice(tmp_path)
    assert world.run().status == 3
    assert world.autopilot("verdict", "1", "issues_found", "--issue", people.HEARD).status == 0
    assert world.resume().status == 3
    assert len(happened(world, PhaseDeferred)) == 2
    assert "# louder" in world.git("show", f"{branch_of(world)}:part-01-01.sh"), "its branch has the mended work"
    assert world.autopilot("verdict", "1", "pass").status == 0
    ran = world.resume()
    assert ran.status == 0, ran.err
    verdicts = [row["details"]["verdict"] for row in log_of(world, "human_verdict_recorded")]
    assert verdicts == ["issues_found", "pass"]


def test_a_verdict_of_fail_fails_the_phase_and_keeps_its_branch(rested: Rested) -> None:
    world, _ = rested
    assert world.autopilot("verdict", "1", "fail", "--issue", "nobody answers").status == 0
    ran = world.resume()
    assert ran.status == 1
    assert "phase 1 failed in gate: a person rejected the work: nobody answers; the attempt is kept on " in ran.out
    assert branch_of(world) in ran.out
    assert branch_of(world) in world.branches
    assert not (world.project / "part-01-01.sh").exists()
    postmortem = json.loads(world.read(".autopilot/diagnostics/phase-1-postmortem.json"))
    assert postmortem["root_cause"]["category"] == "acceptance_criteria_unmet"
    assert "phase 1 did not pass, phase 3 was skipped" in ran.out


def test_a_second_verdict_is_refused_and_shown_the_first(rested: Rested) -> None:
    world, _ = rested
    world.autopilot("verdict", "1", "issues_found", "--issue", people.HEARD)
    assert "open:" not in world.autopilot("verdict", "2", "pass").err, "nothing waits any more"
    assert "waiting for you" not in world.autopilot("status", "--line").out
    for again in (("pass",), ("issues_found", "--issue", people.HEARD)):
        ran = world.autopilot("verdict", "1", *again)
        assert ran.status == 2
        assert f"error: phase 1 already has a verdict: issues_found ({people.HEARD})" in ran.err
    assert len(log_of(world, "human_verdict_recorded")) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("2", "pass"), "phase 2 is not waiting for a verdict"),
        (("2",), "phase 2 is not waiting for a verdict"),
        (("1", "pass", "--issue", "nobody answers"), "pass lands the work as it is, so it has no issues"),
        (("9", "pass"), "the run has no phase 9\nhint: its phases are 1, 2"),
        (("1", "issues_found"), "issues_found needs at least one issue"),
    ],
)
def test_a_verdict_on_nothing_that_waits_is_refused(rested: Rested, words: tuple[str, ...], said: str) -> None:
    world, _ = rested
    ran = world.autopilot("verdict", *words)
    assert (ran.status, ran.out) == (2, "")
    assert f"error: {said}" in ran.err
    assert log_of(world, "human_verdict_recorded") == []


def test_a_verdict_given_while_the_run_goes_on_is_taken_up_by_it(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, planned=True, checkpoints={1: people.LISTEN}))
    slow = work("02-01")
    world.play(verifier(1, "01-01", 4.0, people.NO_PHONE), {**slow, "do": [{"sleep": 2.0}, *slow["do"]]})
    running = world.start("run", "all", "--script", str(world.script))
    try:
        wait_for_line(running, "Task 02-01 (1/1)")
        said = world.autopilot("verdict", "1", "pass")
        assert "phase 1: pass is saved; the running process reads it after its current step" in said.out
        second = world.autopilot("verdict", "1", "fail")
        assert (second.status, "already has a verdict: pass" in second.err) == (2, True)
        out, _ = running.communicate(timeout=PATIENCE_S)
    finally:
        end(running)
    assert running.returncode == 0, out
    assert world.subjects[-1] == "docs(1): records of phase 1, Part 1"


def test_what_a_person_found_and_nobody_mended_does_not_pass(tmp_path: Path) -> None:
    """Whatever score the unchanged work is given again."""
    world = people.nobody_mends(tmp_path)
    assert world.run().status == 3
    world.autopilot("verdict", "1", "issues_found", "--issue", people.HEARD)
    tries = [world.resume(), world.resume()]
    assert [ran.status for ran in tries] == [1, 3], "it fails; made again, it waits for that person again"
    assert "no progress: 3 steps of work in a row changed nothing" in tries[0].out
    assert "your issue was not fixed: the agent committed nothing" in tries[0].err + tries[1].err
    assert not (world.project / "part-01-01.sh").exists()


# --- plans that ask for nobody else


def test_a_plan_with_nothing_but_a_checkpoint_skips_execution_and_has_no_score(tmp_path: Path) -> None:
    world = people.only_person(tmp_path)
    ran = world.run()
    assert ran.status == 3, ran.err
    assert "[Phase 1] Step: EXECUTE skipped (every task asks a person)." in ran.err
    phase = state_of(world)["phases"]["1"]
    assert (phase["status"], phase["alignment_score"]) == ("needs_human_verification", None)
    assert phase["result"]["alignment_score"] is None
    assert Role.RATER not in [reply.role for reply in happened(world, AgentReplied)]
    world.autopilot("verdict", "1", "pass")
    ran = world.resume()
    assert ran.status == 0, ran.err
    assert "phase 1 passed: 0/1 proven, 1 judged by a reviewer (opinion), " in ran.out
    assert ", no score, landed" in ran.out
    assert world.subjects == ["parts: a beginning", "docs(1): records of phase 1, Part 1"]


def test_a_verifier_that_is_sure_enough_asks_nobody(tmp_path: Path) -> None:
    """Even where the plan has nothing but a checkpoint, and whatever it lists as open."""
    world = people.settled_alone(tmp_path)
    ran = world.run()
    assert ran.status == 0, ran.err
    assert happened(world, PhaseDeferred) == []
    success = log_of(world, "autonomous_resolution_success")
    assert [row["details"]["autonomous_confidence"] for row in success] == [8.0]
    assert state_of(world)["_meta"]["human_deferred_count"] == 0


# --- a look is no reason


def test_a_verifier_that_only_wants_a_look_is_told_so_and_asked_once_more(tmp_path: Path) -> None:
    # covers: CHK-14, STAT-03
    world = people.needless(tmp_path)
    ran = world.run()
    assert ran.status == 0, ran.err
    warned = log_of(world, "unnecessary_deferral_warning")
    assert [row["phase"] for row in warned] == ["1"]
    assert people.LOOK in warned[0]["details"]["reason"]
    assert len(happened(world, StepEnforced)) == 1
    assert [reply.role for reply in happened(world, AgentReplied)].count(Role.VERIFIER) == 2
    assert happened(world, PhaseDeferred) == []
    assert len(log_of(world, "autonomous_resolution_success")) == 1
    assert "; the verifier judged in place of a person: 01-02;" in ran.out


def test_a_verifier_that_wants_a_look_again_does_not_undo_what_was_proven(tmp_path: Path) -> None:
    # covers: CHK-14, STAT-03, HV
    world = people.needless_again(tmp_path)
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    assert len(log_of(world, "unnecessary_deferral_warning")) == 2
    assert [reply.role for reply in happened(world, AgentReplied)].count(Role.VERIFIER) == 2
    assert happened(world, PhaseDeferred) == log_of(world, "autonomous_resolution_success") == []
    phase = state_of(world)["phases"]["1"]
    assert (phase["status"], phase["landing"]) == ("completed", "landed")
    assert [text.partition(".")[0] for text in phase["not_looked_at"]] == [f"01-02 {people.LOOK}"]
    unseen = f"01-02 {people.LOOK}. Try it as its user would.: no person looked at it"
    assert unseen in world.read(".planning/phases/01-part-1/VERIFICATION.md")
    assert unseen in world.autopilot("report").out
    assert f"not looked at: 01-02 {people.LOOK}" in ran.err
    assert f"; no person looked at 01-02 {people.LOOK};" in ran.out, "in the outcome of the morning"


# --- what verdicts teach


class Tomorrow(SystemClock):
    """A day later, also when the record is a day ahead already."""

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(days=1)


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rested]:
    """Three phases that wait, three verdicts of pass a day later, and the run after that."""
    world = people.three_verdicts(tmp_path_factory.mktemp("taught"))
    assert world.run("1-3").status == 3
    for phase in ("1", "2", "3"):
        record_verdict(world.assemble(Tomorrow()), phase, "pass", (), "the user")
    assert world.resume().status == 0
    landed = state_of(world)["phases"].values()
    assert {phase["human_verdict"]["timestamp"][:10] for phase in landed} == {f"{Tomorrow().now():%Y-%m-%d}"}
    yield world, world.run("4")


def test_verdicts_that_are_all_pass_lower_the_threshold_of_the_next_run(taught: Rested) -> None:
    # covers: STAT-04
    world, ran = taught
    assert ran.status == 0, ran.err
    adjusted = log_of(world, "deferral_threshold_adjusted")
    assert [(row["details"]["old"], row["details"]["new"]) for row in adjusted] == [(6.0, 5.5)]
    assert adjusted[0]["details"]["reason"] == "3 of 3 deferred phases passed a person's review"
    assert state_of(world)["_meta"]["deferral_confidence_threshold"] == 5.5


def test_what_people_said_reaches_the_planner_of_the_next_run(taught: Rested) -> None:
    # covers: LRNG-04
    world, _ = taught
    entries = [f"### Human Verdict: Phase {n} -- PASS (confidence calibration)" for n in (1, 2, 3)]
    for place in (".autopilot/learnings.md", people.TOLD):
        learnt = world.read(place)
        assert [entry for entry in entries if entry not in learnt] == [], place
