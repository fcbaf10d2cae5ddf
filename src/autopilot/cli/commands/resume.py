"""``autopilot resume``"""

from __future__ import annotations

import argparse

from autopilot.cli.run_driver import drive_run
from autopilot.model.run import RunRequest


def main(options: argparse.Namespace) -> int:
    return drive_run(RunRequest(resume_only=True, skip_cooldown=options.now), options, "autopilot resume")
