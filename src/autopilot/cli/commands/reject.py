"""``autopilot reject``"""

from __future__ import annotations

import argparse

from autopilot.cli.commands.approve import decide
from autopilot.model.human import SECTIONS
from autopilot.planning.people.answers import compose_rejection


def main(options: argparse.Namespace) -> int:
    words = " ".join(filter(None, (*options.words, options.reason)))
    sections = {name: getattr(options, name) for name in SECTIONS}
    return decide(options.name, approved=False, reason=compose_rejection(words, sections))
