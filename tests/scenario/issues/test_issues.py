"""Whole issues, from the design gate to the hand-off or to the rail that stops them.

covers: AL-1, AL-2, AL-3, AL-4, AL-5, AL-6
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from autopilot.events.issue.happened import SentBack
from tests.chaos.record import read_record
from tests.scenario.kit.issue_telling import Told, tell
from tests.scenario.kit.issue_world import BRANCH, FOLDER
from tests.scenario.stories import issue_lies, issues
from tests.scenario.stories.story import Story

# covers: CMD-ISSUE

ATDD = "running-atdd-cycle"
Telling = Callable[[str], Told]
BY_NAME = {story.name.removeprefix("issue_"): story for story in (*issues.STORIES, *issue_lies.STORIES)}


@pytest.fixture(scope="module")
def tell_once(tmp_path_factory: pytest.TempPathFactory) -> Telling:
    """A story that several tests look at, and none changes."""
    return cache(lambda name: tell(BY_NAME[name], tmp_path_factory.mktemp(name)))


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("name", "ending", "verdicts"),
    [
        ("converges_at_once", "CONVERGED", "PASS"),
        ("converges_at_third", "CONVERGED", "FAIL FAIL PASS"),
        ("uncovered_then_closed", "CONVERGED", "FAIL PASS"),
        ("never_red", "gate-unverifiable", "FAIL"),
        ("anchor_edited", "ac-drift", "FAIL"),
        ("log_deleted", "log-integrity", "FAIL"),
        ("log_rolled_back", "log-integrity", "FAIL"),
        ("log_appended", "log-integrity", "FAIL"),
        ("sameness", "sameness-detector", "FAIL FAIL"),
        ("stuck", "stuck", "FAIL FAIL FAIL"),
        ("max_iterations", "MAX_ITERATIONS", "FAIL FAIL"),
        ("halted_then_mended", "CONVERGED", "FAIL FAIL PASS"),
    ],
)
def test_an_issue_ends_as_its_iterations_say(name: str, ending: str, verdicts: str, tell_once: Telling) -> None:
    told = tell_once(name)
    assert told.ending == ending
    assert told.iterations(ATDD) == verdicts.split()
    rows = told.world.rows()
    assert [row["verdict"] for row in rows if row.get("step") == ATDD and "verdict" in row] == verdicts.split()
    halts = [row["reason"] for row in rows if row.get("outcome") == "HALT"]
    earlier = {"halted_then_mended": ["sameness-detector"]}  # of the cycle before
    assert halts == (earlier.get(name, []) if ending == "CONVERGED" else [ending])
    # Whatever happened: the user's branch and checkout are as they were, and the records hold.
    assert told.world.subjects == ["the beginning"]
    assert told.world.git("status", "--porcelain") == ""


def test_every_row_of_the_audit_log_is_a_commit_of_its_own_that_stages_nothing_else(tell_once: Telling) -> None:
    told = tell_once("converges_at_third")
    log = f"{FOLDER}/autopilot-log.jsonl"
    subjects = told.world.git("log", "--format=%s", BRANCH).splitlines()
    audits = [subject for subject in subjects if subject.startswith("chore(autopilot): audit ")]
    assert audits == [
        *(f"chore(autopilot): audit {ATDD} iteration {n} (#24)" for n in (3, 2, 1)),
        "chore(autopilot): audit writing-plan-and-tests iteration 1 (#24)",
        "chore(autopilot): audit extracting-user-stories iteration 1 (#24)",
    ]
    for sha in told.world.git("log", "--format=%H", "--grep=chore(autopilot): audit", "-F", BRANCH).split():
        assert told.world.git("show", "--name-only", "--format=", sha).split() == [log]


def test_red_is_a_commit_of_the_tests_alone_and_an_ancestor_of_the_implementation(tell_once: Telling) -> None:
    told = tell_once("converges_at_once")
    red = told.issue.convergence.rounds[ATDD].judged
    assert red is not None and red.red is not None
    row, world = red.red, told.world
    changed = world.git("show", "--name-only", "--format=", row.commit).split()
    assert changed == ["tests/test_shout.py"]
    assert row.impl_sha == red.commit and row.commit != row.impl_sha
    world.git("merge-base", "--is-ancestor", row.commit, row.impl_sha)
    assert world.git("show", f"{row.commit}:tests/test_shout.py") == world.on_branch("tests/test_shout.py")
    assert all("test_at_00" in test for test in row.tests) and len(row.tests) == 2


def test_a_design_sent_back_twice_keeps_every_point_in_the_persons_words(tmp_path: Path) -> None:
    told = tell(BY_NAME["rejected_twice"], tmp_path)
    assert told.ending == "CONVERGED"
    sent = [stored.event.findings for stored in read_record(told.world) if isinstance(stored.event, SentBack)]
    assert [[finding.evidence_ref for finding in findings] for findings in sent] == [
        issues.REJECTION.splitlines(),
        ["stories: exactly one mark"],
    ]
    assert told.iterations("extracting-user-stories") == ["PASS", "PASS", "PASS"]
    assert "exactly one exclamation mark" in told.world.on_branch(f"{FOLDER}/user-stories.md")


def test_a_partial_approval_is_a_rejection_of_the_whole(tmp_path: Path) -> None:
    told = tell(BY_NAME["partly_approved"], tmp_path)
    assert told.issue.design.approved_by == "" and told.state.session.exit_status == 3
    assert told.issue.presentation.count == 2
    assert "implement" not in {name.partition(".")[0] for name in told.state.phases["impl"].steps}


def test_what_a_halt_left_is_what_the_next_cycle_begins_with(tell_once: Telling) -> None:
    told = tell_once("halted_then_mended")
    now = told.issue.convergence.rounds[ATDD]
    assert now.iteration == 1 and told.issue.cycle == 2
    assert any("test_at_002_mark" in finding.evidence_ref for finding in now.seeds)
    assert told.issue.escalated


@pytest.mark.one_in(2)
@pytest.mark.parametrize("story", issue_lies.STORIES, ids=lambda story: story.name)
def test_a_lie_about_an_issue_is_refused(story: Story, tmp_path: Path) -> None:
    told = tell(story, tmp_path)
    assert told.state.session.exit_status == 1 and told.issue.ending.handed_off is None
    assert "PASS" not in told.iterations(ATDD)
    red = told.world.git("show", f"{BRANCH}:{FOLDER}/red.jsonl", check=False)
    assert "a" * 40 not in red


def test_the_status_of_an_issue_says_once_it_is_merged(tmp_path: Path) -> None:
    world = tell(BY_NAME["converges_at_once"], tmp_path).world
    assert "to merge (only you can)" in world.autopilot("status").out
    listed = world.autopilot("gates").out.splitlines()
    assert listed[1].startswith("  issue 24 (") and listed[1].endswith("): ready to merge: Shouting"), listed
    assert listed[2] == f"    git merge --no-ff {BRANCH}"
    again = world.issue("24").err
    assert f"issue 24 is ready on {BRANCH} for you to merge" in again
    assert f'git merge --no-ff {BRANCH}; to change it: autopilot issue 24 --design --finding "' in again
    assert f" --script {world.script}" in again, "the command that changes it can be pasted"
    unscripted = world.autopilot("issue", "24", "--design", "--finding", "louder")
    assert (unscripted.status, world.branches) == (5, [BRANCH, "main"])
    assert "hint: give one with --script FILE" in unscripted.err and "iteration" not in unscripted.err
    world.git("merge", "--quiet", "--no-ff", "-m", "merged", BRANCH)
    assert world.autopilot("gates").out == "nothing is waiting for you\n"
    page = world.autopilot("status").out
    assert f"{BRANCH} is merged into main" in page and "to merge" not in page
    assert "there is nothing left to do" in world.issue("24").err
