"""Opening a run: read and pin what it is about, or take an unfinished one up again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from msgspec.structs import replace

from autopilot import __version__
from autopilot.engine.baseline import with_environment
from autopilot.engine.baseline_stop import Begin, see_baseline
from autopilot.engine.calibration import adjustment, calibration, carried_threshold
from autopilot.engine.earlier_answers import gather_context
from autopilot.engine.held_before import Held, observe_criteria, warn_of_held
from autopilot.engine.history import History, load_history
from autopilot.engine.inbox import take_message
from autopilot.engine.inputs import survey, tasks_of
from autopilot.engine.issue.reentry import take_up
from autopilot.engine.ledger import Recorded, check_against_anchor
from autopilot.engine.leftovers import clear_leftovers
from autopilot.engine.other_runs import with_names
from autopilot.engine.past import Past, named
from autopilot.engine.pinning import Inputs, pin_inputs
from autopilot.engine.planning_files import find_roadmap
from autopilot.engine.resuming import ledger_of, narrow_again, record_cut_off, resume_run
from autopilot.events.entry import Entry
from autopilot.events.happened import RunArchived, RunStarted, Warned
from autopilot.events.recovery import DeferralAdjusted
from autopilot.events.state import PhaseState, RunState
from autopilot.gates.baseline import goal_of
from autopilot.model.errors import BreakerOpen, CapReached, NothingOpen, UsageError
from autopilot.model.evidence.observation import Observation
from autopilot.model.intent import Intent
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Budget, Policy
from autopilot.model.run import (
    BreakerStatus,
    LandingStage,
    PersonVerdict,
    PhaseStatus,
    RunRequest,
    RunStatus,
)
from autopilot.planning.choosing.flags import call_with, spell_call
from autopilot.planning.choosing.selection import read_arguments
from autopilot.ports.bundle import Ports
from autopilot.ports.git import Checkout
from autopilot.reports.debugging.lessons import lessons_of
from autopilot.reports.run.ways_on import attempts_used, may_try_again
from autopilot.text.naming import name_phases, plural


def open_run(request: RunRequest, policy: Policy, ports: Ports) -> Iterator[Recorded]:
    """Yield what is recorded to begin; the run to drive is that of the last state."""
    check_against_anchor(ports.journal, ports.vault)
    history = load_history(ports.journal)
    yield from settle_messages(history, ports)
    if request.resume_only and history.all_unfinished:
        chosen = [run for run in history.all_unfinished if run.run == request.run] or history.all_unfinished
        if not chosen[-1].is_of_roadmap:
            must_have_cooled_down(request, chosen[-1], ports.clock.now(), caps_of_today(chosen[-1], policy, ports))
            also = (take_up(issue, ports),) if (issue := chosen[-1].issue) is not None else ()
            yield from resume_run(chosen[-1], policy, ports, limits_over=request.skip_cooldown, also=also)
            return
    unfinished = history.unfinished
    if unfinished is not None and not request.fresh and not starts_another(request, unfinished, ports.checkout):
        must_be_meant(request, unfinished, policy, history, ports)
        must_have_cooled_down(request, unfinished, ports.clock.now(), caps_of_today(unfinished, policy, ports))
        warned = _only_mapping(request, unfinished)
        yield from resume_run(unfinished, policy, ports, limits_over=request.skip_cooldown, also=warned)
        return
    if request.resume_only:
        raise UsageError("there is no unfinished run to resume", _how_to_start(request, policy, history, ports))
    past = read_past(history, ports)
    if unfinished is not None:
        _must_have_landed(unfinished, past, ports)
        _must_be_settled(unfinished, ports, request.repeated_options)
    runs = history.runs.values()
    policy = replace(policy, deferral_confidence=carried_threshold(runs, policy))
    inputs = pin_inputs(request, policy, past, ports)
    clear_leftovers(ports)
    run = new_id(ports.clock.now(), history)
    baseline, accepted = _see_baseline(run, request, inputs, ports)
    inputs = _with_environment(run, request, inputs, ports)
    held = _see_criteria(run, request, inputs, baseline, ports)
    if unfinished is not None:
        ledger = ledger_of(unfinished, ports)
        yield from record_cut_off(ledger, ports)
        yield ledger.store([Entry(unfinished.run, f"{unfinished.run}/archived", RunArchived("a fresh run"))])
    seen = inputs.survey
    held_lines = warn_of_held(seen.roadmap.path, seen.policy, seen.phases, held)
    inputs = replace(inputs, warnings=(*inputs.warnings, *accepted, *held_lines))
    yield from _start(run, request, inputs, baseline, held, history, ports)


def _see_baseline(
    run: str, request: RunRequest, inputs: Inputs, ports: Ports
) -> tuple[tuple[Observation, ...], tuple[str, ...]]:
    """Every check on the pinned commit, and warnings; not for a call that only asks questions."""
    if request.intent.only_maps:
        return (), ()
    seen, accepted = inputs.survey, request.intent.accept_red
    goals = tuple(goal_of(brief, tasks_of(brief, seen, ports.checkout)) for brief in seen.phases)
    begin = Begin(run, inputs.base, seen.policy, seen.written, goals, accepted, request.command)
    return see_baseline(begin, ports)


def _with_environment(run: str, request: RunRequest, inputs: Inputs, ports: Ports) -> Inputs:
    """What names of programs mean is settled here for the whole run, before any agent has worked."""
    if request.intent.only_maps:
        return inputs
    policy = with_environment(run, inputs.base, inputs.survey.policy, ports)
    return replace(inputs, survey=replace(inputs.survey, policy=policy))


def _see_criteria(
    run: str, request: RunRequest, inputs: Inputs, baseline: tuple[Observation, ...], ports: Ports
) -> Held:
    """Not where the sandbox could not even run the checks: the first step pauses with the remedy."""
    seen = inputs.survey
    if request.intent.only_maps or (seen.policy.commands.checks() and not baseline):
        return {}
    return observe_criteria(run, inputs.base, seen.policy, seen.phases, ports)


def _only_mapping(request: RunRequest, unfinished: RunState) -> tuple[Warned, ...]:
    """A call that asks for phases resumes a run which only asks about them: that is reported."""
    if request.resume_only or request.intent.map or not unfinished.inputs.intent.only_maps:
        return ()
    call = spell_call(unfinished.inputs.intent)
    are = "is" if len(unfinished.phases) == 1 else "are"
    return (Warned(f"an unfinished `{call}` is resumed; {name_phases(unfinished.phases)} {are} not run"),)


def _how_to_start(request: RunRequest, policy: Policy, history: History, ports: Ports) -> str:
    """What to do where nothing can be resumed; a new run is suggested only where it would have something to do."""
    if any(not run.is_of_roadmap for run in history.runs.values()):
        return "`autopilot status` shows the last one"
    try:
        survey(replace(request, resume_only=False), policy, read_past(history, ports), ports.checkout)
    except NothingOpen:
        raise  # who resumes a night that has come to its end is told that, and it is no error
    except UsageError as error:
        return f"{error}; {error.hint}"
    moved = "" if history.runs else "; if you moved the repository here: `autopilot doctor`"
    return f"`autopilot run all{request.repeated_options}` starts one{moved}"


def read_past(history: History, ports: Ports) -> Past:
    return history.past(ports.checkout, lambda commit: is_in_head(commit, ports))


def is_in_head(commit: str, ports: Ports) -> bool:
    """Whether the user has taken a commit in by himself."""
    head = ports.checkout.head()
    if not commit or not ports.vault.has(commit):
        return False
    ports.vault.adopt(head)
    return ports.vault.is_ancestor(commit, head)


def must_be_meant(request: RunRequest, unfinished: RunState, policy: Policy, history: History, ports: Ports) -> None:
    """Other phases or flags than those of the unfinished run are another wish, not to be swallowed by a resume."""
    other_flags = request.intent not in (Intent(), unfinished.inputs.intent)
    if not other_flags and _are_its_phases(request, unfinished, ports.checkout):
        return
    # What this call does not allow is refused first: the hint suggests the same call with --fresh.
    survey(request, policy, read_past(history, ports), ports.checkout)
    began = f", started as `{spell_call(unfinished.inputs.intent)}`" if unfinished.inputs.intent != Intent() else ""
    anew = call_with(request.command, "--fresh") or spell_call(request.intent, request.phases, fresh=True)
    hint, why = f"`{anew}` archives it and starts over", ""
    if unfinished.status is RunStatus.FAILED and not may_try_again(unfinished):
        why = f", and nothing of it is left to run: {attempts_used(unfinished)}"
    else:
        hint = f"`autopilot resume{request.repeated_options}` continues it; {hint}"
    raise UsageError(f"{unfinished.run} ({name_phases(unfinished.phases)}{began}) is unfinished{why}", hint)


def _are_its_phases(request: RunRequest, unfinished: RunState, checkout: Checkout) -> bool:
    """Whether all that a resume would do was asked for: who asks for phase 3 does not want phase 1 tried again."""
    wanted = _wanted(request, unfinished, checkout)
    open_phases = {phase.id for phase in unfinished.phases.values() if not phase.settled or _has_failed(phase)}
    return wanted is None or open_phases <= wanted <= set(unfinished.phases)


def starts_another(request: RunRequest, unfinished: RunState, checkout: Checkout) -> bool:
    """Other phases than those of a run that has come to its end are a run of their own: it only failed.

    So is what we choose, where all that is left of the failed run waits for phases that it does not have.
    """
    is_over = unfinished.halted and unfinished.status is RunStatus.FAILED
    if not is_over or request.resume_only:
        return False
    if _wanted(request, unfinished, checkout) is None:
        return request.intent in (Intent(), unfinished.inputs.intent) and _waits_for_others(unfinished)
    return not _are_its_phases(request, unfinished, checkout)


def _waits_for_others(unfinished: RunState) -> bool:
    inputs, here = unfinished.inputs, unfinished.phases
    left = [phase.brief for phase in here.values() if not phase.settled or _has_failed(phase)]
    done = {*here, *inputs.proven, *inputs.ticked}
    return bool(left) and all(not done.issuperset(brief.depends_on) for brief in left)


def _wanted(request: RunRequest, unfinished: RunState, checkout: Checkout) -> frozenset[PhaseId] | None:
    """The phases that the call names; None where it leaves that to us."""
    if not request.phases or set(request.phases) <= {"all", "next"}:
        return None
    return frozenset(read_arguments(request.phases, find_roadmap(checkout, unfinished.policy)).phases)


def _has_failed(phase: PhaseState) -> bool:
    return phase.status is PhaseStatus.FAILED


def caps_of_today(unfinished: RunState, policy: Policy, ports: Ports) -> Budget:
    """What the run may use when it is resumed by this call."""
    if unfinished.breaker.cap is None:
        return unfinished.policy.budget
    return unfinished.policy.keep_caps(narrow_again(unfinished, policy, ports))


def must_have_cooled_down(
    request: RunRequest, unfinished: RunState, now: datetime, budget: Budget | None = None
) -> None:
    """A loop around `autopilot run` must not turn an open breaker into a busy one.

    A cap that was raised meanwhile, in `budget`, is a cause that is gone: there is nothing to wait for.
    """
    breaker = unfinished.breaker
    if not unfinished.halted or request.skip_cooldown:
        return  # killed before it came to rest, it still has to say so
    if breaker.cap is not None and budget is not None:
        name = breaker.cap.value
        if getattr(budget, name) > getattr(unfinished.policy.budget, name):
            return
    if breaker.state == BreakerStatus.OPEN and breaker.until is not None and now < breaker.until:
        left = breaker.until - now
        minutes = int(left.total_seconds()) // 60 + 1
        remaining = f"cools down for {plural(minutes, 'more minute')}"
        if left > timedelta(minutes=unfinished.policy.breaker.cooldown_minutes):
            remaining = "is open, for how long cannot be said: the clock shows a time before the breaker opened"
        first = "remove the cause first" if breaker.cap is None else "raise the cap first, as `autopilot status` says"
        refused = BreakerOpen if breaker.cap is None else CapReached
        raise refused(
            f"{breaker.reason}; the circuit breaker {remaining}",
            f"{first}; `autopilot resume --now{request.repeated_options}` does not wait",
        )


def _must_have_landed(unfinished: RunState, past: Past, ports: Ports) -> None:
    """Passed work that waits on its branch would be left behind by a fresh run."""
    waiting = [
        p
        for p in unfinished.phases.values()
        if p.landing.state == LandingStage.DEFERRED and named(p.brief) not in past.proven
    ]
    after = [p for p in unfinished.completion.closing.values() if p.landing.state == LandingStage.DEFERRED]
    waiting += [p for p in after if not is_in_head(p.landing.commit, ports)]
    if waiting:
        branch = waiting[-1].landing.branch
        raise UsageError(f"phase {waiting[-1].id} passed but has not landed", f"merge it first: `git merge {branch}`")


def _must_be_settled(unfinished: RunState, ports: Ports, options: str) -> None:
    """Work that waits for a person's verdict, or was on its way into the branch, would be left behind as well."""
    resume = f"`autopilot resume{options}` lands it"
    for phase in (*unfinished.phases.values(), *unfinished.completion.closing.values()):
        if phase.landing.state == LandingStage.STARTED:
            raise UsageError(f"phase {phase.id} was landing when the run was stopped", resume)
        waits = phase.deferral is not None and phase.status is PhaseStatus.NEEDS_HUMAN_VERIFICATION
        if not waits or phase.deferral is None or is_in_head(phase.line.tip, ports):
            continue
        if not phase.deferral.verdict:
            hint = f"`autopilot verdict {phase.id} pass` takes it in; `autopilot verdict {phase.id} fail` discards it"
            raise UsageError(f"phase {phase.id} on {phase.deferral.branch} waits for your verdict", hint)
        if phase.deferral.verdict != PersonVerdict.FAIL:
            raise UsageError(f"phase {phase.id} has your verdict and has not landed", resume)


def settle_messages(history: History, ports: Ports) -> Iterator[Recorded]:
    """Settle messages from before this start: a user who starts or resumes now wants the run to go on."""
    for message in ports.journal.inbox():
        ledger = ledger_of(history.runs[message.run], ports)
        recorded = take_message(ledger, ports, message)
        history.runs[message.run] = recorded.state
        yield recorded


def _start(
    run: str,
    request: RunRequest,
    inputs: Inputs,
    baseline: tuple[Observation, ...],
    held: Held,
    history: History,
    ports: Ports,
) -> Iterator[Recorded]:
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
        calibration=(*calibration(runs), *lessons_of(runs)),
        intent=request.intent,
        command=request.command,
        context=context,
        baseline=baseline,
        criteria=held,
        planning=seen.planned.files,
        other_runs=tuple(with_names(run, seen.outline.values(), ports.blobs.clean) for run in seen.other_runs),
    )
    ledger = ledger_of(RunState(run=run), ports)
    slot = ledger.slot("start")
    moved = _adjust(history, seen.policy)
    warned = (Warned(text) for text in (*inputs.warnings, *complaints))
    yield ledger.record(slot, (started, *seen.passed_over, *moved, *warned))


def _adjust(history: History, policy: Policy) -> tuple[DeferralAdjusted, ...]:
    used = max((run.lessons.verdicts_used for run in history.runs.values()), default=0)
    moved = adjustment(history.runs.values(), policy.deferral_confidence, used)
    return (moved,) if moved else ()


def new_id(now: datetime, history: History) -> str:
    first = f"run-{now:%Y-%m-%d-%H%M%S}"
    names = (first, *(f"{first}-{n}" for n in range(2, 1000)))
    return next(name for name in names if name not in history.runs)
