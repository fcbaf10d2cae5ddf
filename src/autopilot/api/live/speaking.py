"""The last lines of the agent that spoke last, while it is at work."""

from __future__ import annotations

from pathlib import Path

from autopilot.adapters.live import read_live
from autopilot.adapters.transcript_log import newest_log, read_end
from autopilot.reports.transcript import render_transcript

READ_BYTES = 16_384
MOST_LINES = 60


def read_last_lines(live: Path) -> tuple[str, tuple[str, ...]]:
    """Who speaks, and what; "" and nothing where no agent is at work or none has spoken yet."""
    doing = read_live(str(live))
    log = newest_log(live) if doing else None
    if log is None:
        return "", ()
    content = read_end(log, READ_BYTES).decode("utf-8", "replace").splitlines()
    texts = render_transcript(content)
    lines = [line.strip() for text in texts for line in text.splitlines() if line.strip()]
    speaker = f"{doing[0]['agent']} {doing[0]['role']}" if len(doing) == 1 else "the agent that spoke last"
    return speaker, tuple(lines[-MOST_LINES:])
