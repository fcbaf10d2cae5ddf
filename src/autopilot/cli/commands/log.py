"""``autopilot log verify``"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from autopilot.api.assembly import find_repository
from autopilot.api.reading import verify_record
from autopilot.cli.output import print_output
from autopilot.model.errors import UsageError
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    if options.action is None:
        raise UsageError("no action is given for `autopilot log`", "autopilot log verify")
    check = verify_record(find_repository(Path.cwd(), read_settings()))
    if options.json:
        document = {"events": check.events, "runs": check.runs, "head": check.head.digest, "anchor": check.anchored}
        print_output(json.dumps(document, indent=2) + "\n")
    else:
        anchor = f"anchored at {check.anchored.split()[0]}" if check.anchored else "not anchored yet"
        print_output(f"the record is intact: {check.events} events of {check.runs} runs, {anchor}\n")
    return 0
