"""Validates the settings about agents before a run starts: an error would otherwise appear only hours later."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from autopilot.adapters.agents.known import SCRIPTED, Roster
from autopilot.adapters.agents.presets import KINDS, PRESETS
from autopilot.model.agent_config import AgentConfig
from autopilot.model.egress import BY_HOST, FIRST_LOCAL_PORT, LOCAL_NAMES, OPEN, is_offered, parse_rule, parse_url_rule
from autopilot.model.errors import UsageError
from autopilot.model.policy import Choice, parse_assignments
from autopilot.model.profile import Tier
from autopilot.settings.faults import did_you_mean

# The name is also a folder name, and chains use colons and commas as separators.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
NAMES, KIND_NAMES = (*PRESETS, SCRIPTED), (*KINDS, SCRIPTED)
KIND_HINT = f"kind is one of {', '.join(KIND_NAMES)}; the agents {', '.join(NAMES)} need none"


def check_described(roster: Roster, misspelt: Sequence[str], source: str) -> None:
    """UsageError about the file ``source``."""
    for problem in misspelt:
        raise UsageError(f"{source}: {problem}", f"known keys of an agent: {', '.join(AgentConfig.__struct_fields__)}")
    for name, config in roster.configs.items():
        for fault, hint in (*_faults(name, config), *_shows_too_much(config, roster.logins)):
            raise UsageError(f"{source}: [agent.{name}] {fault}", hint)


def check_chains(roster: Roster, tables: Mapping[str, Mapping[str, Choice]]) -> None:
    """UsageError when a chain names an unknown agent, with its position in the file; "" for those of the call."""
    for position, table in tables.items():
        for role, choice in table.items():
            for member in parse_assignments(choice):
                try:
                    roster.provider(member.agent)
                except UsageError as error:
                    raise UsageError(f"{position} {role}: {error}" if position else str(error), error.hint) from error


def _faults(name: str, config: AgentConfig) -> Iterator[tuple[str, str]]:
    if not NAME.fullmatch(name):
        yield "is not a valid name of an agent", "use letters, digits, `-`, `_` and `.`"
    if config.kind and config.kind not in KIND_NAMES:
        yield f'kind is "{config.kind}", which Autopilot does not know', KIND_HINT
    if not config.kind and name not in NAMES:
        guess = did_you_mean(name, NAMES)
        yield "has no kind", f"{guess} {KIND_HINT}" if guess else KIND_HINT
    if config.kind in ("acp", "command") and not config.program:
        yield "has no program", 'write program = "NAME", or an absolute path'
    if "/" in config.program and not config.program.startswith(("/", "~")):
        yield f'program is "{config.program}", a relative path', "write an absolute path that starts with / or ~"
    if config.base_url and not re.match(r"https?://[^/@\s]+", config.base_url):
        yield (
            f'base_url is "{config.base_url}", which is not a web address',
            "write an address that starts with http:// or https://",
        )
    if config.key_env and not VARIABLE.fullmatch(config.key_env):
        yield f'key_env is "{config.key_env}", which is not the name of a variable', 'write key_env = "MY_KEY"'
    for tier in config.models:
        if tier not in tuple(Tier):
            guess = did_you_mean(tier, tuple(Tier))
            yield f'models names "{tier}", which is no class of models', f"{guess} write {', '.join(Tier)}".strip()
    for cap in ("wall_s", "stall_s", "tokens", "usd"):
        if (figure := getattr(config, cap)) is not None and not 0 < figure < math.inf:
            yield f"{cap} is {figure:g}, not a finite number above zero", "write a number above zero"
    for name in config.price.__struct_fields__ if config.price else ():
        if not 0 <= (figure := getattr(config.price, name) or 0.0) < math.inf:
            yield (
                f"price of {name} is {figure:g}, not a finite number of 0 or more",
                "write USD per million tokens, 0 or more",
            )
    yield from _egress_faults(config)
    yield from _command_faults(config)


def _shows_too_much(config: AgentConfig, logins: Path) -> Iterator[tuple[str, str]]:
    """An agent must never read the records and the logins, whatever the user shows it."""
    for folder in config.show:
        if logins.resolve().is_relative_to(Path(folder).expanduser().resolve()):
            yield f'shows it "{folder}", which contains the records of Autopilot', "show only the folders it needs"


def _egress_faults(config: AgentConfig) -> Iterator[tuple[str, str]]:
    if config.egress not in ("", BY_HOST, OPEN):
        yield f'egress is "{config.egress}"', f'write egress = "{BY_HOST}" or egress = "{OPEN}"'
    address = parse_url_rule(config.base_url)
    if address and address.host in LOCAL_NAMES and not is_offered(address) and config.egress != OPEN:
        remedy = f'give the model a port from {FIRST_LOCAL_PORT} on, or write egress = "{OPEN}"'
        yield f'base_url is "{config.base_url}", a port that cannot be offered inside a sandbox', remedy
    for host in config.hosts:
        rule = parse_rule(host)
        if rule is None:
            remedy = 'write host names such as "example.org", "*.example.org" or "example.org:8443"'
            yield f'hosts contains "{host}", which is not a host name', remedy
        elif rule.host in LOCAL_NAMES and not is_offered(rule):
            remedy = f"use a port from {FIRST_LOCAL_PORT} on"
            if not re.search(r":[0-9]+\Z", host):
                remedy = 'write the port of the service too, such as "127.0.0.1:8080"'
            needed = f"a port from {FIRST_LOCAL_PORT} on"
            yield f'hosts contains "{host}": a service of this machine needs {needed}', remedy


def _command_faults(config: AgentConfig) -> Iterator[tuple[str, str]]:
    for name, allowed in (("prompt", ("stdin", "file")), ("reply", ("stdout", "file"))):
        value = getattr(config, name)
        if value and value not in allowed:
            yield (
                f'{name} is "{value}", which Autopilot does not know',
                f'write {name} = "{allowed[0]}" or {name} = "{allowed[1]}"',
            )
        if value == "file" and not any(f"{{{name}}}" in argument for argument in config.args):
            yield f'{name} is "file", but args does not contain its path', f'add "{{{name}}}" to args'
