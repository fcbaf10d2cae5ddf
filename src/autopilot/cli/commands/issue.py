"""``autopilot issue``"""

from __future__ import annotations

import argparse
import shlex

from autopilot.cli.issue.options import read_findings, read_issue_options
from autopilot.cli.run_driver import drive_run
from autopilot.cli.run_options import repeated_options
from autopilot.model.intent import Intent
from autopilot.model.issue.issue import IssueRequest
from autopilot.model.run import RunRequest


def main(options: argparse.Namespace) -> int:
    issue = IssueRequest(" ".join(options.issue), read_issue_options(options), read_findings(options))
    request = RunRequest(
        fresh=options.fresh,
        skip_cooldown=options.now,
        command=shlex.join(("autopilot", *options.written)),
        issue=issue,
        intent=Intent(accept_red=tuple(options.accept_red)),
        repeated_options=repeated_options(options),
    )
    return drive_run(request, options, f"autopilot issue {shlex.quote(issue.word)}")
