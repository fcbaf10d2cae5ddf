"""``autopilot plan``"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from autopilot.api.assembly import Assembly, assemble, find_repository
from autopilot.api.phases.drafting import Shown, accept_draft, discard_draft, find_draft
from autopilot.api.phases.writing import Request
from autopilot.cli.edit_output import repeatable, report_edit
from autopilot.cli.output import print_json, print_message, print_output
from autopilot.cli.run_driver import drive_run
from autopilot.cli.run_options import repeated_options
from autopilot.cli.terminal import is_terminal
from autopilot.model.errors import UsageError
from autopilot.model.planning.draft import LONGEST, DraftRequest
from autopilot.model.planning.edit import Edit
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import RunRequest
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.drafting import draft_document, draft_ending, name_of, way_to_accept
from autopilot.reports.phases.edit_text import render_diff
from autopilot.settings.reading import read_settings

WAITS = 3


def main(options: argparse.Namespace) -> int:
    asked = " ".join(options.wanted).strip()
    if [bool(asked), options.accept is not None, options.discard].count(True) > 1:
        raise UsageError("a draft is asked for, accepted or dropped, one at a time", "give one of the three")
    if asked:
        return _draft(options)
    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    assembly.interruption.install()
    if options.discard:
        message = discard_draft(assembly)
        print_json({"discarded": True}) if options.json else print_output(f"{message}\n")
        return 0
    if options.accept is not None:
        return _accept(assembly, options)
    return _show(find_draft(assembly), options)


def _draft(options: argparse.Namespace) -> int:
    request = RunRequest(
        skip_cooldown=options.now,
        command=shlex.join(("autopilot", *options.written)),
        draft=_read_wanted(options.wanted),
        repeated_options=repeated_options(options),
    )
    status = drive_run(request, options, "autopilot plan")
    if status != WAITS or options.json or options.quiet or not is_terminal():
        return status
    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    return _ask(assembly, options, find_draft(assembly))


def _read_wanted(wanted: list[str]) -> DraftRequest:
    """A single word that names a file is a document; anything else is what is wanted."""
    file = Path(wanted[0])
    if len(wanted) > 1 or any(letter.isspace() for letter in wanted[0]) or not file.is_file():
        return DraftRequest(" ".join(wanted).strip())
    with file.open("rb") as opened:
        content = opened.read(LONGEST + 1)
    if len(content) > LONGEST or b"\0" in content:
        raise UsageError(
            f"{file} is no document of up to {LONGEST // 1024} KiB", "name a text file, or write it as an argument"
        )
    text = content.decode("utf-8", "replace").strip()
    if not text:
        raise UsageError(f"{file} is empty", "write down what you want")
    return DraftRequest(text, str(file))


def _accept(assembly: Assembly, options: argparse.Namespace) -> int:
    if not options.accept and is_terminal() and not options.json:
        return _ask(assembly, options, find_draft(assembly))
    request = Request(repeatable(options), not options.no_commit)
    options.dry_run = False
    report_edit(accept_draft(assembly, request, options.accept), options)
    return 0


def _ask(assembly: Assembly, options: argparse.Namespace, shown: Shown) -> int:
    """The user who says yes has the whole diff above the question."""
    _show(shown, options)
    if not shown.draft.is_ready:
        return WAITS
    print_message(f"write this into {shown.draft.brief.path}? [y/N] ")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        print_message("nothing was written; the draft is kept\n")
        return WAITS
    options.accept = name_of(shown.draft)
    options.written, options.command = ("plan", "--accept", options.accept), "plan"
    return _accept(assembly, options)


def _show(shown: Shown, options: argparse.Namespace) -> int:
    path = shown.draft.brief.path
    edit = Edit("", PhaseId(""), {path: shown.after})
    diff = [strip_controls(line) for line in render_diff(edit, lambda _: shown.before)]
    if options.json:
        print_json(draft_document(shown.run, shown.after.decode("utf-8", "replace"), diff))
    else:
        print_output("".join(f"{line}\n" for line in diff))
        print_message("".join(f"{line}\n" for line in (*draft_ending(shown.draft), *way_to_accept(shown.draft))))
    return 0 if shown.draft.is_ready else 1
