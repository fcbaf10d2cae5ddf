"""Two machines with one repository on a network folder: the second is refused and told which host holds it.

LOCK, T7.lock
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from autopilot.adapters.host import Host
from autopilot.adapters.lock import FileLock, Holder
from autopilot.events.happened import PhaseStarted
from tests.scenario.kit.world import World

ELSEWHERE = Host("build-7", "machine-2", "boot-2")
HELD = Holder(4711, "2025-03-01T12:00:00+00:00", "autopilot run", ELSEWHERE)
MESSAGE = (
    "error: this repository is in use on another host, build-7, by process 4711 since 2025-03-01 12:00 UTC"
    " (autopilot run)"
)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    "words", [("run",), ("resume",), ("run", "--fresh"), ("cancel",), ("status",), ("log", "verify")], ids=" ".join
)
def test_a_state_home_that_another_host_uses_is_left_alone(world: World, words: tuple[str, ...]) -> None:
    """Not even read: SQLite's log is shared memory, which two machines do not share."""
    world.drive_until(PhaseStarted)
    lock = world.repository.home.lock
    lock.write_bytes(msgspec.json.encode(HELD))
    before = files_of(world.state)
    ran = world.autopilot(*words, *(("--script", str(world.script)) if words[0] in ("run", "resume") else ()))
    assert ran.status == 2, ran.err
    assert ran.err.splitlines()[0] == MESSAGE
    assert ran.err.splitlines()[1].startswith("hint: `autopilot cancel` on build-7 ends it. If nothing runs there")
    assert str(lock) in ran.err
    assert files_of(world.state) == before


def test_once_the_user_has_removed_it_the_run_goes_on(world: World) -> None:
    world.drive_until(PhaseStarted)
    lock = world.repository.home.lock
    lock.write_bytes(msgspec.json.encode(HELD))
    assert world.resume().status == 2
    lock.unlink()
    assert world.resume().status == 0


def test_one_checkout_is_used_by_one_of_two_state_homes(world: World) -> None:
    """Each machine has a state home of its own, so only the checkout's git folder can tell them of each other."""
    lock = FileLock(world.project / ".git" / "autopilot-run", host=ELSEWHERE)
    lock.take("autopilot run")
    ran = world.run()
    assert ran.status == 2
    assert f"error: this repository is in use on another host, build-7, by process {os.getpid()} since" in ran.err
    assert world.subjects == world.subjects[-1:], "nothing landed"
    lock.release()
    ran = world.run()
    assert ran.status == 0, ran.err
    assert (world.project / ".git" / "autopilot-run").read_bytes() == b""
    assert world.git("status", "--porcelain", "--ignored=no") == ""


def test_what_a_checkout_says_of_its_holder_does_not_command_the_terminal(world: World) -> None:
    forged = Holder(1, "\x1b[2Jnow", "x\x1b]0;y\x07", Host("evil\x1b[31m\u202e", "m", "b"))
    (world.project / ".git" / "autopilot-run").write_bytes(msgspec.json.encode(forged))
    ran = world.run()
    assert ran.status == 2
    assert "evil" in ran.err and not {"\x1b", "\x07", "\u202e"} & set(ran.err)
