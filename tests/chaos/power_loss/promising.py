"""How a recorded program says that the product has acknowledged something: by a system call that changes nothing.

Strace sees it in its place among the others, and no error that is injected into writes ever hits it.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

PREFIX = "/acknowledged/"


def promise(text: str) -> None:
    with suppress(OSError):
        Path(PREFIX + text).readlink()
