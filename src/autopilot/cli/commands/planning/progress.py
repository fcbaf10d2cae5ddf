"""``autopilot progress``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import find_repository
from autopilot.api.phases.progress import read_progress
from autopilot.cli.output import print_json, print_output
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.reports.phases.project_progress import progress_document, render_bar, render_progress
from autopilot.reports.status.host import for_host
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    progress = read_progress(find_repository(Path.cwd(), settings, to_read=True), settings)
    if options.json:
        print_json(progress_document(progress))
    elif options.bar:
        print_output(f"{render_bar(progress)}\n")
    else:
        lines = [strip_controls(line) for line in render_progress(progress)]
        print_output(for_host("".join(f"{line}\n" for line in lines), options.host))
    return 0
