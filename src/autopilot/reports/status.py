"""Where a run stands: one line, or a short page. Reads the status document, so a prepared one serves as well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autopilot.events.state import RunState
from autopilot.reports.status_line import run_word


def status_document(state: RunState, document: Mapping[str, Any], landing: str) -> dict[str, Any]:
    """What ``status --json`` prints: the state without its event log, and what the user can do next."""
    return {
        **{key: value for key, value in document.items() if key != "event_log"},
        "warnings": list(state.warnings),
        "landing": landing,
        "caught": [
            {"phase": phase.id, "task": task.task.id, "claimed": "done", "because": reason}
            for phase in state.phases.values()
            for task in phase.tasks.values()
            for reason in task.caught
        ],
    }


def landing_words(state: RunState) -> str:
    waiting = [p for p in state.phases.values() if p.landing.state == "deferred"]
    if not waiting:
        return ""
    last = waiting[-1].landing
    return f"landing waits ({last.because}); the work is on branch {last.branch}"


def render_status(document: Mapping[str, Any], alive: bool) -> str:
    meta = document["_meta"]
    because = f" ({meta['stop_reason']})" if meta["stop_reason"] else ""
    lines = [f"{meta['run_id']}: {run_word(meta, alive)}{because}"]
    for key, phase in document["phases"].items():
        score = f" {phase['alignment_score']}/10" if phase["alignment_score"] is not None else ""
        note = f" - {phase['failure']}" if phase["failure"] else ""
        lines.append(f"  phase {key}  {phase['status']:<12}{score}  {phase['name']}{note}")
    lines += [f"  caught: phase {c['phase']} task {c['task']}: {c['because']}" for c in document["caught"]]
    if document["landing"]:
        lines.append(f"  {document['landing']}")
    metrics = document["metrics"]
    lines.append(f"  tokens {metrics['total_tokens_used']:,}, {metrics['total_usd']:.2f} USD")
    if not meta["sandboxed"]:
        lines.append("  commands ran WITHOUT a sandbox, by your written opt-out")
    return "\n".join(lines)
