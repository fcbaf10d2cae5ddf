"""The arguments of every rail and their help text."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import NamedTuple


class Rail(NamedTuple):
    arguments: str  # those in brackets are optional
    about: str
    defaults: tuple[str, ...] = ()  # of the optional arguments


# The names are part of the interface for shell workflows.
RAILS: Mapping[str, Rail] = {
    "fingerprint": Rail("", "print the fingerprint of standard input, with whitespace collapsed"),
    "record_iteration": Rail("LOG IT STEP VERDICT FP", "add an iteration to the audit log"),
    "record_halt": Rail("LOG STEP REASON [DIGEST]", "add a halt to the audit log", ("",)),
    "check_sameness": Rail("LOG [STEP]", "trips when the last two failures are the same", ("",)),
    "check_stuck": Rail("LOG [WINDOW] [STEP]", "trips when two of the last WINDOW failures are the same", ("3", "")),
    "check_max_iterations": Rail("CUR MAX", "trips at the last iteration"),
    "check_log_integrity": Rail("LOG EXPECTED", "trips when the log has been changed or has another number of lines"),
    "pin_anchor": Rail("PIN", "pin the fingerprint of standard input, once"),
    "check_pin": Rail("PIN CUR", "trips when the fingerprint CUR is not the pinned one"),
    "record_red_evidence": Rail("RED TEST_SHA AT_FILE [IMPL_SHA]", "record that a test failed at a commit", ("",)),
    "check_red_evidence": Rail("TEST_SHA IMPL_SHA RED [DIR]", "trips unless the test failed before IMPL_SHA", ("",)),
}
EPILOG = """exit status: 0 passed, 1 tripped, 2 usage error or the rail could not run, 3 the record is corrupt
A LOG that does not exist yet counts as empty: check_sameness and check_stuck pass.

Example:
  cat prd.md | autopilot rails pin_anchor prd.pin
  autopilot rails check_pin prd.pin "$(autopilot rails fingerprint < prd.md)" || exit"""


def add_rails(rails: argparse.ArgumentParser) -> None:
    width = max(len(f"{name} {rail.arguments}") for name, rail in RAILS.items())
    lines = (f"  {f'{name} {rail.arguments}'.ljust(width)}  {rail.about}\n" for name, rail in RAILS.items())
    rails.formatter_class = argparse.RawDescriptionHelpFormatter
    rails.description = f"Safety rails for loops in shell workflows, one per call:\n\n{''.join(lines)}".rstrip()
    rails.epilog = EPILOG
    rails.add_argument(
        "name", nargs="?", default="", metavar="NAME", help="name of the rail; dashes may replace underscores"
    )
    rails.add_argument("arguments", nargs="*", metavar="ARGUMENT", help="arguments of the rail, as listed above")
    replay = "for check_red_evidence: run COMMAND; it must fail at TEST_SHA and pass at IMPL_SHA"
    rails.add_argument("--replay", default="", metavar="COMMAND", help=replay)
