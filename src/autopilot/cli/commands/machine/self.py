"""``autopilot self check``"""

from __future__ import annotations

import argparse

import msgspec

from autopilot.api.machine.checking import Part, check_machine
from autopilot.cli.output import print_json, print_output
from autopilot.model.errors import UsageError
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.settings.reading import default_settings, read_settings


def main(options: argparse.Namespace) -> int:
    if options.action is None:
        raise UsageError("`autopilot self` needs to know what to do", "write `autopilot self check`")
    parts = _check()
    if options.json:
        print_json([msgspec.to_builtins(part) for part in parts])
    else:
        print_output("".join(map(_render, parts)) + _sum_up(parts))
    return 5 if any(part.state == "problem" for part in parts) else 0


def _check() -> list[Part]:
    """Wrong settings are one finding among others."""
    try:
        return list(check_machine(read_settings()))
    except UsageError as error:
        wrong = Part("settings", "every run", "problem", f"{error}; the checks below use the defaults", error.hint)
        return [wrong, *check_machine(default_settings())]


def _render(part: Part) -> str:
    remedy = f"\n          remedy: {part.remedy}" if part.remedy and part.state != "ok" else ""
    return strip_controls(f"{part.state:<8}  {part.subject} (for {part.feature}): {part.detail}{remedy}") + "\n"


def _sum_up(parts: list[Part]) -> str:
    wrong = [part.subject for part in parts if part.state == "problem"]
    if wrong:
        return f"\nno run can begin here: {', '.join(wrong)}\n"
    return "\nruns can begin; in a repository `autopilot doctor` checks the rest\n"
