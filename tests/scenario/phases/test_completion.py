"""The end of a run: audited as a whole, mended where it is short, given a version and landed.

covers: DONE-1
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.scenario.kit.aftermath import state_of
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World
from tests.scenario.stories.completion import MISSING, audited, clean, fix, mended, open_gap, strict
from tests.scenario.stories.night import idle

FIXED = f"fix(audit): close PART-01 gap -- {MISSING}"
BUMPED = "chore: bump to v1.3.0 after phase 1"


def version(world: World) -> str:
    return str(json.loads(world.read("package.json"))["version"])


def test_a_run_whose_phases_passed_is_audited_and_its_next_version_lands(tmp_path: Path) -> None:
    world = clean(tmp_path)
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "Self-audit complete. 1/1 passed on first check, 0 gaps found" in ran.err
    assert version(world) == "1.3.0" and world.subjects[-1] == BUMPED
    assert "## [Unreleased]\n\n## [1.3.0] - " in world.read("CHANGELOG.md")
    assert world.git("status", "--porcelain") == ""


def test_what_completed_is_audited_and_given_a_version_when_other_phases_did_not(tmp_path: Path) -> None:
    """One phase gets nowhere and one depends on it: the version is that of what is there. covers: LOOP-2"""
    world = clean(tmp_path, Plot(phases=3, depends={3: [2]}, planned=True))
    world.play(idle("executor", 2), idle("debugger", 2))
    ran = world.run()
    assert ran.status == 1
    assert "phase 2 did not pass, phase 3 was skipped" in ran.out
    assert "Self-audit complete. 1/1 passed on first check, 0 gaps found" in ran.err
    assert version(world) == "1.3.0" and world.subjects[-1] == BUMPED


def test_a_gap_seen_red_is_closed_by_a_fix_and_a_second_look_before_the_version_is_given(tmp_path: Path) -> None:
    world = mended(tmp_path)
    ran = world.run()
    assert ran.status == 0, ran.err
    assert f"[Phase audit] PART-01: gap (small) -- {MISSING}" in ran.err
    assert "[Phase audit] PART-01: gap closed" in ran.err
    assert [subject for subject in world.subjects if subject in (FIXED, BUMPED)] == [FIXED, BUMPED]
    assert "hello" in world.read("README.md") and version(world) == "1.3.0"
    verified = world.read(".planning/completion/fix-1/VERIFICATION.md")
    assert "PART-01 holds" in verified, "a fix has evidence like any other work"


def test_a_gap_that_two_rounds_do_not_close_is_told_and_keeps_the_version_of_a_run_that_is_complete(
    tmp_path: Path,
) -> None:
    world = open_gap(tmp_path)
    ran = world.run()
    assert ran.status == 0, "every phase passed"
    assert world.subjects.count(FIXED) == 2 and BUMPED not in world.subjects
    assert f"gap still open: PART-01, {MISSING}" in ran.out
    assert "Version: unchanged, the audit found gaps that are still open: PART-01" in ran.out
    assert version(world) == "1.2.0"


def test_a_fixer_that_changes_nothing_leaves_a_finished_run_finished(tmp_path: Path) -> None:
    """Nor does it count as a run that makes no progress. covers: CB"""
    world = clean(tmp_path)
    world.play(audited("gap"), *({**fix(number, ""), "do": []} for number in (1, 2)))
    ran = world.run()
    assert ran.status == 0, ran.out + ran.err
    assert "phase 1 passed" in ran.out and f"gap still open: PART-01, {MISSING}" in ran.out
    assert state_of(world)["circuit_breaker"]["state"] == "closed"
    assert version(world) == "1.2.0"
    assert "nothing is open" in world.resume().out, "there is nothing to resume"


def test_a_version_with_which_a_check_fails_is_not_given(tmp_path: Path) -> None:
    world = strict(tmp_path)
    ran = world.run()
    assert ran.status == 0, ran.err
    assert "Version: unchanged, checks fail with the new version 1.3.0: test" in ran.out
    assert version(world) == "1.2.0" and BUMPED not in world.subjects
