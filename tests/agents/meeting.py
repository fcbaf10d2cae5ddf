"""Worlds in which a real agent meets a scripted model, and what is looked at afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from autopilot.events.happened import AgentReplied
from autopilot.events.provision import AgentCutOff
from autopilot.simulation.model_server.script import ModelScript, Rule
from autopilot.simulation.model_server.server import ModelServer
from tests.agents.cast import Answers, RealWorld, cast, real_world, rehearse
from tests.scenario.kit.aftermath import stored
from tests.scenario.kit.looking import processes_of
from tests.scenario.kit.plot import Plot
from tests.scenario.kit.world import Ran

AGENTS = ("claude", "codex", "codex-acp")
WHOLE = Plot()  # research and plan too
PLANNED = Plot(planned=True)
TOKENS = 110  # that the model says each of its answers took

Meeting = Callable[..., RealWorld]


@pytest.fixture(scope="session")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    return rehearse(tmp_path_factory.mktemp("rehearsal"), WHOLE)


@pytest.fixture
def meet(tmp_path: Path, answers: Answers) -> Iterator[Meeting]:
    """A world with an agent whose model has these rules before its honest ones, and is gone after the test."""
    with ExitStack() as opened:

        def begin(name: str, *rules: Rule, plot: Plot = PLANNED, more: str = "", **spoilt: Any) -> RealWorld:
            honest = cast(plot, answers, spoilt)
            server = opened.enter_context(ModelServer(ModelScript((*rules, *honest.rules))))
            world = real_world(tmp_path / "world", plot)
            world.server = server
            world.engage(name, server, more)
            return world

        yield begin


def replies(world: RealWorld) -> list[AgentReplied]:
    return [each.event for each in stored(world) if isinstance(each.event, AgentReplied)]


def of_role(world: RealWorld, role: str) -> list[str]:
    return [event.ending.value for event in replies(world) if event.role.value == role]


def landed(world: RealWorld, ran: Ran) -> None:
    assert ran.status == 0, ran.err
    assert world.git("show", "main:part-01-01.sh") == "echo part 01-01"
    assert processes_of(world.folder) == []


def counted(world: RealWorld) -> None:
    """Every answer of the model is counted, and none twice."""
    answered = sum(1 for request in world.server.requests if request.status == 200 and request.rule is not None)
    used = sum(each.event.usage.tokens for each in stored(world) if isinstance(each.event, AgentReplied | AgentCutOff))
    assert used == TOKENS * answered
