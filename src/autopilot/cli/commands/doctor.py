"""``autopilot doctor``"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import msgspec

from autopilot.api.attachment import attach
from autopilot.api.doctor import Finding, examine
from autopilot.cli.output import print_output
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    if options.attach:
        print_output(attach(Path.cwd(), settings, options.attach) + "\n")
        return 0
    findings = list(examine(Path.cwd(), settings))
    if options.json:
        print_output(json.dumps([msgspec.to_builtins(finding) for finding in findings], indent=2) + "\n")
    else:
        print_output("".join(map(_render, findings)))
    return 5 if any(finding.state == "problem" for finding in findings) else 0


def _render(finding: Finding) -> str:
    remedy = f"\n          remedy: {finding.remedy}" if finding.remedy else ""
    return strip_controls(f"{finding.state:<8}  {finding.subject}: {finding.detail}{remedy}") + "\n"
