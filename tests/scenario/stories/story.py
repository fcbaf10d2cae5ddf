"""What a story is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.scenario.kit.world import World


@dataclass(frozen=True)
class Story:
    """``make`` builds the world and its script below a folder; ``first`` on it ends with ``exit_status``.

    A story is deterministic: run twice, it records the same keys and makes the same commits but for their times.
    ``quick`` ones are crash-tested in `make test`, all of them in `make chaos`.
    """

    name: str
    make: Callable[[Path], World]
    exit_status: int
    quick: bool = False
    # Commands after the run has come to rest, each with the status it must end with: a verdict, a resume.
    after: tuple[tuple[tuple[str, ...], int], ...] = field(default=())
    first: tuple[str, ...] = ("run", "all")
    weight: int = 1  # of the crashes that are resumed to the end, how many shares are its own: a long one has more
