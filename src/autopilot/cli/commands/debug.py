"""``autopilot debug``"""

from __future__ import annotations

import argparse
import shlex

from autopilot.cli.run_driver import drive_run
from autopilot.cli.run_options import repeated_options
from autopilot.model.debugging.session import DebugRequest
from autopilot.model.run import RunRequest


def main(options: argparse.Namespace) -> int:
    if options.action in ("start", "continue"):
        return _drive(options)
    from autopilot.cli.debugging import reading

    return reading.main(options)


def _drive(options: argparse.Namespace) -> int:
    words = " ".join(options.text).strip()
    asked = DebugRequest(
        text=words,
        slug=getattr(options, "session", ""),
        about=getattr(options, "phase", "") or "",
        find_only=options.find_only,
        good=options.good,
    )
    request = RunRequest(
        skip_cooldown=options.now,
        command=shlex.join(("autopilot", *options.written)),
        debug=asked,
        repeated_options=repeated_options(options),
    )
    return drive_run(request, options, f"autopilot debug {options.action}")
