"""Lines of a running command as they come, without secrets: what comes within a moment is looked at together."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator

MOMENT_S = 0.2  # of silence, after which nothing that belongs to the lines before is expected
MOST_LINES = 2_000  # that are held: a command that never falls silent is shown all the same


def redact_lines(lines: Iterable[bytes], clean: Callable[[str], str]) -> Iterator[str]:
    """A value may be broken over several lines, by a program that wraps them: line by line it would not be known."""
    come: queue.Queue[bytes | None] = queue.Queue(MOST_LINES)
    reader = threading.Thread(target=_pass_on, args=(lines, come), name="lines", daemon=True)
    reader.start()
    while (first := come.get()) is not None:
        together, is_over = _gather(first, come)
        yield clean(b"\n".join(together).decode("utf-8", "replace")) + "\n"
        if is_over:
            return


def _pass_on(lines: Iterable[bytes], come: queue.Queue[bytes | None]) -> None:
    for line in lines:
        come.put(line)
    come.put(None)


def _gather(first: bytes, come: queue.Queue[bytes | None]) -> tuple[list[bytes], bool]:
    """The lines that follow within a moment, and whether they were the last."""
    together = [first]
    while len(together) < MOST_LINES:
        try:
            line = come.get(timeout=MOMENT_S)
        except queue.Empty:
            break
        if line is None:
            return together, True
        together.append(line)
    return together, False
