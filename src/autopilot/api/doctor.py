"""``doctor``: checks everything that a run needs, with a remedy for every problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from autopilot.adapters.git.command import git_program
from autopilot.adapters.home import known_homes
from autopilot.adapters.journal.chain import naming_folder
from autopilot.api.agents import (
    ANY_HOST,
    NOT_SIGNED_IN,
    AgentFacts,
    describe_chains,
    describe_unchosen,
    find_installed_agents,
    inspect_agents,
    make_trial_agents,
    trial_sandbox,
)
from autopilot.api.assembly import Repository, assemble, find_repository
from autopilot.api.baseline import try_baseline
from autopilot.api.findings.condition_findings import find_given
from autopilot.api.findings.finding import Finding
from autopilot.api.findings.machine_findings import find_git, find_room, find_sandbox
from autopilot.api.findings.planning_findings import find_held, find_other_tools, find_unread
from autopilot.api.findings.run_findings import find_undescribed, find_unfinished, goals_of, survey_as_run
from autopilot.api.findings.visual_findings import find_eyes
from autopilot.engine.baseline import Progress
from autopilot.engine.history import read_history
from autopilot.engine.inputs import NO_BUMP, NO_COMMANDS, READ_ONLY, WRITABLE, Survey, describe_bump_here, settle_policy
from autopilot.engine.ledger import check_against_anchor
from autopilot.engine.planning_files import CONFIG, find_planned, read_config
from autopilot.engine.resuming import must_have_commits
from autopilot.model.agent import Role
from autopilot.model.errors import AutopilotError, RecordBroken
from autopilot.model.forge import ForgeKind
from autopilot.model.git import DETACHED_HEAD, SWITCH
from autopilot.model.pasting import write_default
from autopilot.model.planning.roadmap import PLACEHOLDER, Roadmap
from autopilot.model.policy import AgentSettings, Policy
from autopilot.planning.config.config import Config, narrow
from autopilot.planning.roadmap.graph import topological_order
from autopilot.ports.bundle import Ports
from autopilot.ports.git import Checkout
from autopilot.ports.sandbox import Sandbox
from autopilot.reports.evidence.packages import ROOT
from autopilot.settings.reading import MANUAL, Settings
from autopilot.text.naming import plural

CORRECT = "correct that line"
COMMANDS_REMEDY = f'write them into {CONFIG}, such as {{"project": {{"commands": {{"test": "make test"}}}}}}'


def examine(
    start: Path, settings: Settings, wrong_settings: AutopilotError | None = None, progress: Progress | None = None
) -> Iterator[Finding]:
    """``wrong_settings``: why the settings file could not be read; ``settings`` are then the defaults.

    ``progress`` receives a line for each command; without it the project's commands are not tried.
    """
    # As a list: a caller that stops reading early must not leave a temporary folder behind.
    with trial_sandbox(settings) as (sandbox, folder):
        found = [find_git(), *_settings(settings, wrong_settings)]
        found += _machine_and_project(start, settings, wrong_settings, sandbox, folder, progress)
    yield from _without_repeats(found)
    yield from _moved_records(settings)


def _machine_and_project(
    start: Path,
    settings: Settings,
    wrong_settings: AutopilotError | None,
    sandbox: Sandbox,
    folder: Path,
    progress: Progress | None,
) -> Iterator[Finding]:
    """Outside of a repository, what needs none is checked as well."""
    ports: Ports | None = None
    config: Config | None = None
    try:
        git_program()
        repository = find_repository(start, settings)
        ports = _open_ports(repository, settings, folder)
        yield Finding("repository", "ok", str(repository.path))
        yield from () if ports.checkout.branch() else (Finding("repository", "warning", DETACHED_HEAD, SWITCH),)
        yield from _forge(ports, settings)
        with naming_folder(repository.home.root):
            _runs_must_be_whole(ports)
        config = read_config(ports.checkout)
    except AutopilotError as error:
        about = "records" if isinstance(error, RecordBroken) else "config" if ports else "repository"
        yield Finding(about, "problem", str(error), error.hint)
    confining = find_sandbox(sandbox, settings)
    yield confining
    # The defaults choose no agent: to say so would be wrong.
    yield from () if wrong_settings else _agents(sandbox, folder, settings, config or Config())
    yield find_room(settings.state)
    if ports is None:
        return
    planning = list(_planning(ports.checkout, settings))
    yield from planning
    if config is None:
        return
    is_sound = all(finding.state != "problem" for finding in planning)
    seen = survey_as_run(ports, _policy(settings)) if is_sound else None
    if isinstance(seen, Finding):
        yield seen
    yield from find_unfinished(ports)
    # Without a sandbox the commands of a repository would run on the machine itself, only to be tried.
    if progress and settings.confined and confining.state != "problem":
        yield from _baseline(ports, seen if isinstance(seen, Survey) else None, config, settings, progress)


def _baseline(
    ports: Ports, seen: Survey | None, config: Config, settings: Settings, progress: Progress
) -> Iterator[Finding]:
    """As a run of all that is open would find it; an issue needs no roadmap."""
    facts = ports.checkout.facts()
    if facts.refusals:
        return
    policy = seen.policy if seen else settle_policy(_policy(settings), config, facts, ports.checkout)[0]
    goals = goals_of(seen, ports) if seen else ()
    found = list(try_baseline(ports, policy, config.commands_written, goals, progress))
    yield from found
    # A run that stops at its baseline does not get to the criteria either.
    if seen and all(finding.state != "problem" for finding in found):
        yield from find_held(seen, facts.head, ports, progress)


def _without_repeats(found: Sequence[Finding]) -> Iterator[Finding]:
    """Progress a problem only once, although several checks meet it."""
    reported: set[tuple[str, str]] = set()
    for finding in found:
        if finding.state == "ok" or (finding.detail, finding.remedy) not in reported:
            yield finding
        reported.add((finding.detail, finding.remedy))


def _open_ports(repository: Repository, settings: Settings, folder: Path) -> Ports:
    """Without records the checks use a temporary home: `doctor` creates no records."""
    has_records = repository.home.root.exists()
    return assemble(repository, settings if has_records else replace(settings, state=folder)).ports


def _runs_must_be_whole(ports: Ports) -> None:
    """RecordBroken for what would stop a resume: a record that is damaged or cut, or commits that are gone."""
    check_against_anchor(ports.journal, ports.vault)
    for run in read_history(ports.journal.read()).all_unfinished:
        must_have_commits(run, ports.vault)


def _forge(ports: Ports, settings: Settings) -> Iterator[Finding]:
    """Whether work could be shown there; nothing is sent. A run only warns of it, when its work is done."""
    if settings.forge.kind == ForgeKind.NONE:
        return
    try:
        ports.forge.check()
    except AutopilotError as error:
        yield Finding("forge", "warning", str(error), error.hint)
    else:
        yield Finding("forge", "ok", f"{settings.forge.kind}, branches go to {settings.forge.remote}")


def _settings(settings: Settings, wrong: AutopilotError | None) -> Iterator[Finding]:
    if wrong:
        yield Finding("settings", "problem", f"{wrong}; the checks below use the defaults", wrong.hint)
    for doubt in settings.doubts():
        yield Finding("settings", "warning", doubt, f"correct {settings.source}; {MANUAL}")


def _agents(sandbox: Sandbox, folder: Path, settings: Settings, config: Config) -> Iterator[Finding]:
    try:
        policy, _ = narrow(settings.policy(), config)
    except AutopilotError as error:
        yield Finding("agents", "problem", str(error), error.hint)
        return
    yield from _chains(policy, settings)
    agents = make_trial_agents(settings.roster(), sandbox, folder)
    found = inspect_agents(policy.agent_names, policy, settings, agents)
    unusable = {facts.name for facts in found if facts.problem or facts.trouble}
    for facts in found:
        yield _agent(
            facts, needed=any(_chain_names(policy, role) <= unusable for role in (*facts.leads, *facts.follows))
        )
        if facts.reaches and settings.confined:
            yield _network(facts)


def _chains(policy: Policy, settings: Settings) -> Iterator[Finding]:
    for roles, chain in describe_chains(policy).items():
        yield Finding("roles", "ok", f"{roles}: {chain}")
    unnamed = [role.value for role in Role if not policy.chain(role.value)]
    if unnamed:
        installed = find_installed_agents(settings)
        remedy = write_default(installed[0] if installed else "NAME", settings.written)
        roster = settings.roster()
        known = ", ".join(name for name in roster.names() if not roster.is_scripted(name))
        remedy = (
            f"{remedy}; installed: {', '.join(installed)}" if installed else f"install one of {known}; then {remedy}"
        )
        remedy += "; for one run alone: `autopilot run --agent NAME`, or `--script FILE` for the scripted agent"
        yield Finding("agents", "problem", describe_unchosen(unnamed), remedy)


def _agent(facts: AgentFacts, *, needed: bool) -> Finding:
    """An unusable agent is a problem only for a role without another usable agent."""
    subject = f"agent {facts.name}"
    if facts.problem:
        return Finding(subject, "problem" if needed else "warning", facts.problem, facts.remedy)
    signed_in = {"key": ", signed in by key", NOT_SIGNED_IN: ", not signed in", "": ""}
    detail = f"{facts.version}{signed_in.get(facts.signed_in, f', {facts.signed_in}')}, at {facts.program}"
    if facts.trouble and needed:
        return Finding(subject, "problem", detail, facts.remedy)
    return Finding(subject, "warning" if facts.signed_in == NOT_SIGNED_IN else "ok", detail, facts.remedy)


def _network(facts: AgentFacts) -> Finding:
    """The hosts an agent may reach; without a sandbox that is no question."""
    if facts.reaches == ANY_HOST:
        detail = f"{facts.name} may reach any host and every service of this machine, by your settings"
        return Finding(
            "network", "warning", detail, f'remove egress = "open" from [agent.{facts.name}], and name its hosts'
        )
    return Finding("network", "ok", f"{facts.name} may reach {facts.reaches}")


def _chain_names(policy: Policy, role: str) -> set[str]:
    return {choice.agent for choice in policy.chain(role)}


def _planning(checkout: Checkout, settings: Settings) -> Iterator[Finding]:
    try:
        facts = checkout.facts()
        yield from (Finding("repository", "problem", found.reason, found.remedy) for found in facts.refusals)
        if facts.refusals:
            return  # as a run does: no git of ours may be able to read the rest
        if place := checkout.unwritable():
            yield Finding("repository", "problem", f"{READ_ONLY}: {place}", WRITABLE)
        config = read_config(checkout)
        policy, warnings = settle_policy(_policy(settings), config, facts, checkout)
        checks = ", ".join(f"{name}: {command}" for name, command in policy.commands.checks())
        yield (
            Finding("commands", "ok", checks)
            if checks
            else Finding("commands", "warning", NO_COMMANDS, COMMANDS_REMEDY)
        )
        yield from _packages(policy)
        yield from find_given(policy.conditions)
        yield from find_eyes(config.visual, settings)
        if policy.version_bump and (bump := describe_bump_here(checkout)):
            yield Finding("version", "note", bump, NO_BUMP)
        yield from (Finding("config", "warning", text) for text in warnings)
        yield from (Finding("config", "warning", str(found), CORRECT) for found in config.complaints)
        planned = find_planned(checkout, policy, wanted=config.planning)
        roadmap = planned.outline.roadmap
        topological_order(roadmap.phases)
        yield _phases(roadmap)
        yield from find_other_tools(planned)
        yield from find_unread(planned.outline, policy, checkout)
        yield from find_undescribed(roadmap)
        yield from (
            Finding("roadmap", "warning", str(complaint), CORRECT) for _, complaint in roadmap.disagreements[:20]
        )
        if PLACEHOLDER.encode() in (checkout.read(roadmap.path) or b""):
            detail = f"{roadmap.path} still contains {PLACEHOLDER}"
            yield Finding(
                "roadmap", "warning", detail, "describe the goal of each phase and the criteria that show it is reached"
            )
    except AutopilotError as error:
        yield Finding("planning", "problem", str(error), error.hint)


def _packages(policy: Policy) -> Iterator[Finding]:
    """Whose checks run for which work, where the config names several packages."""
    for folder, commands in policy.packages.items():
        checks = ", ".join(f"{name}: {command}" for name, command in commands.checks())
        when = "for tasks of phases whose files lie there; all packages run before a phase passes"
        yield Finding("packages", "ok", f"{folder or ROOT}: {checks} ({when})")


def _phases(roadmap: Roadmap) -> Finding:
    """A roadmap at its end is in order."""
    known = f"{roadmap.path}: {plural(len(roadmap.phases), 'phase')}"
    if any(not phase.ticked and not phase.dropped for phase in roadmap.phases):
        return Finding("roadmap", "ok", known)
    return Finding("roadmap", "ok", f"{known}; nothing is open: add a phase or start a milestone")


def _policy(settings: Settings) -> Policy:
    """The policy, without agents if their settings are wrong: another check reports that."""
    try:
        return settings.policy()
    except AutopilotError:
        known = AgentSettings(providers={name: name for name in settings.roster().names()})
        return Policy(budget=settings.budget, confined=settings.confined, assignments=known)


def _moved_records(settings: Settings) -> Iterator[Finding]:
    for home, git_directory in known_homes(settings.state):
        if not git_directory.exists():
            detail = f"{home.root} holds the records of {git_directory}, which no longer exists"
            remedy = f"if it was moved, run in its new folder: `autopilot doctor --attach {home.root.name}`"
            yield Finding("records", "warning", detail, remedy)
