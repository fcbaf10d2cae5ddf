"""``autopilot verdict``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import Assembly, assemble, find_repository
from autopilot.api.people.noting import read_open_runs
from autopilot.api.people.verdicts import give_verdict
from autopilot.cli.conversation import BY, converse
from autopilot.cli.saying import say
from autopilot.cli.terminal import is_terminal
from autopilot.model.errors import UsageError
from autopilot.planning.people.answers import VERDICTS
from autopilot.reports.status.gates import wait_for_verdict
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    phase, verdict = options.phase, options.verdict
    if phase in VERDICTS and not verdict:
        phase, verdict = "", phase
    if not verdict:
        return _ask(assembly, phase)
    said = give_verdict(assembly, phase or _only_one(assembly), verdict, tuple(options.issue), BY)
    say(f"{said}\n")
    return 0


def _only_one(assembly: Assembly) -> str:
    waiting = [phase.id for run in read_open_runs(assembly) for phase in wait_for_verdict(run)]
    if len(waiting) == 1:
        return waiting[0]
    if not waiting:
        raise UsageError("no phase waits for a verdict", "autopilot status")
    raise UsageError("several phases wait for a verdict; name one", f"waiting: {', '.join(waiting)}")


def _ask(assembly: Assembly, phase: str) -> int:
    runs = read_open_runs(assembly)
    state = next((run for run in runs if wait_for_verdict(run)), runs[-1])
    waiting = [each.id for each in wait_for_verdict(state) if phase in ("", each.id)]
    if not waiting or not is_terminal():
        name = phase or _only_one(assembly)
        raise UsageError("it is not said what the verdict is", f"autopilot verdict {name} pass")
    others = {*state.gates, *(each for each in state.phases if each not in waiting)}
    said = converse(state, assembly, others)
    say("".join(f"{words}\n" for words in said.settled))
    return 0 if said.settled else 3
