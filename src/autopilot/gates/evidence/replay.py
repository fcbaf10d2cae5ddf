"""The red that a work's own tests show on the code as it was stands for the red that the base could not show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from autopilot.model.evidence.observation import Observation

REPLAY = "replay:"


def overlay(red: Sequence[Observation], probes: Iterable[Observation]) -> tuple[Observation, ...]:
    """What was seen before the work, each criterion that was replayed as the replay saw it."""
    again = {p.subject.removeprefix(REPLAY): p for p in probes if p.subject.startswith(REPLAY)}
    kept = (o for o in red if o.subject not in again)
    return (*kept, *(replace(probe, subject=subject) for subject, probe in again.items()))
