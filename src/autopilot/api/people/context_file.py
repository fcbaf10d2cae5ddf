"""The context map in the checkout: merged with what the journal knows, never overwritten (CMAP-03)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from autopilot.adapters.git.checkout.documents import read_document
from autopilot.events.state import RunState
from autopilot.model.planning.complaint import Complaint
from autopilot.planning.people.context_map import load_context_map
from autopilot.reports.status.context_map import merge_context_map
from autopilot.reports.status.files import CONTEXT_MAP

MAX_BACKUPS = 99

Write = Callable[[str, bytes], None]


def update_context_map(checkout: Path, runs: Iterable[RunState], write: Write, warn: Callable[[str], None]) -> None:
    """An unreadable file is saved under another name before a new one is written."""
    content = read_document(checkout, CONTEXT_MAP)
    before = load_context_map(content.decode("utf-8", "replace")) if content is not None else {}
    if isinstance(before, Complaint):
        backup = keep_damaged(checkout, CONTEXT_MAP, content or b"", write)
        if backup is None:
            warn(f"{before}; the file is not changed, and your answers are kept in the journal only")
            return
        warn(f"{before}; the unreadable file is kept as {backup}")
        before = {}
    merged = merge_context_map(before, runs)
    text = msgspec.json.format(msgspec.json.encode(merged), indent=2) + b"\n"
    if merged["phases"] and text != content:
        write(CONTEXT_MAP, text)


def keep_damaged(checkout: Path, path: str, content: bytes, write: Write) -> str | None:
    """Save an unreadable file under an unused name, or one whose file has this content; None: no name is left."""
    first = f"{path}.damaged"
    names = (first, *(f"{first}-{n}" for n in range(2, MAX_BACKUPS)))
    name = next((name for name in names if read_document(checkout, name) in (None, content)), None)
    if name is not None:
        write(name, content)
    return name
