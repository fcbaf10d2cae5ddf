"""Telling the stories of issues session by session, and what is left to look at."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from autopilot.engine.history import read_history
from autopilot.events.issue.state import IssueState
from autopilot.events.state import RunState
from tests.chaos.record import read_record
from tests.chaos.session import hold_session, sessions_of
from tests.scenario.kit.issue_world import IssueWorld
from tests.scenario.stories.story import Story


class Told(Struct, frozen=True):
    world: IssueWorld
    state: RunState

    @property
    def issue(self) -> IssueState:
        assert self.state.issue is not None
        return self.state.issue

    @property
    def ending(self) -> str:
        """How its convergence ended: CONVERGED, or the reason of the debt."""
        return (
            self.issue.ending.halted.reason.value
            if self.issue.ending.halted
            else self.state.session.stop_reason.partition(":")[0]
        )

    def iterations(self, step: str) -> list[str]:
        return [row.verdict for row in self.issue.audit.rows if row.step == step]


def tell(story: Story, folder: Path) -> Told:
    world = story.make(folder / "world")
    assert isinstance(world, IssueWorld), "the story of an issue"
    for session in sessions_of(story):
        hold_session(world, session)
    return Told(world, next(reversed(read_history(read_record(world)).runs.values())))
