"""Resuming a run: orphaned processes are ended first, and what changed since is reported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from autopilot import __version__
from autopilot.engine.inputs import UNCONFINED, warn_of_open_egress
from autopilot.engine.ledger import Ledger, Recorded
from autopilot.engine.leftovers import clear_leftovers
from autopilot.engine.planning_files import CONFIG
from autopilot.events.entry import Entry, Stored
from autopilot.events.fold import fold
from autopilot.events.happened import Event, RunResumed, Warned
from autopilot.events.provision import AgentCutOff
from autopilot.events.state import RunState
from autopilot.flows.roadmap import needs_agent
from autopilot.model.errors import RecordBroken
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import AgentSettings, Policy
from autopilot.model.run import PhaseStatus, Step
from autopilot.model.step import DEBUG_ROLES, DRAFT_ROLES, ISSUE_ROLES, ROADMAP_ROLES, Role
from autopilot.planning.choosing.flags import spell_call
from autopilot.planning.config.config import Config, narrow, parse_config
from autopilot.planning.formats.locking import KEPT, fingerprint, tell_changed
from autopilot.ports.bundle import Ports
from autopilot.ports.git import Vault
from autopilot.reports.status.gates import session_anew
from autopilot.steps.asking.agent_check import find_agents
from autopilot.steps.pipeline.preflight import is_on_other_branch


def resume_run(
    state: RunState, policy: Policy, ports: Ports, *, limits_over: bool, also: tuple[Event, ...] = ()
) -> Iterator[Recorded]:
    """End what an earlier, killed process left behind before any of its steps is tried again."""
    must_have_commits(state, ports.vault)
    ended = clear_leftovers(ports)
    ledger = ledger_of(state, ports)
    slot = ledger.slot(f"resume/{state.totals.resumes + 1}")
    changed = _changed_spec(state, ports)
    narrowed = narrow_again(state, policy, ports)
    warnings = [UNCONFINED] if state.policy.confined and not policy.confined else []
    if set(policy.open_egress) - set(state.policy.open_egress):
        warnings += warn_of_open_egress(narrowed)
    if changed:
        message = tell_changed(state.inputs.spec, changed)
        warnings.append(f"{message}: a phase in progress will fail, later ones {KEPT}")
    resumed = RunResumed(
        __version__,
        ended,
        state.policy.keep_caps(narrowed),
        changed,
        policy.confined,
        assignments=_agent_settings(state, policy, narrowed),
        limits_over=limits_over,
        caps_named=policy.caps_named,
        caps_of_config=_caps_of_config(state, policy, narrowed),
        agent_options=policy.agent_options or UNSET,
        open_egress=policy.open_egress or UNSET,
    )
    warnings += _missing_agents(state, (resumed, *also), ports)
    yield ledger.record(slot, (resumed, *also, *(Warned(text) for text in warnings)))
    yield from record_cut_off(ledger, ports)


def must_have_commits(state: RunState, vault: Vault) -> None:
    """RecordBroken where work of this run was lost: a record put back from a backup may have come without its vault."""
    tips = (state.line.tip, *(phase.line.tip for phase in (*state.phases.values(), *state.parts.values())))
    if all(vault.has(tip) for tip in tips if tip):
        return
    anew = f"autopilot issue --fresh {state.issue.brief.number}" if state.issue else ""
    if state.debugging is not None:
        anew = f"autopilot {session_anew(state)}"
    if state.drafting is not None:
        anew = "autopilot plan --discard"
    still_open = [phase.id for phase in state.phases.values() if phase.status is not PhaseStatus.COMPLETED]
    anew = anew or spell_call(state.inputs.intent, still_open, fresh=True)
    raise RecordBroken(
        f"the commits of {state.run} are gone: {vault.path} is missing or incomplete",
        f"put it back from a backup, or start over: `{anew}` (what has landed stays in git)",
    )


def _missing_agents(state: RunState, events: Sequence[Event], ports: Ports) -> tuple[str, ...]:
    """Unavailable before anything is recorded, when the next step needs an agent and none is available for its role."""
    ahead = state
    for event in events:
        ahead = fold(ahead, Stored(state.seq, ports.clock.now(), state.run, "", event))
    if not needs_agent(ahead, ahead.policy):
        return ()
    return find_agents(ahead.policy, ports.agents, _roles(state)).warnings


def _roles(state: RunState) -> tuple[Role, ...]:
    if state.drafting is not None:
        return DRAFT_ROLES
    return ISSUE_ROLES if state.issue is not None else DEBUG_ROLES if state.debugging is not None else ROADMAP_ROLES


def record_cut_off(ledger: Ledger, ports: Ports) -> Iterator[Recorded]:
    """Calls in progress when an earlier process was killed: what they used counts.

    Each has a key of its own, so a kill between the record and the tidying up counts nothing twice; what is recorded is
    left as it is, for half tidied up a call has another transcript than it had.
    """
    state = ledger.state
    # The calls of another killed run are counted when that run is resumed or archived.
    abandoned = [call for call in ports.transcripts.abandoned() if call.label.partition("/")[0] == state.run]
    known = {stored.key for stored in ports.journal.read(state.run)} if abandoned else set()
    for call in abandoned:
        rest = call.label.removeprefix(f"{state.run}/")
        phase, key = PhaseId(call.phase), f"{state.run}/cut-off/{call.id}"
        step = rest.removeprefix(f"{phase}/").partition("/")[0]
        is_known = step in list(Step) and (phase in state.phases or phase in state.parts)
        if is_known and key not in known:
            cut = AgentCutOff(phase, Step(step), call.role, call.agent, call.usage, call.task, call.transcript)
            yield ledger.store([Entry(state.run, key, cut)])
    ports.transcripts.forget(abandoned)


def narrow_again(state: RunState, policy: Policy, ports: Ports) -> Policy:
    """The user may have raised a cap meanwhile, or chosen other agents; what this run's config narrows stays so."""
    content = ports.vault.read(state.line.tip, CONFIG)
    config = parse_config(content.decode("utf-8", "replace"), CONFIG) if content else Config()
    return narrow(policy, config)[0]


def _caps_of_config(state: RunState, policy: Policy, narrowed: Policy) -> tuple[str, ...]:
    """Without those that the run keeps from an earlier call: a cap named then holds as it was."""
    kept = set(state.policy.caps_named) - set(policy.caps_named)
    old = set(state.policy.caps_of_config or ())
    return tuple(name for name in narrowed.caps_of_config or () if name not in kept or name in old)


def _agent_settings(state: RunState, policy: Policy, narrowed: Policy) -> AgentSettings | None:
    """Who does what from now on, where the user's settings of today say so."""
    if not policy.assignments.agents:
        return None
    old, new = state.policy.assignments, narrowed.assignments
    # That another agent became known changes nothing for those at work; another provider or model for one of them does.
    moved = any(state.policy.provider(name) != narrowed.provider(name) for name in narrowed.agent_names)
    profiled = replace(state.policy, assignments=replace(old, models=new.models))
    moved = moved or any(profiled.chain(role) != state.policy.chain(role) for role in Role)
    return new if moved or replace(old, providers=new.providers, models=new.models) != new else None


def _changed_spec(state: RunState, ports: Ports) -> str:
    if not state.is_of_roadmap:
        return ""  # an issue's anchors are pinned, and looked at where they count; a session has no spec
    if is_on_other_branch(state, ports.checkout):
        return ""
    now = fingerprint(state.inputs.spec, state.inputs.planning.format, ports.checkout.read)
    return now if now and now not in (state.inputs.spec.sha256, state.inputs.spec_changed_to) else ""


def ledger_of(state: RunState, ports: Ports) -> Ledger:
    return Ledger(state, ports.journal, ports.vault)
