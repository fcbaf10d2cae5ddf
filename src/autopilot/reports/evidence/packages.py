"""In a repository of several packages: whose checks were run for what, whose were not, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.events.pieces import TaskState
from autopilot.events.state import PhaseState, RunState

ROOT = "the root"


def name_packages(folders: Sequence[str]) -> str:
    return ", ".join(folder or ROOT for folder in folders)


def package_lines(state: RunState, phase: PhaseState) -> tuple[str, ...]:
    """() where the config names no packages."""
    packages = tuple(state.policy.packages)
    return tuple(_lines(packages, phase)) if packages else ()


def _lines(packages: tuple[str, ...], phase: PhaseState) -> Iterator[str]:
    for task in (task for task in phase.planned if task.packages):
        yield f"task {task.task.id}: {_of_task(packages, task)}"
    if phase.observed.observations is not None:
        commit = phase.observed.commit[:12]
        yield f"the whole phase, at {commit}: every check of every package ({name_packages(packages)})"


def _of_task(packages: tuple[str, ...], task: TaskState) -> str:
    left = name_packages([folder for folder in packages if folder not in task.packages])
    return f"checks of {name_packages(task.packages)}, where the phase's files lie; not those of {left}"
