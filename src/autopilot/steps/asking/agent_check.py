"""Which agents a run can call: every role needs one installed and signed in; a missing fallback is warned of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from autopilot.model.errors import AgentMissing, Unavailable
from autopilot.model.pasting import write_default, write_for_agent
from autopilot.model.policy import Policy
from autopilot.model.step import ROADMAP_ROLES, Role
from autopilot.ports.agent import Agents


class AvailableAgents(Struct, frozen=True):
    agents: tuple[str, ...]  # name and version of each that is available
    warnings: tuple[str, ...] = ()


def find_agents(policy: Policy, agents: Agents, roles: Sequence[Role] = ROADMAP_ROLES) -> AvailableAgents:
    """Raise Unavailable, with the remedy, when a role has no agent, or when a chain names an unknown agent."""
    unnamed = [role.value for role in roles if not policy.chain(role.value)]
    if len(unnamed) == len(roles):
        choose = f"pass --agent NAME or --script FILE, or {write_default('NAME', agents.written)}"
        raise Unavailable("no agent is chosen", f"{choose}; `autopilot agents` shows which are installed")
    if unnamed:
        choose = f"name one for each of them, or {write_default('NAME', agents.written)}"
        raise Unavailable(f"no agent is chosen for {', '.join(unnamed)}", choose)
    found: dict[str, str] = {}
    missing: dict[str, AgentMissing] = {}
    for name in policy.agent_names:
        try:
            agent = agents.named(name)
            if trouble := agent.trouble():
                missing[name] = trouble
            else:
                found[name] = agent.version()
        except AgentMissing as error:
            missing[name] = error
    for role in roles:
        _refuse_nobody(policy, role, missing)
    warnings = (
        *(f"agent {name} is not available, and fallback agents replace it: {error}" for name, error in missing.items()),
        *_warn_of_models(policy, roles),
    )
    return AvailableAgents(tuple(f"{name} {version}" for name, version in found.items()), warnings)


def _warn_of_models(policy: Policy, roles: Sequence[Role]) -> Iterator[str]:
    for agent, tiers in policy.unknown_models(roles).items():
        wanted = f"profile {policy.model_profile} asks {agent} for a {' and a '.join(tiers)} model, and none is known"
        cells = ", ".join(f'{tier} = "MODEL"' for tier in tiers)
        name_them = write_for_agent(agent, f"models = {{ {cells} }}")
        yield f"{wanted}: it uses the model that it chooses itself; to name them, {name_them}"


def _refuse_nobody(policy: Policy, role: Role, missing: dict[str, AgentMissing]) -> None:
    names = [assignment.agent for assignment in policy.chain(role.value)]
    if all(name in missing for name in names):
        reasons = "; ".join(dict.fromkeys(str(missing[name]) for name in names))
        raise Unavailable(f"no agent is available for the role {role.value}: {reasons}", missing[names[0]].hint)
