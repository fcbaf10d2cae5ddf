"""``autopilot install`` and ``autopilot uninstall``"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from autopilot.api.chat.commands import COMMANDS, MAIN
from autopilot.api.chat.forms import call_of
from autopilot.api.chat.installing import Deed, Place, find_place, perform, plan_install, plan_removal
from autopilot.cli.output import print_output
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.settings.reading import default_settings

DONE = {"write": "wrote", "update": "updated", "keep": "kept", "remove": "removed"}
PLANNED = {"write": "would write", "update": "would update", "keep": "would keep", "remove": "would remove"}


def main(options: argparse.Namespace) -> int:
    environment = default_settings().environment
    home = Path(environment.get("HOME", "/"))
    place = find_place(options.agent, project=options.project, start=Path.cwd(), home=home, environment=environment)
    is_install = options.command == "install"
    deeds = plan_install(place, status_line=options.status_line) if is_install else plan_removal(place)
    done = deeds if options.dry_run else list(perform(place, deeds))
    print_output("".join(_render(place, deed, PLANNED if options.dry_run else DONE) for deed in done))
    print_output(_sum_up(place, done, is_install=is_install, is_dry=options.dry_run))
    return 0


def _render(place: Place, deed: Deed, verbs: dict[str, str]) -> str:
    note = f": {deed.note}" if deed.note else ""
    return strip_controls(f"{verbs[deed.action]} {place.root / deed.name}{'/' * deed.is_folder}{note}") + "\n"


def _sum_up(place: Place, done: Sequence[Deed], *, is_install: bool, is_dry: bool) -> str:
    about = place.form.about
    if is_dry:
        return "nothing was changed: this was a dry run\n"
    if is_install:
        calls = ", ".join(call_of(place.form, command.name) for command in COMMANDS if command.name != MAIN)
        return f"\nin a new session of {about}: {call_of(place.form, MAIN)} 3-7 runs phases; also {calls}\n"
    if not done:
        return f"nothing of Autopilot's is installed there for {about}\n"
    return ""
