"""``autopilot demo``"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from autopilot.adapters.git.command import git_program
from autopilot.api.assembly import assemble, find_repository
from autopilot.api.demo import make_sample
from autopilot.api.reading import verify_record
from autopilot.cli.output import print_message, print_output
from autopilot.cli.run_driver import drive_with_progress
from autopilot.cli.screen import print_outcome
from autopilot.cli.terminal import show
from autopilot.model.errors import UsageError
from autopilot.model.notice import Notify
from autopilot.model.run import RunRequest
from autopilot.reports.evidence.promised import run_standing
from autopilot.reports.run.ending import render_ending
from autopilot.reports.run.ways_on import CommandOptions
from autopilot.reports.status.caught import find_caught
from autopilot.settings.reading import read_settings
from autopilot.text.naming import plural

INTRODUCTION = """\
You will see an agent build a small program in three phases.
In the second it claims work that it has not done. Autopilot, which runs every
check itself, catches it and has it fixed before anything lands.
"""
LOOK = (("status", "status"), ("evidence", "evidence 2"), ("the lie", "why 2"))


def main(options: argparse.Namespace) -> int:
    git_program()  # raises an error at once when git is not installed
    folder = _make_folder(options.folder)
    project, script = make_sample(folder)
    # The demo keeps its records in its own folder and uses the scripted agent, whatever the user's settings are.
    settings = replace(read_settings(), state=folder / "state", script=script)
    settings = replace(settings, agents={"default": "scripted"}, profiles={}, agent={}, notify=Notify(desktop=False))
    settings = replace(settings, agent_options=f" --script {shlex.quote(str(script))}")
    repository = find_repository(project, settings)
    assembly = assemble(repository, settings)
    assembly.interruption.install()
    (show if sys.stderr.isatty() else print_message)(INTRODUCTION)
    began = time.monotonic()
    state = drive_with_progress(RunRequest(), settings, assembly, options, "autopilot demo")
    took = time.monotonic() - began
    check = verify_record(repository)
    print_outcome(render_ending(state, _next_call(project, settings.state, script)))
    if run_standing(state):
        print_output(f"reports: {project}/.planning/phases/*/VERIFICATION.md\n")
        print_output(f"history: git -C {shlex.quote(str(project))} log --stat\n")
        print_output(f"record: {check.events} events, hash chain verified\n")
        print_output(f"run time: {took:.1f} s\n")
        call = _next_call(project, settings.state, script)
        for name, arguments in LOOK:
            print_output(f"{name}: `{call.alone(f'autopilot {arguments}')}`\n")
    print_outcome(what_was_shown(run_standing(state), [task for _, task, _ in find_caught(state)]))
    if run_standing(state):
        print_outcome(f"how to look: {_ways_to_look(project, settings.state)}\n")
    return state.session.exit_status if state.session.exit_status is not None else 70


def what_was_shown(standing: str, caught: Sequence[str]) -> str:
    """``caught``: the tasks whose claims were false."""
    if not standing:
        return "the demo stopped before anything was shown; the reason is above\n"
    by = f", by task {', '.join(caught)}: its agent called done what was not" if caught else ""
    proven, _, rest = standing.partition("; ")  # what was not checked is shown by no command
    shown = f"what was proven: {proven}, by commands that Autopilot ran itself" + (f"; {rest}" if rest else "")
    return f"{shown}\nwhich lie was caught: {plural(len(caught), 'false claim')}{by}\n"


def _ways_to_look(project: Path, state: Path) -> str:
    """Commands that work as they are printed, also where the program is not on the path."""
    called_as = Path(sys.argv[0])
    is_on_path = called_as.name != "autopilot" or shutil.which("autopilot") == str(called_as.absolute())
    program = "autopilot" if is_on_path else called_as.absolute()
    where, records, called = (shlex.quote(str(part)) for part in (project, state, program))
    page = f"`cd {where} && AUTOPILOT_STATE_HOME={records} {called} web`"
    return f"{page}; the report: {project}/.autopilot/report.html"


def _make_folder(name: str | None) -> Path:
    """The folder of the demo, empty; UsageError if the user named one that cannot be that."""
    if not name:
        return Path(tempfile.mkdtemp(prefix="autopilot-demo-"))
    folder, hint = Path(name).absolute(), "name a folder that does not exist yet"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty", hint)
    except FileExistsError:
        raise UsageError(f"{folder} is a file, not a folder", hint) from None
    except OSError as error:
        raise UsageError(
            f"the folder {folder} cannot be made: {error.strerror}", "name a folder you can create"
        ) from None
    return folder


def _next_call(project: Path, state: Path, script: Path) -> CommandOptions:
    """How to resume a stopped demo: in its folder, with its own records."""
    where, records, play = (shlex.quote(str(path)) for path in (project, state, script))
    return CommandOptions(f"cd {where} && AUTOPILOT_STATE_HOME={records} ", f" --script {play}")
