"""``autopilot debug list``, ``show``, ``resolve`` and ``abandon``: nothing here asks an agent."""

from __future__ import annotations

import argparse
from pathlib import Path

from autopilot.api.assembly import Assembly, assemble, find_repository
from autopilot.api.debugging.sessions import Listed, end_session, find_session, list_sessions
from autopilot.cli.output import print_json, print_message, print_output
from autopilot.model.debugging.session import Status
from autopilot.reports.debugging.listing import left_document, render_left, render_list, session_document
from autopilot.reports.debugging.session_file import session_text
from autopilot.settings.reading import read_settings

ENDS = {"resolve": Status.RESOLVED, "abandon": Status.ABANDONED}
BY = "user"


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    assembly = assemble(find_repository(Path.cwd(), settings), settings)
    if options.action in ENDS:
        print_message(end_session(assembly, options.session, ENDS[options.action], options.because.strip(), BY))
    elif options.action == "list":
        _list(assembly, options)
    else:
        _show(assembly, options)
    return 0


def _list(assembly: Assembly, options: argparse.Namespace) -> None:
    shown = [entry for entry in list_sessions(assembly) if entry.is_open or options.all]
    if options.json:
        print_json({"sessions": [_document(entry) for entry in shown]})
        return
    rows = [(entry.brief, entry.run) for entry in shown]
    print_output(render_list(rows, with_settled=options.all))


def _show(assembly: Assembly, options: argparse.Namespace) -> None:
    found = find_session(assembly, options.session)
    if options.json:
        print_json(_document(found, whole=True))
    else:
        print_output(session_text(found.session) if found.session else render_left(found.brief))


def _document(entry: Listed, *, whole: bool = False) -> dict[str, object]:
    return (
        session_document(entry.session, entry.run, whole=whole)
        if entry.session and entry.run
        else left_document(entry.brief)
    )
