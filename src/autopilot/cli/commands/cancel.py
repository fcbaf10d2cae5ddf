"""``autopilot cancel``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.cancelling import cancel
from autopilot.cli.saying import say
from autopilot.settings.reading import read_settings


def main(_: argparse.Namespace) -> int:
    settings = read_settings()
    said = cancel(assemble(find_repository(Path.cwd(), settings), settings), "you")
    say(f"{said}\n")
    return 0
