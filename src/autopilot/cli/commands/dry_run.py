"""``autopilot run --dry-run``"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.forecast import forecast
from autopilot.cli.driving import with_options
from autopilot.cli.saying import say
from autopilot.model.run import RunRequest
from autopilot.reports.run.forecast import forecast_document, render_forecast
from autopilot.settings.reading import read_settings


def foretell(request: RunRequest, options: argparse.Namespace) -> int:
    settings = with_options(read_settings(), options)
    seen = forecast(request, settings, assemble(find_repository(Path.cwd(), settings), settings))
    if options.json:
        say(json.dumps(forecast_document(seen), indent=2, ensure_ascii=False) + "\n")
    else:
        say(render_forecast(seen))
    return 0
