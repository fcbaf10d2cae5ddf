"""``autopilot gc``"""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.pruning import prune
from autopilot.cli.output import print_output
from autopilot.settings.reading import read_settings


def main(_: argparse.Namespace) -> int:
    settings = read_settings()
    repository = find_repository(Path.cwd(), settings, to_read=True)
    pruned = prune(assemble(repository, settings))
    freed, left = (pruned.before - pruned.after) / 1e6, pruned.after / 1e6
    print_output(f"removed {freed:,.1f} MB; {left:,.1f} MB of records are left in {repository.home.root}\n")
    return 0
