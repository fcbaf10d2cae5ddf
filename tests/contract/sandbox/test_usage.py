"""A command that uses too much memory or disk is stopped and named, and nothing else suffers (T5)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import pytest

from autopilot.adapters.sandbox.bubblewrap import Bubblewrap, written_folder
from autopilot.adapters.sandbox.usage import Allowance, allow, default_memory_mb
from autopilot.ports.sandbox import CommandSpec, Exited, OverLimit, Profile, run

# covers: T5
PYTHON = f"{sys.base_prefix}/bin/python3"
HOLD = "import time; held = bytearray(b'x' * {mb} * 2**20); time.sleep(30)"


def test_one_process_cannot_take_more_than_the_cap(place, confined) -> None:
    take = "held = bytearray(300 * 2**20); print(len(held))"
    small = Bubblewrap(place.state, memory_mb=256)
    outcome = run(small, place.spec(PYTHON, "-c", take))
    assert outcome.ended == Exited(1) and b"MemoryError" in outcome.output
    assert run(confined, place.spec(PYTHON, "-c", take)).ended == Exited(0)


class Groupless(Bubblewrap):
    """As for anyone but root: no control group lists the processes of a command."""

    def _group(self, spec: CommandSpec) -> None:
        return None


@pytest.mark.parametrize("kind", [Bubblewrap, Groupless])
@pytest.mark.parametrize("profile", [Profile.VERIFY, Profile.AGENT])
def test_many_processes_together_cannot_either_and_the_command_is_stopped(place, confined, profile, kind) -> None:
    script = " & ".join([f'{PYTHON} -c "{HOLD.format(mb=60)}"'] * 4) + " & wait"
    small = kind(place.state, memory_mb=150)
    outcome = run(small, place.sh(script, profile=profile, timeout_s=25))
    assert isinstance(outcome.ended, OverLimit)
    assert "MB of memory, over the cap of 150 MB" in outcome.ended.reason


def test_memory_that_processes_share_is_counted_once(place) -> None:
    fork = "import os, time; held = bytearray(b'x' * 80 * 2**20); [os.fork() for _ in range(2)]; time.sleep(4)"
    small = Bubblewrap(place.state, memory_mb=250)
    assert run(small, place.spec(PYTHON, "-c", fork, timeout_s=25)).ended == Exited(0)


def test_processes_are_listed_only_when_all_of_the_machine_together_hold_more_than_the_cap() -> None:
    listed = []

    def ourselves() -> list[int]:
        listed.append(os.getpid())
        return listed

    assert Allowance(2**40).find_excess(ourselves) == "" and not listed
    assert "over the cap of 1 MB" in Allowance(1).find_excess(ourselves) and listed


def test_who_leaves_too_little_of_the_disk_is_over_its_allowance(tmp_path) -> None:
    def ourselves() -> list[int]:
        return [os.getpid()]

    assert Allowance(default_memory_mb(), str(tmp_path)).find_excess(ourselves) == ""
    huge = Allowance(default_memory_mb(), str(tmp_path), disk_floor_mb=2**40)
    assert "on the disk, under the floor" in huge.find_excess(ourselves)
    assert "of memory, over the cap of 1 MB" in Allowance(1).find_excess(ourselves)


def test_the_disk_is_watched_where_a_command_fills_it(place) -> None:
    """A check writes to its scratch space, which has a size of its own."""
    layer = PurePosixPath(place.folder / "layer")
    assert written_folder(place.sh("true", profile=Profile.AGENT)) == str(place.backing)
    assert written_folder(place.sh("true", profile=Profile.SETUP, keep_upper=layer)) == str(layer)
    assert written_folder(place.sh("true")) == ""


def test_nobody_is_blamed_for_a_disk_that_was_nearly_full_before(tmp_path) -> None:
    with small_disk(tmp_path, mb=40) as disk:
        allowance = allow(default_memory_mb(), str(disk))
        assert allowance.find_excess(list) == ""
        (disk / "big").write_bytes(bytes(35 * 2**20))
        assert "on the disk, under the floor" in allowance.find_excess(list)


@contextmanager
def small_disk(folder: Path, mb: int) -> Iterator[Path]:
    """A folder on a file system of its own, seen by this process alone: through one that mounted it."""
    script = 'mount -t tmpfs -o "size=$1m" tmpfs "$2" && echo up && read -r end'
    argv = ["unshare", "-Urm", "sh", "-c", script, "sh", str(mb), str(folder)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == b"up\n"
        yield Path(f"/proc/{holder.pid}/root{folder}")
        holder.kill()
