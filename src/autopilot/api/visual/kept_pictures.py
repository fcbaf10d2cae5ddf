"""Which pictures are kept: those that a baseline, the last check or the record of a run refers to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autopilot.api.assembly import Repository
from autopilot.api.evidence.phase_evidence import all_phases
from autopilot.api.visual.checking import open_pictures, read_last, read_pins
from autopilot.events.state import RunState
from autopilot.model.errors import UsageError
from autopilot.model.visual.check import VisualCheck


def prune_pictures(repository: Repository, runs: Iterable[RunState]) -> None:
    """Nothing is removed where a baseline cannot be read: it may refer to any of them."""
    try:
        pins = read_pins(repository)
    except UsageError:
        return
    checks = [phase.observed.visual for run in runs for phase in all_phases(run).values() if phase.observed.visual]
    kept = {digest for check in (*checks, *_last(repository)) for digest in digests_of(check)}
    kept |= {digest for pin in pins.shots.values() for digest in (pin.picture, pin.facts)}
    open_pictures(repository).drop_all_but(kept)


def digests_of(check: VisualCheck) -> Iterator[str]:
    for pair in check.compared:
        yield from filter(None, (pair.before, pair.picture, pair.difference))
    yield from (seen.picture for seen in check.seen if seen.picture)


def _last(repository: Repository) -> tuple[VisualCheck, ...]:
    """() where nothing was looked at yet, or the last check cannot be read: it is done again then."""
    try:
        return (read_last(repository),)
    except UsageError:
        return ()
