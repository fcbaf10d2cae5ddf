"""Reads a golden journal, and says of a folded run what every later version must still find in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from autopilot.events.codec import decode
from autopilot.events.entry import Stored
from autopilot.events.issue.state import IssueState
from autopilot.events.state import PhaseState, RunState

FOLDER = Path(__file__).parent


def read_golden(path: Path) -> Iterator[Stored]:
    for seq, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        event = decode(row["kind"], msgspec.json.encode(row["payload"]))
        yield Stored(seq, datetime.fromisoformat(row["at"]), row["run"], row["key"], event)


def summarise(state: RunState) -> dict[str, Any]:
    return {
        "run": state.run,
        "status": state.status.value,
        "exit_status": state.session.exit_status,
        "events": state.seq,
        "branch": state.line.branch,
        "tip": state.line.tip,
        "tokens": state.totals.usage.tokens,
        "phases": {phase.id: _summarise_phase(phase) for phase in state.phases.values()},
        **({"issue": _summarise_issue(state.issue)} if state.issue else {}),
    }


def _summarise_issue(issue: IssueState) -> dict[str, Any]:
    return {
        "number": issue.brief.number,
        "route": issue.route,
        "cycle": issue.cycle,
        "escalated": issue.escalated,
        "rows": [f"{row.step} {row.iteration} {row.verdict}" for row in issue.audit.rows],
        "baseline": issue.baseline.commit,
        "branch": issue.ending.handed_off.branch if issue.ending.handed_off else "",
    }


def _summarise_phase(phase: PhaseState) -> dict[str, Any]:
    return {
        "name": phase.brief.name,
        "status": phase.status.value,
        "attempt": phase.totals.attempt,
        "gate": phase.ruling.outcome.value if phase.ruling.outcome else None,
        "score": phase.reviews.score,
        "landing": phase.landing.state,
        "tokens": phase.totals.usage.tokens,
        "steps": {name: step.status for name, step in phase.steps.items()},
        "verdicts": {verdict.subject: verdict.outcome.value for verdict in phase.gate.verdicts},
        "tasks": {
            id: {"status": task.status, "commit": task.commit, "debugs": task.debugs, "caught": list(task.caught)}
            for id, task in phase.tasks.items()
        },
    }
