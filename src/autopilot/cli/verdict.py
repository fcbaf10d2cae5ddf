"""``autopilot verdict``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.verdicts import give_verdict
from autopilot.cli.saying import say
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    said = give_verdict(assembly, options.phase, options.verdict, tuple(options.issue), "you")
    say(f"{said}\n")
    return 0
