"""``state.json`` of autopilot-cc: which phases it completed, and where it was interrupted.

It is read once, as text of unknown origin: any field may be missing or of another type. A phase counts as completed
only where the file says nothing else about it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from autopilot.model.planning.other_run import COMPLETED, FAILED, FOR_A_PERSON, OtherPhase, OtherRun
from autopilot.model.planning.roadmap import PhaseId
from autopilot.planning.roadmap.phase_id import parse_phase_id

MOST_PHASES, LONGEST_WORD = 2_000, 60
HEAD_BYTES = 4_096
_META = ("run_id", "status", "current_phase", "current_step")
_OURS = b'"autopilot_version"'
_RUN = re.compile(rb'"run_id"\s{0,8}:\s{0,8}"([^"\\]{1,100})"')
_KEY = re.compile(r"(?:phase[-_ ]?)?(.{1,40})\Z", re.IGNORECASE)
_SCORE = re.compile(r"\s*+([0-9]{1,2}(?:\.[0-9]{1,3})?)\s*+(?:/\s*+10\s*+)?\Z")


class _Document(Struct, frozen=True):
    """Only what is looked at is taken apart: of a few megabytes, all of it would be hundreds in memory."""

    meta: Mapping[str, Raw] = field(name="_meta")
    phases: Mapping[str, Raw]


def is_ours(content: bytes) -> bool:
    """Whether Autopilot wrote this file, as it says itself: its first object names the version."""
    return _OURS in content[:HEAD_BYTES]


def run_named(content: bytes) -> str:
    """The run that the file says it is about; "" where it says none."""
    found = _RUN.search(content[:HEAD_BYTES])
    return found[1].decode("ascii", "replace") if found else ""


def parse_state_file(content: bytes, source: str) -> OtherRun | str:
    """The run, or why there is none in it."""
    try:
        document = msgspec.json.decode(content, type=_Document)
        meta = {name: msgspec.json.decode(document.meta[name]) for name in _META if name in document.meta}
        records = {key: msgspec.json.decode(raw) for key, raw in islice(document.phases.items(), MOST_PHASES)}
    except msgspec.ValidationError:
        return f"{source} is of a program that Autopilot does not know"
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return f"{source} is not valid JSON"
    run = _word(meta.get("run_id")) or "a run without a name"
    return OtherRun(
        run=run,
        status=_word(meta.get("status")) or "unknown",
        source=source,
        phases=tuple(_phases(records, run)),
        current_phase=_word(meta.get("current_phase")),
        current_step=_word(meta.get("current_step")),
    )


def _phases(records: Mapping[str, Any], run: str) -> Iterator[OtherPhase]:
    """By number; where two keys name the same phase, neither says that it is completed unless both do."""
    found: dict[PhaseId, OtherPhase] = {}
    for key, record in records.items():
        matched = _KEY.match(key)
        id = parse_phase_id(matched[1]) if matched else None
        if id is None or not isinstance(record, dict):
            continue
        phase = OtherPhase(id, _status(record), run, _score(record))
        before = found.get(id)
        found[id] = phase if before is None or phase.status != COMPLETED else before
    yield from found.values()


def _status(record: Mapping[str, Any]) -> str:
    """A person's verdict settles what was left to a person."""
    status, verdict = _word(record.get("status")), record.get("human_verdict")
    judged = _word(verdict.get("verdict")) if isinstance(verdict, dict) else ""
    if status == FOR_A_PERSON and judged:
        return COMPLETED if judged == "pass" else FAILED
    return status


def _score(record: Mapping[str, Any]) -> float | None:
    steps = record.get("steps")
    rate = steps.get("rate") if isinstance(steps, dict) else None
    for value in (record.get("alignment_score"), rate.get("alignment_score") if isinstance(rate, dict) else None):
        matched = _SCORE.match(value) if isinstance(value, str) else None
        number = float(matched[1]) if matched else value
        if isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= 10:
            return round(float(number), 1) if math.isfinite(number) else None
    return None


def _word(value: object) -> str:
    """One short line of text; "" for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)[:LONGEST_WORD] if abs(value) < 10**LONGEST_WORD else ""
    return " ".join(value.split())[:LONGEST_WORD] if isinstance(value, str) and value.isprintable() else ""
