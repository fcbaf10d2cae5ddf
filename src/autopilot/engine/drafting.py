"""Opening a draft of a roadmap: a run of its own, or an interrupted one that is resumed."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot import __version__
from autopilot.engine.history import History, load_history
from autopilot.engine.inputs import refuse_read_only, refuse_repository, settle_policy
from autopilot.engine.ledger import Recorded, check_against_anchor
from autopilot.engine.leftovers import clear_leftovers
from autopilot.engine.opening import caps_of_today, must_have_cooled_down, new_id, settle_messages
from autopilot.engine.pinning import pin_files
from autopilot.engine.planning_files import CONFIG, find_choice, read_config
from autopilot.engine.resuming import ledger_of, resume_run
from autopilot.events.drafting.happened import DraftBegun
from autopilot.events.happened import Event, RunStarted, Warned
from autopilot.events.state import RunState
from autopilot.model.errors import UsageError
from autopilot.model.git import CheckoutFacts
from autopilot.model.planning.draft import DRAFT, NEW_ROADMAP, DraftBrief, DraftRequest
from autopilot.model.policy import Policy
from autopilot.model.run import PhaseBrief, RunRequest, SpecLock
from autopilot.model.step import DRAFT_ROLES
from autopilot.planning.formats.registry import ROADMAPS
from autopilot.ports.bundle import Ports
from autopilot.ports.git import Checkout
from autopilot.steps.asking.agent_check import find_agents

DECIDE = "`autopilot plan` shows it, with the command that writes it; `autopilot plan --discard` drops it"


def open_draft(request: RunRequest, asked: DraftRequest, policy: Policy, ports: Ports) -> Iterator[Recorded]:
    """Yield what is recorded to begin; the run to drive is that of the last state."""
    check_against_anchor(ports.journal, ports.vault)
    history = load_history(ports.journal)
    yield from settle_messages(history, ports)
    last = history.draft
    if last is not None and last.drafting is not None and not (last.halted and last.drafting.is_refused):
        if last.halted and last.drafting.is_over:
            raise UsageError(f"a draft waits for you ({last.run})", DECIDE)
        if last.drafting.brief.text != asked.text:
            hint = "`autopilot resume` continues it; `autopilot plan --discard` drops it"
            raise UsageError(f"another draft is unfinished ({last.run})", hint)
        must_have_cooled_down(request, last, ports.clock.now(), caps_of_today(last, policy, ports))
        yield from resume_run(last, policy, ports, limits_over=request.skip_cooldown)
        return
    yield from _start(request, _brief(asked, ports.checkout), policy, history, ports)


def _brief(asked: DraftRequest, checkout: Checkout) -> DraftBrief:
    path = next((path for path in ROADMAPS if checkout.read(path) is not None), None)
    if path is not None:
        return DraftBrief(asked.text, asked.source, path, further=True)
    planned = find_planned_elsewhere(checkout)
    if planned:
        hint = f"add to the plan with {planned}, or leave it: `autopilot import`"
        raise UsageError(
            f"this repository is planned with {planned}, and only a roadmap as GSD writes it is drafted", hint
        )
    return DraftBrief(asked.text, asked.source, NEW_ROADMAP)


def find_planned_elsewhere(checkout: Checkout) -> str:
    """The tool whose files hold the plan; "" where there is none yet."""
    try:
        choice = find_choice(checkout, roadmap=False, wanted=read_config(checkout).planning)
    except UsageError:
        return ""
    return choice.format.name if choice.format else ""


def _start(
    request: RunRequest, brief: DraftBrief, policy: Policy, history: History, ports: Ports
) -> Iterator[Recorded]:
    facts = ports.checkout.facts()
    refuse_repository(facts)
    refuse_read_only(ports.checkout)
    config = read_config(ports.checkout)
    policy, warnings = settle_policy(policy, config, facts, ports.checkout)
    available = find_agents(policy, ports.agents, DRAFT_ROLES)
    subject = "docs: roadmap and config as they stood when the draft began"
    base, pinned = pin_files(facts, (CONFIG, brief.path), (), subject, ports)
    clear_leftovers(ports)
    run = new_id(ports.clock.now(), history)
    started = _started(run, request, brief, policy, facts, base, pinned, available.agents)
    lines = (*warnings, *map(str, config.complaints), *available.warnings)
    ledger = ledger_of(RunState(run=run), ports)
    events: tuple[Event, ...] = (started, DraftBegun(brief), *(Warned(line) for line in lines))
    yield ledger.record(ledger.slot("start"), events)


def _started(
    run: str,
    request: RunRequest,
    brief: DraftBrief,
    policy: Policy,
    facts: CheckoutFacts,
    base: str,
    pinned: tuple[str, ...],
    agents: tuple[str, ...],
) -> RunStarted:
    phase = PhaseBrief(DRAFT, "a draft of the roadmap", brief.text[:400], (), (), ".planning")
    return RunStarted(
        run=run,
        version=__version__,
        phases=(phase,),
        outline=(phase,),
        roadmap="",
        spec=SpecLock("", ""),
        policy=policy,
        branch=facts.branch,
        head=facts.head,
        base=base,
        pinned=pinned,
        proven=(),
        ticked=(),
        agents=agents,
        model=policy.model_profile,
        intent=request.intent,
        command=request.command,
    )
