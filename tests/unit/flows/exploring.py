"""Which step follows which: `decide` and `fold`, driven through the answers that the plays of the steps can get.

A walk begins where all goes well. At every step, and wherever a person is asked, it forks: once for each other answer
that could have been given, as long as the walk has had fewer than ``MOST_OTHERS`` of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any, NamedTuple, Protocol

from msgspec import Struct

from autopilot.events.entry import Stored
from autopilot.events.fold import fold
from autopilot.events.happened import Event, RunResumed, RunStopped, StepEnded, StepStarted
from autopilot.events.state import RunState
from autopilot.flows.command import Command, Halt, Record, RunStep
from autopilot.flows.roadmap import decide
from autopilot.model.policy import Budget
from autopilot.model.run import RunStatus
from autopilot.steps.context import Result, StepRun
from tests.unit.flows.performer import PLAYS
from tests.unit.making import START

MOST_OTHERS = 2
START_NODE = "[*]"
RESUMED = "resumed"
UNPROVEN = Result("unproven", detail="git is not there")  # what the loop makes of any step that it cannot perform


class Edge(NamedTuple):
    source: str
    target: str
    label: str


class Walk(Struct, frozen=True):
    state: RunState
    node: str = START_NODE  # where it stands
    label: str = ""  # what came of that
    others: int = 0  # answers so far that were not the good one


class View(Protocol):
    """What is followed and what is shown of it."""

    @property
    def good_answers(self) -> Mapping[str, Any]:
        """By question, where the good answer is not that of the play."""

    def follows(self, question: str, answer: Any, command: RunStep) -> bool:
        """Whether another answer than the good one is tried."""

    def node(self, command: Command, state: RunState) -> str:
        """What a command is in the diagram; "" for what happens on an edge."""

    def label(self, command: Command, events: Iterable[Event], status: str, state: RunState) -> str:
        """What came of a command: its status, or what its events say more exactly."""

    def answers(self, state: RunState) -> Iterator[tuple[str, RunState]]:
        """What a person can do where the run rests: a label, and the state after it."""


def explore(start: RunState, view: View) -> Iterator[Edge]:
    walks = [Walk(start)]
    while walks:
        walk = walks.pop()
        command = decide(walk.state, walk.state.policy, walk.state.now)[0]
        node = view.node(command, walk.state)
        if node:
            yield Edge(walk.node, node, walk.label)
            if walk.others > MOST_OTHERS:
                continue
        match command:
            case Record(events=events):
                after, label = store(walk.state, *events), "" if node else walk.label
                walks.append(Walk(after, node or walk.node, view.label(command, events, label, after), walk.others))
            case Halt():
                rests = store(walk.state, RunStopped(command.status, command.reason, command.exit_status))
                walks += _rest(walk, rests, node or walk.node, view)
            case RunStep():
                walks += _fork(walk, command, node, view)


def _rest(walk: Walk, state: RunState, node: str, view: View) -> Iterator[Walk]:
    """One walk for every answer of a person. Of a run that is only resumed, no more is shown than where it goes on."""
    answers = tuple(view.answers(state))
    for number, (label, after) in enumerate(answers):
        yield Walk(after, node, label, walk.others + min(number, 1))
    if not answers and state.status is not RunStatus.COMPLETED:
        yield Walk(store(state, RunResumed("0.1.0", (), Budget())), node, RESUMED, MOST_OTHERS + 1)


def store(state: RunState, *events: Event) -> RunState:
    for event in events:
        number = state.seq + 1
        state = fold(state, Stored(number, START + timedelta(seconds=number), "run-1", str(number), event))
    return state


def _fork(walk: Walk, command: RunStep, node: str, view: View) -> Iterator[Walk]:
    """One walk for every end of the step. What could not be done is resumed, and goes well from there."""
    started = StepStarted(command.phase, command.step, command.attempt, command.number, command.task)
    begun, left = store(walk.state, started), MOST_OTHERS - walk.others
    for result, events, others in (*_perform(begun, command, view, left), *([(UNPROVEN, (), left)] if left else [])):
        ended = StepEnded(command.phase, command.step, command.attempt, result.status, command.task, result.detail)
        after = store(begun, *events, ended)
        total = MOST_OTHERS if result.status == UNPROVEN.status else walk.others + others
        yield Walk(after, node, view.label(command, events, str(result.status), after), total)


class _Answers:
    """Answers by number, 0 for the good one and wherever no number is given."""

    def __init__(self, numbers: tuple[int, ...], command: RunStep, view: View) -> None:
        self.numbers, self.command, self.view = numbers, command, view
        self.chosen: list[int] = []
        self.sizes: list[int] = []  # how many answers each question had

    def __call__(self, question: str, *answers: Any) -> Any:
        good = self.view.good_answers.get(question, answers[0])
        others = [a for a in answers if a != good and self.view.follows(question, a, self.command)]
        asked = len(self.chosen)
        number = self.numbers[asked] if asked < len(self.numbers) else 0
        self.chosen.append(number)
        self.sizes.append(1 + len(others))
        return (good, *others)[number]


def _perform(
    state: RunState, command: RunStep, view: View, most_others: int
) -> Iterator[tuple[Result, tuple[Event, ...], int]]:
    """Every end of a step, with its events and how many answers were not the good one."""
    pending: list[tuple[int, ...]] = [()]
    while pending:
        answers = _Answers(pending.pop(), command, view)
        result, events = _run(PLAYS[command.step](state, state.phase(command.phase), command, answers))
        chosen = answers.chosen
        others = sum(number != 0 for number in chosen)
        yield result, events, others
        if others < most_others:
            later = range(len(answers.numbers), len(chosen))
            pending += [(*chosen[:n], number) for n in later for number in range(1, answers.sizes[n])]


def _run(step: StepRun) -> tuple[Result, tuple[Event, ...]]:
    events: list[Event] = []
    while True:
        try:
            events += next(step)
        except StopIteration as end:
            result: Result = end.value
            return result, (*events, *result.events)
