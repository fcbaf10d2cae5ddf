"""A limit on the number of processes for root, whom the ordinary per-user limit does not bind."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from autopilot.adapters.sandbox.proctree import read_kernel_file

_ROOT = Path("/sys/fs/cgroup")
_MEMBERSHIP = Path("/proc/self/cgroup")

_numbers = itertools.count()


def make_group(most: int, root: Path = _ROOT, membership: Path = _MEMBERSHIP) -> Path | None:
    """A control group of its own for one command; None when there is none to be had.

    That is so for anyone but root, where no writable hierarchy has the pids controller, and without control groups.
    """
    if os.geteuid() != 0:
        return None
    name = f"autopilot-{os.getpid()}-{(number := next(_numbers))}"
    for parent in find_parents(root, membership):
        if number == 0:
            _remove_stale(parent)
        path = parent / name
        with suppress(OSError):
            path.mkdir(exist_ok=True)  # left by a killed run whose number was ours
            try:
                with (path / "pids.max").open("r+", encoding="ascii") as limit:  # never made by us
                    limit.write(str(most))
            except OSError:
                path.rmdir()
                raise
            return path
    return None


def entrance(group: Path) -> Path:
    """The file into which a single-threaded process writes 0 to come in.

    It does so itself, and in version 1 by ``tasks``: moving anything else waits 10 ms for a lock over all processes.
    """
    tasks = group / "tasks"
    return tasks if tasks.exists() else group / "cgroup.procs"


def pids_in(group: Path) -> list[int]:
    """Who is in it now, as the kernel counts: one file, where looking through /proc takes one for every process."""
    return [int(line) for line in read_kernel_file(f"{group}/cgroup.procs").split()]


def remove_group(group: Path) -> None:
    with suppress(OSError):
        group.rmdir()


def _remove_stale(parent: Path) -> None:
    """Groups of processes that were killed before they could remove them; one that is in use cannot be removed."""
    for group in parent.glob("autopilot-*-*"):
        if not Path("/proc", group.name.split("-")[1]).exists():
            remove_group(group)


def find_parents(root: Path, membership: Path) -> Iterator[Path]:
    """Where a group with a pids limit may be made, best first: version 1, then below us, then the top of version 2.

    In version 2 a group's children have the controllers that it delegates to them, and no others.
    """
    for line in _read(membership).splitlines():
        _, controllers, path = line.split(":", 2)
        if "pids" in controllers.split(","):
            yield root / "pids" / path.lstrip("/")
        elif not controllers:
            own = root / path.lstrip("/")
            yield from (group for group in dict.fromkeys((own, root)) if "pids" in _delegated(group))


def _delegated(group: Path) -> list[str]:
    return _read(group / "cgroup.subtree_control").split()


def _read(file: Path) -> str:
    """ "" where there is none: a kernel may have no control groups, or not show them."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
