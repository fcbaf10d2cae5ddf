"""Where a run stands, in one line. Imports nothing: it is printed in shell prompts."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def render_line(document: Mapping[str, Any], alive: bool) -> str:
    """``status --line``: for prompts and status bars."""
    meta = document["_meta"]
    done = sum(phase["status"] == "completed" for phase in document["phases"].values())
    where = f" phase {meta['current_phase']} {meta['current_step'] or ''}".rstrip() if meta["current_phase"] else ""
    return f"{meta['run_id']} {run_word(meta, alive)} {done}/{meta['total_phases']}{where}"


def line_facts(document: Mapping[str, Any]) -> dict[str, Any]:
    """What of the status document the line needs."""
    phases = {key: {"status": phase["status"]} for key, phase in document["phases"].items()}
    return {"_meta": document["_meta"], "phases": phases}


def run_word(meta: Mapping[str, Any], alive: bool) -> str:
    """A run that is recorded as running but that nobody drives was interrupted."""
    return "interrupted" if meta["status"] == "running" and not alive else str(meta["status"])
