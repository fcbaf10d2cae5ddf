"""What is run to call tests outside of their tool: a command, and the tree it needs."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping

from msgspec import Struct

Edits = Mapping[str, bytes | None]  # what to write into the tree of the work, None to take a file away
Read = Callable[[str], bytes | None]


class Prepared(Struct, frozen=True):
    command: str
    edits: Edits = {}


def hide_script(script: str) -> str:
    """In a form that names no tool and no test: code may look at the arguments of the process that started it."""
    encoded = base64.b64encode(f"{script}\ntrue\n".encode()).decode()
    return f"base64 -d <<< {encoded} | bash 3>&1 >/dev/null 2>&1"
