"""The end of a run: what passed of it is audited as a whole, fixed where needed, and given a version."""

from __future__ import annotations

from collections.abc import Callable

from autopilot.events.closing import AuditEnded, AuditStarted, ClosingBegun, VersionAdvised, VersionKept
from autopilot.events.fold_closing import AUDIT, VERSION
from autopilot.events.happened import PhaseCompleted
from autopilot.events.pieces import StepState
from autopilot.events.state import PhaseState, RunState
from autopilot.flows.command import Command, Halt, Record
from autopilot.flows.fixes import FOLDER, plan_round
from autopilot.flows.phase import MAX_STEP_ERRORS, next_step, record, try_again, wait_for_us
from autopilot.model.audit import INTEGRATION, Audit
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.policy import Policy
from autopilot.model.run import LandingStage, PhaseBrief, PhaseStatus, RunStatus, Step, StepStatus

NextInPhase = Callable[[RunState, PhaseState, Policy], tuple[Command, ...]]
MAX_ROUNDS = 2  # of fixes, and of audits after the first


def close(state: RunState, policy: Policy, next_in_phase: NextInPhase) -> tuple[Command, ...]:
    """The next commands after the last phase; () when nothing is left. Called when none is left to do."""
    if not _did_something(state):
        return ()
    if policy.self_audit and state.completion.audit.ended is None:
        return _audit(state, policy, next_in_phase)
    version = state.completion.closing.get(VERSION)
    if policy.version_bump and (version is None or not version.settled):
        return (_give_version(state, version),)
    return _land_late(state)


def _did_something(state: RunState) -> bool:
    """A run that only found everything there already, or completed nothing, has nothing of its own to audit."""
    done = [phase for phase in state.phases.values() if phase.status is PhaseStatus.COMPLETED]
    parts = [state.parts[name] for phase in done for name in phase.split.parts]
    worked = (phase for phase in (*done, *parts) if not phase.remediation.withdrawn)
    return any(
        any(task.commit for task in phase.tasks.values()) or any(fix.commit for fix in phase.retries.debug_rounds)
        for phase in worked
    )


# --- the audit -------------------------------------------------------------------------------------------------------


def _audit(state: RunState, policy: Policy, next_in_phase: NextInPhase) -> tuple[Command, ...]:
    audit, progress = state.completion.closing.get(AUDIT), state.completion.audit
    if audit is None:
        brief = _brief(AUDIT, "audit of the whole", "the phases fit together, and every requirement is met")
        return (_begin(state, brief, ClosingBegun(brief, state.line.base)),)
    if (fixing := _fixing(state)) is not None:
        return next_in_phase(state, fixing, policy)
    if (waiting := _unfinished(audit)) is not None:
        return (waiting,)
    if broken := _broken(audit, Audit.INTEGRATION, Audit.REQUIREMENTS):
        return (_end_audit(state, audit, broken),)
    if progress.integration is None:
        return (next_step(audit, Step.AUDIT, Audit.INTEGRATION),)
    if not progress.started:
        return (record(audit, "audit", (AuditStarted(AUDIT, _completed(state), state.inputs.spec.path),)),)
    if not progress.passes or progress.fixed_since:
        return (next_step(audit, Step.AUDIT, Audit.REQUIREMENTS),)
    return (_start_fixes(state, audit) or _end_audit(state, audit),)


def _start_fixes(state: RunState, audit: PhaseState) -> Command | None:
    """Another round of fixes, or another audit where no work is needed. None when the audit is over.

    After a round that failed nothing has changed, so there is nothing to audit again.
    """
    progress = state.completion.audit
    if not progress.gaps or progress.passes > MAX_ROUNDS or progress.rounds >= MAX_ROUNDS:
        return None
    number = progress.rounds + 1
    planned = plan_round(state, number)
    if planned is None:
        return next_step(audit, Step.AUDIT, Audit.REQUIREMENTS)
    return _begin(state, planned.brief, ClosingBegun(planned.brief, state.line.tip, planned.tasks, planned.red))


def _end_audit(state: RunState, audit: PhaseState, problem: str = "") -> Record:
    progress = state.completion.audit
    wanted = [r for r in progress.results if not r.requirement_id.startswith(INTEGRATION)]
    checked = [r for r in wanted if r.status in ("pass", "gap")]
    first = {gap.requirement for gap in progress.first_gaps}
    remaining = {gap.requirement for gap in progress.gaps}
    ended = AuditEnded(
        phase=AUDIT,
        checked=len(checked),
        passed=sum(r.requirement_id not in first for r in checked),
        found=len(first),
        fixed=len(set(progress.fixed) - remaining),
        remaining=progress.gaps,
        cycles=max(0, progress.passes - 1),
        unaudited=tuple(r.requirement_id for r in wanted if r.status not in ("pass", "gap")),
        problem=problem,
    )
    return record(audit, "end", (ended,))


def _fixing(state: RunState) -> PhaseState | None:
    return next((phase for phase in state.completion.closing.values() if phase.tasks and not phase.settled), None)


def _completed(state: RunState) -> tuple[PhaseId, ...]:
    return tuple(phase.id for phase in state.phases.values() if phase.status is PhaseStatus.COMPLETED)


# --- the version -----------------------------------------------------------------------------------------------------


def _give_version(state: RunState, version: PhaseState | None) -> Command:
    if version is None:
        brief = _brief(VERSION, "the next version", "the version files say the next version, and every check holds")
        begun = ClosingBegun(brief, state.line.tip)
        return _begin(state, brief, begun, *_kept(state))
    if (waiting := _unfinished(version)) is not None:
        return waiting
    if state.completion.release is None:
        return _find_version(state, version)
    if version.landing.state not in (LandingStage.LANDED, LandingStage.DEFERRED):
        return next_step(version, Step.LAND)
    return record(version, "complete", (PhaseCompleted(VERSION, None, state.completion.release.commit),))


def _find_version(state: RunState, version: PhaseState) -> Command:
    """By code; only rules of the project that code does not understand are put before the auditor."""
    tried = version.step(Step.BUMP)
    if tried is None or tried.status != StepStatus.ASKS or state.completion.audit.advised is not None:
        return next_step(version, Step.BUMP)
    if broken := _broken(version, Audit.VERSION):
        return record(version, "unadvised", (VersionAdvised(VERSION, None, broken),))
    return next_step(version, Step.AUDIT, Audit.VERSION)


def _kept(state: RunState) -> tuple[VersionKept, ...]:
    """A version says that the whole is sound: what is known to be missing, or unknown, stands against it."""
    ended = state.completion.audit.ended
    if ended is None:
        return ()
    because = ""
    if ended.remaining:
        names = ", ".join(dict.fromkeys(gap.requirement for gap in ended.remaining))
        because = f"the audit found gaps that are still open: {names}"
    elif ended.problem:
        because = f"the audit did not finish: {ended.problem}"
    elif ended.unaudited:
        because = f"the auditor did not report on {', '.join(ended.unaudited)}"
    return (VersionKept(VERSION, because),) if because else ()


# --- both ------------------------------------------------------------------------------------------------------------


def _land_late(state: RunState) -> tuple[Command, ...]:
    """What the completion itself could not land yet, tried once in every session; what lands includes all before it."""
    waiting = [
        phase
        for phase in state.completion.closing.values()
        if phase.landing.state in (LandingStage.STARTED, LandingStage.DEFERRED)
    ]
    if not waiting:
        return ()
    last = waiting[-1]
    if (command := _unfinished(last)) is not None:
        return (command,)
    if not state.session.landing_tried:
        return (next_step(last, Step.LAND),)
    if len(_completed(state)) < len(state.phases):
        return ()  # that others did not pass is said first
    return (Halt(RunStatus.WAITING, f"every phase passed; landing waits: {last.landing.because}", 3),)


def _unfinished(phase: PhaseState) -> Command | None:
    """What a crash or an unavailable resource left open."""
    return wait_for_us(phase) or (try_again(phase.id, phase.open) if phase.open else None)


def _broken(phase: PhaseState, *tasks: Audit) -> str:
    """Why one of the auditor's questions is given up: its retry failed too."""
    steps = (phase.step(Step.AUDIT, task) or StepState() for task in tasks)
    return next((s.detail for s in steps if s.status == StepStatus.ERROR and s.errors >= MAX_STEP_ERRORS), "")


def _brief(id: PhaseId, name: str, goal: str) -> PhaseBrief:
    return PhaseBrief(id, name, goal, (), (), f"{FOLDER}/{id}")


def _begin(state: RunState, brief: PhaseBrief, begun: ClosingBegun, *more: VersionKept) -> Record:
    before = state.completion.earlier.get(brief.id)
    return Record(f"{brief.id}/begin/{before.totals.attempt + 1 if before else 1}", (begun, *more))
