"""An anchor: the head of the record at one moment, kept elsewhere, so that a cut-off or exchanged record is noticed."""

from __future__ import annotations

import re
from typing import Protocol

from autopilot.events.entry import Head
from autopilot.model.errors import RecordBroken

_TEXT = re.compile(r"(?P<seq>0|[1-9][0-9]{0,17}) (?P<digest>[0-9a-f]{64}|-)")
_REMEDY = "Put journal.db back from a backup, or move its folder away and run again: what was landed stays in git."


class Chained(Protocol):
    def head(self) -> Head: ...

    def digest_at(self, seq: int) -> str | None: ...


def anchor_text(head: Head) -> str:
    return f"{head.seq} {head.digest or '-'}"


def check_anchor(record: Chained, text: str) -> None:
    """A record ahead of its anchor is normal; behind it, or unequal at its number, it is not the record we wrote."""
    match = _TEXT.fullmatch(text.strip())
    if match is None:
        raise RecordBroken(f"an anchor of the record is unreadable: {text.strip()[:80]!r}", _REMEDY)
    seq, digest = int(match["seq"]), match["digest"]
    if seq == 0:
        return
    found = record.digest_at(seq)
    if found is None:
        raise RecordBroken(
            f"the record ends at entry {record.head().seq}, but its anchor names entry {seq}: entries are missing",
            _REMEDY,
        )
    if found != digest:
        raise RecordBroken(f"entry {seq} of the record is not the one that was anchored", _REMEDY)
