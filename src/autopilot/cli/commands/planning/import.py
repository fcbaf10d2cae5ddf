"""``autopilot import``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.phases.importing import Wanted, import_plan
from autopilot.api.phases.writing import Request
from autopilot.cli.edit_output import repeatable, report_edit
from autopilot.settings.reading import read_settings

MOST_NOTES = 1_000  # whoever leaves a tool has to see all that does not come along


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    assembly.interruption.install()
    request = Request(repeatable(options), not options.no_commit, options.dry_run)
    wanted = Wanted(options.source, options.milestone)
    report_edit(import_plan(assembly, request, wanted), options, MOST_NOTES)
    return 0
