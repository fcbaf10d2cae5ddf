"""A client of the Model Context Protocol that talks to the server of a world, by the official library."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from autopilot.mcp_server.places import Places
from autopilot.mcp_server.server import make_server
from tests.scenario.kit.looking import PATIENCE_S
from tests.scenario.kit.world import World

Talk = Callable[[Client], Awaitable[Any]]


@dataclass
class Person:
    """Whom the client asks: says the same each time, and remembers the questions."""

    action: str = "accept"
    typed: str | None = None
    asked: list[str] = field(default_factory=list)

    async def answer(self, _: Any, asked: types.ElicitRequestParams) -> types.ElicitResult:
        self.asked.append(asked.message)
        content = {} if self.typed is None else {"confirm": self.typed}
        return types.ElicitResult.model_validate({"action": self.action, "content": content})


def converse(world: World, talk: Talk, person: Person | None = None, mode: str = "legacy", may_act: bool = True) -> Any:
    """In this process. Without a person the client offers no questions."""

    async def play() -> Any:
        server = make_server(Places([world.project]), may_act=may_act)
        offered: dict[str, Any] = {"elicitation_callback": person.answer} if person else {}
        async with asyncio.timeout(PATIENCE_S), Client(server, mode=mode, **offered) as client:
            return await talk(client)

    with environment_of(world):
        return asyncio.run(play())


def converse_with_process(world: World, talk: Talk, *words: str) -> Any:
    """With the program itself, over its input and output."""
    command = [sys.executable, "-m", "autopilot", "mcp", *words]
    place = StdioServerParameters(command=command[0], args=command[1:], env=world.environment, cwd=world.project)

    async def play() -> Any:
        async with asyncio.timeout(PATIENCE_S), Client(stdio_client(place), mode="legacy") as client:
            return await talk(client)

    return asyncio.run(play())


def told(result: Any) -> dict[str, Any]:
    """The document of an answer, which must be none of an error."""
    assert not result.is_error, result.content
    document: dict[str, Any] = result.structured_content
    return document


def refused(result: Any) -> str:
    assert result.is_error, result.content
    return str(result.content[0].text)


@contextmanager
def environment_of(world: World) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(world.environment)
    try:
        yield
    finally:
        _set(before)


def _set(environment: Mapping[str, str]) -> None:
    for name in set(os.environ) - set(environment):
        del os.environ[name]
    os.environ.update(environment)
