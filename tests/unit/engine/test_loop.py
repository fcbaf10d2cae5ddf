"""The loop over parts: several agents at once, a cancel while they are busy, and nothing recorded by two hands."""

from __future__ import annotations

import errno
import threading
from pathlib import Path

import pytest

from autopilot.engine.loop import drive
from autopilot.events.entry import Message
from autopilot.events.happened import CancelRequested, RunStopped, StepEnded, StepStarted
from autopilot.events.people import PauseRequested
from autopilot.model.agent import AgentCall, AgentReply, Ending
from autopilot.model.errors import CapReached
from autopilot.model.run import RunStatus, Step, StopKind
from tests.unit.engine.house import AT_MOST_S, PARTS, House

# covers: LOOP-3, T7.resume


class Wish:
    """Somebody wants the run to stop, from a moment on."""

    def __init__(self) -> None:
        self.word = ""

    def reason(self) -> str:
        return self.word


class Busy:
    """Agents that are all at work when the wish comes; each is then stopped by it."""

    name = "scripted"

    def __init__(self, wish: Wish, word: str) -> None:
        self.wish, self.word = wish, word
        self.together = threading.Barrier(len(PARTS), action=self._all_are_here, timeout=AT_MOST_S)
        self.house: House | None = None

    def _all_are_here(self) -> None:
        self.wish.word = self.word
        if self.word == "cancel" and self.house is not None:
            self.house.journal.post(Message("cancel-1", "run-1", CancelRequested("you")))

    def named(self, _: str) -> Busy:
        return self

    def version(self) -> str:
        return "1"

    def trouble(self) -> None:
        return None

    def call(self, _: AgentCall) -> AgentReply:
        self.together.wait()
        return AgentReply(Ending.CANCELLED)


@pytest.mark.parametrize(
    ("word", "status", "exit_status", "reason"),
    [
        ("cancel", RunStatus.PAUSED, 1, "cancelled by you"),
        ("SIGINT", RunStatus.PAUSED, 130, "stopped while the executor was working"),
        ("SIGTERM", RunStatus.PAUSED, 143, "stopped while the executor was working"),
    ],
)
def test_a_wish_to_stop_ends_all_that_are_busy_and_the_run_rests_once(
    tmp_path: Path, word: str, status: RunStatus, exit_status: int, reason: str
) -> None:
    wish = Wish()
    agents = Busy(wish, word)
    house = House(tmp_path, agents, wish)
    agents.house = house
    recorded = list(drive("run-1", house.ports))
    assert (recorded[-1].state.status, recorded[-1].state.session.exit_status) == (status, exit_status)
    assert reason in recorded[-1].state.session.stop_reason
    stops = [s.event for s in house.journal.read() if isinstance(s.event, RunStopped)]
    assert len(stops) == 1
    begun = [
        s.event.phase for s in house.journal.read() if isinstance(s.event, StepStarted) and s.event.step is Step.EXECUTE
    ]
    assert begun == list(PARTS), "each was begun once, and none anew after the wish"
    assert house.journal.writers == {threading.get_ident()}
    assert all(recorded[-1].state.parts[part].open is not None for part in PARTS), "a resume tries them again"


def test_a_wish_that_comes_before_anyone_begins_leaves_nobody_waiting(tmp_path: Path) -> None:
    """It comes between the loop's look and the first step: there is no worker to listen to."""

    class JustNow(Wish):
        asked = 0

        def reason(self) -> str:
            self.asked += 1
            return "SIGINT" if self.asked > 1 else ""

    house = House(tmp_path, None, JustNow())
    recorded = list(drive("run-1", house.ports))
    assert (recorded[-1].state.session.exit_status, len(recorded)) == (130, 1)


def test_a_pause_lets_all_that_are_busy_come_to_their_end_and_begins_nothing_else(tmp_path: Path) -> None:
    """covers: CMD-PAUSE"""

    class Paused(Busy):
        def _all_are_here(self) -> None:
            assert self.house is not None
            self.house.journal.post(Message("pause-1", "run-1", PauseRequested("you")))

        def call(self, _: AgentCall) -> AgentReply:
            self.together.wait()
            return AgentReply(Ending.REFUSED)

    agents = Paused(Wish(), "")
    house = agents.house = House(tmp_path, agents, Wish())
    recorded = list(drive("run-1", house.ports))
    session = recorded[-1].state.session
    assert (session.stop_reason, session.exit_status) == ("paused by you", 1)
    events = [stored.event for stored in house.journal.read()]
    begun = [e.phase for e in events if isinstance(e, StepStarted) and e.phase in PARTS]
    ended = [e.phase for e in events if isinstance(e, StepEnded) and e.phase in PARTS]
    assert sorted(begun) == sorted(ended) == sorted(PARTS)
    assert all(recorded[-1].state.parts[part].open is None for part in PARTS), "no step is left half done"


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "no space left"), CapReached("the disk is full", "make room")])
def test_a_full_disk_pauses_the_run_as_a_problem_to_fix_and_not_as_a_cap_to_raise(
    tmp_path: Path, error: Exception
) -> None:
    class Full(Busy):
        def call(self, _: AgentCall) -> AgentReply:
            raise error

    house = House(tmp_path, Full(Wish(), ""))
    session = list(drive("run-1", house.ports))[-1].state.session
    assert (session.exit_status, session.stop_kind) == (4, StopKind.PROBLEM)
    assert "the disk is full" in session.stop_reason
