"""The hosts that an agent may reach, from its kind and from the settings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from autopilot.adapters.agents.hosts import find_egress
from autopilot.adapters.agents.known import Roster
from autopilot.adapters.agents.presets import KINDS, PRESETS
from autopilot.model.agent_config import AgentConfig
from autopilot.model.egress import HostRule, parse_rule

# covers: T5.network

ENVIRONMENT = {"MODEL_URL": "http://10.0.0.7:8000/v1", "HTTPS_PROXY": "http://proxy.example.org:3128", "WORD": "plain"}


def describe(usual: tuple[str, ...] = ("api.example.org",), **config: Any) -> str:
    egress = find_egress(AgentConfig(**config), usual, ENVIRONMENT)
    return "any" if egress is None else egress.describe()


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({}, "api.example.org"),
        ({"egress": "hosts"}, "api.example.org"),
        ({"egress": "open"}, "any"),
        ({"hosts": ("docs.example.org", "*.example.net")}, "api.example.org, docs.example.org, *.example.net"),
        ({"hosts": ("127.0.0.1:11434",)}, "api.example.org, 127.0.0.1:11434"),
        ({"base_url": "https://models.example.org/v1"}, "models.example.org"),
        ({"base_url": "https://models.example.org/v1", "hosts": ("a.example",)}, "a.example, models.example.org"),
        ({"base_url": "http://127.0.0.1:8080/v1"}, "127.0.0.1:8080"),
        ({"env": {"URL": "https://models.example.org:8443"}}, "api.example.org, models.example.org:8443"),
        ({"env": {"WORD": "plain", "EMPTY": ""}}, "api.example.org"),
        ({"env": {"HTTPS_PROXY": "http://proxy.example.org:3128"}}, "api.example.org"),
        ({"pass_env": ("MODEL_URL", "HTTPS_PROXY", "WORD", "MISSING")}, "api.example.org, 10.0.0.7:8000"),
        ({"test_env": {"URL": "https://test.example.org"}}, "api.example.org"),
    ],
)
def test_the_settings_add_to_the_usual_hosts_or_stand_in_for_them(config: Mapping[str, Any], expected: str) -> None:
    assert describe(**config) == expected


def test_an_agent_that_nobody_described_reaches_nothing() -> None:
    assert describe(usual=()) == "no host"
    assert {kind: preset.hosts for kind, preset in KINDS.items() if kind in ("acp", "command")} == {
        "acp": (),
        "command": (),
    }


@pytest.mark.parametrize("name", PRESETS)
def test_every_known_agent_has_hosts_that_lead_to_public_addresses_only(name: str) -> None:
    rules = [parse_rule(host) for host in PRESETS[name].hosts]
    assert rules
    assert all(rule == HostRule(host) for rule, host in zip(rules, PRESETS[name].hosts, strict=True))


def test_a_roster_tells_what_each_agent_reaches() -> None:
    configs = {"claude": AgentConfig(egress="open"), "mine": AgentConfig(kind="codex", hosts=("a.example",))}
    roster = Roster(Path("logins"), configs)
    assert roster.egress("claude") is None
    mine = roster.egress("mine")
    assert mine is not None
    assert mine.describe() == "api.openai.com, chatgpt.com, auth.openai.com, a.example"
