"""Where a run stands: one line, or a short page, from its status document. Imports nothing: prompts print it."""

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


def render_status(document: Mapping[str, Any], alive: bool) -> str:
    meta = document["_meta"]
    because = f" ({meta['stop_reason']})" if meta["stop_reason"] else ""
    lines = [f"{meta['run_id']}: {run_word(meta, alive)}{because}"]
    for key, phase in document["phases"].items():
        score = f" {phase['alignment_score']}/10" if phase["alignment_score"] is not None else ""
        note = f" - {phase['failure']}" if phase["failure"] else ""
        lines.append(f"  phase {key}  {phase['status']:<12}{score}  {phase['name']}{note}")
    lines += [f"  caught: phase {c['phase']} task {c['task']} {c['because']}" for c in document["caught"]]
    if document["landing"]:
        lines.append(f"  {document['landing']}")
    metrics = document["metrics"]
    lines.append(f"  tokens {metrics['total_tokens_used']:,}, {metrics['total_usd']:.2f} USD")
    if not meta["sandboxed"]:
        lines.append("  commands ran WITHOUT a sandbox, by your written opt-out")
    # A reason with a line end in it must not be able to write a line of its own.
    return "\n".join(line.replace("\n", " ").replace("\r", " ") for line in lines)


def line_facts(document: Mapping[str, Any]) -> dict[str, Any]:
    """What of the status document the line needs."""
    phases = {key: {"status": phase["status"]} for key, phase in document["phases"].items()}
    return {"_meta": document["_meta"], "phases": phases}


def run_word(meta: Mapping[str, Any], alive: bool) -> str:
    """A run that is recorded as running but that nobody drives was interrupted."""
    return "interrupted" if meta["status"] == "running" and not alive else str(meta["status"])
