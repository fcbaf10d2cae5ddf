"""``autopilot shell PHASE [-- COMMAND…]``"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from autopilot.adapters.terminal_relay import run_at_terminal
from autopilot.api.assembly import find_repository
from autopilot.api.evidence.shell import Shell, open_shell
from autopilot.cli.output import print_message, print_output
from autopilot.cli.terminal import is_terminal
from autopilot.model.errors import Unavailable, UsageError
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.ports.sandbox import Exited, NeverRan, Outcome, Sandbox, describe_ended
from autopilot.settings.reading import read_settings

FAILED_BY_US = 5


def main(options: argparse.Namespace) -> int:
    command = _command(options.arguments)
    if not command and not is_terminal():
        hint = f"name a command: `autopilot shell {options.phase} -- make test`"
        raise UsageError("an interactive shell needs a terminal, and standard input is not one", hint)
    settings = read_settings()
    repository = find_repository(Path.cwd(), settings, to_read=True)
    with open_shell(
        repository, settings, options.phase, options.run or "", commit=options.at or "", before=options.before
    ) as shell:
        print_message(f"{shell.where}\n")
        return _exit_status(_run(shell, command) if command else _converse(shell), shell.ports.sandbox)


def _command(arguments: list[str]) -> str:
    """As the shell of a check gets it: one argument is a whole line, several are words."""
    return arguments[0] if len(arguments) == 1 else shlex.join(arguments)


def _run(shell: Shell, command: str) -> Outcome:
    running = shell.start(command)
    try:
        for line in running.lines():
            print_output(strip_controls(line.decode("utf-8", "replace")) + "\n")
    finally:
        running.stop(grace_s=0.5)
    return running.wait()


def _converse(shell: Shell) -> Outcome:
    print_message("What you change here is gone when you leave: exit, or Ctrl-D.\n")
    return run_at_terminal(shell.start_at)


def _exit_status(outcome: Outcome, sandbox: Sandbox) -> int:
    match outcome.ended:
        case Exited(code):
            return code
        case NeverRan(reason):
            remedy = sandbox.probe().remedy or "`autopilot doctor` examines the sandbox"
            raise Unavailable(f"the command could not be run: {reason}", remedy)
        case ended:
            print_message(f"{describe_ended(ended)}\n")
            return FAILED_BY_US
