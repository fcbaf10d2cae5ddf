"""Flags at the command line: what goes together, what a call is about, and what it would do.

covers: INV-2, INV-3, INV-6, CMPL-01, CMPL-02, FORCE, QUAL, GAPS, MTRC-02
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from autopilot.events.happened import PhaseStarted, RunStarted, Warned
from autopilot.events.people import PhasePassedOver
from autopilot.model.intent import Intent, Purpose
from autopilot.model.run import RunRequest
from tests.scenario.kit.looking import photograph
from tests.scenario.kit.past import record_past
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import World, make_world


@pytest.fixture
def three(tmp_path: Path) -> World:
    """Phases 1 and 2 completed by an earlier run, 3 and 4 open; 4 waits for 3."""
    world = make_world(tmp_path, Plot(phases=4, depends={4: [3]}))
    record_past(world, {1: 8.2, 2: 9.6})
    return world


def forecast(world: World, *words: str) -> dict[str, Any]:
    ran = world.autopilot("run", *words, "--dry-run", "--json")
    assert (ran.status, ran.err) == (0, "")
    document: dict[str, Any] = json.loads(ran.out)
    return document


def purposes(world: World, *words: str) -> dict[str, str]:
    return {phase["phase_id"]: phase["errand"] for phase in forecast(world, *words)["phases"]}


REFUSED = [
    (("--force", "--quality", "3"), "--force and --quality do not go together", "`autopilot run --quality 3 --script "),
    (
        ("--sequential", "--parallel", "2"),
        "--sequential and --parallel do not go together",
        "`autopilot run --parallel 2 --script ",
    ),
    (("--visual", "1"), "--visual has nothing to look at", "leave --visual out"),
    (("--parallel", "17"), "--parallel: `17` is not a whole number from 1 to 16", "autopilot run --help"),
    (("--checkpoint-every", "0"), "`0` is not a whole number from 1 up", "autopilot run --help"),
    (("--budget-usd", "nan"), "`nan` is not a finite number above zero", "autopilot run --help"),
    (("--force", "1"), "phase 1 is not completed", "autopilot run 1"),
]


@pytest.mark.parametrize(("words", "said", "hint"), REFUSED, ids=[" ".join(case[0]) for case in REFUSED])
def test_a_call_that_makes_no_sense_is_refused_and_touches_nothing(
    tmp_path: Path, words: tuple[str, ...], said: str, hint: str
) -> None:
    world = make_world(tmp_path)
    before = photograph(world.project)
    ran = world.run(*words)
    assert ran.status == 2
    error, told = ran.err.splitlines()
    assert error.startswith("error: ") and said in error
    assert told.startswith("hint: ") and hint in told
    assert photograph(world.project) == before
    assert not (world.project / ".autopilot").exists()


def test_flags_that_were_refused_are_in_the_newest_runs_event_log_and_leave_it_completed(three: World) -> None:
    assert three.autopilot("run", "--gaps", "--complete").status == 2
    state = json.loads(three.read(".autopilot/state.json"))
    (told,) = [row for row in state["event_log"] if row["event"] == "flag_mutual_exclusivity_error"]
    assert told["details"]["flags"] == ["complete", "gaps"] and "--gaps is about" in told["details"]["reason"]
    assert state["_meta"]["status"] == "completed"
    assert three.autopilot("log", "verify").status == 0
    assert purposes(three) == {"3": "build", "4": "build"}  # nothing unfinished stands in the way


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--complete",), {"3": "build", "4": "build"}),
        (("--force",), {"1": "redo", "2": "redo"}),
        (("--quality",), {"3": "build", "4": "build", "1": "refine"}),
        (("--gaps",), {"1": "gaps"}),
        (("--gaps", "2"), {"2": "gaps"}),
        (("--quality", "--gaps", "1-2"), {"1": "refine", "2": "gaps"}),
    ],
    ids=" ".join,
)
def test_a_dry_run_says_what_would_be_done_with_which_phase(
    three: World, words: tuple[str, ...], expected: dict[str, str]
) -> None:
    assert list(purposes(three, *words).items()) == list(expected.items())


def test_a_dry_run_records_nothing_and_needs_neither_agent_nor_lock(three: World) -> None:
    assembly = three.assemble()
    before = assembly.ports.journal.head()
    pictured = photograph(three.project)
    assembly.lock.take("somebody else")
    try:
        ran = three.autopilot("run", "--complete", "--parallel", "2", "--dry-run", "--budget-tokens", "400000")
    finally:
        assembly.lock.release()
    assert ran.status == 0
    assert "autopilot run --complete --parallel 2 would run 2 phases" in ran.out
    assert "3. build" not in ran.out and "1. build phase 3 (Part 3): about 240,000 tokens" in ran.out
    assert "skipped: phase 1: completed in run-2026-01-02 at " in ran.out
    assert "warning: the run's cap of 400,000 tokens is below the estimate of 480,000: " in ran.out
    assert "cost: unknown (no agent is chosen)" in ran.out
    assert "would fail" not in ran.out
    assert assembly.ports.journal.head() == before
    assert photograph(three.project) == pictured


def test_a_dry_run_warns_of_a_phase_whose_dependencies_are_neither_done_nor_in_it(three: World) -> None:
    alone = three.autopilot("run", "4", "--dry-run", "--script", str(three.script)).out
    call = f"`autopilot run 3 4 --script {three.script}`"
    assert f"warning: phase 4 would fail: it depends on phase 3, which is not completed; to run both: {call}" in alone
    assert "  cost: none: the scripted agent uses no model\n" in alone


def test_a_dry_run_beside_a_run_in_progress_says_that_another_would_be_refused(three: World) -> None:
    state = three.drive_until(PhaseStarted)
    assembly = three.assemble()
    assembly.lock.take("somebody else")
    try:
        ran = three.autopilot("run", "--dry-run")
    finally:
        assembly.lock.release()
    head = f"{state.run} is in progress (process {os.getpid()}); a new run would be refused until it ends"
    assert ran.out.startswith(head) and "autopilot resume would" not in ran.out


def test_a_dry_run_knows_the_price_of_a_model_and_what_phases_took_before(three: World) -> None:
    document = forecast(three, "3", "--agent", "claude:claude-sonnet-4-5", "--budget-usd", "1")
    assert document["estimated_usd"] == pytest.approx(240_000 * (3 * 0.9 + 15 * 0.1) / 1_000_000)
    assert document["estimated_seconds"] is not None
    assert any("with a cap of 1.00 USD" in words for words in document["warnings"])


def test_a_dry_run_counts_the_tasks_of_a_plan_and_names_phases_that_say_too_little(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2, tasks=2, planned=True))
    world.write(".planning/ROADMAP.md", world.read(".planning/ROADMAP.md").replace("Part 2 says its name", "TBD", 1))
    world.commit("a stub")
    one, two = forecast(world)["phases"]
    assert one["estimated_tokens"] == (50_000 + 2 * 15_000) * 1.2 and one["tasks"]["simple"] == 2
    assert one["lacks"] is None and "goal" in two["lacks"]
    assert "`autopilot run --map 2`" in world.autopilot("run", "--dry-run").out


def test_a_run_records_its_call_its_bar_and_what_it_passed_over(three: World) -> None:
    intent = Intent(complete=True, lenient=True, sequential=True)
    request = RunRequest(intent=intent, command="autopilot run --complete --lenient --sequential")
    driving = three.drive(request)
    recorded = next(driving)
    driving.close()
    started, *more = (stored.event for stored in recorded.entries)
    assert isinstance(started, RunStarted)
    assert (started.intent, started.command) == (intent, request.command)
    assert (started.policy.pass_threshold, started.policy.attempts.remediations) == (7.0, 0)
    passed = [event for event in more if isinstance(event, PhasePassedOver)]
    assert [(event.phase, event.run) for event in passed] == [("1", "run-2026-01-02"), ("2", "run-2026-01-02")]
    assert more[: len(passed)] == passed  # right after the start
    warned = [event.text for event in more if isinstance(event, Warned)]
    assert "--sequential has no effect: one phase at a time is what --complete does anyway" in warned


def test_what_is_done_again_knows_its_score_and_its_history(three: World) -> None:
    driving = three.drive(RunRequest(phases=("1",), intent=Intent(force=True)))
    state = next(driving).state
    driving.close()
    brief = state.phases[next(iter(state.phases))].brief
    assert brief.purpose is Purpose.REDO and brief.earlier is not None
    assert (brief.earlier.score, brief.earlier.run) == (8.2, "run-2026-01-02")
    assert [scored.score for scored in brief.earlier.history] == [8.2]


def test_an_unfinished_run_is_not_taken_up_by_a_call_with_other_flags(tmp_path: Path) -> None:
    world = make_world(tmp_path, Plot(phases=2))
    run = record_past(world, {1: 9.0}, finished=False, intent=Intent(quality=True))
    ran = world.run("--force", "1")
    assert ran.status == 2
    assert f"{run} (phase 1, started as `autopilot run --quality`) is unfinished" in ran.err
    script = f" --script {world.script}"
    assert f"`autopilot resume{script}` continues it; `autopilot run --fresh --force 1{script}` archives" in ran.err
    for words in ((), ("--quality",)):
        assert forecast(world, *words)["taken_up"] == run
    assert forecast(world, "--fresh", "--force", "1")["taken_up"] is None
