"""What every piece offers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol


class Piece(Protocol):
    def prepare(self, folder: Path) -> None: ...

    def perform(self, folder: Path) -> None: ...

    def judge(self, folder: Path, promised: Sequence[str]) -> None: ...


def latest(promised: Sequence[str], kind: str) -> dict[str, str]:
    """Of promises ``KIND NAME VALUE``: the last value of each name."""
    words = (each.split(" ", 2) for each in promised)
    return {each[1]: each[2] for each in words if each[0] == kind}
