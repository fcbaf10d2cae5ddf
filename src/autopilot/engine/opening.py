"""Opening a run: read and pin what it is about, or take an unfinished one up again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from autopilot import __version__
from autopilot.engine.calibration import adjustment, calibration, carried_threshold
from autopilot.engine.earlier import find_earlier
from autopilot.engine.inbox import take_message
from autopilot.engine.inputs import CONFIG, UNCONFINED, Past, find_roadmap, named
from autopilot.engine.issue_reentry import take_up
from autopilot.engine.ledger import Ledger, Recorded, check_against_anchor
from autopilot.engine.pinning import Inputs, pin_inputs
from autopilot.engine.told import gather_context
from autopilot.events.entry import Entry, Stored
from autopilot.events.fold import fold
from autopilot.events.happened import Event, RunArchived, RunResumed, RunStarted, Seating, Warned
from autopilot.events.provision import AgentCutOff
from autopilot.events.recovery import DeferralAdjusted
from autopilot.events.state import RunState
from autopilot.flows.roadmap import needs_agent
from autopilot.model.agent import ISSUE_ROLES, ROADMAP_ROLES
from autopilot.model.errors import BreakerOpen, UsageError
from autopilot.model.intent import Intent
from autopilot.model.policy import Policy
from autopilot.model.roadmap import PhaseId
from autopilot.model.run import PhaseStatus, RunRequest, RunStatus, Step
from autopilot.planning.config import Config, narrow, parse_config
from autopilot.planning.flags import spell_call
from autopilot.planning.selection import read_words
from autopilot.planning.spec import spec_hash
from autopilot.ports.bundle import Ports
from autopilot.ports.git import Checkout
from autopilot.steps.staffing import find_staff


class History(Struct, frozen=True):
    """Every run of this repository, oldest first."""

    runs: dict[str, RunState]

    def past(self, checkout: Checkout, is_in_head: Callable[[str], bool]) -> Past:
        """Proven is what was completed in any run *and* is in the user's branch, whatever boxes say."""
        runs = [run for run in self.runs.values() if run.issue is None]
        done = [p for run in runs for p in run.phases.values() if p.status is PhaseStatus.COMPLETED]
        landed = (p for p in done if p.landing.state == "landed" or is_in_head(p.landing.commit))
        incomplete = {named(phase.brief): phase.incomplete for phase in done}  # as it was the last time
        return Past(
            proven=frozenset(named(phase.brief) for phase in landed),
            incomplete=frozenset(name for name, is_so in incomplete.items() if is_so),
            folders=frozenset((phase.brief.folder, named(phase.brief)) for phase in done),
            earlier=find_earlier(runs, checkout),
        )

    @property
    def last(self) -> RunState | None:
        """The one at work last: a run may have been taken up again after others began."""
        return max(self.runs.values(), key=lambda run: run.seq, default=None)

    @property
    def unfinished(self) -> RunState | None:
        """The last run of the roadmap, if something is left of it."""
        return _if_unfinished(next((run for run in reversed(self.runs.values()) if run.issue is None), None))

    def of_issue(self, number: int) -> RunState | None:
        """The last run about that issue, finished or not."""
        about = (run for run in reversed(self.runs.values()) if run.issue and run.issue.brief.number == number)
        return next(about, None)

    @property
    def all_unfinished(self) -> tuple[RunState, ...]:
        """Of the roadmap and of every issue the last one, if something is left of it; who was at work last is last."""
        last: dict[int, RunState] = {}
        for run in self.runs.values():
            last[run.issue.brief.number if run.issue else 0] = run
        open_ = [run for run in last.values() if _if_unfinished(run)]
        return tuple(sorted(open_, key=lambda run: run.seq))


def _if_unfinished(run: RunState | None) -> RunState | None:
    return run if run and run.status is not RunStatus.COMPLETED and not run.archived else None


def read_history(entries: Iterable[Stored]) -> History:
    runs: dict[str, RunState] = {}
    for stored in entries:
        runs[stored.run] = fold(runs.get(stored.run) or RunState(), stored)
    return History(runs)


def open_run(request: RunRequest, policy: Policy, ports: Ports) -> Iterator[Recorded]:
    """Yield what is recorded to begin; the run to drive is that of the last state."""
    check_against_anchor(ports.journal, ports.vault)
    history = read_history(ports.journal.read())
    yield from settle_messages(history, ports)
    if request.resume_only and history.all_unfinished:
        chosen = [run for run in history.all_unfinished if run.run == request.run] or history.all_unfinished
        if (issue := chosen[-1].issue) is not None:
            _must_have_cooled_down(request, chosen[-1], ports.clock.now())
            also = (take_up(issue, ports),)
            yield from resume_run(chosen[-1], policy, ports, limits_over=request.skip_cooldown, also=also)
            return
    unfinished = history.unfinished
    if unfinished is not None and not request.fresh:
        must_be_meant(request, unfinished, ports.checkout)
        _must_have_cooled_down(request, unfinished, ports.clock.now())
        yield from resume_run(unfinished, policy, ports, limits_over=request.skip_cooldown)
        return
    if request.resume_only:
        hint = "autopilot status" if any(run.issue for run in history.runs.values()) else "autopilot run all"
        raise UsageError("there is no unfinished run to resume", hint)
    past = read_past(history, ports)
    if unfinished is not None:
        _must_have_landed(unfinished, past, ports)
        _must_be_settled(unfinished, ports)
    runs = history.runs.values()
    policy = replace(policy, deferral_confidence=carried_threshold(runs, policy))
    inputs = pin_inputs(request, policy, past, ports)
    if unfinished is not None:
        ledger = ledger_of(unfinished, ports)
        ports.sandbox.end_orphans()
        yield from _record_cut_off(ledger, ports)
        yield ledger.store([Entry(unfinished.run, f"{unfinished.run}/archived", RunArchived("a fresh run"))])
    yield from _start(request, inputs, history, ports)


def _clear_away(ports: Ports) -> None:
    """What a killed run left and nobody will take up again."""
    ports.sandbox.end_orphans()
    ports.workspaces.remove_all()
    ports.transcripts.forget(ports.transcripts.abandoned())


def read_past(history: History, ports: Ports) -> Past:
    return history.past(ports.checkout, lambda commit: is_in_head(commit, ports))


def is_in_head(commit: str, ports: Ports) -> bool:
    """Whether the user has taken a commit in by himself."""
    head = ports.checkout.facts().head
    if not commit or not ports.vault.has(commit):
        return False
    ports.vault.adopt(head)
    return ports.vault.is_ancestor(commit, head)


def must_be_meant(request: RunRequest, unfinished: RunState, checkout: Checkout) -> None:
    """Other phases or flags than those of the unfinished run are another wish, not to be swallowed by a resume."""
    other_flags = request.intent not in (Intent(), unfinished.intent)
    if not other_flags and _are_its_phases(request, unfinished, checkout):
        return
    names = ", ".join(unfinished.phases)
    began = f", begun as `{spell_call(unfinished.intent)}`" if unfinished.intent != Intent() else ""
    anew = spell_call(request.intent, request.phases, fresh=True)
    hint = f"`autopilot resume` takes it up; `{anew}` gives it up"
    raise UsageError(f"{unfinished.run} (phase {names}{began}) is unfinished", hint)


def _are_its_phases(request: RunRequest, unfinished: RunState, checkout: Checkout) -> bool:
    if not request.phases or set(request.phases) <= {"all", "next"}:
        return True
    wanted = read_words(request.phases, find_roadmap(checkout, unfinished.policy))
    return wanted.phases <= set(unfinished.phases)


def _must_have_cooled_down(request: RunRequest, unfinished: RunState, now: datetime) -> None:
    """A loop around `autopilot run` must not turn an open breaker into a busy one."""
    breaker = unfinished.breaker
    if not unfinished.halted or request.skip_cooldown:
        return  # killed before it came to rest, it still has to say so
    if breaker.state == "open" and breaker.until is not None and now < breaker.until:
        wait_s = int((breaker.until - now).total_seconds())
        raise BreakerOpen(
            f"the circuit breaker is open ({breaker.reason}) and cools down for {wait_s // 60 + 1} more minutes",
            "autopilot resume --now",
        )


def _must_have_landed(unfinished: RunState, past: Past, ports: Ports) -> None:
    """Passed work that waits on its branch would be left behind by a fresh run."""
    waiting = [
        p for p in unfinished.phases.values() if p.landing.state == "deferred" and named(p.brief) not in past.proven
    ]
    after = [p for p in unfinished.closing.values() if p.landing.state == "deferred"]
    waiting += [p for p in after if not is_in_head(p.landing.commit, ports)]
    if waiting:
        branch = waiting[-1].landing.branch
        raise UsageError(f"phase {waiting[-1].id} passed but has not landed", f"git merge {branch}")


def _must_be_settled(unfinished: RunState, ports: Ports) -> None:
    """Work that waits for a person's verdict, or was on its way into the branch, would be left behind as well."""
    for phase in (*unfinished.phases.values(), *unfinished.closing.values()):
        if phase.landing.state == "started":
            raise UsageError(f"phase {phase.id} was landing when the run was stopped", "autopilot resume")
        waits = phase.deferral is not None and phase.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION
        if not waits or phase.deferral is None or is_in_head(phase.line, ports):
            continue
        if not phase.deferral.verdict:
            words = f"phase {phase.id} waits on {phase.deferral.branch} for your verdict; a fail gives it up"
            raise UsageError(words, f"autopilot verdict {phase.id} pass")
        if phase.deferral.verdict != "fail":
            raise UsageError(f"phase {phase.id} has your verdict and has not landed", "autopilot resume")


def settle_messages(history: History, ports: Ports) -> Iterator[Recorded]:
    """Wishes from before this start are recorded and done with: whoever starts or resumes now wants it to go on."""
    for message in ports.journal.inbox():
        ledger = ledger_of(history.runs[message.run], ports)
        recorded = take_message(ledger, ports, message)
        history.runs[message.run] = recorded.state
        yield recorded


def _start(request: RunRequest, inputs: Inputs, history: History, ports: Ports) -> Iterator[Recorded]:
    run = new_id(ports.clock.now(), history)
    seen = inputs.survey
    runs = history.runs.values()
    context, complaints = gather_context(runs, seen.outline.values(), ports.checkout, ports.blobs.clean)
    started = RunStarted(
        run=run,
        version=__version__,
        phases=seen.phases,
        outline=tuple(seen.outline.values()),
        roadmap=seen.roadmap.path,
        spec=inputs.spec,
        policy=seen.policy,
        branch=seen.facts.branch,
        head=seen.facts.head,
        base=inputs.base,
        pinned=inputs.pinned,
        proven=seen.proven,
        ticked=tuple(phase.id for phase in seen.roadmap.phases if phase.ticked),
        agents=inputs.agents,
        model=seen.policy.model_profile,
        calibration=calibration(runs),
        intent=request.intent,
        words=request.words,
        context=context,
    )
    ledger = ledger_of(RunState(run=run), ports)
    slot = ledger.slot("start")
    moved = _adjust(history, seen.policy)
    warned = (Warned(text) for text in (*inputs.warnings, *complaints))
    yield ledger.record(slot, (started, *seen.passed_over, *moved, *warned))


def _adjust(history: History, policy: Policy) -> tuple[DeferralAdjusted, ...]:
    used = max((run.verdicts_used for run in history.runs.values()), default=0)
    moved = adjustment(history.runs.values(), policy.deferral_confidence, used)
    return (moved,) if moved else ()


def new_id(now: datetime, history: History) -> str:
    first = f"run-{now:%Y-%m-%d-%H%M%S}"
    names = (first, *(f"{first}-{n}" for n in range(2, 1000)))
    return next(name for name in names if name not in history.runs)


def resume_run(
    state: RunState, policy: Policy, ports: Ports, *, limits_over: bool, also: tuple[Event, ...] = ()
) -> Iterator[Recorded]:
    """End what an earlier, killed process left behind before any of its steps is tried again."""
    ended = ports.sandbox.end_orphans()
    ports.workspaces.remove_all()
    ledger = ledger_of(state, ports)
    slot = ledger.slot(f"resume/{state.resumes + 1}")
    changed = _changed_spec(state, ports)
    narrowed = narrow_again(state, policy, ports)
    warnings = [UNCONFINED] if state.policy.confined and not policy.confined else []
    if changed:
        words = f"{state.spec.path} changed since the run began ({state.spec.sha256[:12]} -> {changed[:12]})"
        warnings.append(f"{words}: a phase in flight starts over, those to come read the new one")
    resumed = RunResumed(
        __version__,
        ended,
        state.policy.keep_caps(narrowed),
        changed,
        policy.confined,
        seating=_seating(state, policy, narrowed),
        limits_over=limits_over,
        caps_said=policy.caps_said,
    )
    warnings += _missing_agents(state, resumed, ports)
    yield ledger.record(slot, (resumed, *also, *(Warned(text) for text in warnings)))
    yield from _record_cut_off(ledger, ports)


def _missing_agents(state: RunState, resumed: RunResumed, ports: Ports) -> tuple[str, ...]:
    """Unavailable before anything is recorded, when the next step is an agent's and nobody is there for a role."""
    ahead = fold(state, Stored(state.seq, ports.clock.now(), state.run, "", resumed))
    if not needs_agent(ahead, ahead.policy):
        return ()
    roles = ISSUE_ROLES if state.issue is not None else ROADMAP_ROLES
    return find_staff(ahead.policy, ports.agents, roles).warnings


def _record_cut_off(ledger: Ledger, ports: Ports) -> Iterator[Recorded]:
    """Calls that were under way when an earlier process was killed: what they used was used.

    Each has a key of its own, so a kill between the record and the tidying up counts nothing twice; what is recorded is
    left as it is, for half tidied up a call has another transcript than it had.
    """
    state, abandoned = ledger.state, ports.transcripts.abandoned()
    known = {stored.key for stored in ports.journal.read(state.run)} if abandoned else set()
    for call in abandoned:
        run, _, rest = call.label.partition("/")
        phase, key = PhaseId(call.phase), f"{run}/cut-off/{call.id}"
        step = rest.removeprefix(f"{phase}/").partition("/")[0]
        is_ours = run == state.run and step in list(Step) and (phase in state.phases or phase in state.parts)
        if is_ours and key not in known:
            cut = AgentCutOff(phase, Step(step), call.role, call.agent, call.usage, call.task, call.transcript)
            yield ledger.store([Entry(run, key, cut)])
    ports.transcripts.forget(abandoned)


def narrow_again(state: RunState, policy: Policy, ports: Ports) -> Policy:
    """The user may have raised a cap meanwhile, or chosen other agents; what this run's config narrows stays so."""
    content = ports.vault.read(state.tip, CONFIG)
    config = parse_config(content.decode("utf-8", "replace"), CONFIG) if content else Config()
    return narrow(policy, config)[0]


def _seating(state: RunState, policy: Policy, narrowed: Policy) -> Seating | None:
    """Who does what from now on, where the user's settings of today say so."""
    if not policy.agents:
        return None
    old, new = (
        Seating(one.agents, one.profiles, one.providers, one.max_wait_minutes, one.first_wait_s)
        for one in (state.policy, narrowed)
    )
    # That another agent became known changes nothing for those at work; another provider for one of them does.
    moved = any(state.policy.provider(name) != narrowed.provider(name) for name in narrowed.agent_names)
    return new if moved or replace(old, providers=new.providers) != new else None


def _changed_spec(state: RunState, ports: Ports) -> str:
    if state.issue is not None:
        return ""  # its anchors are pinned, and looked at where they count
    content = ports.checkout.read(state.spec.path)
    now = spec_hash(content.decode("utf-8", "replace")) if content is not None else ""
    return now if now and now not in (state.spec.sha256, state.spec_changed_to) else ""


def ledger_of(state: RunState, ports: Ports) -> Ledger:
    return Ledger(state, ports.journal, ports.vault)
