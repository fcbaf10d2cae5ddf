"""``autopilot trace``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import find_repository
from autopilot.api.telemetry.exporting import export_run
from autopilot.cli.output import print_output
from autopilot.settings.reading import read_settings
from autopilot.text.naming import plural


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    repository = find_repository(Path.cwd(), settings, to_read=True)
    run, sent = export_run(repository, settings, options.run or "")
    print_output(f"sent {plural(sent, 'span')} of {run}\n")
    return 0
