"""How much is known of a phase before it is built."""

from __future__ import annotations

from msgspec import Struct


class Sufficiency(Struct, frozen=True):
    """Each part from 0 to 10, by code."""

    score: int
    criteria: float
    requirements: float
    docs: float
    dependencies: float
    reason: str = ""  # when it is low
