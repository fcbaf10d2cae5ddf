"""A run can be stopped at any time from anywhere, leaves no process behind, and goes on later.

LOCK, INV-6, RES-1, T6.signals, T6.registry, T7.lock, T7.resume
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from autopilot.events.entry import Message
from autopilot.events.happened import AgentReplied, CancelRequested, PhaseStarted
from autopilot.model.agent import Ending, Role
from tests.scenario.kit.calls import work
from tests.scenario.kit.looking import PATIENCE_S, end, processes_of, wait_for_line, wait_until
from tests.scenario.kit.world import Ran, World

# covers: CMD-RUN

# A daemon in a session of its own, which nothing ends but somebody who looks for it.
DAEMON = {"run": "setsid sleep 177 >/dev/null 2>&1 </dev/null &"}
HANG = {"role": "executor", "phase": "1", "task": "01-01", "do": [DAEMON, {"hang": True}]}


# As a script starts a job by `&`, or `nohup` anything.
IN_THE_BACKGROUND = ("sh", "-c", 'trap "" HUP INT QUIT; exec "$@"', "sh")


@contextmanager
def hanging(world: World, wrapper: Sequence[str] = ()) -> Iterator[subprocess.Popen[str]]:
    """A run whose executor has begun to hang."""
    world.play(HANG)
    process = world.start("run", "--script", str(world.script), wrapper=wrapper)
    try:
        wait_for_line(process, "Task 01-01 (1/1)")
        wait_until(lambda: any("sleep 177" in line for line in processes_of(world.folder)), "the agent began")
        yield process
    finally:
        end(process)


def finish(process: subprocess.Popen[str]) -> Ran:
    out, err = process.communicate(timeout=PATIENCE_S)
    return Ran(process.returncode, out, err)


def test_cancel_from_another_process_ends_the_run_and_all_it_started(world: World) -> None:
    with hanging(world) as process:
        said = world.autopilot("cancel")
        ran = finish(process)
    assert said.status == 0
    assert f"process {process.pid} ends it within a second" in said.out
    assert ran.status == 1
    assert "cancelled by you" in ran.out
    assert processes_of(world.folder) == []
    assert world.status["_meta"]["status"] == "paused"
    world.play()
    again = world.resume()
    assert again.status == 0, again.err
    assert again.err.count("Step: PLAN-CHECK (5/9)") == 0, "it goes on at the step it was in"


@pytest.mark.parametrize("words", [("run", "--fresh"), ("resume",), ("cancel",)], ids=" ".join)
def test_nothing_of_a_killed_agent_stays_on_disk_whatever_comes_next(world: World, words: tuple[str, ...]) -> None:
    """Its clone, its context folder, and its home, where login files are."""
    places = world.repository.home.workspaces / "named"
    with hanging(world) as process:
        process.kill()
        process.wait()
    left = sorted(path.name for path in places.iterdir())
    assert [name for name in left if name.endswith("-home")], "the control: the killed agent had a home"
    world.play()
    ran = world.autopilot(*words) if words == ("cancel",) else world.autopilot(*words, "--script", str(world.script))
    assert ran.status == 0, ran.err
    assert list(places.iterdir()) == []
    assert processes_of(world.folder) == []


def test_a_pause_ends_the_step_in_progress_first_and_a_resume_asks_no_agent_again(world: World) -> None:
    """covers: CMD-PAUSE"""
    slow = work("01-01")
    world.play({**slow, "do": [{"sleep": 3}, *slow["do"]]})
    process = world.start("run", "--script", str(world.script))
    try:
        wait_for_line(process, "Task 01-01 (1/1)")
        said = world.autopilot("pause")
        ran = finish(process)
    finally:
        end(process)
    assert said.status == 0
    assert "is pausing" in said.out
    assert ran.status == 1
    assert "paused by you" in ran.out
    journal = world.assemble().ports.journal
    calls = [s.event for s in journal.read() if isinstance(s.event, AgentReplied) and s.event.role is Role.EXECUTOR]
    assert [call.ending for call in calls] == [Ending.COMPLETED], "it was not ended"
    assert world.autopilot("status", "--line").out.split()[1] == "paused"
    again = world.resume()
    assert again.status == 0, again.err
    calls = [s.event for s in journal.read() if isinstance(s.event, AgentReplied) and s.event.role is Role.EXECUTOR]
    assert len(calls) == 1, "its work was taken up"


def test_cancel_without_a_run_is_refused(world: World) -> None:
    ran = world.autopilot("cancel")
    assert ran.status == 2
    assert ran.err.splitlines() == [
        "error: no run has been started in this repository",
        "hint: `autopilot run all` starts one; if you moved the repository here: `autopilot doctor`",
    ]


def test_cancel_carries_itself_out_where_nobody_drives_the_run(world: World) -> None:
    state = world.drive_until(PhaseStarted)
    ran = world.autopilot("cancel")
    assert ran.status == 0
    assert f"{state.run} is stopped" in ran.out
    assert world.autopilot("status", "--line").out.startswith(f"{state.run} paused")
    again = world.autopilot("cancel")
    assert again.status == 2
    ways = [line.strip() for line in world.autopilot("status").out.splitlines() if "autopilot run --fresh" in line]
    assert ways and again.err.endswith(f"hint: {ways[0]}\n"), "the same commands as status gives"
    assert world.resume().status == 0


def test_a_run_that_was_asked_to_stop_is_told_as_stopping_before_it_takes_that_up(world: World) -> None:
    state = world.drive_until(PhaseStarted)
    assembly = world.assemble()
    assembly.lock.take("a run that is busy")
    try:
        assert world.autopilot("status", "--line").out.startswith(f"{state.run} running ")
        assert world.autopilot("cancel").status == 0
        assert world.autopilot("status", "--line").out.startswith(f"{state.run} stopping ")
        assert world.autopilot("status").out.startswith(f"{state.run}: stopping\n")
        assert world.status["_meta"]["stopping"] is True
    finally:
        assembly.lock.release()


def test_a_cancel_that_came_too_late_does_not_stop_the_next_resume(world: World) -> None:
    state = world.drive_until(PhaseStarted)
    journal = world.assemble().ports.journal
    journal.post(Message(f"cancel/{state.run}/0", state.run, CancelRequested("you")))
    ran = world.resume()
    assert ran.status == 0, ran.out
    assert world.assemble().ports.journal.inbox() == ()


def test_a_cancel_meant_for_another_run_stops_nobody(world: World) -> None:
    state = world.drive_until(PhaseStarted)
    journal = world.assemble().ports.journal
    journal.post(Message(f"cancel/{state.run}/0", state.run, CancelRequested("you")))
    ran = world.run("--fresh")
    assert ran.status == 0, ran.out


def test_a_second_run_is_refused_and_told_who_holds_the_repository(world: World) -> None:
    with hanging(world) as process:
        for words in (("run", "--script", str(world.script)), ("resume", "--script", str(world.script))):
            ran = world.autopilot(*words)
            assert ran.status == 2
            assert ran.err.startswith(f"error: this repository is in use by process {process.pid} since ")
            assert "(autopilot run)" in ran.err
            assert "hint: `autopilot status` shows where that run stands, `autopilot watch` follows it; " in ran.err
        assert " running 0/1" in world.autopilot("status", "--line").out
        document = world.status
        assert (document["alive"], document["_meta"]["status"]) == (True, "running")
        assert process.poll() is None, "the first is not disturbed"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_the_run_cleanly_and_resume_goes_on(world: World, number: signal.Signals, status: int) -> None:
    with hanging(world) as process:
        process.send_signal(number)
        ran = finish(process)
    assert ran.status == status, ran.err
    assert number.name in ran.out
    assert processes_of(world.folder) == []
    world.play()
    assert world.resume().status == 0
    assert world.subjects.count("feat(01): 01-01 - Part 01-01 speaks") == 1


@pytest.mark.parametrize(("way", "status"), [("cancel", 1), ("SIGTERM", 143)])
def test_a_run_in_the_background_leaves_ctrl_c_to_others_and_can_be_stopped(
    world: World, way: str, status: int
) -> None:
    with hanging(world, IN_THE_BACKGROUND) as process:
        for ignored in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            process.send_signal(ignored)
        if way == "cancel":
            assert world.autopilot("cancel").status == 0
        else:
            process.send_signal(signal.SIGTERM)
        ran = finish(process)
    assert ran.status == status, ran.err
    assert "SIGINT" not in ran.out
    assert processes_of(world.folder) == []


@pytest.mark.parametrize("sandbox", ["on", "off"])
def test_after_kill_9_resume_ends_what_was_left_behind_and_goes_on_at_the_open_step(world: World, sandbox: str) -> None:
    """The kernel ends a sandbox with its parent. Without one a daemon lives on: resume has to end it first."""
    world.set_settings(f'sandbox = "{sandbox}"\n')
    with hanging(world) as process:
        process.kill()
        process.wait()
    if sandbox == "off":
        assert any("sleep 177" in line for line in processes_of(world.folder)), "the control: something lives on"
    assert world.autopilot("status", "--line").out.split()[1] == "interrupted"
    world.play()
    ran = world.resume()
    assert ran.status == 0, ran.err
    told = ran.err.splitlines()
    assert told[0].startswith("Autopilot: resuming run-")
    if sandbox == "off":
        assert told[1] == "stopped 1 process that an earlier run left behind when it was killed"
    assert processes_of(world.folder) == []
    assert "Step: PLAN-CHECK (5/9)" not in ran.err
    assert world.subjects.count("feat(01): 01-01 - Part 01-01 speaks") == 1
