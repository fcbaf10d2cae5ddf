"""The pictures that the report of a run shows, read from where they are kept."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.events.state import RunState
from autopilot.model.errors import RecordBroken
from autopilot.ports.eyes import Pictures
from autopilot.reports.visual.html import digests_to_show

LARGEST = 1_500_000  # bytes


def read_pictures(pictures: Pictures, state: RunState) -> Mapping[str, bytes]:
    """By digest; one that is gone or altered is left out, and so is one that is too large for a page."""
    wanted = {digest for phase in state.phases.values() for digest in digests_to_show(phase.observed.visual)}
    found = {digest: _read(pictures, digest) for digest in sorted(wanted)}
    return {digest: content for digest, content in found.items() if 0 < len(content) <= LARGEST}


def _read(pictures: Pictures, digest: str) -> bytes:
    try:
        return pictures.get(digest)
    except RecordBroken:
        return b""
