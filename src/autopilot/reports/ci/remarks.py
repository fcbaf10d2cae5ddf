"""What a run has to say about the code, each with its place: what did not hold, objections, reviewers' concerns."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from autopilot.events.state import PhaseState, RunState
from autopilot.model.evidence.objection import Objection, Weight
from autopilot.model.evidence.verdict import Outcome
from autopilot.model.run import PhaseStatus
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.documents.objections import LAYERS, objections_of
from autopilot.reports.evidence.failures import Failure, failures_of
from autopilot.reports.markdown import one_line, shorten
from autopilot.reports.status.gates import find_waiting

LONGEST = 1_000
MOST = 1_000  # GitHub takes 5,000 results of one run; whoever reads a thousand has given up
LONGEST_PATH = 240
_PLACE = re.compile(
    r"(?<![\w./\-])(?!(?i:exit|line|lines|col|port|localhost|status|code|rc):)([\w.\-/]{0,200}[^\W\d][\w.\-/]{0,40}):"
    r"([1-9][0-9]{0,6})(?![0-9])"
)
_FILE = re.compile(r"[\w.@+][\w.@+ \-]*(?:/[\w.@+][\w.@+ \-]*)*")


class Level(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


RULES = {
    "criterion-not-proven": "A criterion, check or test script did not hold when Autopilot ran it",
    "work-refused": "A check of the change itself refused the work",
    "flag": "Worth reading: it refuses nothing by itself",
    "review": "A reviewer's concern: an opinion, and no evidence",
    "phase-failed": "A phase of the roadmap did not pass",
    "waits": "A person has to decide",
}


class Remark(Struct, frozen=True):
    rule: str
    level: Level
    text: str  # one line, foreign text in it
    path: str = ""  # of the repository, relative; "" where none is named
    line: int = 0
    phase: str = ""

    @property
    def fingerprint(self) -> str:
        """The same for the same remark of a later run: no commit, no line and no time is in it."""
        return hashlib.sha256("\0".join((self.rule, self.phase, self.path, self.text)).encode()).hexdigest()


def remarks_of(state: RunState) -> tuple[Remark, ...]:
    """The weightiest first, each once."""
    found = [remark for phase in state.phases.values() for remark in _of_phase(state, phase)]
    found += [_remark("waits", Level.WARNING, f"{item.title}: `{item.command}`") for item in find_waiting(state)]
    order = list(Level)
    ordered = sorted(found, key=lambda remark: order.index(remark.level))
    once = {remark.fingerprint: remark for remark in reversed(ordered)}
    return tuple(reversed(once.values()))[:MOST]


def home_of(state: RunState) -> str:
    """The place of what has none of its own."""
    return state.inputs.roadmap or ".planning/ROADMAP.md"


def _of_phase(state: RunState, phase: PhaseState) -> Iterator[Remark]:
    if phase.status is PhaseStatus.FAILED:
        text = f"phase {phase.id} ({phase.brief.name}) did not pass: {phase.ending.failure}"
        yield _remark("phase-failed", Level.ERROR, text, phase)
    if phase.status is not PhaseStatus.COMPLETED:
        yield from (_of_failure(failure, phase) for failure in failures_of(state, phase))
    yield from (_of_objection(objection, phase) for objection in objections_of(state, phase))
    for concern in _concerns(phase):
        yield _remark("review", Level.NOTE, concern, phase)


def _of_failure(failure: Failure, phase: PhaseState) -> Remark:
    level = Level.ERROR if failure.outcome is Outcome.FAIL else Level.WARNING
    seen = failure.actual or failure.because
    text = f"{failure.text}: {seen}" if failure.text != seen else seen
    place = next((found for line in failure.last_lines if (found := find_place(line))), None)
    return _remark("criterion-not-proven", level, text, phase, place or find_place(failure.because))


def _of_objection(objection: Objection, phase: PhaseState) -> Remark:
    text = f"{LAYERS[objection.layer]}: {objection}"
    place = find_place(objection.where) or _whole_file(objection.where) or find_place(objection.description)
    if objection.weight is Weight.FLAG:
        return _remark("flag", Level.NOTE, text, phase, place)
    level = Level.ERROR if objection.weight is Weight.REFUSE and phase.status is not PhaseStatus.COMPLETED else None
    return _remark("work-refused", level or Level.WARNING, text, phase, place)


def _concerns(phase: PhaseState) -> tuple[str, ...]:
    reviews = phase.reviews
    lists = (
        reviews.verification.concerns if reviews.verification else (),
        reviews.judgement.concerns if reviews.judgement else (),
        reviews.rating.concerns if reviews.rating else (),
    )
    return tuple(dict.fromkeys(concern for concerns in lists for concern in concerns))


def _remark(
    rule: str, level: Level, text: str, phase: PhaseState | None = None, place: tuple[str, int] | None = None
) -> Remark:
    path, line = place or find_place(text) or ("", 0)
    return Remark(rule, level, shorten(one_line(strip_controls(text)), LONGEST), path, line, phase.id if phase else "")


def find_place(text: str) -> tuple[str, int] | None:
    """The first file and line that a text names, where it may be one of the repository's own."""
    for found in _PLACE.finditer(text[: 10 * LONGEST]):
        if (path := inside(found[1])) and ("." in path or "/" in path):
            return path, int(found[2])
    return None


def _whole_file(where: str) -> tuple[str, int] | None:
    """An objection may name a file without a line."""
    is_path = len(where) <= LONGEST_PATH and ("/" in where or "." in where) and _FILE.fullmatch(where)
    path = inside(where) if is_path and " " not in where else ""
    return (path, 0) if path else None


def inside(path: str) -> str:
    """A path of the repository as it may be shown to a program that opens it; "" for any that leads out of it."""
    plain = path.removeprefix("./")
    parts = plain.split("/")
    is_inside = plain and len(plain) <= LONGEST_PATH and all(part not in ("", ".", "..", ".git") for part in parts)
    return plain if is_inside else ""
