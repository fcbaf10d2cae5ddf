"""``autopilot demo``"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from msgspec.structs import replace

from autopilot.api.assembly import assemble, find_repository
from autopilot.api.demo import make_sample
from autopilot.api.reading import verify_record
from autopilot.cli.driving import drive_with_progress
from autopilot.model.errors import UsageError
from autopilot.model.run import RunRequest
from autopilot.reports.ending import render_ending
from autopilot.settings.reading import read_settings


def main(options: argparse.Namespace) -> int:
    folder = Path(options.folder).absolute() if options.folder else Path(tempfile.mkdtemp(prefix="autopilot-demo-"))
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty", "name a folder that does not exist yet")
    folder.mkdir(parents=True, exist_ok=True)
    project, script = make_sample(folder)
    # The demo's records stay with the demo, and its agent is the scripted one whatever the user's settings say.
    settings = replace(read_settings(), state=folder / "state", agents={"default": "scripted"}, script=script)
    repository = find_repository(project, settings)
    assembly = assemble(repository, settings)
    assembly.interruption.install()
    began = time.monotonic()
    state = drive_with_progress(RunRequest(), settings, assembly, options, "autopilot demo")
    took = time.monotonic() - began
    check = verify_record(repository)
    sys.stdout.write(render_ending(state))
    sys.stdout.write(f"reports: {project}/.planning/phases/*/VERIFICATION.md\n")
    sys.stdout.write(f"history: git -C {project} log --stat\n")
    sys.stdout.write(f"record: {check.events} events, the chain is whole\n")
    sys.stdout.write(f"run time: {took:.1f} s\n")
    return state.exit_status if state.exit_status is not None else 70
