"""Runs that another program made of this roadmap, found in the checkout before the first run of ours writes there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.errors import AutopilotError
from autopilot.model.planning.other_run import COMPLETED, FAILED, FOR_A_PERSON, OtherPhase, OtherRun
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.model.run import PhaseBrief
from autopilot.planning.takeover.state_file import is_ours, parse_state_file
from autopilot.ports.git import Checkout
from autopilot.reports.status.files import LEARNINGS, METRICS, STATE
from autopilot.text.naming import name_phases

BACKUP = f"{STATE}.backup"
ARCHIVE = str(PurePosixPath(METRICS).parent)
MOST_BYTES, MOST_ARCHIVED, MOST_LEARNED = 8_000_000, 50, 20_000
_RUN = re.compile(r"run-[0-9][0-9T:_-]{4,40}\.json\Z")


class OtherRuns(Struct, frozen=True):
    runs: tuple[OtherRun, ...] = ()  # oldest first
    complaints: tuple[str, ...] = ()

    @property
    def phases(self) -> dict[PhaseId, OtherPhase]:
        """As the last run that knows each has left it."""
        return {phase.id: phase for run in self.runs for phase in run.phases if phase.status}


NONE = OtherRuns()


def find_other_runs(checkout: Checkout, known: Iterable[str] = ()) -> OtherRuns:
    """What is there and not ``known`` yet. Once our own state.json stands there, all of it was read before."""
    content = _read(checkout, STATE)
    if isinstance(content, bytes) and is_ours(content):
        return NONE
    taken = set(known)
    archived = (path for path in _archived(checkout) if PurePosixPath(path).stem not in taken)
    found = [read for path in archived if isinstance(read := _parse(checkout, path), OtherRun)]
    complaints = []
    if content is not None:
        last = _parse(checkout, STATE)
        if isinstance(last, str) and isinstance(saved := _parse(checkout, BACKUP), OtherRun):
            complaints.append(f"{last}; {BACKUP} is read instead")
            last = saved
        if isinstance(last, OtherRun):
            found.append(replace(last, learnings=_learnings(checkout)))
        else:
            complaints.append(f"{last}: nothing is taken from it")
    return OtherRuns(tuple(run for run in found if run.run not in taken), tuple(complaints))


def tell_other_runs(others: OtherRuns) -> Iterator[str]:
    yield from others.complaints
    for run in others.runs:
        counts = (
            (COMPLETED, "completed (unproven)"),
            (FAILED, "failed"),
            (FOR_A_PERSON, "left to a person, and verified as any open one"),
        )
        parts = [f"{name_phases(ids)} {outcome}" for status, outcome in counts if (ids := run.those(status))]
        yield f"{run.run} of another program, read once from {run.source}: {'; '.join(parts) or 'no phase completed'}"
    last = others.runs[-1] if others.runs else None
    if last is not None and last.interrupted and last.current_phase:
        step = f" at {last.current_step}" if last.current_step else ""
        where = f"in phase {last.current_phase}{step}"
        yield f"{last.run} was interrupted {where} ({last.status}): Autopilot goes on from what is committed"


def with_names(run: OtherRun, outline: Iterable[PhaseBrief], clean: Callable[[str], str]) -> OtherRun:
    """As it is recorded: phases by the names they have today, and no secret."""
    names = {brief.id: brief.name for brief in outline}
    phases = tuple(replace(phase, name=names[phase.id]) for phase in run.phases if phase.id in names)
    return replace(run, phases=phases, learnings=clean(run.learnings))


def recall(recorded: Sequence[OtherPhase], found: OtherRuns) -> Callable[[Phase], OtherPhase | None]:
    """What is known of a phase: as it was recorded under this name, or as a file says that was not read before."""
    named = {(phase.id, _folded(phase.name)): phase for phase in recorded}
    return lambda phase: found.phases.get(phase.id) or named.get((phase.id, _folded(phase.name)))


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _archived(checkout: Checkout) -> list[str]:
    try:
        paths = checkout.list(ARCHIVE)
    except AutopilotError:
        return []
    return [path for path in paths if _RUN.match(path.removeprefix(f"{ARCHIVE}/"))][-MOST_ARCHIVED:]


def _parse(checkout: Checkout, path: str) -> OtherRun | str:
    content = _read(checkout, path)
    if not isinstance(content, bytes):
        return content or f"{path} does not exist"
    return f"{path} is ours" if is_ours(content) else parse_state_file(content, path)


def _read(checkout: Checkout, path: str) -> bytes | str | None:
    """The file, None where there is none, or why it cannot be read."""
    place = checkout.path / path
    if not os.path.lexists(place):
        return None
    try:
        if place.is_file() and place.stat().st_size > MOST_BYTES:
            return f"{path} is too large to be read"
        content = checkout.read(path)
    except (AutopilotError, OSError) as error:
        return f"{path} cannot be read: {error}"
    return content if content is not None else f"{path} is not a file"


def _learnings(checkout: Checkout) -> str:
    content = _read(checkout, LEARNINGS)
    return content.decode("utf-8", "replace")[:MOST_LEARNED].strip() if isinstance(content, bytes) else ""
