"""The facts about every agent: program, version, sign-in, and the roles that the user assigned to it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from autopilot.adapters.agents.known import KnownAgents, Roster
from autopilot.adapters.agents.signing import tell_remedy
from autopilot.adapters.agents.versions import Versions
from autopilot.adapters.blobs import FileBlobs
from autopilot.adapters.git.checkout.documents import read_document
from autopilot.adapters.redaction import make_redactor
from autopilot.adapters.sandbox.toolchains import find_toolchains
from autopilot.adapters.transcripts import FileTranscripts
from autopilot.api.assembly import find_repository
from autopilot.engine.planning_files import CONFIG
from autopilot.model.agent import Role
from autopilot.model.errors import AutopilotError
from autopilot.model.policy import Policy
from autopilot.planning.config.config import narrow, parse_config
from autopilot.ports.agent import Agents
from autopilot.ports.sandbox import Sandbox
from autopilot.settings.reading import Settings
from autopilot.settings.sandboxes import make_sandbox
from autopilot.simulation.scripted import program as scripted_program
from autopilot.simulation.scripted.agent import ScriptedAgent

MAX_PARALLEL = 4  # version queries at the same time
NOT_SIGNED_IN = "no"
PLAYS_A_SCRIPT = "plays a script"
ANY_HOST = "any host"


class AgentFacts(Struct, frozen=True):
    name: str
    about: str
    provider: str
    program: str = ""  # its path; "" when it is not found
    version: str = ""
    signed_in: str = ""  # "key", "signed in", "no"; "" where there is nothing to sign in to
    leads: tuple[str, ...] = ()  # roles it is the first agent of
    follows: tuple[str, ...] = ()  # roles it is a fallback agent of
    problem: str = ""
    remedy: str = ""
    trouble: str = ""  # why it cannot be used although it is installed
    reaches: str = ""  # the hosts it may reach; "" for one that needs no network
    models: Mapping[str, str] | None = None  # by class, for profiles; None where your settings or its script decide


def survey_agents(start: Path, settings: Settings) -> tuple[AgentFacts, ...]:
    """The facts about all agents; inside a repository its config may change their roles."""
    policy, roster = _read_policy(start, settings), settings.roster()
    known = Versions(roster.logins / "versions.json")
    with trial_sandbox(settings) as (sandbox, folder):
        facts = inspect_agents(roster.names(), policy, settings, make_trial_agents(roster, sandbox, folder), known)
    known.keep()
    return facts


def inspect_agents(
    names: Sequence[str], policy: Policy, settings: Settings, agents: Agents, known: Versions | None = None
) -> tuple[AgentFacts, ...]:
    """The facts about the named agents; a ``known`` version is not queried again."""
    with ThreadPoolExecutor(MAX_PARALLEL) as pool:
        return tuple(pool.map(lambda name: _inspect_agent(name, policy, settings, agents, known), names))


def find_installed_agents(settings: Settings) -> tuple[str, ...]:
    """The names of installed agents; no program is started."""
    return tuple(name for name in settings.roster().names() if _is_installed(name, settings.roster()))


def make_trial_agents(roster: Roster, sandbox: Sandbox, folder: Path) -> KnownAgents:
    """Agents for an inspection or a test: their output goes into ``folder``, not into the records of a repository."""
    redactor = make_redactor(roster.environment, roster.credential_files(), roster.secrets())
    blobs = FileBlobs(folder / "blobs", redactor)
    return KnownAgents(roster, sandbox, FileTranscripts(folder / "live", blobs), ScriptedAgent)


def describe_chains(policy: Policy) -> dict[str, str]:
    """From a group of roles to the chain of agents that it shares: first agent, then fallback agents."""
    roles: dict[str, list[str]] = {}
    for role in Role:
        chain = ", then ".join(map(str, policy.chain(role.value)))
        roles.setdefault(chain, []).append(role.value)
    return {name_roles(names): chain for chain, names in roles.items() if chain}


def name_roles(roles: Sequence[str]) -> str:
    others = [role.value for role in Role if role.value not in roles]
    if len(others) > len(roles):
        return ", ".join(roles)
    return f"every role but {', '.join(others)}" if others else "every role"


def describe_unchosen(unnamed: Sequence[str]) -> str:
    """Names whichever roles are fewer: those without an agent or those that have one."""
    have = [role.value for role in Role if role.value not in unnamed]
    if not have:
        return "no agent is chosen"
    if len(have) >= len(unnamed):
        return f"no agent is chosen for {', '.join(unnamed)}"
    return f"only {' and '.join(have)} {'has' if len(have) == 1 else 'have'} an agent"


def _inspect_agent(name: str, policy: Policy, settings: Settings, agents: Agents, known: Versions | None) -> AgentFacts:
    roster = settings.roster()
    chains = {role.value: [choice.agent for choice in policy.chain(role.value)] for role in Role}
    main_roles = tuple(role for role, chain in chains.items() if chain[:1] == [name])
    fallback_roles = tuple(role for role, chain in chains.items() if name in chain[1:] and role not in main_roles)
    signed_in, remedy = _sign_in_state(name, settings)
    program = version = problem = trouble = ""
    try:
        program, version_known = _locate(name, roster)
        ask_version = agents.named(name).version
        version = version_known or (known.tell(Path(program), ask_version) if known else ask_version())
        trouble = str(agents.named(name).trouble() or "")
    except AutopilotError as error:
        problem, remedy = str(error), error.hint
    about = PLAYS_A_SCRIPT if roster.is_scripted(name) else roster.preset(name).about
    return AgentFacts(
        name,
        about,
        roster.provider(name),
        program,
        version,
        signed_in,
        main_roles,
        fallback_roles,
        problem,
        remedy,
        trouble,
        _describe_egress(name, settings),
        roster.models(name),
    )


def _describe_egress(name: str, settings: Settings) -> str:
    roster = settings.roster()
    if roster.is_scripted(name):
        return ""
    egress = roster.egress(name) if settings.confined else None
    return ANY_HOST if egress is None else egress.describe()


def _locate(name: str, roster: Roster) -> tuple[str, str]:
    """The program, and its version if that is known without a query."""
    if roster.is_scripted(name):
        return str(roster.script_of(name)), scripted_program.VERSION
    program = roster.program(name)
    return str(program.path), program.version


def _sign_in_state(name: str, settings: Settings) -> tuple[str, str]:
    """The sign-in state, and the remedy when the agent is not signed in."""
    roster = settings.roster()
    if roster.is_scripted(name):
        return "", ""
    login, config = roster.preset(name).dialect().login, roster.config(name)
    if state := roster.credentials(name).state(config, settings.environment):
        return state, ""
    if not config.key_env and not login.files and not login.key_variable:
        return "", ""
    return NOT_SIGNED_IN, tell_remedy(name, login, config, settings.environment, settings.written)


def _is_installed(name: str, roster: Roster) -> bool:
    if roster.is_scripted(name):
        return False
    try:
        roster.program(name)
    except AutopilotError:
        return False
    return True


def read_profile(start: Path, settings: Settings) -> str:
    """The model profile that counts here."""
    return _read_policy(start, settings).model_profile


def _read_policy(start: Path, settings: Settings) -> Policy:
    """The policy of the settings, narrowed by the repository's config where there is a readable one."""
    policy = settings.policy()
    try:
        content = read_document(find_repository(start, settings).path, CONFIG) or b"{}"
        return narrow(policy, parse_config(content.decode(), CONFIG))[0]
    except (AutopilotError, UnicodeDecodeError):
        return policy


@contextmanager
def trial_sandbox(settings: Settings) -> Iterator[tuple[Sandbox, Path]]:
    """A sandbox in a temporary folder: an inspection leaves no records."""
    with tempfile.TemporaryDirectory(prefix="autopilot-agents-") as name:
        folder = Path(name)
        yield make_sandbox(folder / "sandbox", settings, find_toolchains(settings.environment.get("PATH", ""))), folder
