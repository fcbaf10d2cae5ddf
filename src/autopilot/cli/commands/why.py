"""``autopilot why``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import find_repository
from autopilot.api.evidence.explaining import read_explanation
from autopilot.cli.output import print_json
from autopilot.cli.screen import print_outcome
from autopilot.reports.evidence.explanation import explanation_document, render_explanation
from autopilot.reports.markdown import one_line
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    explanation = read_explanation(
        find_repository(Path.cwd(), read_settings(), to_read=True), options.what, options.run or ""
    )
    if options.json:
        print_json(explanation_document(explanation))
    else:
        print_outcome("".join(f"{one_line(line)}\n" for line in render_explanation(explanation)))
    return 0
