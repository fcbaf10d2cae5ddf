"""``autopilot pause``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.cancellation import pause
from autopilot.cli.output import print_output
from autopilot.settings.reading import read_settings


def main(_: argparse.Namespace) -> int:
    settings = read_settings()
    message = pause(assemble(find_repository(Path.cwd(), settings, to_read=True), settings), "you")
    print_output(f"{message}\n")
    return 0
