"""Sending an agent to another model than its own: its settings for a trial, with a key that opens nothing."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.adapters.agents.known import Roster
from autopilot.adapters.agents.presets import Trial
from autopilot.model.agent_config import AgentConfig
from autopilot.model.pasting import write_for_agent
from autopilot.model.secrecy.secrets import secret_values

URL, KEY = "{url}", "{key}"


def find_obstacle(roster: Roster, name: str) -> str:
    """Why it cannot be sent anywhere else, or "". Such an agent would talk to its real model, and is not started."""
    if roster.is_scripted(name):
        return "it plays a script and asks no model"
    test_env = roster.config(name).test_env
    if roster.preset(name).trial or any(URL in value for value in test_env.values()):
        return ""
    if test_env:
        return f"no value of its test_env holds {URL}"
    line, there = f'test_env = {{ VARIABLE = "{URL}/v1" }}', name in roster.configs
    return f"it cannot be sent to the model of the test; {write_for_agent(name, line, there=there)}"


def aim(config: AgentConfig, trial: Trial | None, url: str, key: str) -> AgentConfig:
    """Nothing of the user's goes along: neither the address of a model, nor a variable, nor a secret said outright."""
    hidden = secret_values(config.env)
    env = {name: key if name in hidden else value for name, value in config.env.items()}
    aimed = {name: value.replace(URL, url).replace(KEY, key) for name, value in config.test_env.items()}
    return replace(
        config,
        base_url=trial.base_url.replace(URL, url) if trial else "",
        model=trial.model if trial else config.model,
        env={**env, **aimed},
        pass_env=(),
    )
