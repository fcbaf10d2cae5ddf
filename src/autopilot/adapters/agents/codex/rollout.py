"""The rollout of a Codex session: the file in its home that counts every request, while its events count at the end.

It also names the model, and errors by kind, and says when a limit ends. An agent can write to its home, so nothing in
there is relied on alone: what it counts is never less than the events say, and an error counts only when an event
reports it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from autopilot.adapters.beneath import list_beneath, open_beneath

_STARTED = re.compile(rb'\{"type":"thread\.started","thread_id":"([0-9a-f-]+)"')
WANTED = (b'"turn_context"', b'"token_usage_record"', b'"token_count"', b'"task_complete"')
LONGEST_LINE = 1 << 20
MOST_FOLDERS = 100  # and files: a home is made anew for every question
MOST_LINES = 100_000  # at once: whoever writes faster than we read must not hold us up


def interleave(lines: Iterable[bytes], home: Path) -> Iterator[bytes]:
    """The events, each after what the rollout has to say by then; at last, what came after the last event."""
    with ExitStack() as opened:
        thread, rollout = "", None
        for line in lines:
            if begun := _STARTED.match(line):
                thread = begun.group(1).decode()
            if thread and rollout is None and (rollout := _find(home, thread)):
                opened.callback(rollout.close)
            yield from _news(rollout)
            yield line
        yield from _news(rollout)


def _find(home: Path, thread: str) -> BinaryIO | None:
    """By year, month and day. Never through a link, which might lead all over the machine."""
    folders = [".codex/sessions"]
    for _ in range(3):
        inner = (f"{folder}/{name}" for folder in folders for name in list_beneath(home, folder, MOST_FOLDERS))
        folders = list(islice(inner, MOST_FOLDERS))
    for folder in folders:
        for name in list_beneath(home, folder, MOST_FOLDERS):
            if name.startswith("rollout-") and name.endswith(f"-{thread}.jsonl"):
                return open_beneath(home, f"{folder}/{name}")
    return None


def _news(rollout: BinaryIO | None) -> Iterator[bytes]:
    for _ in range(MOST_LINES if rollout else 0):
        assert rollout
        begin = rollout.tell()
        line = rollout.readline(LONGEST_LINE)
        if not line.endswith(b"\n") and len(line) < LONGEST_LINE:
            rollout.seek(begin)  # it is still being written
            return
        if any(word in line for word in WANTED):
            yield line
