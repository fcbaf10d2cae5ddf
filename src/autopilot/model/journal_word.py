"""A word that journals hold and code decides by."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class JournalWord(StrEnum):
    """The first member stands for every word of another version: its journals stay readable."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        return next(iter(cls)) if isinstance(value, str) else None
