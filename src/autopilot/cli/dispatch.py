"""From words to a command, and from what can go wrong to a message and an exit status."""

from __future__ import annotations

import argparse
import importlib
import sys
import traceback

from autopilot.cli.saying import complain, say, settle
from autopilot.model.errors import AutopilotError
from autopilot.reports.status.host import for_host

BUG = 70


def dispatch(words: list[str]) -> int:
    try:
        return _dispatch(words)
    finally:
        settle()


def _dispatch(words: list[str]) -> int:
    from autopilot.cli.parser import build_parser

    parser = build_parser()
    options = parser.parse_args(words, argparse.Namespace(written=tuple(words)))
    if options.version:
        from autopilot import __version__

        say(f"autopilot {__version__}\n")
        return 0
    if options.command is None:
        parser.print_help(sys.stderr)
        return 2
    return guarded(options)


def guarded(options: argparse.Namespace) -> int:
    """The one place where errors become words. Whatever is not one of ours is a bug of ours."""
    try:
        door = importlib.import_module(f"autopilot.cli.commands.{options.command}")
        status: int = door.main(options)
        return status
    except AutopilotError as error:
        host = getattr(options, "host", None) or ""
        complain(str(error), for_host(error.hint, host))
        return error.exit_status
    except KeyboardInterrupt:
        return 130
    except Exception:  # noqa: BLE001 -- the last resort of the door: nothing may look like a result
        traceback.print_exc()
        complain("this is a bug in Autopilot; nothing recorded is lost", "report it with the lines above")
        return BUG
