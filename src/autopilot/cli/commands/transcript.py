"""``autopilot transcript [PHASE [STEP]]``"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from autopilot.api.assembly import Repository, find_repository
from autopilot.api.evidence.transcripts import printed_lines, read_calls, read_transcript
from autopilot.cli.output import print_json, print_message, print_output
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.transcript import CallShown, calls_document, head_of, render_calls, render_transcript
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    repository = find_repository(Path.cwd(), read_settings(), to_read=True)
    calls = read_calls(repository, options.phase, options.step, options.run or "")
    if options.json:
        _print_json(repository, calls, with_lines=bool(options.step))
    elif options.step:
        for call in calls:
            _print_call(repository, call, raw=options.raw)
    else:
        print_output(render_calls(calls))
        print_message(f"what one of them said: `autopilot transcript {calls[-1].phase} {calls[-1].number}`\n")
    return 0


def _print_call(repository: Repository, call: CallShown, *, raw: bool) -> None:
    lines = read_transcript(repository, call)
    print_output(f"{head_of(call)}\n")
    for text in lines if raw else render_transcript(printed_lines(lines)):
        print_output(f"{strip_controls(text)}\n")


def _print_json(repository: Repository, calls: Sequence[CallShown], *, with_lines: bool) -> None:
    document = calls_document(calls)
    if with_lines:
        for call, shown in zip(calls, document, strict=True):
            shown["lines"] = read_transcript(repository, call)
    print_json(document)
