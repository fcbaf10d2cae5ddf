"""A run can be stopped at any time from anywhere, leaves no process behind, and goes on later.

LOCK, INV-6, RES-1, T6.signals, T6.registry, T7.lock, T7.resume
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from autopilot.adapters.sandbox.proctree import identify
from autopilot.adapters.sandbox.registry import Record, boot_id
from autopilot.events.entry import Message
from autopilot.events.happened import CancelRequested, PhaseStarted
from tests.scenario.kit import Ran, World, end, hang, processes_of, wait_for_line, wait_until

HANG = hang("executor", 1) | {"task": "01-01"}


@contextmanager
def hanging(world: World) -> Iterator[subprocess.Popen[str]]:
    """A run whose executor has begun to hang."""
    world.play(HANG)
    process = world.start("run", "--script", str(world.script))
    try:
        wait_for_line(process, "Task 01-01 (1/1)")
        wait_until(lambda: any("order.json" in line for line in processes_of(world.folder)), "the agent began")
        yield process
    finally:
        end(process)


def finish(process: subprocess.Popen[str]) -> Ran:
    out, err = process.communicate(timeout=30)
    return Ran(process.returncode, out, err)


def test_cancel_from_another_process_ends_the_run_and_all_it_started(world: World) -> None:
    with hanging(world) as process:
        said = world.autopilot("cancel")
        ran = finish(process)
    assert said.status == 0
    assert f"process {process.pid} takes it up within a second" in said.out
    assert ran.status == 1
    assert "cancelled by you" in ran.out
    assert processes_of(world.folder) == []
    assert world.status["_meta"]["status"] == "paused"
    world.play()
    again = world.resume()
    assert again.status == 0, again.err
    assert again.err.count("Step: PLAN-CHECK (5/9)") == 0, "it goes on at the step it was in"


def test_cancel_without_a_run_is_refused(world: World) -> None:
    ran = world.autopilot("cancel")
    assert ran.status == 2
    assert ran.err.splitlines() == ["error: no run is under way here", "hint: autopilot status"]


def test_cancel_carries_itself_out_where_nobody_drives_the_run(world: World) -> None:
    state = world.drive_until(PhaseStarted)
    ran = world.autopilot("cancel")
    assert ran.status == 0
    assert f"{state.run} is stopped" in ran.out
    assert world.autopilot("status", "--line").out.startswith(f"{state.run} paused")
    assert world.autopilot("cancel").status == 2
    assert world.resume().status == 0


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
            assert "hint: `autopilot status` shows where that run stands; `autopilot cancel` ends it." in ran.err
        line = world.autopilot("status", "--line").out
        assert " running 0/1 phase 1" in line
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


def test_after_kill_9_no_agent_survives_and_resume_goes_on_at_the_open_step(world: World) -> None:
    with hanging(world) as process:
        process.kill()
        process.wait()
    assert world.autopilot("status", "--line").out.split()[1] == "interrupted"
    world.play()
    ran = world.resume()
    assert ran.status == 0, ran.err
    assert "Autopilot: resuming run-" in ran.err
    assert processes_of(world.folder) == []
    assert world.subjects.count("feat(01): 01-01 - Part 01-01 speaks") == 1


def test_a_process_that_outlived_a_killed_run_is_ended_before_anything_else(world: World) -> None:
    """The kernel ends a sandbox with its parent; a decoy that was not so lucky stands on the list of children."""
    state = world.drive_until(PhaseStarted)
    decoy = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    try:
        process = identify(decoy.pid)
        assert process is not None
        record = Record(process.pid, process.started, boot_id(), f"{state.run}/1/execute/01-01")
        folder: Path = world.repository.home.processes
        (folder / f"{decoy.pid}.json").write_bytes(msgspec.json.encode(record))
        ran = world.resume()
        assert ran.status == 0, ran.err
        said = ran.err.splitlines()
        assert said[1] == "ended 1 process(es) an earlier, killed run had left behind"
        assert decoy.wait(timeout=30) == -signal.SIGKILL or decoy.returncode == -signal.SIGTERM
        assert list(folder.glob("*.json")) == []
    finally:
        decoy.kill()
        decoy.wait()
