"""What comes next in a debug session, from its record alone: every way through it is bounded and ends honestly.

covers: DEBUG
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from autopilot.events import happened as h
from autopilot.events.debugging.happened import SessionContinued, SessionOpened, SymptomsGathered
from autopilot.events.entry import Stored
from autopilot.events.fold import fold
from autopilot.events.state import RunState
from autopilot.flows.command import Halt, Record, RunStep
from autopilot.flows.roadmap import decide
from autopilot.model.debugging.session import (
    FOLDER,
    MOST_FIXES,
    MOST_GATHERINGS,
    MOST_HYPOTHESES,
    SESSION,
    DebugBrief,
    HypothesisResult,
    Status,
    Symptoms,
)
from autopilot.model.policy import Budget
from autopilot.model.run import PhaseBrief, RunStatus, SpecLock, Step
from tests.unit.flows.performer import perform
from tests.unit.flows.playing import Choose, always_well, answering
from tests.unit.making import policy_of

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
ASKED = ("symptoms", "reproduction", "good commit", "candidate", "hypothesis", "test", "fix", "proof")
POLICY = policy_of(agents={"default": ("scripted",)})


class Walk:
    """A session driven by decide and fold, with the world chosen."""

    def __init__(self, **brief: Any) -> None:
        phase = PhaseBrief(SESSION, "rows", "", (), (), FOLDER)
        started = h.RunStarted(
            *("run-1", "0", (phase,), (phase,), "", SpecLock("", ""), POLICY, "main", "h", "base"),
            *((), (), (), (), "balanced"),
        )
        self.state, self.steps = RunState(), list[Step]()
        self.take(started, SessionOpened(DebugBrief("rows", "a row is missing", **brief)))

    def take(self, *events: h.Event) -> None:
        for event in events:
            number = self.state.seq + 1
            self.state = fold(self.state, Stored(number, BEGAN + timedelta(seconds=number), "run-1", "", event))

    def go(self, choose: Choose = always_well) -> Halt:
        for _ in range(200):
            (command,) = decide(self.state, self.state.policy, self.state.now)
            match command:
                case Halt():
                    self.take(h.RunStopped(command.status, command.reason, command.exit_status, kind=None))
                    return command
                case Record(events=events):
                    self.take(*events)
                case RunStep():
                    self._perform(command, choose)
                case _:
                    raise AssertionError(command)
        raise AssertionError("a session does not come to its end")

    def _perform(self, command: RunStep, choose: Choose) -> None:
        self.steps.append(command.step)
        self.take(h.StepStarted(command.phase, command.step, command.attempt, command.number, command.task))
        running = perform(command, self.state, choose)
        try:
            while True:
                self.take(*next(running))
        except StopIteration as end:
            result = end.value
        ended = h.StepEnded(command.phase, command.step, command.attempt, result.status, command.task, result.detail)
        self.take(*result.events, ended)

    @property
    def status(self) -> Status:
        assert self.state.debugging is not None
        return self.state.debugging.status


def test_a_session_goes_from_symptoms_to_a_landed_fix() -> None:
    walk = Walk()
    assert walk.go().exit_status == 0 and walk.status is Status.RESOLVED
    assert walk.steps == [
        *(Step.GATHER, Step.REPRODUCE, Step.HYPOTHESIZE, Step.REFUTE),
        *(Step.FIX, Step.PROVE, Step.ARCHIVE, Step.LAND),
    ]


def test_what_was_only_to_be_found_is_not_fixed_until_somebody_says_so() -> None:
    walk = Walk(find_only=True)
    assert walk.go().exit_status == 0 and Step.FIX not in walk.steps
    walk.take(h.RunResumed("0", (), Budget()), SessionContinued())
    assert walk.go().exit_status == 0 and walk.status is Status.RESOLVED


def test_a_bisection_comes_before_the_first_hypothesis_and_names_the_first_bad_commit() -> None:
    walk = Walk(good="good")
    walk.go()
    assert walk.steps.index(Step.BISECT) < walk.steps.index(Step.HYPOTHESIZE)
    assert walk.steps.count(Step.BISECT) <= 1 + 4 + 1


@pytest.mark.parametrize(
    "answers, status, step, most",
    [
        ({"reproduction": "passes"}, Status.NOT_REPRODUCED, Step.GATHER, MOST_GATHERINGS),
        ({"symptoms": "refused"}, Status.NOT_REPRODUCED, Step.GATHER, MOST_GATHERINGS),
        ({"test": HypothesisResult.ELIMINATED}, Status.NOT_FOUND, Step.HYPOTHESIZE, MOST_HYPOTHESES),
        ({"hypothesis": "refused"}, Status.NOT_FOUND, Step.HYPOTHESIZE, MOST_HYPOTHESES),
        ({"fix": "refused"}, Status.DIAGNOSED, Step.FIX, MOST_FIXES),
        ({"proof": "fails"}, Status.DIAGNOSED, Step.FIX, MOST_FIXES),
    ],
)
def test_every_round_is_bounded_and_its_end_is_said_and_can_be_continued(
    answers: dict[str, Any], status: Status, step: Step, most: int
) -> None:
    walk = Walk()
    halt = walk.go(answering(**answers))
    assert (halt.status, halt.exit_status, walk.status) == (RunStatus.FAILED, 1, status)
    assert walk.steps.count(step) == most
    walk.take(h.RunResumed("0", (), Budget()), SessionContinued("look there"))
    assert walk.go().exit_status == 0 and walk.status is Status.RESOLVED


def test_symptoms_that_were_seen_are_not_described_anew() -> None:
    walk = Walk(find_only=True)
    walk.go()
    assert walk.state.debugging is not None
    before = walk.state.debugging.symptoms
    walk.take(SymptomsGathered(SESSION, Symptoms("", "all is well", "", "true", ""), "other"))
    assert walk.state.debugging.symptoms == before


@pytest.mark.parametrize("seed", range(60))
def test_whatever_happens_evidence_is_only_added_to_and_the_session_ends(seed: int) -> None:
    chance, walk = random.Random(seed), Walk(good="good" if seed % 2 else "")

    def choose(question: str, *answers: Any) -> Any:
        """Only what a session asks of the world: limits and outages of agents are another matter."""
        return chance.choice(answers) if question in ASKED else answers[0]

    for _ in range(4):
        before = walk.state.debugging
        assert before is not None
        walk.go(choose)
        after = walk.state.debugging
        assert after is not None and after.facts[: len(before.facts)] == before.facts
        assert [i.hypothesis for i in after.ideas[: len(before.ideas)]] == [i.hypothesis for i in before.ideas]
        if after.status is Status.RESOLVED:
            return
        walk.take(h.RunResumed("0", (), Budget()), SessionContinued())
