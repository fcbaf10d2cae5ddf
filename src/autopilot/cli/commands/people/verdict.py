"""``autopilot verdict``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import Assembly, assemble, find_repository
from autopilot.api.people.inbox import read_open_runs
from autopilot.api.people.verdicts import not_waiting, record_verdict
from autopilot.cli.conversation import BY, ask_open_gates
from autopilot.cli.output import print_output
from autopilot.cli.terminal import is_terminal
from autopilot.model.errors import UsageError
from autopilot.planning.people.answers import VERDICTS
from autopilot.planning.roadmap.phase_id import parse_phase_id
from autopilot.reports.status.gates import wait_for_verdict
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings, to_read=True), settings)
    phase, verdict = options.phase, options.verdict
    if phase in VERDICTS and not verdict:
        phase, verdict = "", phase
    if not verdict:
        return _ask_at_terminal(assembly, phase)
    message = record_verdict(assembly, phase or _only_waiting(assembly), verdict, tuple(options.issue), BY)
    print_output(f"{message}\n")
    return 0


def _only_waiting(assembly: Assembly) -> str:
    waiting = [phase.id for run in read_open_runs(assembly) for phase in wait_for_verdict(run)]
    if len(waiting) == 1:
        return waiting[0]
    if not waiting:
        raise UsageError("no phase is waiting for a verdict", "`autopilot status` shows the last run")
    raise UsageError("several phases are waiting for a verdict; name one of them", f"waiting: {', '.join(waiting)}")


def _ask_at_terminal(assembly: Assembly, phase: str) -> int:
    runs = read_open_runs(assembly, phase)
    state = next((run for run in runs if wait_for_verdict(run)), runs[-1])
    wanted = parse_phase_id(phase) or phase
    waiting = [candidate.id for candidate in wait_for_verdict(state) if wanted in ("", candidate.id)]
    if phase and not waiting:
        raise not_waiting(runs, phase)
    if not waiting or not is_terminal():
        name = phase or _only_waiting(assembly)
        raise UsageError("no verdict is given", f"write `autopilot verdict {name} pass`, or fail, or issues_found")
    others = {*state.people.gates, *(candidate for candidate in state.phases if candidate not in waiting)}
    outcome = ask_open_gates(state, assembly, others)
    print_output("".join(f"{message}\n" for message in outcome.settled))
    return 0 if outcome.settled else 3
