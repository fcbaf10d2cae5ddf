"""The live lines of a run as this process sees them: its state, and what its folders say is at work."""

from __future__ import annotations

from autopilot.adapters.home import Home
from autopilot.adapters.live import read_live
from autopilot.adapters.sandbox.registry import read_running
from autopilot.events.state import RunState
from autopilot.ports.clock import Clock
from autopilot.reports.live.footer import AtWork, command_line, footer_lines
from autopilot.reports.status.status_text import render_time

SILENT_S = 2


class Footer:
    def __init__(self, home: Home, clock: Clock) -> None:
        self._home = home
        self._clock = clock
        self._began = clock.now()
        self.state = RunState()

    def update(self, state: RunState) -> None:
        self.state = state
        if state.run:
            self._clock.catch_up(state.now)

    def lines(self, columns: int) -> list[str]:
        state, now = self.state, self._clock.now()
        if state.halted:
            return []
        work = read_work(self._home)
        if state.run:
            return footer_lines(state, work, now, columns)
        # A large repository takes its time before the first event.
        took = int((now - self._began).total_seconds())
        commands = (command_line(shown, took, columns) for shown, took in work.commands)
        return [f"preparing the run · {render_time(took)}", *commands] if took >= SILENT_S else []


def read_work(home: Home) -> AtWork:
    return AtWork(read_live(str(home.live)), read_running(home.processes))
