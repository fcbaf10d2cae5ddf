"""What a phase is expected to cost, before it is begun."""

from __future__ import annotations

from msgspec import Struct


class Estimate(Struct, frozen=True):
    tokens: int
    simple: int = 0
    medium: int = 0
    complex: int = 0
    unknown: int = 0  # tasks without a known complexity; they weigh as medium ones

    @property
    def tasks(self) -> int:
        return self.simple + self.medium + self.complex + self.unknown
