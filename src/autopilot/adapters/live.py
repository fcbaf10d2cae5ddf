"""What agents are doing just now, for a reader. Loads next to nothing, not even paths; hence the strings."""

# ruff: noqa: PTH118, PTH123, PTH208

from __future__ import annotations

import json
import os
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_live(folder: str) -> list[dict[str, Any]]:
    """Every call in progress, the oldest first; what a killed process left open is none."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = [doing for name in names if name.endswith(".json") and (doing := read_doing(os.path.join(folder, name)))]
    return sorted(found, key=lambda doing: (-doing["elapsed_s"], doing["phase"], doing["task"]))


def read_doing(path: str) -> dict[str, Any] | None:
    """One call in progress; None where there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        os.kill(content["listener"], 0)
        usage = content["usage"]
        return {
            **{name: content[name] for name in ("agent", "role", "phase", "task", "activity")},
            "tokens": usage["tokens_in"] + usage["tokens_out"],
            "tokens_counted": max(0, usage["tokens_in"] + usage["tokens_out"] - usage.get("tokens_discounted", 0)),
            "usd": usage["usd"],
            "elapsed_s": max(0, int(time.clock_gettime(time.CLOCK_BOOTTIME) - content["since"])),
        }
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None  # it ended while we looked, or another version wrote it
