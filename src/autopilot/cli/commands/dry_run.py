"""``autopilot run --dry-run``"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.forecast import forecast
from autopilot.cli.output import print_output
from autopilot.cli.run_driver import with_options
from autopilot.model.run import RunRequest
from autopilot.reports.run.forecast import forecast_document, render_forecast
from autopilot.settings.reading import read_settings


def print_forecast(request: RunRequest, options: argparse.Namespace) -> int:
    settings = with_options(read_settings(), options)
    result = forecast(request, settings, assemble(find_repository(Path.cwd(), settings), settings))
    if options.json:
        print_output(json.dumps(forecast_document(result), indent=2, ensure_ascii=False) + "\n")
    else:
        print_output(render_forecast(result))
    return 0
