"""What each agent at work is saying: what it does now, and the last lines of its transcript."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct

from autopilot.adapters.live import read_doing
from autopilot.reports.markdown import one_line, shorten
from autopilot.reports.transcript import render_transcript

LAST_LINES = 6
LONGEST_LINE = 240
READ_BYTES = 64 * 1024  # of the end of a transcript


class LiveCall(Struct, frozen=True):
    doing: dict[str, Any]
    lines: tuple[str, ...]  # the last ones, oldest first


def read_live_calls(folder: Path) -> list[LiveCall]:
    """Every call in progress, the oldest first."""
    found = ((path, read_doing(str(path))) for path in sorted(folder.glob("*.json")))
    live_calls = [LiveCall(doing, last_lines(path.with_suffix(""))) for path, doing in found if doing]
    return sorted(live_calls, key=lambda call: -call.doing["elapsed_s"])


def last_lines(place: Path) -> tuple[str, ...]:
    """Of the part of the log that grows; () where nothing was said yet."""
    parts = sorted(place.parent.glob(f"{place.name}.*.log"), key=lambda part: int(part.name.split(".")[-2]))
    texts = reversed(list(render_transcript(_read_end(parts[-1])))) if parts else iter(())
    lines = (one_line(line) for text in texts for line in reversed(text.splitlines()) if line.strip())
    return tuple(shorten(line, LONGEST_LINE) for line in islice(lines, LAST_LINES))[::-1]


def _read_end(part: Path) -> Sequence[str]:
    """Whole lines alone: half of an object would be shown as it stands there."""
    try:
        with part.open("rb") as log:
            begin = max(0, log.seek(0, os.SEEK_END) - READ_BYTES)
            log.seek(begin)
            lines = log.read().decode("utf-8", "replace").split("\n")
    except OSError:
        return ()  # the call ended while we looked
    return lines[1 if begin else 0 : -1]
