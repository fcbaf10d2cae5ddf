"""``autopilot issue``"""

from __future__ import annotations

import argparse
import shlex

from autopilot.cli.driving import drive_here
from autopilot.cli.issue.options import read_findings, read_wishes
from autopilot.model.issue.issue import IssueRequest
from autopilot.model.run import RunRequest


def main(options: argparse.Namespace) -> int:
    asked = IssueRequest(" ".join(options.issue), read_wishes(options), read_findings(options))
    request = RunRequest(
        fresh=options.fresh,
        skip_cooldown=options.now,
        words=shlex.join(("autopilot", *options.written)),
        issue=asked,
    )
    return drive_here(request, options, f"autopilot issue {shlex.quote(asked.word)}")
