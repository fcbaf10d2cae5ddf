"""``autopilot shell PHASE [-- COMMAND…]``"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from autopilot.adapters.terminal_relay import run_at_terminal
from autopilot.api.assembly import find_repository
from autopilot.api.evidence.shell import Shell, find_shown, open_shell
from autopilot.cli.output import print_message, print_output
from autopilot.cli.redacted_lines import redact_lines
from autopilot.cli.terminal import is_terminal
from autopilot.model.errors import Unavailable, UsageError
from autopilot.ports.bundle import Ports
from autopilot.ports.sandbox import Exited, NeverRan, Outcome, describe_ended
from autopilot.settings.reading import read_settings

FAILED_BY_US = 5


def main(options: argparse.Namespace) -> int:
    command = _command(options.arguments)
    settings = read_settings()
    repository = find_repository(Path.cwd(), settings, to_read=True)
    if not command:
        find_shown(repository, options.phase, options.run or "")  # or the hint would lead to the next error
        _check_terminal(f"name a command: `autopilot shell {options.phase} -- make test`")
    with open_shell(
        repository, settings, options.phase, options.run or "", commit=options.at or "", before=options.before
    ) as shell:
        print_message(f"{shell.where}\n")
        return _exit_status(_run(shell, command) if command else _converse(shell), shell.ports)


def _command(arguments: list[str]) -> str:
    """As the shell of a check gets it: one argument is a whole line, several are words."""
    return arguments[0] if len(arguments) == 1 else shlex.join(arguments)


def _check_terminal(hint: str) -> None:
    """Of standard output too: what an interactive shell shows is for its user's eyes, and for no file or log."""
    if not is_terminal():
        raise UsageError("an interactive shell needs a terminal, and standard input is not one", hint)
    if not sys.stdout.isatty():
        raise UsageError("an interactive shell needs a terminal, and standard output is not one", hint)


def _run(shell: Shell, command: str) -> Outcome:
    """Without secrets, at a terminal too: what is printed is copied into logs, issues and the prompts of agents."""
    running = shell.start(command)
    try:
        for text in redact_lines(running.lines(), shell.ports.blobs.clean):
            print_output(text)
    finally:
        running.stop(grace_s=0.5)
    return running.wait()


def _converse(shell: Shell) -> Outcome:
    print_message("What you change here is gone when you leave: exit, or Ctrl-D.\n")
    if shell.given:
        print_message(f"Set here by your settings, and shown as they are: {', '.join(shell.given)}.\n")
    return run_at_terminal(shell.start_at)


def _exit_status(outcome: Outcome, ports: Ports) -> int:
    clean = ports.blobs.clean
    match outcome.ended:
        case Exited(code):
            return code
        case NeverRan(reason):
            remedy = ports.sandbox.probe().remedy or "`autopilot doctor` examines the sandbox"
            raise Unavailable(f"the command could not be run: {clean(reason)}", remedy)
        case ended:
            print_message(f"{clean(describe_ended(ended))}\n")
            return FAILED_BY_US
