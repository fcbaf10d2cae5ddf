"""A run in one row: how it stands, what it proved, what was caught, what it cost."""

from __future__ import annotations

from msgspec import Struct

from autopilot.api.page.live_lines import LiveCall
from autopilot.api.page.records import Record
from autopilot.events.state import RunState
from autopilot.model.run import LandingStage, RunStatus
from autopilot.reports.evidence.promised import run_standing
from autopilot.reports.markdown import how_long, seconds
from autopilot.reports.run.metrics import RunMetrics, run_metrics
from autopilot.reports.status.brief import stop_words
from autopilot.reports.status.caught import CLAIMED, caught_lines, find_caught
from autopilot.reports.status.gates import find_waiting
from autopilot.text.naming import plural

INTERRUPTED = "interrupted: its process has ended"
ANSWERED = "answered: it goes on when it is resumed"


class RunSummary(Struct, frozen=True):
    record: Record
    state: RunState
    is_working: bool
    agents: tuple[LiveCall, ...] = ()  # calls in progress
    more: int = 0  # runs of the same repository in the day before

    @property
    def name(self) -> str:
        return self.record.repository.path.name

    @property
    def status(self) -> str:
        if not self.state.halted and not self.is_working and not self.state.archived:
            return "paused"
        return self.state.status.value

    @property
    def reason(self) -> str:
        if self.is_working:
            at_work = ", ".join(f"phase {phase.id}" for phase in self.state.at_work)
            return f"at work on {at_work}" if at_work else "at work"
        return describe_stop(self.state)

    @property
    def standing(self) -> str:
        return run_standing(self.state)

    @property
    def caught(self) -> list[str]:
        return caught_lines(self.state)

    @property
    def false_claims(self) -> int:
        """How many tasks were called done and are not; work that nobody claimed to be done is caught, and no lie."""
        return len({(phase, task) for phase, task, why in find_caught(self.state) if why.startswith(CLAIMED)})

    @property
    def landed(self) -> str:
        """What of it is on the user's branch: the answer to whether anything is left to merge."""
        phases = self.state.phases.values()
        there = sum(phase.landing.state is LandingStage.LANDED for phase in phases)
        branch = self.state.line.branch or "your branch"
        return (
            f"{there} of {plural(len(phases), 'phase')} landed on {branch}" if phases and not self.state.issue else ""
        )

    @property
    def figures(self) -> RunMetrics:
        return run_metrics(self.state)

    @property
    def took(self) -> str:
        return how_long(seconds(self.state.started_at, self.state.now))


def describe_stop(state: RunState) -> str:
    """Why it rests; the reason of one that waited is over when everything is answered."""
    if state.halted and state.status is RunStatus.WAITING and not find_waiting(state):
        return ANSWERED
    return (stop_words(state) if state.halted else "") or INTERRUPTED


def summarise(record: Record, state: RunState) -> RunSummary:
    is_working = not state.halted and record.is_driven
    agents = tuple(record.live_calls()) if is_working else ()
    return RunSummary(record, state, is_working, agents)
