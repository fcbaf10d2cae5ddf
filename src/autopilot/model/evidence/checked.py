"""What a check of files found, and what it could not check."""

from __future__ import annotations

from msgspec import Struct


class Checked(Struct, frozen=True):
    """``unseen`` is never a finding: nothing is broken there as far as anyone knows, and nothing is proven."""

    findings: tuple[str, ...] = ()  # "path:line: message"
    unseen: tuple[str, ...] = ()

    def __add__(self, other: Checked) -> Checked:
        return Checked(self.findings + other.findings, self.unseen + other.unseen)
