"""``autopilot status``"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from autopilot.api.assembly import find_repository
from autopilot.api.reading import status
from autopilot.model.redaction import strip_controls
from autopilot.reports.status import render_status
from autopilot.reports.status_line import render_line
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    document, alive = status(find_repository(Path.cwd(), read_settings()))
    if options.json:
        sys.stdout.write(json.dumps({**document, "alive": alive}, indent=2, ensure_ascii=False) + "\n")
    else:
        text = render_line(document, alive) if options.line else render_status(document, alive)
        sys.stdout.write(strip_controls(text) + "\n")
    return 0
