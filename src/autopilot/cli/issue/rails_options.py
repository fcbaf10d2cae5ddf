"""The words that each rail takes, and the help that teaches them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import NamedTuple


class Rail(NamedTuple):
    arguments: str  # those in brackets may be left out
    about: str
    defaults: tuple[str, ...] = ()  # for those that are left out


# By the names that shell workflows know.
RAILS: Mapping[str, Rail] = {
    "fingerprint": Rail("", "of standard input, blanks folded; printed"),
    "record_iteration": Rail("LOG IT STEP VERDICT FP", "add an iteration to the audit log"),
    "record_halt": Rail("LOG STEP REASON [DIGEST]", "add a halt to it", ("[]",)),
    "check_sameness": Rail("LOG [STEP]", "trips when the last two failures are the same", ("",)),
    "check_stuck": Rail("LOG [WINDOW] [STEP]", "trips when one of the last WINDOW failures came twice", ("3", "")),
    "check_max_iterations": Rail("CUR MAX", "trips at the last iteration"),
    "check_log_integrity": Rail("LOG EXPECTED", "trips when the log is not the one that was recorded"),
    "pin_anchor": Rail("PIN", "freeze standard input, once"),
    "check_pin": Rail("PIN CUR", "trips when the fingerprint CUR is not the frozen one"),
    "record_red_evidence": Rail("RED TEST_SHA AT_FILE IMPL_SHA", "note that a test was red at a commit"),
    "check_red_evidence": Rail("TEST_SHA IMPL_SHA RED [DIR]", "trips unless it was red, and before IMPL_SHA", ("",)),
}
EPILOG = """exit status: 0 go on, 1 tripped, 2 the call is wrong or cannot be carried out, 3 the record is corrupt

Example:
  cat prd.md | autopilot rails pin_anchor prd.pin
  autopilot rails check_pin prd.pin "$(autopilot rails fingerprint < prd.md)" || exit"""


def add_rails(rails: argparse.ArgumentParser) -> None:
    width = max(len(f"{name} {rail.arguments}") for name, rail in RAILS.items())
    lines = (f"  {f'{name} {rail.arguments}'.ljust(width)}  {rail.about}\n" for name, rail in RAILS.items())
    rails.formatter_class = argparse.RawDescriptionHelpFormatter
    rails.description = f"Safety rails of a loop, one at a time, for shell workflows:\n\n{''.join(lines)}".rstrip()
    rails.epilog = EPILOG
    rails.add_argument("name", nargs="?", default="", metavar="NAME", help="the rail; dashes for underscores are fine")
    rails.add_argument("arguments", nargs="*", metavar="WORD", help="what it takes, as listed above")
    replay = "of check_red_evidence: see for ourselves that COMMAND fails at TEST_SHA and passes at IMPL_SHA"
    rails.add_argument("--replay", default="", metavar="COMMAND", help=replay)
