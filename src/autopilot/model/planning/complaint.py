"""What was not understood in a file, and where."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    BLOCKER = "blocker"
    WARNING = "warning"
    INFO = "info"


class Complaint(Struct, frozen=True):
    path: str
    line: int  # 1-based; 0 when the whole file is meant
    text: str
    severity: Severity = Severity.WARNING

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}" if self.line else f"{self.path}: {self.text}"
