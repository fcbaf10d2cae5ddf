"""``autopilot run``"""

from __future__ import annotations

import argparse

from autopilot.cli.driving import drive_here
from autopilot.model.run import RunRequest


def main(options: argparse.Namespace) -> int:
    request = RunRequest(phases=tuple(options.phases), fresh=options.fresh, skip_cooldown=options.now)
    return drive_here(request, options, " ".join(("autopilot run", *options.phases)))
