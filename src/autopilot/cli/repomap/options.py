"""The options of ``autopilot repomap``."""

from __future__ import annotations

import argparse

from autopilot.model.policy import MAP_TOKENS
from autopilot.repomap.queries import Query


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
    query, top = add_query(actions), add_top(actions)
    for action in (build, status, export, query, top):
        action.add_argument("--commit", default="", metavar="COMMIT", help="map a commit instead of the working tree")
    for action in (build, status, query, top):
        action.add_argument("--json", action="store_true", help="print the result as JSON")


def add_query(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    query = actions.add_parser(
        "query",
        help="ask who imports, calls, defines or exports something",
        description="importers-of a file, module or name; callers-of and callees-of a function; where a name is "
        "defined (defines); exports-of a file; does a name exist, or one like it (similar-name). The map is made or "
        "brought up to date first.",
        epilog="Examples: autopilot repomap query callers-of parse_config; autopilot repomap query defines Reader",
    )
    kinds = [query.value for query in Query]
    query.add_argument("kind", choices=kinds, metavar="KIND", help=", ".join(kinds))
    query.add_argument("name", metavar="NAME", help="a name, Class.method, a path or a module, by the kind of question")
    return query


def add_top(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:
    top = actions.add_parser(
        "top",
        help="show the files that matter most, with what they define",
        description="What a prompt gets of the map. With words or files: those that a task about them probably "
        "touches; without: those that most of the code rests on.",
        epilog="Example: autopilot repomap top shell completion for fish --file src/click/core.py",
    )
    top.add_argument("words", nargs="*", metavar="WORD", help="what the task is about")
    top.add_argument("--file", action="append", default=[], metavar="PATH", help="a file that the task names")
    top.add_argument("--tokens", type=int, default=MAP_TOKENS, metavar="N", help="how long (default %(default)s)")
    return top
