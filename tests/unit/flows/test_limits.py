"""Limits cost nothing but time: a run whose agents are limited ends as the same run would without limits (CB)."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest

from autopilot.events import happened as h
from autopilot.events import provision as p
from autopilot.events.fold_provision import LIMITED
from autopilot.events.pieces import BreakerState
from autopilot.events.recovery import HandedOver
from autopilot.events.state import PhaseState
from autopilot.flows.command import RunStep
from autopilot.model.agent import Ending
from autopilot.model.policy import Breaker, Commands
from autopilot.model.run import RunStatus
from autopilot.rails.budget import time_at_work
from tests.unit.flows.chance import ADVENTURES, PHASES, seated, stage_by_lot
from tests.unit.flows.playing import Choose, always_well
from tests.unit.flows.provisioning import SEATINGS, WAITS
from tests.unit.flows.stage import Stage
from tests.unit.making import make_policy, make_started

# covers: CB, LOOP-1, T7.resume
PATIENT = {"parts": 1, "max_wait_minutes": 100_000.0}
POLICIES = (
    make_policy(**PATIENT),
    make_policy(**PATIENT, pass_threshold=7.0, research=False, commands=Commands(test="make test")),
    make_policy(**PATIENT, breaker=Breaker(no_progress=50, same_error=50, retries_per_run=50)),
)
USUAL, ADVENTUROUS = (*[10_000] * 9, 20, 6, 2), (10_000, 3, 1)
Counted = list[tuple[str, str, str, str]]


class Lots:
    """The same answers to the same questions of the same step, however often it was put off; ``limits`` before each."""

    def __init__(self, seed: int, limits: int) -> None:
        self.seed, self.limits = seed, limits
        self.asked: Counter[str] = Counter()

    def choose_in(self, command: RunStep, nth: int) -> Choose:
        name = f"{command.phase}/{command.step}/{command.task}/{nth}"
        times: Counter[str] = Counter()

        def choose(question: str, good: Any, *bad: Any) -> Any:
            if question.endswith(" answers"):
                return self._answer(name)
            if question == "how long":
                return WAITS[self.asked[name] % 4]
            if question == "half done when it was limited":
                return False
            times[question] += 1
            lucks = ADVENTUROUS if question in ADVENTURES else USUAL
            luck = Random(f"{self.seed}/{question}").choice(lucks)
            number = Random(f"{self.seed}/{name}/{question}/{times[question]}").randrange(luck + len(bad))
            return good if number < luck else bad[number - luck]

        return choose

    def _answer(self, name: str) -> Ending:
        """Limited so often, then answered; a second question of the same step is limited once more."""
        self.asked[name] += 1
        limited = self.limits and self.asked[name] in (*range(1, self.limits + 1), self.limits + 2)
        return Ending.RATE_LIMITED if limited else Ending.COMPLETED


def play(seed: int, limits: int) -> Stage:
    lot = Random(seed)
    policy = seated(lot.choice(POLICIES), lot.choice(SEATINGS))
    return Stage(make_started(*PHASES, policy=policy), always_well, choose_in=Lots(seed, limits).choose_in).play()


def counted(stage: Stage) -> Counted:
    """Every step that was not put off, in order, and how it ended."""
    ended = (stored.event for stored in stage.history if isinstance(stored.event, h.StepEnded))
    return [(e.phase, e.step.value, e.task, e.status) for e in ended if e.status != "put_off"]


def standing(phase: PhaseState) -> tuple[Any, ...]:
    tasks = {name: (task.status, task.debugs, len(task.handovers)) for name, task in phase.tasks.items()}
    chances = (
        phase.other_chances,
        phase.plan.rounds,
        len(phase.remediation.cycles),
        len(phase.retries.debug_rounds),
        phase.totals.attempt,
    )
    errors = {name: step.errors for name, step in phase.steps.items()}
    return phase.status, phase.reviews.score, phase.retries.scores, phase.ruling.outcome, tasks, chances, errors


def counts(breaker: BreakerState) -> tuple[Any, ...]:
    return breaker.state, breaker.no_progress, breaker.same_error, breaker.last_error, breaker.retries


@pytest.mark.parametrize("block", range(8))
def test_a_run_in_which_every_call_is_limited_first_ends_as_the_same_run_without_limits(block: int) -> None:
    for seed in range(block * 5, block * 5 + 5):
        free = play(seed, 0)
        for limits in (1, 3):
            limited = play(seed, limits)
            assert counted(limited) == counted(free), seed
            for name, phase in (*free.state.phases.items(), *free.state.parts.items()):
                assert standing(limited.state.phase(name)) == standing(phase), seed
            assert counts(limited.state.breaker) == counts(free.state.breaker), seed
            assert (limited.state.status, limited.state.session.exit_status) == (
                free.state.status,
                free.state.session.exit_status,
            )


def test_the_runs_compared_are_limited_and_come_to_different_ends() -> None:
    """The control: runs that all end at once, or never wait, would prove nothing."""
    stages = [play(seed, 3) for seed in range(40)]
    met: Counter[str] = Counter(type(stored.event).__name__ for stage in stages for stored in stage.history)
    assert min(met["WaitStarted"], met["AgentSwitched"], met["GateJudged"], met["SplitAgreed"]) > 5
    assert met["WaitStarted"] == met["Woken"]
    assert {stage.state.status for stage in stages} >= {RunStatus.COMPLETED, RunStatus.FAILED}
    for stage in stages:
        assert time_at_work(stage.state, stage.state.now).total_seconds() <= len(stage.history)


@cache
def walks() -> list[list[h.Event]]:
    return [[stored.event for stored in stage_by_lot(seed).play().history] for seed in range(100)]


def test_the_walks_meet_every_trouble_that_agents_can_make() -> None:
    """The control for the walks of the simulation."""
    events = [event for walk in walks() for event in walk]
    met = {type(event).__name__ for event in events}
    assert {kind.__name__ for kind in (p.AgentSwitched, p.WaitStarted, p.Woken, p.AgentCutOff)} <= met
    assert any(isinstance(event, HandedOver) and not event.counted for event in events)
    endings = {event.ending for event in events if isinstance(event, h.AgentReplied)}
    assert endings == {Ending.COMPLETED, *LIMITED, Ending.AUTH, Ending.NOT_FOUND}
    stops = [event for event in events if isinstance(event, h.RunStopped)]
    assert any(stop.exit_status == 5 and stop.reason.startswith("no agent is available") for stop in stops)
    assert any(stop.exit_status == 4 and "the longest wait allowed" in stop.reason for stop in stops)


def test_every_switch_is_recorded_once_and_begins_where_the_last_one_ended() -> None:
    for walk in walks():
        serving: dict[str, str] = {}
        for event in walk:
            match event:
                case h.RunResumed():
                    serving = {}  # a rest begins anew with the preferred ones, and so do other agents
                case p.AgentSwitched(role=role, old=old, new=new):
                    assert old != new
                    assert serving.get(role.value, old) == old
                    serving[role.value] = new
