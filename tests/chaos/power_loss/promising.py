"""How a piece says that the product has acknowledged something: by a system call that changes nothing.

Strace sees it in its place among the others, and no error that is injected into writes ever hits it. Where no strace
looks on, `list_promises` says which file they are added to.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

PREFIX = "/acknowledged/"
_LISTED = "PROMISES_LISTED_IN"


def promise(text: str) -> None:
    with suppress(OSError):
        Path(PREFIX + text).readlink()
    if _LISTED in os.environ:
        with Path(os.environ[_LISTED]).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")


def list_promises(path: Path) -> dict[str, str]:
    """For the environment of a piece's process."""
    return {_LISTED: str(path)}
