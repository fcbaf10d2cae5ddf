"""The red that a work's own tests show on the code as it was stands for the red that the base could not show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.subject import ProbeKind


def overlay(red: Sequence[Observation], probes: Iterable[Observation]) -> tuple[Observation, ...]:
    """What was seen before the work, each criterion that was replayed as the replay saw it."""
    replayed = {p.about.without_probe: p for p in probes if p.about.probe is ProbeKind.REPLAY}
    kept = (observation for observation in red if observation.subject not in replayed)
    return (*kept, *(replace(probe, subject=subject) for subject, probe in replayed.items()))
