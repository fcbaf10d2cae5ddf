"""``autopilot resume``"""

from __future__ import annotations

import argparse

from autopilot.cli.run_driver import drive_run
from autopilot.cli.run_options import repeated_options
from autopilot.model.run import RunRequest


def main(options: argparse.Namespace) -> int:
    request = RunRequest(resume_only=True, skip_cooldown=options.now, repeated_options=repeated_options(options))
    return drive_run(request, options, "autopilot resume")
