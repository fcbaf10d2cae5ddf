"""A check under the conditions of its run: services beside it, what it reaches, and the variables it is given."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.model.conditions import Conditions, Reach, SearchPath, activate
from autopilot.model.egress import Egress
from autopilot.model.policy import Policy
from autopilot.ports.layers import Layer
from autopilot.ports.sandbox import CommandSpec


def under(conditions: Conditions, spec: CommandSpec) -> CommandSpec:
    ports = conditions.ports if conditions.network is Reach.LOOPBACK else ()
    return replace(
        spec,
        services=conditions.services,
        grants=conditions.env,
        network=conditions.network is Reach.OPEN,
        egress=Egress(local_ports=ports, is_proxied=False) if ports else None,
    )


def find_search_path(policy: Policy, layer: Layer | None) -> SearchPath:
    """Where a command over this layer looks for programs, by what the run found at its base."""
    return activate(policy.environment, layer.environment) if layer else SearchPath()
