"""``autopilot evidence PHASE``, ``autopilot evidence output HASH`` and ``autopilot evidence verify RUN``"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import msgspec

from autopilot.api.assembly import find_repository
from autopilot.api.evidence.phase_evidence import read_evidence, read_stored
from autopilot.api.evidence.reverification import reverify
from autopilot.cli.output import print_json, print_message, print_output
from autopilot.model.errors import UsageError
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.evidence.comparison import (
    Compared,
    exit_status_of,
    render_compared,
    render_total,
    reproved_document,
)
from autopilot.reports.evidence.text import render_evidence
from autopilot.settings.reading import read_settings

VERIFY, OUTPUT = "verify", "output"


def main(options: argparse.Namespace) -> int:
    if options.what[0] == VERIFY:
        return _verify(options)
    if options.what[0] == OUTPUT:
        return _print_stored(options)
    if len(options.what) > 1:
        hint = f"write `autopilot evidence {options.what[0]}`"
        raise UsageError(f"{' '.join(options.what)} is more than one phase", hint)
    if options.phase:
        hint = f"write `autopilot evidence {options.what[0]}`"
        raise UsageError("--phase works only with `autopilot evidence verify`", hint)
    evidence = read_evidence(
        find_repository(Path.cwd(), read_settings(), to_read=True), options.what[0], options.run or ""
    )
    if options.json:
        print_json(msgspec.to_builtins(evidence))
    else:
        print_output(render_evidence(evidence, shutil.get_terminal_size().columns))
    return 0


def _print_stored(options: argparse.Namespace) -> int:
    """What a command printed, without secrets; foreign text, so without what would steer a terminal."""
    if len(options.what) != 2:
        raise UsageError(
            "name one output", "write `autopilot evidence output 1a2b3c4d5e6f`, as `evidence PHASE` shows it"
        )
    print_output(
        strip_controls(read_stored(find_repository(Path.cwd(), read_settings(), to_read=True), options.what[1]))
    )
    return 0


def _verify(options: argparse.Namespace) -> int:
    """Print each comparison as it is made: results to standard output, progress to standard error."""
    run = _named_run(options)
    settings = read_settings()
    repository = find_repository(Path.cwd(), settings, to_read=True)
    compared: list[Compared] = []
    for step in reverify(repository, settings, run, options.phase or ""):
        if isinstance(step, str):
            print_message(f"{step}\n")
            continue
        compared.append(step)
        if not options.json:
            print_output(f"{render_compared(step)}\n")
    if options.json:
        print_json(reproved_document(run, compared))
    else:
        print_output(f"{render_total(compared)}\n")
    return exit_status_of(compared)


def _named_run(options: argparse.Namespace) -> str:
    names = [*options.what[1:], *([options.run] if options.run else [])]
    if len(names) != 1:
        raise UsageError(
            "name exactly one run to verify",
            "write `autopilot evidence verify RUN`; `autopilot report` shows the name of the last run",
        )
    return str(names[0])
