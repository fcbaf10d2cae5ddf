"""Two commits whose difference a page shows."""

from __future__ import annotations

from msgspec import Struct


class Pair(Struct, frozen=True):
    title: str
    old: str
    new: str
