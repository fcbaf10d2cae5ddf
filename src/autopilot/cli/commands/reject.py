"""``autopilot reject``"""

from __future__ import annotations

import argparse

from autopilot.cli.commands.approve import record_decision
from autopilot.model.human import SECTIONS
from autopilot.planning.people.answers import compose_rejection


def main(options: argparse.Namespace) -> int:
    reason = " ".join(filter(None, (*options.arguments, options.reason)))
    sections = {name: getattr(options, name) for name in SECTIONS}
    return record_decision(options.name, approved=False, reason=compose_rejection(reason, sections))
