"""The live lines of a run: the current step and its duration, then every agent and command at work."""

from __future__ import annotations

from autopilot.adapters.home import Home
from autopilot.adapters.live import read_live
from autopilot.adapters.sandbox.registry import read_running
from autopilot.cli.screen import wrap
from autopilot.events.pieces import step_name
from autopilot.events.state import PhaseState, RunState
from autopilot.ports.clock import Clock
from autopilot.reports.local_time import clock_words
from autopilot.reports.status.brief import brief
from autopilot.reports.status.status_text import render_doing, render_time

SILENT_S = 2
SHORTEST_COMMAND = 10


class Footer:
    def __init__(self, home: Home, clock: Clock) -> None:
        self._live = str(home.live)
        self._processes = home.processes
        self._clock = clock
        self._began = clock.now()
        self.state = RunState()

    def update(self, state: RunState) -> None:
        self.state = state
        if state.run:
            self._clock.catch_up(state.now)

    def lines(self, columns: int) -> list[str]:
        state = self.state
        if state.halted:
            return []
        now = self._clock.now().timestamp()
        if not state.run:
            # A large repository takes its time before the first event.
            took = int(now - self._began.timestamp())
            return [f"preparing the run · {render_time(took)}", *self._commands(columns)] if took >= SILENT_S else []
        if state.availability.wait is not None:
            wait = state.availability.wait
            left = max(0, int(wait.until.timestamp() - now))
            until = f"waiting until {clock_words(wait.until, seconds=True)}, {render_time(left)} to go"
            return wrap(f"{until} · {brief(wait.because)}", columns)
        at_work = state.at_work or ((state.current,) if state.current else tuple(state.phases.values()))
        activities = read_live(self._live)
        # With several phases, one whose agent is shown needs no line of its own: room is scarce.
        shown = {activity["phase"] for activity in activities} if len(at_work) > 1 else set()
        prefix = f"issue {state.issue.brief.number} · " if state.issue else "phase " if state.is_of_roadmap else ""
        steps = [
            f"{prefix}{_step_line(phase, now)}" for phase in at_work if phase.open is not None and phase.id not in shown
        ]
        doing = (f"  {render_doing(activity, columns - 2)}" for activity in activities)
        return [*steps, *doing, *self._commands(columns)]

    def _commands(self, columns: int) -> list[str]:
        return [_command_line(shown, took, columns - 2) for shown, took in read_running(self._processes)]


def _command_line(shown: str, took: int, columns: int) -> str:
    """Of a long command as much as there is room for: how long it runs stands at the end."""
    rest, text = f" · {render_time(took)}", " ".join(shown.split())
    room = max(SHORTEST_COMMAND, columns - len(rest))
    return f"  {text if len(text) <= room else f'{text[: room - 1]}…'}{rest}"


def _step_line(phase: PhaseState, now: float) -> str:
    assert phase.open is not None
    task = f" {phase.open.task}" if phase.open.task else ""
    known = phase.steps.get(step_name(phase.open.step, phase.open.task))
    took = f" · {render_time(max(0, int(now - known.started_at.timestamp())))}" if known else ""
    return f"{phase.id} · {phase.open.step.value}{task}{took}"
