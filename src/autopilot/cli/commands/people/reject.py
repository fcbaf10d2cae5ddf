"""``autopilot reject``"""

from __future__ import annotations

import argparse

from autopilot.api.assembly import Assembly
from autopilot.api.people.inbox import GATE_NAME, is_waiting_for, read_open_runs
from autopilot.cli.commands.people.approve import assemble_here, record_decision
from autopilot.model.human import SECTIONS
from autopilot.planning.people.answers import compose_rejection
from autopilot.planning.roadmap.phase_id import parse_phase_id


def main(options: argparse.Namespace) -> int:
    assembly = assemble_here()
    name, arguments = options.name, options.arguments
    if name and not _is_name(assembly, name):
        name, arguments = "", (name, *arguments)
    reason = " ".join(filter(None, (*arguments, options.reason)))
    sections = {name: getattr(options, name) for name in SECTIONS}
    return record_decision(assembly, name, approved=False, reason=compose_rejection(reason, sections))


def _is_name(assembly: Assembly, word: str) -> bool:
    """Whether the first argument names a gate or a phase, and is not the first word of the reason.

    A word in the form of a name is taken for one, so that a gate that is not open, or is misspelt, is reported as that.
    """
    runs = read_open_runs(assembly, word)
    is_known = any(word in run.people.gates or is_waiting_for(run, word) for run in runs)
    return is_known or parse_phase_id(word) is not None or GATE_NAME.fullmatch(word) is not None
