"""Which hosts an agent may reach: those its vendor needs, or those of the addresses and hosts in your settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from autopilot.model.agent_config import AgentConfig
from autopilot.model.egress import OPEN, Egress, HostRule, make_egress, parse_rule, parse_url_rule


def find_egress(config: AgentConfig, usual: Sequence[str], environment: Mapping[str, str]) -> Egress | None:
    """None when the settings let it reach any host.

    With a model at an address of the user's, the vendor's own hosts are not needed.
    """
    if config.egress == OPEN:
        return None
    written = [parse_rule(host) for host in (*(() if config.base_url else usual), *config.hosts)]
    addresses = (parse_url_rule(url) for url in (config.base_url, *_addresses(config, environment)))
    return make_egress(rule for rule in (*written, *addresses) if isinstance(rule, HostRule))


def _addresses(config: AgentConfig, environment: Mapping[str, str]) -> Iterator[str]:
    """The user's variables for the agent that say where its model is. A proxy would lead anywhere, and is none."""
    passed = [(name, environment[name]) for name in config.pass_env if name in environment]
    yield from (value for name, value in (*config.env.items(), *passed) if not name.lower().endswith("_proxy"))
