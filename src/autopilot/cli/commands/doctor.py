"""``autopilot doctor``"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec

from autopilot.adapters.clock import SystemClock
from autopilot.api.attachment import attach
from autopilot.api.doctor import examine
from autopilot.api.findings.finding import Finding
from autopilot.cli.output import print_json, print_output
from autopilot.cli.waiting import waiting
from autopilot.model.errors import UsageError
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.settings.reading import Settings, default_settings, read_settings


def main(options: argparse.Namespace) -> int:
    if options.attach:
        print_output(attach(Path.cwd(), read_settings(), options.attach) + "\n")
        return 0
    with waiting(SystemClock()) as report:
        findings = list(examine(Path.cwd(), *_read_settings(), None if options.no_try else report))
    if options.json:
        print_json([msgspec.to_builtins(finding) for finding in findings])
    else:
        print_output("".join(map(_render, findings)))
    return 5 if any(finding.state == "problem" for finding in findings) else 0


def _read_settings() -> tuple[Settings, UsageError | None]:
    """The settings, or the defaults and what is wrong with the file: that is one finding among others."""
    try:
        return read_settings(), None
    except UsageError as error:
        return default_settings(), error


def _render(finding: Finding) -> str:
    remedy = f"\n          remedy: {finding.remedy}" if finding.remedy else ""
    return strip_controls(f"{finding.state:<8}  {finding.subject}: {finding.detail}{remedy}") + "\n"
