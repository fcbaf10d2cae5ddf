"""``autopilot milestone``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.phases.milestones import read_milestone, read_milestones
from autopilot.api.phases.reading import Source
from autopilot.api.phases.writing import Request, edit_phases
from autopilot.cli.edit_output import repeatable, report_edit
from autopilot.cli.output import print_json, print_output
from autopilot.model.planning.edit import Edit
from autopilot.planning.editing.milestones import Completion, complete_milestone, start_milestone
from autopilot.reports.phases.milestone_list import (
    milestone_document,
    milestone_documents,
    render_milestone,
    render_milestones,
)
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    if options.action in (None, "list", "show"):
        return _show(options)
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    assembly.interruption.install()
    date = f"{assembly.ports.clock.now():%Y-%m-%d}"
    request = Request(repeatable(options), not options.no_commit, options.dry_run)
    report_edit(edit_phases(assembly, request, lambda source: _make(options, source, date)), options)
    return 0


def _make(options: argparse.Namespace, source: Source, date: str) -> Edit:
    if options.action == "start":
        return start_milestone(source.project, options.milestone, " ".join(options.name), date)
    asked = Completion(options.milestone, options.name, options.keep_folders, options.accept_unproven)
    return complete_milestone(source.project, source.work, asked, date)


def _show(options: argparse.Namespace) -> int:
    settings = read_settings()
    repository = find_repository(Path.cwd(), settings, to_read=True)
    document: object
    if options.action == "show":
        card = read_milestone(repository, settings, options.milestone)
        document, lines = milestone_document(card), render_milestone(card)
    else:
        rows = read_milestones(repository, settings)
        document, lines = milestone_documents(rows), render_milestones(rows)
    if options.json:
        print_json(document)
    else:
        print_output("".join(f"{line}\n" for line in lines))
    return 0
