"""Where a run stands: one line, or a short page, from its status document. Imports nothing: prompts print it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

WAITS = "needs_human_verification"


def render_line(document: Mapping[str, Any], alive: bool) -> str:
    """``status --line``: for prompts and status bars."""
    meta = document["_meta"]
    statuses = [phase["status"] for phase in document["phases"].values()]
    where = f" phase {meta['current_phase']} {meta['current_step'] or ''}".rstrip() if meta["current_phase"] else ""
    person = f", {statuses.count(WAITS)} for you" if WAITS in statuses else ""
    done = f"{statuses.count('completed')}/{meta['total_phases']}"
    return f"{meta['run_id']} {run_word(meta, alive)} {done}{person}{where}"


def render_status(document: Mapping[str, Any], alive: bool) -> str:
    meta = document["_meta"]
    because = f" ({_reason(document)})" if meta["stop_reason"] else ""
    lines = [f"{meta['run_id']}: {run_word(meta, alive)}{because}"]
    for key, phase in document["phases"].items():
        lines += _phase_lines(key, phase)
    lines += [f"  caught: phase {c['phase']} task {c['task']} {c['because']}" for c in document["caught"]]
    breaker = document["circuit_breaker"]
    if breaker["state"] != "closed":
        until = f", until {breaker['cooldown_until']}" if breaker["cooldown_until"] else ""
        lines.append(f"  the circuit breaker is {breaker['state'].replace('_', '-')}{until}: {breaker['reason']}")
    if document["landing"]:
        lines.append(f"  {document['landing']}")
    lines.append(_spent(document["metrics"]))
    if not meta["sandboxed"]:
        lines.append("  commands ran WITHOUT a sandbox, by your written opt-out")
    # A reason with a line end in it must not be able to write a line of its own.
    return "\n".join(line.replace("\n", " ").replace("\r", " ") for line in lines)


def _reason(document: Mapping[str, Any]) -> str:
    """Why it rests; once every verdict it waited for is given, that it can go on."""
    meta = document["_meta"]
    waiting = [phase for phase in document["phases"].values() if phase["status"] == WAITS]
    if meta["status"] == "waiting" and waiting and all(phase["human_verdict"] for phase in waiting):
        return "your verdict is in: autopilot resume"
    return str(meta["stop_reason"])


def _phase_lines(key: str, phase: Mapping[str, Any]) -> Iterator[str]:
    score = f" {phase['alignment_score']}/10" if phase["alignment_score"] is not None else ""
    note = f" - {phase['failure']}" if phase["failure"] else ""
    if phase["force_incomplete"]:
        note = f" - incomplete, see {phase['diagnostic_path']}"
    if phase["status"] == WAITS:
        said = phase["human_verdict"]
        note = (
            f" - your verdict: {said['verdict']}"
            if said
            else f" - waits for your verdict: autopilot verdict {key} pass"
        )
    yield f"  phase {key}  {phase['status']:<12}{score}  {phase['name']}{note}"
    for part in phase.get("sub_phases", ()):  # a row that an older version prepared has none
        score = f" {part['alignment_score']}/10" if part["alignment_score"] is not None else ""
        note = f" - {part['failure']}" if part["failure"] else ""
        yield f"    part {part['sub_phase_id']}  {part['status']:<12}{score}  {part['name']}{note}"


def _spent(metrics: Mapping[str, Any]) -> str:
    expected = metrics.get("total_estimated_tokens")
    estimate = f" (estimated {expected:,})" if expected else ""
    return f"  tokens {metrics['total_tokens_used']:,}{estimate}, {metrics['total_usd']:.2f} USD"


def line_facts(document: Mapping[str, Any]) -> dict[str, Any]:
    """What of the status document the line needs."""
    phases = {key: {"status": phase["status"]} for key, phase in document["phases"].items()}
    wanted = ("run_id", "status", "total_phases", "current_phase", "current_step")
    return {"_meta": {key: document["_meta"][key] for key in wanted}, "phases": phases}


def run_word(meta: Mapping[str, Any], alive: bool) -> str:
    """A run that is recorded as running but that nobody drives was interrupted."""
    return "interrupted" if meta["status"] == "running" and not alive else str(meta["status"])
