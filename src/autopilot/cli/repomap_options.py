"""The options of ``autopilot repomap``."""

from __future__ import annotations

import argparse


def add_repomap(command: argparse.ArgumentParser) -> None:
    actions = command.add_subparsers(dest="action", metavar="ACTION", required=True)
    build = actions.add_parser(
        "build",
        help="bring the map up to date",
        description="Maps the working tree, with files that are not committed yet, or a commit. A text that was mapped "
        "before, under any path and in any commit, is not parsed again.",
    )
    build.add_argument("--jobs", type=int, default=0, metavar="N", help="processes (default: one for each processor)")
    build.add_argument("-q", "--quiet", action="store_true", help="print no progress, only the result")
    status = actions.add_parser("status", help="show what the map holds, and which files are only partly in it")
    export = actions.add_parser(
        "export",
        help="write the map to .autopilot/repo-map.json",
        description="A map of more than 500 lines is cut down: first functions, classes and calls go, then imports, "
        "then everything but the summary and the paths.",
    )
    export.add_argument("--full", action="store_true", help="write the whole map, whatever its length")
    export.add_argument("--print", action="store_true", help="print the map on standard output; nothing is written")
    for action in (build, status, export):
        action.add_argument("--commit", default="", metavar="COMMIT", help="map a commit instead of the working tree")
    for action in (build, status):
        action.add_argument("--json", action="store_true", help="print the result as JSON")
