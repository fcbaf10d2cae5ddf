"""Parses the arguments, runs the command, and turns errors into a message and an exit status."""

from __future__ import annotations

import argparse
import gc
import importlib
import sys
import traceback
from types import ModuleType

from autopilot.adapters.computing_watch import ComputingWatch
from autopilot.adapters.parsing.process import parse_in_another_process
from autopilot.cli.inert_json import render_json
from autopilot.cli.output import flush_streams, print_error, print_output
from autopilot.model.errors import AutopilotError, CapReached, NothingOpen
from autopilot.reports.status.host import for_host
from autopilot.settings.search_path import leave_relative_folders

INTERNAL_ERROR = 70
# Doors of their own, loaded by their names alone: they and the command line do not know each other.
DOORS = {"mcp": "autopilot.mcp_server.command", "web": "autopilot.web.command"}
# Commands that stand in a folder, by its name.
FOLDERS = {
    "machine": ("completion", "install", "self", "uninstall"),
    "people": ("answer", "approve", "gates", "reject", "verdict"),
    "planning": ("import", "milestone", "phase", "plan", "progress"),
    "records": ("trace",),
}


def dispatch(arguments: list[str]) -> int:
    leave_relative_folders()
    try:
        try:
            return _parse_and_run(arguments)
        finally:
            flush_streams()
    except CapReached as error:  # standard output cannot be written
        print_error(str(error), error.hint)
        return error.exit_status


def _parse_and_run(arguments: list[str]) -> int:
    from autopilot.cli.parser import build_parser

    parser = build_parser()
    options = parser.parse_args(arguments, argparse.Namespace(written=tuple(arguments)))
    if options.version:
        from autopilot import __version__

        print_output(f"autopilot {__version__}\n")
        return 0
    if options.command is None:
        parser.print_help(sys.stderr)
        return 2
    return run_command(options)


def run_command(options: argparse.Namespace) -> int:
    """The one place where errors are printed. An exception that is not an AutopilotError is a bug."""
    try:
        command = load_command(options.command)
        with ComputingWatch(), parse_in_another_process():
            status: int = command.main(options)
        return status
    except NothingOpen as news:
        print_output(_describe_end(news, options))
        return news.exit_status
    except AutopilotError as error:
        host = getattr(options, "host", None) or ""
        hints = (for_host(hint, host) for hint in (error.hint, *error.more_hints))
        print_error(str(error), *hints, before=error.lines)
        return error.exit_status
    except KeyboardInterrupt:
        return 130
    except Exception:  # noqa: BLE001 -- last resort: an unexpected exception must not look like a result
        traceback.print_exc()
        print_error("Autopilot failed because of a bug in itself; the recorded run is not lost", _after_bug(options))
        return INTERNAL_ERROR


def _describe_end(news: NothingOpen, options: argparse.Namespace) -> str:
    """The end of a roadmap is a result, not an error."""
    hint = for_host(news.hint, getattr(options, "host", None) or "")
    if getattr(options, "json", False):
        return render_json({"nothing_open": str(news), "hint": hint}) + "\n"
    return f"{news}" + ("\n" if getattr(options, "line", False) else f"\n  {hint}\n")


def load_command(name: str) -> ModuleType:
    """Hundreds of modules, which last as long as the process: the garbage collector would look through them in vain."""
    folder = next((f"{folder}." for folder, names in FOLDERS.items() if name in names), "")
    module = DOORS.get(name, f"autopilot.cli.commands.{folder}{name}")
    if module in sys.modules:
        return sys.modules[module]
    gc.disable()
    try:
        return importlib.import_module(module)
    finally:
        gc.freeze()
        gc.enable()


def _after_bug(options: argparse.Namespace) -> str:
    if options.command not in ("run", "resume", "issue", "debug", "plan"):
        return "report the lines above"
    from autopilot.cli.run_options import repeated_options

    return f"report the lines above, then continue: `autopilot resume{repeated_options(options)}`"
