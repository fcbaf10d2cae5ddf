"""``autopilot debug``"""

from __future__ import annotations

import argparse
import shlex

from autopilot.cli.run_driver import drive_run
from autopilot.cli.run_options import repeated_options
from autopilot.model.debugging.session import DebugRequest
from autopilot.model.errors import UsageError
from autopilot.model.run import RunRequest


def main(options: argparse.Namespace) -> int:
    if options.action in ("start", "continue"):
        return _drive(options)
    from autopilot.cli.debugging import reading

    return reading.main(options)


def read_request(options: argparse.Namespace) -> DebugRequest:
    return DebugRequest(
        text=" ".join(options.text).strip(),
        slug=getattr(options, "session", ""),
        about=getattr(options, "phase", ""),
        find_only=options.find_only,
        good=options.good,
    )


def _drive(options: argparse.Namespace) -> int:
    asked = read_request(options)
    if not asked.slug and not asked.text:
        raise UsageError("say what is wrong", 'autopilot debug start "the last row of every page is missing"')
    request = RunRequest(
        skip_cooldown=options.now,
        command=shlex.join(("autopilot", *options.written)),
        debug=asked,
        repeated_options=repeated_options(options),
    )
    return drive_run(request, options, f"autopilot debug {options.action}")
