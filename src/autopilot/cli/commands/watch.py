"""``autopilot watch``: a live view at a terminal, or the lines of a run that another process drives until it stops."""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from autopilot.adapters.clock import SystemClock
from autopilot.adapters.live import read_live
from autopilot.api.assembly import Repository, find_repository
from autopilot.api.watching import watch
from autopilot.cli.colour import can_redraw
from autopilot.cli.footer import Footer
from autopilot.cli.inert_json import render_json
from autopilot.cli.output import print_output, refuse_full_disk
from autopilot.cli.screen import Screen, no_lines, print_outcome
from autopilot.engine.ledger import Recorded
from autopilot.events.state import RunState
from autopilot.reports.event_log.log import log_rows
from autopilot.reports.progress.lines import progress_lines
from autopilot.reports.run.ending import render_ending
from autopilot.reports.status.gates import resume_command
from autopilot.settings.reading import Settings, read_settings

MAX_PAST_LINES = 10


def main(options: argparse.Namespace) -> int:
    settings = read_settings()
    repository = find_repository(Path.cwd(), settings, to_read=True)
    if _can_show_view(options):
        return _show_view(repository, settings)
    footer = Footer(repository.home, SystemClock())
    with Screen(sys.stdout, below=no_lines if options.json else footer.lines) as screen:
        lines = _follow(repository, options, footer)
        for line in _last_lines(lines, None if options.all else MAX_PAST_LINES):
            screen.line(line)
            if screen.reader_gone:
                refuse_full_disk(screen.fault)
                return 0
    if options.json:
        print_output(_render_json_end(footer.state))
    else:
        print_outcome(_render_end(footer.state))
    return 0


def _can_show_view(options: argparse.Namespace) -> bool:
    as_lines = options.json or options.lines or options.all
    return not as_lines and sys.stdin.isatty() and can_redraw(sys.stdout)


def _show_view(repository: Repository, settings: Settings) -> int:
    from autopilot.cli.live.viewing import show_view

    known = show_view(repository, settings)
    if known.state.run and known.is_driven and not known.state.halted:
        print_outcome(f"{known.state.run} goes on; `autopilot watch` shows it again\n")
    elif known.state.run:
        print_outcome(_render_end(known.state))
    return 0


def _follow(repository: Repository, options: argparse.Namespace, footer: Footer) -> Iterator[str | None]:
    """Lines as they are recorded, and None after every poll."""
    activities = Activities(repository.home.live)
    for recorded in watch(repository, wait=options.wait, show_ended=options.all):
        footer.update(recorded.state)
        yield from _event_lines(recorded) if options.json else _progress(recorded)
        if not recorded.entries:
            yield from activities.changed() if options.json else ()
            yield None


def _last_lines(lines: Iterable[str | None], limit: int | None) -> Iterator[str]:
    """All lines after the first poll, and only the last lines of that first poll."""
    past: deque[str] | None = deque(maxlen=limit)
    for line in lines:
        if past is None:
            if line is not None:
                yield line
        elif line is None:
            yield from past
            past = None
        else:
            past.append(line)
    yield from past or ()


def _progress(recorded: Recorded) -> Iterator[str]:
    for stored in recorded.entries:
        yield from progress_lines(stored, recorded.state)


def _event_lines(recorded: Recorded) -> Iterator[str]:
    for stored in recorded.entries:
        for row in log_rows(stored, recorded.state):
            yield _to_json("event", {"seq": stored.seq, **row})


class Activities:
    """The current activity of every agent, reported whenever it changes."""

    def __init__(self, live: Path) -> None:
        self._live = str(live)
        self._reported: list[dict[str, Any]] = []

    def changed(self) -> Iterator[str]:
        doing = read_live(self._live)
        known = [{**activity, "elapsed_s": 0} for activity in self._reported]
        yield from (_to_json("activity", activity) for activity in doing if {**activity, "elapsed_s": 0} not in known)
        self._reported = doing


def _render_end(state: RunState) -> str:
    if not state.halted:
        return f"{state.run}: interrupted: its process has ended\n  to resume it: `{resume_command(state)}`\n"
    return f"{render_ending(state)}the run ended with exit status {state.session.exit_status}\n"


def _render_json_end(state: RunState) -> str:
    status = state.status.value if state.halted else "interrupted"
    facts = {
        "run": state.run,
        "status": status,
        "reason": state.session.stop_reason,
        "exit_status": state.session.exit_status,
    }
    return _to_json("end", facts) + "\n"


def _to_json(kind: str, facts: dict[str, Any]) -> str:
    return render_json({"type": kind, **facts}, indent=None)
