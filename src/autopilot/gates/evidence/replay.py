"""The red that a work's own tests show on the code as it was stands for the red that the base could not show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.subject import ProbeKind


def overlay(red: Sequence[Observation], probes: Iterable[Observation]) -> tuple[Observation, ...]:
    """What was seen before the work, each criterion that was replayed as the replay saw it."""
    again = {p.about.without_probe: p for p in probes if p.about.probe is ProbeKind.REPLAY}
    kept = (o for o in red if o.subject not in again)
    return (*kept, *(replace(probe, subject=subject) for subject, probe in again.items()))
