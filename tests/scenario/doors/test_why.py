"""A phase that failed, looked into: why, a shell on its tree, what its agents said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.scenario.kit.calls import work
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.terminal import CTRL_C, talk, talk_at_terminal
from tests.scenario.kit.world import World, base_config, make_world

# covers: WHY-1, WHY-2, WHY-3, WHY-4
TASK = "01-01"
LOUD = "sh part-01-01.sh aloud"


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The executor lies, the debugger does the work, and the roadmap asks for something that nobody built."""
    no_debug = {**base_config(), "circuit_breaker_config": {"max_debug_attempts_per_phase": 0}}
    world = make_world(tmp_path_factory.mktemp("failed"), Plot(planned=True, criteria=True), config=no_debug)
    roadmap = world.read(".planning/ROADMAP.md").replace("`sh part-01-01.sh`", f"`{LOUD}`")
    world.write(".planning/ROADMAP.md", roadmap.replace('(contains "part 01-01")', '(contains "PART 01-01")'))
    world.commit("it shall be loud")
    world.play(work(TASK, text="echo to be done\n"), work(TASK, role="debugger"))
    ran = world.run()
    assert ran.status == 1, ran.err
    assert f"      $ {LOUD}\n" in ran.out and '      expected: text containing "PART 01-01"\n' in ran.out
    assert "how to repeat it by hand: `autopilot why 1`" in ran.out
    return world


def test_why_tells_expected_against_actual_and_the_lie_that_was_refused(failed: World) -> None:
    told = failed.autopilot("why")
    assert told.status == 0
    assert "Part 1 says its name (phase.c1)" in told.out
    assert '    actual:   it printed "part 01-01", exit status 0\n    | part 01-01\n' in told.out
    assert f"autopilot shell 1 -- '{LOUD}'" in told.out
    assert "  task 01-01 was refused:\n    Part 01-01 says its name (01-01.c1" in told.out
    assert "      | to be done" in told.out
    (phase,) = json.loads(failed.autopilot("why", "phase.c1", "--json").out)["phases"]
    assert [failure["exit_status"] for failure in phase["failures"]] == [0] and phase["refused"] == []


def test_a_name_that_is_nowhere_is_answered_with_one_that_is(failed: World) -> None:
    unknown = failed.autopilot("why", "phase.c11")
    assert unknown.status == 2 and "did you mean phase.c1?" in unknown.err
    assert "holds" in failed.autopilot("why", "test").out


def test_a_shell_runs_on_the_failed_tree_and_leaves_nothing_in_the_checkout(failed: World) -> None:
    before = (failed.head, failed.git("status", "--porcelain", "--ignored"), sorted(failed.project.iterdir()))
    ran = failed.autopilot("shell", "1", "--", f"{LOUD}; echo more > new.txt; pwd; exit 3")
    assert (ran.status, ran.out.splitlines()) == (3, ["part 01-01", str(failed.project)])
    assert "phase 1 of run-" in ran.err and "a throw-away copy" in ran.err
    assert failed.autopilot("shell", "1", "--before", "--", "ls", "part-01-01.sh").status == 2
    assert (failed.head, failed.git("status", "--porcelain", "--ignored"), sorted(failed.project.iterdir())) == before
    nowhere = failed.autopilot("shell", "1")
    assert nowhere.status == 2 and "autopilot shell 1 -- make test" in nowhere.err
    for command in ((), ("--", "ls")):
        assert "did you mean 1?" in failed.autopilot("shell", "11", *command).err, "said before the terminal is missed"


def test_at_a_terminal_a_shell_is_one_and_an_interrupt_reaches_what_runs_there(failed: World) -> None:
    # Only the program's own words tell that it runs: a key pressed before that is the shell's to answer.
    turns = (
        ("$ ", "sh -c 'echo a-''way; exec sleep 100'\n"),
        ("a-way", CTRL_C),
        ("$ ", "sh part-01-01.sh; exit 7\n"),
    )
    ran = talk(failed, ("shell", "1"), *turns)
    assert ran.status == 7, ran.out
    assert "part 01-01\nexit\n" in ran.out


def test_what_an_interactive_shell_shows_goes_to_a_terminal_and_into_no_file(failed: World, tmp_path: Path) -> None:
    into_file = ("/bin/sh", "-c", f'exec "$@" >{tmp_path}/shown', "sh", *failed.command("shell", "1"))
    status, told = talk_at_terminal(into_file, failed.project, {**failed.environment, "TERM": "xterm"}, ())
    assert status == 2 and "standard output is not one" in " ".join(told.split())
    assert (tmp_path / "shown").read_text() == ""


def test_transcripts_are_listed_shown_and_missed(failed: World) -> None:
    listed = failed.autopilot("transcript")
    assert listed.status == 0 and listed.out.splitlines()[0].startswith("#  phase  step")
    shown = failed.autopilot("transcript", "1", "execute")
    assert shown.out.startswith("--- call ") and "executor by scripted" in shown.out
    raw = failed.autopilot("transcript", "1", "execute", "--raw")
    assert '"kind": "write", "what": "part-01-01.sh"' in raw.out
    (call,) = json.loads(failed.autopilot("transcript", "1", "execute", "--json").out)
    assert call["lines"] and call["role"] == "executor"
    assert "did you mean execute?" in failed.autopilot("transcript", "1", "exceute").err
    for digest in call["transcripts"]:
        for blob in failed.repository.home.blobs.glob(f"{digest[:2]}/{digest[2:]}*"):
            blob.unlink()
    gone = failed.autopilot("transcript", "1", "execute")
    assert gone.status == 2 and "it was pruned, or its file was removed" in gone.err


def test_before_any_run_each_of_them_says_how_to_start_one(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    for words in (("why",), ("shell", "1"), ("shell", "1", "--", "ls"), ("transcript",)):
        ran = world.autopilot(*words)
        assert (ran.status, "no run has been started in this repository" in ran.err) == (2, True), words
