"""An edit of the planning files as its command prints it, and the arguments by which the command is known again."""

from __future__ import annotations

import argparse

from autopilot.api.phases.writing import Outcome
from autopilot.cli.output import print_json, print_message, print_output
from autopilot.reports.phases.edit_text import MOST_NOTES, edit_document, render_diff, render_edit, render_notes


def repeatable(options: argparse.Namespace) -> tuple[str, ...]:
    """The arguments by which the same command is known again; how it prints its result is no part of it."""
    arguments = options.written[options.written.index(options.command) :]
    return tuple(word for word in arguments if word != "--json")


def report_edit(outcome: Outcome, options: argparse.Namespace, most_notes: int = MOST_NOTES) -> None:
    if outcome.finished:
        print_message(f"finished first, as it had been interrupted: {outcome.finished}\n")
    if outcome.edit is None:
        done = {"summary": outcome.summary, "commit": outcome.commit or None, "finished": True}
        if options.json:
            print_json(done)
        else:
            print_output(f"done: {outcome.summary}\n")
        return
    if options.json:
        document = edit_document(outcome.edit, outcome.commit, dry_run=options.dry_run)
        print_json(document)
    elif options.dry_run:
        lines = render_diff(outcome.edit, outcome.read)
        print_output("".join(f"{line}\n" for line in lines))
        notes = ("nothing was written (--dry-run)", *render_notes(outcome.edit, most_notes))
        print_message("".join(f"{line}\n" for line in notes))
    else:
        print_output("".join(f"{line}\n" for line in render_edit(outcome.edit, outcome.commit, most_notes)))
