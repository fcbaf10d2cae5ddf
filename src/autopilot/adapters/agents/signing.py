"""Whether an agent is plainly signed out, and what its user can do about it."""

from __future__ import annotations

from collections.abc import Mapping

from autopilot.adapters.agents.credentials import Credentials
from autopilot.adapters.agents.dialect import Login
from autopilot.model.agent_config import AgentConfig
from autopilot.model.errors import AgentMissing
from autopilot.model.pasting import ANY_FILE, Written, write_for_agent


def find_trouble(
    name: str,
    login: Login,
    credentials: Credentials,
    config: AgentConfig,
    environment: Mapping[str, str],
    written: Written = ANY_FILE,
) -> AgentMissing | None:
    """In doubt there is none: a model elsewhere may need no key, and a variable may hold one we do not know as such."""
    needs_login = bool(login.files or login.key_variable)
    may_have_another_way = config.base_url or config.env or config.pass_env
    if not needs_login or may_have_another_way or credentials.state(config, environment):
        return None
    return AgentMissing(f"{name} is not signed in", tell_remedy(name, login, config, environment, written))


def tell_remedy(
    name: str, login: Login, config: AgentConfig, environment: Mapping[str, str], written: Written = ANY_FILE
) -> str:
    remedy = f"autopilot agents login {name}" if login.command else f"autopilot agents login {name} --key"
    if config.key_env:
        return f"set {config.key_env} in your environment, or `{remedy}`"
    if environment.get(login.key_variable):
        line = f'key_env = "{login.key_variable}"'
        remedy += f", or {write_for_agent(name, line, written)}"
    return remedy
