"""The options of ``autopilot debug``."""

from __future__ import annotations

import argparse
from typing import Any

SESSION = "name of the session, as `autopilot debug list` shows it; optional if only one is open"
FIND_ONLY = "stop when the cause is found and shown; fix nothing"
GOOD = "commit, tag or branch without the bug: Autopilot bisects from there to the first bad commit"


def add_debug(commands: Any) -> tuple[argparse.ArgumentParser, ...]:
    """Returns the commands that drive a run, which get the options of every such command."""
    debug = commands.add_parser(
        "debug",
        help="find the cause of a bug and prove its fix: a session that survives restarts",
        description="A session gathers symptoms and a command that reproduces the bug, then tests one hypothesis after "
        "the other: an agent states it with the command that would refute it, Autopilot runs that command and goes by "
        "what it sees. A fix counts when the reproduction failed before it, passes after it (as often as its failure "
        "rate asks for) and nothing else broke; then it lands. Every step is in the journal; the file below "
        ".planning/debug is rendered from it, so editing that file changes nothing.",
        epilog='Examples: autopilot debug start "totals are wrong after a refund"; autopilot debug start "export '
        'hangs" --good v1.4 --find-only; autopilot debug list; autopilot debug continue totals-are-wrong',
    )
    debug.set_defaults(json=False)
    actions = debug.add_subparsers(dest="action", metavar="ACTION", required=True)
    start = actions.add_parser(
        "start",
        help="start a session about what is wrong",
        description="Say what is wrong in your own words. The session works on the last commit of your branch. It ends "
        "in a proven fix that lands, in a cause without a fix, or in a list of what was eliminated. Exit status 0: "
        "resolved, or found with --find-only; 1: not fixed, not found or not reproduced; 3: the fix waits to land.",
        epilog='Example: autopilot debug start "the last row of every page is missing" --phase 3',
    )
    start.add_argument("text", nargs="+", metavar="TEXT", help="what is wrong")
    start.add_argument("--phase", default="", metavar="N", help="phase of the roadmap that it is about")
    resume = actions.add_parser(
        "continue",
        help="continue a session: interrupted, without a fix, or left by a phase that failed",
        description="Continues where the session stopped; what was eliminated is not tried again, limits count anew. "
        "A remark is shown to the agent. A phase that failed after its debug rounds is listed as a session, too: "
        "continuing it starts one that knows what was tried.",
        epilog='Example: autopilot debug continue totals-are-wrong "look at the rounding in billing.py"',
    )
    resume.add_argument("session", metavar="SESSION", help="name of the session, as `autopilot debug list` shows it")
    resume.add_argument("text", nargs="*", default=[], metavar="REMARK", help="what the agent should know")
    for command in (start, resume):
        command.add_argument("--find-only", action="store_true", help=FIND_ONLY)
        command.add_argument("--good", default="", metavar="REV", help=GOOD)
    _add_reading(actions)
    _add_ending(actions)
    return start, resume


def _add_reading(actions: Any) -> None:
    listed = actions.add_parser("list", help="list the sessions of this repository")
    listed.add_argument("--all", action="store_true", help="with those that are resolved or abandoned")
    show = actions.add_parser("show", help="show a session: symptoms, what was eliminated, evidence, resolution")
    show.add_argument("session", nargs="?", default="", metavar="SESSION", help=SESSION)
    for command in (listed, show):
        command.add_argument("--json", action="store_true", help="print it as JSON")


def _add_ending(actions: Any) -> None:
    resolve = actions.add_parser(
        "resolve",
        help="say that a bug is gone; recorded as your word, not as proven",
        description="For a bug that you fixed yourself, or that is none. Its file moves to .planning/debug/resolved.",
    )
    abandon = actions.add_parser(
        "abandon",
        help="give a session up; what it found out is kept",
        description="Nothing is undone: a session changes your branch only when a proven fix lands.",
    )
    for command in (resolve, abandon):
        command.add_argument("session", nargs="?", default="", metavar="SESSION", help=SESSION)
        command.add_argument("--because", default="", metavar="TEXT", help="why, for the record")
