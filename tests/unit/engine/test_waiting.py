"""A run that waits for a provider: it sleeps in naps, hears every wish, and counts each wait once (CB, T6.signals)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from autopilot.adapters.clock import SteppedClock, SystemClock
from autopilot.engine.loop import drive
from autopilot.events import happened as h
from autopilot.events.entry import Entry, Message
from autopilot.events.provision import AgentCutOff, AgentSwitched, WaitStarted, Woken
from autopilot.events.recovery import VerdictGiven
from autopilot.events.state import RunState
from autopilot.model.agent import AgentCall, AgentReply, Ending, Usage
from autopilot.model.policy import Budget, Policy
from autopilot.model.run import RunStatus
from autopilot.ports.clock import Clock
from tests.unit.engine.house import House
from tests.unit.engine.test_loop import Wish
from tests.unit.making import ONE, START, make_policy

# covers: CB, T6.signals, T7.resume
ONE_BY_ONE = make_policy(agents={"default": "claude"}, parts=1)
LIMITED = AgentReply(Ending.RATE_LIMITED, usage=Usage(tokens_in=3), retry_after_s=30.0)
STOPPED = AgentReply(Ending.CANCELLED, usage=Usage(tokens_in=7))


class Awake(SteppedClock):
    """Does something at a nap: the only time at which anything can happen to a run that waits."""

    def __init__(self) -> None:
        super().__init__(START, timedelta(milliseconds=10))
        self.naps: list[float] = []
        self.dreams: dict[int, Callable[[], object]] = {}

    def nap(self, seconds: float) -> None:
        super().nap(seconds)
        self.naps.append(seconds)
        self.dreams.get(len(self.naps), lambda: None)()


class Agents:
    """Answer as they are told, one after the other; when nothing is left, somebody stops the run."""

    def __init__(self, wish: Wish, *replies: AgentReply) -> None:
        self.wish, self.replies = wish, list(replies)
        self.asked: list[str] = []

    def named(self, name: str) -> Agents:
        self.name = name
        return self

    def version(self) -> str:
        return "1"

    def trouble(self) -> None:
        return None

    def call(self, _: AgentCall) -> AgentReply:
        self.asked.append(self.name)
        if self.replies:
            return self.replies.pop(0)
        self.wish.word = "SIGTERM"
        return STOPPED


class Run:
    def __init__(
        self, folder: Path, *replies: AgentReply, policy: Policy = ONE_BY_ONE, clock: Clock | None = None
    ) -> None:
        self.clock, self.wish = Awake(), Wish()
        self.agents = Agents(self.wish, *replies)
        self.house = House(folder, self.agents, self.wish, clock or self.clock, policy)

    def drive(self) -> RunState:
        return list(drive("run-1", self.house.ports))[-1].state

    def resume(self) -> None:
        self.wish.word = ""
        resumes = self.house.ledger().state.totals.resumes + 1
        event = h.RunResumed("0.1.0", (), Budget())
        self.house.journal.append([Entry("run-1", f"run-1/resume/{resumes}", event)])

    def events(self, *kinds: type) -> list[Any]:
        return [stored.event for stored in self.house.journal.read() if isinstance(stored.event, kinds)]

    def at(self, kind: type) -> datetime:
        return next(stored.time for stored in self.house.journal.read() if isinstance(stored.event, kind))


def test_a_limited_run_waits_once_and_then_asks_again(tmp_path: Path) -> None:
    run = Run(tmp_path, LIMITED)
    rested = run.drive()
    kinds = [type(event).__name__ for event in run.events(h.Event)][-8:]  # type: ignore[arg-type]
    told = ["StepStarted", "AgentReplied", "StepEnded", "WaitStarted", "Woken", "StepStarted", "AgentCutOff"]
    assert kinds == [*told, "RunStopped"]
    [begun], [woken] = run.events(WaitStarted), run.events(Woken)
    assert begun.because == "claude reached its provider's rate limit"
    assert run.at(Woken) >= begun.until
    assert woken.waited_s == pytest.approx((run.at(Woken) - run.at(WaitStarted)).total_seconds(), abs=0.1)
    assert (rested.availability.wait, rested.session.waited_s, rested.phases[ONE].agents.waited_s) == (
        None,
        woken.waited_s,
        woken.waited_s,
    )
    assert run.agents.asked == ["claude", "claude"]


class SetClock(SystemClock):
    """The clock of a machine whose wall clock somebody sets in the middle of a wait, and again before the next run."""

    def __init__(self, step: timedelta) -> None:
        self.wall_s, self.counted_s = START.timestamp(), 100.0
        self.step_s, self.naps = step.total_seconds(), 0
        self.start()

    def start(self) -> None:
        super().__init__(lambda: self.wall_s, lambda: self.counted_s)

    def nap(self, seconds: float) -> None:
        self.counted_s += seconds
        self.wall_s += seconds
        self.naps += 1
        assert self.naps < 1_000, "the wait does not end"
        if self.naps == 5:
            self.wall_s += self.step_s


@pytest.mark.parametrize("step", [timedelta(days=-1), timedelta(days=365), timedelta(seconds=-2)])
def test_a_wall_clock_that_is_set_in_the_middle_of_a_wait_changes_no_wait(tmp_path: Path, step: timedelta) -> None:
    """No deadline may be on the wall clock."""
    run = Run(tmp_path, LIMITED, clock=SetClock(step))
    rested = run.drive()
    [begun], [woken] = run.events(WaitStarted), run.events(Woken)
    assert 30 <= woken.waited_s < 40 and run.at(Woken) >= begun.until
    assert timedelta(0) <= rested.now - rested.session.since < timedelta(minutes=1)
    assert run.agents.asked == ["claude", "claude"]


@pytest.mark.parametrize("step", [timedelta(days=-1), timedelta(days=-365), timedelta(days=365)])
def test_resumed_under_a_wall_clock_that_was_set_a_run_waits_as_long_as_before(tmp_path: Path, step: timedelta) -> None:
    """What was recorded under a clock a year ahead must not make the next session wait for a year."""
    clock = SetClock(timedelta(0))
    run = Run(tmp_path, LIMITED, clock=clock)
    run.drive()
    run.agents.replies.append(LIMITED)
    clock.wall_s += step.total_seconds()
    clock.start()
    run.resume()
    rested = run.drive()
    [_, woken] = run.events(Woken)
    assert 30 <= woken.waited_s < 80
    assert timedelta(0) <= rested.now - rested.session.since < timedelta(minutes=2)


def test_it_sleeps_in_naps_and_never_longer_than_is_left(tmp_path: Path) -> None:
    run = Run(tmp_path, LIMITED)
    run.drive()
    assert 0 < max(run.clock.naps) <= 0.5
    assert 50 < len(run.clock.naps) < 80


def test_limited_again_and_again_it_waits_each_time_and_no_attempt_is_counted(tmp_path: Path) -> None:
    run = Run(tmp_path, LIMITED, LIMITED, LIMITED)
    rested = run.drive()
    assert len(run.events(WaitStarted)) == len(run.events(Woken)) == 3
    keys = run.house.recorded_keys()
    assert len(set(keys)) == len(keys)
    part = rested.parts[rested.phases[ONE].split.parts[0]]
    [task] = part.tasks.values()
    assert (task.status, task.debugs, task.handovers) == ("pending", 0, ())
    assert rested.breaker.no_progress == rested.breaker.retries == 0
    assert rested.totals.usage.tokens == 3 * 3 + 7, "but what was used was used"


def test_parts_that_are_limited_together_wait_together(tmp_path: Path) -> None:
    run = Run(tmp_path, *[LIMITED] * 3, policy=make_policy(agents={"default": "claude"}))
    rested = run.drive()
    assert len(run.events(WaitStarted)) == len(run.events(Woken)) == 1
    assert rested.provision.limits["claude"].strikes == 1


@pytest.mark.parametrize(
    ("word", "status", "reason"), [("SIGTERM", 143, "stopped between two steps"), ("SIGINT", 130, "stopped between")]
)
def test_a_signal_ends_the_wait_at_the_next_look(tmp_path: Path, word: str, status: int, reason: str) -> None:
    run = Run(tmp_path, LIMITED)
    run.clock.dreams[4] = lambda: setattr(run.wish, "word", word)
    rested = run.drive()
    assert (rested.status, rested.session.exit_status) == (RunStatus.PAUSED, status)
    assert reason in rested.session.stop_reason
    assert (len(run.clock.naps), run.events(Woken)) == (4, [])
    assert run.agents.asked == ["claude"]


def test_a_cancel_ends_the_wait_at_the_next_look(tmp_path: Path) -> None:
    run = Run(tmp_path, LIMITED)
    post = run.house.journal.post
    run.clock.dreams[4] = lambda: post(Message("cancel-1", "run-1", h.CancelRequested("you")))
    rested = run.drive()
    assert (rested.session.exit_status, rested.session.stop_reason) == (1, "cancelled by you")
    assert (len(run.clock.naps), run.events(Woken)) == (4, [])


def test_a_message_is_heard_in_the_middle_of_a_wait_and_the_wait_goes_on(tmp_path: Path) -> None:
    run = Run(tmp_path, LIMITED)
    given = VerdictGiven(ONE, "pass", (), "you")
    run.clock.dreams[4] = lambda: run.house.journal.post(Message("v-1", "run-1", given))
    run.drive()
    [begun], [woken] = run.events(WaitStarted), run.events(Woken)
    assert run.at(WaitStarted) < run.at(VerdictGiven) < run.at(Woken)
    assert run.at(Woken) >= begun.until
    whole = (run.at(Woken) - run.at(WaitStarted)).total_seconds()
    assert woken.waited_s == pytest.approx(whole, abs=0.1), "the time before the message was waited, too"


def test_a_message_that_comes_with_the_end_of_a_wait_does_not_leave_it_open(tmp_path: Path) -> None:
    """Its entry moves the time on: the next decision sees no limit any more."""
    run = Run(tmp_path, LIMITED)

    def sleep_late() -> None:
        run.house.journal.post(Message("v-1", "run-1", VerdictGiven(ONE, "pass", (), "you")))
        SteppedClock.nap(run.clock, 100.0)

    run.clock.dreams[4] = sleep_late
    rested = run.drive()
    assert len(run.events(WaitStarted)) == len(run.events(Woken)) == 1
    assert rested.availability.wait is None and rested.session.waited_s > 100


def test_killed_while_it_waits_it_goes_on_waiting_and_counts_what_the_new_sitting_waited(tmp_path: Path) -> None:
    run = Run(tmp_path, LIMITED)
    for recorded in drive("run-1", run.house.ports):
        if recorded.state.availability.wait is not None:
            break  # the process is gone
    SteppedClock.nap(run.clock, 12.0)
    run.resume()
    rested = run.drive()
    assert len(run.events(WaitStarted)) == len(run.events(Woken)) == 1
    since_resume = (run.at(Woken) - run.at(h.RunResumed)).total_seconds()
    assert rested.session.waited_s == pytest.approx(since_resume, abs=0.1)
    assert run.agents.asked == ["claude", "claude"]


def test_a_wait_that_is_over_when_a_killed_run_comes_back_is_over(tmp_path: Path) -> None:
    run = Run(tmp_path, LIMITED)
    for recorded in drive("run-1", run.house.ports):
        if recorded.state.availability.wait is not None:
            break
    SteppedClock.nap(run.clock, 9_000.0)
    run.resume()
    rested = run.drive()
    assert len(run.events(Woken)) == 1 and rested.availability.wait is None
    assert rested.session.waited_s < 1, "nobody of this session waited"


def test_a_limit_over_the_cap_pauses_and_a_resume_when_it_is_over_goes_on(tmp_path: Path) -> None:
    run = Run(tmp_path, AgentReply(Ending.RATE_LIMITED, retry_after_s=90_000.0, detail="weekly limit"))
    rested = run.drive()
    assert (rested.status, rested.session.exit_status) == (RunStatus.PAUSED, 4)
    assert "weekly limit" in rested.session.stop_reason and run.clock.naps == []
    SteppedClock.nap(run.clock, 100_000.0)
    run.resume()
    run.drive()
    assert run.agents.asked == ["claude", "claude"]
    assert run.events(WaitStarted) == []


def test_another_of_the_chain_steps_in_and_the_preferred_one_comes_back(tmp_path: Path) -> None:
    chain = make_policy(agents={"default": ("claude", "codex")}, parts=1)
    slow = AgentReply(Ending.OVERLOADED, retry_after_s=60.0)
    run = Run(tmp_path, LIMITED, slow, policy=chain)
    run.drive()
    assert run.agents.asked == ["claude", "codex", "claude"]
    switches = [(event.old, event.new) for event in run.events(AgentSwitched)]
    assert switches == [("claude", "codex"), ("codex", "claude")]
    assert len(run.events(WaitStarted)) == 1, "only when both were limited"


def test_when_nobody_is_signed_in_the_run_pauses_and_says_how_to_mend_it(tmp_path: Path) -> None:
    chain = make_policy(agents={"default": ("claude", "codex")}, parts=1)
    run = Run(tmp_path, AgentReply(Ending.AUTH, detail="bad key"), AgentReply(Ending.NOT_FOUND), policy=chain)
    rested = run.drive()
    assert (rested.status, rested.session.exit_status) == (RunStatus.PAUSED, 5)
    assert "autopilot agents login claude" in rested.session.stop_reason
    run.resume()
    run.drive()
    assert run.agents.asked == ["claude", "codex", "claude"], "a resume gives them another chance"


def test_what_an_agent_used_until_it_was_interrupted_is_recorded_for_every_try(tmp_path: Path) -> None:
    run = Run(tmp_path)
    assert run.drive().totals.usage.tokens == 7
    run.resume()
    rested = run.drive()
    assert rested.totals.usage.tokens == 14
    cuts = [stored.key for stored in run.house.journal.read() if isinstance(stored.event, AgentCutOff)]
    assert cuts == [f"run-1/1a/execute.01-01/1/try-{n}/AgentCutOff/1" for n in (1, 2)]
    assert rested.parts[rested.phases[ONE].split.parts[0]].open is not None, "the step is tried again"
