"""``autopilot status`` read from the journal, when no prepared row is up to date."""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import find_repository
from autopilot.api.missing_record import MOVED
from autopilot.api.reading import read_status
from autopilot.api.roadmap_end import find_end
from autopilot.cli.output import print_output
from autopilot.cli.quick_status import render_status_output
from autopilot.model.errors import NothingOpen, UsageError
from autopilot.reports.status.host import for_host
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    repository = find_repository(Path.cwd(), settings, to_read=True)
    try:
        document, alive = read_status(repository)
    except UsageError as error:
        if news := find_end(repository, settings):
            raise NothingOpen(f"{error}, and {news}", f"{news.hint}; {MOVED}") from error
        raise
    form = "--json" if options.json else "--line" if options.line else ""
    text = render_status_output(document, alive, form)
    print_output((text if options.json else for_host(text, options.host)) + "\n")
    return 0
