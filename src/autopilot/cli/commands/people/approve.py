"""``autopilot approve`` and ``autopilot reject``: approve or reject a waiting gate or phase."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from autopilot.api.assembly import Assembly, assemble, find_repository
from autopilot.api.people.gate_answers import record_answer
from autopilot.api.people.inbox import read_open_runs
from autopilot.api.people.verdicts import record_verdict
from autopilot.cli.conversation import BY
from autopilot.cli.output import print_output
from autopilot.events.people import HumanAnswered
from autopilot.events.state import RunState
from autopilot.model.errors import UsageError
from autopilot.model.human import DECIDED
from autopilot.reports.status.gates import VERDICT, find_waiting
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    assembly = assemble_here()
    return record_decision(assembly, options.name, approved=True, reason="")


def assemble_here() -> Assembly:
    settings = read_settings()
    return assemble(find_repository(Path.cwd(), settings, to_read=True), settings)


def record_decision(assembly: Assembly, name: str, *, approved: bool, reason: str) -> int:
    name = name or _only_waiting(read_open_runs(assembly))
    print_output(_answer_gate_or_phase(assembly, name, approved, reason) + "\n")
    return 0


def _answer_gate_or_phase(assembly: Assembly, name: str, approved: bool, reason: str) -> str:
    """``name`` is the name of a gate or the number of a phase."""
    if not name[:1].isdecimal():
        return record_answer(assembly, HumanAnswered(name, {}, BY, approved, comment=reason))
    verdict = "pass" if approved else "fail"
    return record_verdict(assembly, name, verdict, (reason,) if reason else (), BY)


def _only_waiting(runs: Sequence[RunState]) -> str:
    waiting = [item.name for run in runs for item in find_waiting(run) if item.kind in (*DECIDED, VERDICT)]
    if len(waiting) == 1:
        return waiting[0]
    if not waiting:
        raise UsageError("nothing is waiting for approval or rejection", "`autopilot gates` lists what waits for you")
    raise UsageError("several gates or phases are waiting; name one of them", f"waiting: {', '.join(waiting)}")
