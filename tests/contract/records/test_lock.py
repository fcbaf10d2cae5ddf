"""One run per repository, and the second is told who holds it. covers: T7 R-LOCK"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from autopilot.adapters.clock import SteppedClock
from autopilot.adapters.host import Host, this_host
from autopilot.adapters.lock import CheckoutLock, FileLock, Holder
from autopilot.model.errors import Unavailable, UsageError

ROUNDS = 50


class Racer:
    """Another process with the same lock."""

    def __init__(self, path: Path) -> None:
        script = str(Path(__file__).with_name("lock_racer.py"))
        self.child = subprocess.Popen(
            [sys.executable, script, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def say(self, word: str) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write(f"{word}\n")
        self.child.stdin.flush()

    def hear(self) -> str:
        assert self.child.stdout is not None
        return self.child.stdout.readline().strip()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lock"


@pytest.fixture
def new_racer(path: Path) -> Iterator[Callable[[], Racer]]:
    made: list[Racer] = []

    def make() -> Racer:
        made.append(Racer(path))
        return made[-1]

    yield make
    for racer in made:
        racer.child.kill()
        racer.child.communicate()


def test_of_two_that_start_together_exactly_one_holds_it(new_racer: Callable[[], Racer]) -> None:
    racers = [new_racer(), new_racer()]
    for _ in range(ROUNDS):
        for racer in racers:
            racer.say("take")
        heard = sorted(racer.hear() for racer in racers)
        assert heard[0] == "held"
        assert heard[1].startswith("refused: ")
        for racer in racers:
            racer.say("drop")
            assert racer.hear() == "free"


def test_the_refusal_names_process_time_and_command_and_what_to_do(path: Path, new_racer: Callable[[], Racer]) -> None:
    racer = new_racer()
    racer.say("take")
    racer.hear()
    with pytest.raises(UsageError) as caught:
        FileLock(path).take("autopilot resume")
    assert caught.value.exit_status == 2
    assert f"process {racer.child.pid} since 20" in str(caught.value)
    assert "autopilot run 3-7" in str(caught.value)
    assert "autopilot status" in caught.value.hint
    assert "autopilot cancel" in caught.value.hint


def test_a_killed_holder_holds_nothing_although_its_words_stay(path: Path, new_racer: Callable[[], Racer]) -> None:
    racer = new_racer()
    racer.say("take")
    racer.hear()
    lock = FileLock(path)
    held = lock.holder()
    assert held is not None
    assert held.pid == racer.child.pid
    racer.child.kill()
    racer.child.wait()
    assert b"autopilot run" in path.read_bytes()
    assert lock.holder() is None
    lock.take("autopilot run")
    lock.release()


def test_the_holder_is_known_to_itself_and_to_others(path: Path) -> None:
    lock = FileLock(path, SteppedClock(datetime(2025, 3, 1, 12, tzinfo=UTC)))
    assert lock.holder() is None
    lock.take("autopilot run")
    expected = Holder(os.getpid(), "2025-03-01T12:00:00+00:00", "autopilot run", this_host())
    assert lock.holder() == FileLock(path).holder() == expected
    lock.release()
    lock.release()
    assert lock.holder() is None


def test_asking_for_the_holder_makes_no_file(path: Path) -> None:
    assert FileLock(path).holder() is None
    assert not path.exists()


def test_asking_for_the_holder_all_the_time_keeps_nobody_from_taking_it(
    path: Path, new_racer: Callable[[], Racer]
) -> None:
    racer, lock = new_racer(), FileLock(path)
    for _ in range(10):
        racer.say("take")
        for _ in range(200):
            lock.holder()
        assert racer.hear() == "held"
        racer.say("drop")
        racer.hear()


def test_a_child_process_does_not_inherit_the_lock(path: Path) -> None:
    lock = FileLock(path)
    for _ in range(20):
        lock.take("autopilot run")
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE, close_fds=False) as child:
            lock.release()
            assert FileLock(path).holder() is None
            child.communicate()


def test_a_holder_that_has_not_yet_written_is_somebody(path: Path) -> None:
    import fcntl

    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        assert FileLock(path).holder() == Holder(0, "", "")
        with pytest.raises(UsageError, match="another process"):
            FileLock(path).take("autopilot run")
    finally:
        os.close(descriptor)


def test_the_file_is_for_its_owner_and_a_missing_folder_is_unavailable(path: Path) -> None:
    FileLock(path).take("autopilot run")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(Unavailable):
        FileLock(path / "below" / "lock").take("autopilot run")


# -- two hosts on one network folder. covers: T7 R-LOCK

HERE = Host("here", "machine-1", "boot-1")


def left_by(path: Path, host: Host, command: str = "autopilot run") -> bytes:
    """What a holder wrote whose kernel lock is not to be seen here: killed, or on a folder without network locks."""
    record = msgspec.json.encode(Holder(4711, "2025-03-01T12:00:00+00:00", command, host))
    path.write_bytes(record)
    return record


@pytest.mark.parametrize(
    "other",
    [
        Host("there", "machine-2", "boot-2"),
        Host("here", "machine-2", "boot-2"),  # a name that two have
        Host("there", "machine-1", "boot-2"),  # two copies of one image
        Host("here", "", "boot-2"),
    ],
)
def test_what_another_host_holds_is_never_taken_over(path: Path, other: Host) -> None:
    record = left_by(path, other)
    lock = FileLock(path, host=HERE)
    held = lock.holder()
    assert held is not None and (held.pid, held.host) == (4711, other)
    for attempt in (lambda: lock.take("autopilot resume"), lock.refuse_holder, lock.refuse_other_host):
        with pytest.raises(UsageError) as caught:
            attempt()
        assert f"on another host, {other.name}, by process 4711 since 2025-03-01" in str(caught.value)
        assert f"`autopilot cancel` on {other.name}" in caught.value.hint
        assert f"remove {path}" in caught.value.hint
    assert path.read_bytes() == record
    path.unlink()
    lock.take("autopilot resume")
    lock.release()


@pytest.mark.parametrize(
    "before",
    [
        HERE,
        Host("a-container", "", "boot-1"),  # the same kernel, whatever it is called
        Host("here", "machine-1", "boot-0"),  # before a restart of this machine
        Host(),  # by an older Autopilot
    ],
)
def test_what_a_killed_process_of_this_machine_left_is_taken_over(path: Path, before: Host) -> None:
    left_by(path, before)
    lock = FileLock(path, host=HERE)
    assert lock.holder() is None
    lock.refuse_other_host()
    lock.take("autopilot run")
    lock.release()
    assert path.read_bytes() == b""


def test_a_container_without_a_machine_id_is_another_host_after_a_restart(path: Path) -> None:
    left_by(path, Host("here", "", "boot-0"))
    with pytest.raises(UsageError, match="on another host, here"):
        FileLock(path, host=Host("here", "", "boot-1")).take("autopilot run")


def test_this_host_is_known_by_its_boot() -> None:
    host = this_host()
    assert host.name and host.boot
    assert host.shares_locks_with(this_host())


def test_a_checkout_is_used_by_one_run_wherever_its_records_are(tmp_path: Path) -> None:
    first, second = CheckoutLock(tmp_path), CheckoutLock(tmp_path)
    first.take("autopilot run")
    with pytest.raises(UsageError, match=f"in use by process {os.getpid()} since") as caught:
        second.take("autopilot run")
    assert "another state home" in caught.value.hint
    second.release()
    first.release()
    second.take("autopilot run")
    second.release()


def test_a_checkout_that_another_host_uses_is_refused(tmp_path: Path) -> None:
    there = CheckoutLock(tmp_path, host=Host("there", "machine-2", "boot-2"))
    there.take("autopilot run")
    with pytest.raises(UsageError, match="on another host, there"):
        CheckoutLock(tmp_path, host=HERE).take("autopilot run")
    there.release()
    CheckoutLock(tmp_path, host=HERE).take("autopilot run")


def plant_link(path: Path, target: Path) -> None:
    path.symlink_to(target)


def plant_second_name(path: Path, target: Path) -> None:
    os.link(target, path)


def plant_pipe(path: Path, _: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("plant", [plant_link, plant_second_name, plant_pipe])
def test_a_lock_that_came_with_a_checkout_leads_to_no_other_file(tmp_path: Path, plant: Callable) -> None:
    treasure = tmp_path / "treasure"
    treasure.write_text("mine")
    plant(tmp_path / "autopilot-run", treasure)
    with pytest.raises(Unavailable, match="autopilot-run cannot be used"):
        CheckoutLock(tmp_path).take("autopilot run")
    assert treasure.read_text() == "mine"
