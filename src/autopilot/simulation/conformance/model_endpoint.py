"""Settings that send an agent to the scripted model instead of its own, with an invalid key."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.adapters.agents.known import Roster
from autopilot.adapters.agents.presets import Trial
from autopilot.model.agent_config import AgentConfig
from autopilot.model.pasting import write_for_agent
from autopilot.model.secrecy.secrets import secret_values

URL, KEY = "{url}", "{key}"


def find_obstacle(roster: Roster, name: str) -> str:
    """Why the agent cannot be sent to the scripted model, or "". It would call its real model, so it is not started."""
    if roster.is_scripted(name):
        return "it plays a script and calls no model"
    test_env = roster.config(name).test_env
    if roster.preset(name).trial or any(URL in value for value in test_env.values()):
        return ""
    if test_env:
        return f"no value of its test_env contains {URL}"
    line = f'test_env = {{ VARIABLE = "{URL}/v1" }}'
    return f"it cannot be sent to the scripted model; {write_for_agent(name, line, roster.written)}"


def use_test_model(config: AgentConfig, trial: Trial | None, url: str, key: str) -> AgentConfig:
    """Without anything of the user: no address of a model, no variables, no secrets."""
    hidden = secret_values(config.env)
    env = {name: key if name in hidden else value for name, value in config.env.items()}
    test_env = {name: value.replace(URL, url).replace(KEY, key) for name, value in config.test_env.items()}
    return replace(
        config,
        base_url=trial.base_url.replace(URL, url) if trial else "",
        model=trial.model if trial else config.model,
        env={**env, **test_env},
        pass_env=(),
    )
