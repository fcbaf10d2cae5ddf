"""What a command is at, and for how long: on a terminal no trial or check is silent while it takes its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from autopilot.cli.screen import Screen
from autopilot.ports.clock import Clock
from autopilot.reports.status.status_text import render_time

SILENT_S = 2


@contextmanager
def waiting(clock: Clock, *, stream: TextIO | None = None, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Prints what it is called with; below that, on a terminal, the last of it with its time so far."""
    activity, since = "working", clock.now()

    def below(_: int) -> Sequence[str]:
        took = int((clock.now() - since).total_seconds())
        return (f"  {activity} · {render_time(took)}",) if took >= SILENT_S else ()

    def report(text: str) -> None:
        nonlocal activity, since
        activity, since = text, clock.now()
        screen.line(text)

    with Screen(stream, quiet=quiet, below=below) as screen:
        yield report
