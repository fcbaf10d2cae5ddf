"""``autopilot resume``"""

from __future__ import annotations

import argparse

from autopilot.cli.driving import drive_here
from autopilot.model.run import RunRequest


def main(options: argparse.Namespace) -> int:
    return drive_here(RunRequest(resume_only=True, skip_cooldown=options.now), options, "autopilot resume")
