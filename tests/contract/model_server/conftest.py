"""A server for each test's script; all are stopped and gone at its end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from autopilot.simulation.model_server.conversation import Wire
from autopilot.simulation.model_server.script import ModelScript, Rule, Turn
from autopilot.simulation.model_server.server import ModelServer

Serve = Callable[..., ModelServer]


@pytest.fixture(params=list(Wire), ids=str)
def wire(request: pytest.FixtureRequest) -> Wire:
    return Wire(request.param)


@pytest.fixture(params=[False, True], ids=["whole", "stream"])
def stream(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serve these turns for every prompt, or these rules."""
    before = set(threading.enumerate())
    servers: list[ModelServer] = []

    def start(*turns: Turn | Rule, tools_expected: bool = True) -> ModelServer:
        rules = tuple(turn for turn in turns if isinstance(turn, Rule))
        plain = tuple(turn for turn in turns if not isinstance(turn, Rule))
        servers.append(ModelServer(ModelScript(rules or (Rule("", plain),), tools_expected)))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()
    assert set(threading.enumerate()) <= before
