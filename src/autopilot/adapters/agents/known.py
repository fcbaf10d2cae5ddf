"""The agents there are, by name: those that are known, and those your settings describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path

from msgspec import Struct

from autopilot.adapters.agents.cli_agent import CliAgent, find_program
from autopilot.adapters.agents.credentials import Credentials
from autopilot.adapters.agents.dialect import Program
from autopilot.adapters.agents.hosts import find_egress
from autopilot.adapters.agents.presets import KINDS, PRESETS, Preset
from autopilot.model.agent_config import AgentConfig
from autopilot.model.egress import Egress
from autopilot.model.errors import Unavailable, UsageError
from autopilot.model.pasting import Written
from autopilot.model.secrecy.secrets import secret_values
from autopilot.ports.agent import Agent
from autopilot.ports.sandbox import Sandbox
from autopilot.ports.transcripts import Transcripts

SCRIPTED = "scripted"
MakeScripted = Callable[[Path, Sandbox, Transcripts, str], Agent]  # script, sandbox, transcripts, name


class Roster(Struct, frozen=True):
    """What the user's settings say about agents, and where those are signed in."""

    logins: Path  # a folder for each agent below it
    configs: Mapping[str, AgentConfig] = {}
    environment: Mapping[str, str] = {}
    script: Path | None = None
    written: Written = Written()  # the file that says so

    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*PRESETS, *sorted(self.configs), SCRIPTED)))

    def config(self, name: str) -> AgentConfig:
        return self.configs.get(name, AgentConfig())

    def preset(self, name: str) -> Preset:
        preset = self._find(name)
        if preset is None and (kind := self.config(name).kind):
            raise UsageError(f"agent {name!r} is of an unknown kind, {kind!r}", f"kind is one of {', '.join(KINDS)}")
        if preset is None:
            if not name:
                hint = f"remove the extra comma, or choose one of: {', '.join(self.names())}"
                raise UsageError("the name of an agent is empty", hint)
            close = get_close_matches(name, self.names(), n=1)
            guess = f"did you mean {close[0]!r}? " if close else ""
            raise UsageError(f"there is no agent named {name!r}", f"{guess}choose one of: {', '.join(self.names())}")
        return preset

    def _find(self, name: str) -> Preset | None:
        kind = self.config(name).kind
        return KINDS.get(kind) if kind else PRESETS.get(name)

    def is_scripted(self, name: str) -> bool:
        return (self.config(name).kind or name) == SCRIPTED

    def script_of(self, name: str) -> Path:
        """What a scripted agent plays: its own script, or the one of this call."""
        own = self.config(name).program
        script = Path(own).expanduser() if own else self.script
        if script is None:
            raise Unavailable("the scripted agent needs a script", "give one with --script FILE")
        return script

    def provider(self, name: str) -> str:
        if self.is_scripted(name):
            return self.config(name).provider or name
        return self.config(name).provider or self.preset(name).provider or name

    def models(self, name: str) -> Mapping[str, str] | None:
        """What it calls a model of each class; without a class that it has none of.

        None where no class counts: the user named its model, or sends it to another address, whose models are unknown.
        """
        config = self.config(name)
        if self.is_scripted(name) or (_is_settled(config) and not config.models):
            return None
        return {**({} if _is_settled(config) else self.preset(name).models), **config.models}

    def program(self, name: str) -> Program:
        """Where it is; AgentMissing when it is not there."""
        return find_program(name, self.preset(name).dialect(), self.config(name), self.environment, self.written)

    def egress(self, name: str) -> Egress | None:
        """What it may reach; None for any host."""
        return find_egress(self.config(name), self.preset(name).hosts, self.environment)

    def credentials(self, name: str) -> Credentials:
        return Credentials(self.logins / name, self.preset(name).dialect().login)

    def credential_files(self) -> tuple[Path, ...]:
        """Where the credentials of all agents lie: what stands in them must never be shown."""
        known = (name for name in self.names() if self._find(name))
        return tuple(file for name in known for file in self.credentials(name).files())

    def secrets(self) -> dict[str, str]:
        """Values that agents are given and that must never be shown, whatever their variables are called."""
        keys = {config.key_env for config in self.configs.values()}
        passed = {name for config in self.configs.values() for name in config.pass_env}
        given = {name: self.environment[name] for name in keys | passed if name in self.environment}
        # A path is passed on to say where something is; hiding it would hide every mention of the place.
        found = {name: value for name, value in given.items() if name in keys or not value.startswith("/")}
        for config in self.configs.values():
            found |= secret_values(config.env)
        return found


def _is_settled(config: AgentConfig) -> bool:
    """Whether the user's settings say which model it uses, or where."""
    variables = (*config.env, *config.pass_env)
    named = any(name.endswith(("_MODEL", "_BASE_URL")) for name in variables)
    return bool(config.model or config.base_url or named or {"-m", "--model"} & set(config.args))


class KnownAgents:
    def __init__(self, roster: Roster, sandbox: Sandbox, transcripts: Transcripts, make_scripted: MakeScripted) -> None:
        self._roster = roster
        self._sandbox = sandbox
        self._transcripts = transcripts
        self._make_scripted = make_scripted
        self._made: dict[str, Agent] = {}

    @property
    def written(self) -> Written:
        return self._roster.written

    def named(self, name: str) -> Agent:
        if name not in self._made:
            self._made[name] = self._scripted(name) if self._roster.is_scripted(name) else self._cli(name)
        return self._made[name]

    def _cli(self, name: str) -> Agent:
        roster = self._roster
        try:
            dialect = roster.preset(name).dialect()
        except UsageError as error:
            # A run that is taken up again may know it from settings of another day: it waits for them.
            raise Unavailable(str(error), error.hint) from error
        return CliAgent(
            name,
            dialect,
            roster.config(name),
            roster.credentials(name),
            self._sandbox,
            self._transcripts,
            roster.environment,
            roster.egress(name),
            roster.written,
        )

    def _scripted(self, name: str) -> Agent:
        return self._make_scripted(self._roster.script_of(name), self._sandbox, self._transcripts, name)
