"""Agents of vendors in the contract suite: the real program, and a model behind it that plays the part on loopback."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from msgspec.structs import replace

from autopilot.adapters.agents.instruction import json_instruction
from autopilot.adapters.agents.known import KnownAgents, Roster
from autopilot.adapters.agents.prices import PRICES
from autopilot.model.agent import Role, Usage
from autopilot.model.agent_config import AgentConfig, Price
from autopilot.ports.agent import Agent
from autopilot.ports.reply import REPLIES, wire_schema
from autopilot.ports.sandbox import Sandbox
from autopilot.ports.transcripts import Transcripts
from autopilot.simulation.model_server.script import Fault, ModelScript, Reply, Rule, Run, Tokens, Turn, Write, Wrong
from autopilot.simulation.model_server.server import ModelServer
from autopilot.simulation.scripted.agent import ScriptedAgent
from tests.agents.installed import installed
from tests.agents.kit import BELOW_V1, KEY, KEY_VARIABLE, MODELS
from tests.contract.agents.harness import Part, Subject

NOTHING = Tokens(input=0, output=0)


class Real(Subject):
    """One whose model can be told by its settings where to be."""

    hang: Turn = Fault(kind=Wrong.HANG)
    closing = ""  # what it is told after the prompt

    def __init__(self) -> None:
        self._servers: list[ModelServer] = []
        self._open = ExitStack()

    def make(self, part: Part, sandbox: Sandbox, transcripts: Transcripts, folder: Path) -> Agent:
        server = self._open.enter_context(ModelServer(ModelScript((Rule("", play(part, self.hang)),))))
        self._servers.append(server)
        roster = Roster(folder / "logins", {self.name: self._config(server, part.usage)}, environment())
        return KnownAgents(roster, sandbox, transcripts, ScriptedAgent).named(self.name)

    def _config(self, server: ModelServer, usage: Usage) -> AgentConfig:
        return AgentConfig(
            program=str(installed(self.name)),
            base_url=server.url + ("/v1" if self.name in BELOW_V1 else ""),
            key_env=KEY_VARIABLE,
            model=MODELS.get(self.name, ""),
            price=price_of(usage),
        )

    def heard(self, transcript: bytes, prompt: str) -> bool:
        """By its model: what a program does with a prompt on the way there it does not tell."""
        return {each.prompt for each in self._servers[-1].requests if each.rule is not None} == {prompt + self.closing}

    def close(self) -> None:
        self._open.close()
        self._servers.clear()


# A Codex asks a model that falls silent again, says so, and in the end gives up: what can hang is a tool of its.
HANGING_TOOL = Run(command="sleep 86400", usage=NOTHING)


class Codex(Real):
    name = "codex"
    hang = HANGING_TOOL
    tells_money = False


class Claude(Real):
    name = "claude"
    own_price = PRICES["claude-sonnet"]
    counts_output_at_once = False
    start_s = 3.0

    def _config(self, server: ModelServer, usage: Usage) -> AgentConfig:
        # Root has to say this where there are no walls; within ours it changes nothing.
        return replace(super()._config(server, usage), env={"IS_SANDBOX": "1"})


class CodexAcp(Real):
    name = "codex-acp"
    hang = HANGING_TOOL
    tells_money = False
    splits_tokens = False
    start_s = 3.0
    closing = json_instruction(wire_schema(REPLIES[Role.EXECUTOR]))


def play(part: Part, hang: Turn) -> tuple[Turn, ...]:
    """The part as turns of a model. The first costs what the whole part costs, and its end is always heard of."""
    first, *others = _turns(part, hang)
    if first is hang:
        first, others = Run(command="true"), [first, *others]
    return (replace(first, usage=Tokens(input=part.usage.tokens_in, output=part.usage.tokens_out)), *others)


def _turns(part: Part, hang: Turn) -> Iterator[Turn]:
    yield from (Run(command=command, usage=NOTHING) for command in part.commands)
    yield from (Write(path=path, text=text, usage=NOTHING) for path, text in part.writes.items())
    if part.commit:
        yield Run(command=f"git add -A && git commit --quiet -m {shlex.quote(part.commit)}", usage=NOTHING)
    if part.flood_bytes:
        yield Run(command=f"head -c {part.flood_bytes} /dev/zero | tr '\\0' '~' | fold -w 1023", usage=NOTHING)
    if part.crash:
        # The program itself is what started the shell.
        yield Run(command="kill -9 $PPID", usage=NOTHING)
    if part.hang:
        yield hang
    yield Reply(value=part.reply, usage=NOTHING)


def price_of(usage: Usage) -> Price | None:
    """At which the tokens cost what the part says, however they are split."""
    if not usage.usd:
        return None
    each = usage.usd / usage.tokens * 1_000_000
    return Price(each, each)


def environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], KEY_VARIABLE: KEY}
