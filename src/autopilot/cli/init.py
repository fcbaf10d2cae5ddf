"""``autopilot init``"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.starting import prepare_repository
from autopilot.settings.reading import read_settings


def main(_: argparse.Namespace) -> int:
    settings = read_settings()
    prepared = prepare_repository(assemble(find_repository(Path.cwd(), settings), settings))
    for name in prepared.written:
        sys.stdout.write(f"wrote {name}\n")
    for name in prepared.kept:
        sys.stdout.write(f"kept {name} as it is\n")
    for name in prepared.commands.__struct_fields__:
        sys.stdout.write(f"  {name}: {getattr(prepared.commands, name) or 'none'}\n")
    sys.stdout.write("next: fill in .planning/ROADMAP.md, then `autopilot doctor` and `autopilot run next`\n")
    return 0
