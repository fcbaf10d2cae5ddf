"""Preflight: may this phase begin? Asked of the world by code, before anything is spent."""

from __future__ import annotations

from functools import partial

from autopilot.events.happened import PreflightDone
from autopilot.events.state import RunState
from autopilot.model.errors import CapReached, Unavailable
from autopilot.model.run import PhaseStatus, StepStatus
from autopilot.planning.formats.locking import KEPT, fingerprint, tell_changed
from autopilot.planning.people.sufficiency import WORRYING
from autopilot.ports.git import Checkout
from autopilot.reports.status.files import confidence_path
from autopilot.steps.asking.agent_check import find_agents
from autopilot.steps.asking.context_files import user_answers
from autopilot.steps.asking.map_excerpt import is_reported, refresh_map
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.people.map import score_context
from autopilot.text.naming import name_phases, name_some

MIN_FREE_BYTES = 256 * 1024 * 1024


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    warnings: list[str] = []
    _room(ctx)
    reported = (*ctx.state.totals.warnings, *(w for phase in ctx.state.phases.values() for w in phase.warnings))
    warnings += [warning for warning in _tools(ctx) if warning not in reported]
    if place := ctx.ports.checkout.unwritable():
        raise Unavailable(f"the checkout cannot be written, so no work could land: {place}", "make it writable again")
    changed = _changed_spec(ctx)
    checks = (_spec(ctx), _dependencies(ctx, warnings))
    issues = tuple(issue for issue in checks if issue)
    if changed:
        warnings.append(f"{tell_changed(ctx.state.inputs.spec, changed)}: from this one on, phases {KEPT}")
    warnings += [*_about_checkout(ctx), *_about_context(ctx)]
    if (failed := refresh_map(ctx)) and not is_reported(ctx):
        warnings.append(failed)
    adopted = changed or ctx.state.inputs.spec_changed_to
    commit = _new_spec(ctx) if adopted and not issues else ""
    done = PreflightDone(ctx.phase.id, issues, tuple(warnings), commit, "" if issues else changed)
    return Result(StepStatus.FAIL if issues else StepStatus.PASS, (done,), "; ".join(issues))


def _spec(ctx: StepContext) -> str:
    lock = ctx.state.inputs.spec
    if is_on_other_branch(ctx.state, ctx.ports.checkout) or ctx.ports.checkout.read(lock.path) is not None:
        return ""
    return f"the spec {lock.path} no longer exists"


def _changed_spec(ctx: StepContext) -> str:
    """The fingerprint of a spec that the user edited since the run last looked; "" where it is as it was.

    Nothing of this phase is done yet, so the edit costs no work: one that the user makes at night is given to the
    phases that begin after it, and stops none of them. What a phase must prove is as it was when the run began.
    """
    inputs = ctx.state.inputs
    if is_on_other_branch(ctx.state, ctx.ports.checkout):
        return ""
    now = fingerprint(inputs.spec, inputs.planning.format, ctx.ports.checkout.read)
    return now if now not in (inputs.spec.sha256, inputs.spec_changed_to) else ""


def is_on_other_branch(state: RunState, checkout: Checkout) -> bool:
    """What lies in the folder then is the spec of another line of work, and says nothing about this run's."""
    return checkout.branch() != state.line.branch


def _new_spec(ctx: StepContext) -> str:
    """A spec that changed since the run began is committed below the phases still to come; "" when it is there."""
    lock, vault, checkout = ctx.state.inputs.spec, ctx.ports.vault, ctx.ports.checkout
    if is_on_other_branch(ctx.state, checkout):
        return ""
    format = ctx.state.inputs.planning.format
    now, before = (fingerprint(lock, format, read) for read in (checkout.read, partial(vault.read, ctx.tip)))
    if not now or not before or now == before:
        return ""
    edits = {path: content for path in (lock.path, *lock.also) if (content := checkout.read(path)) is not None}
    tree = vault.edit_tree(ctx.tip, edits)
    return vault.commit(tree, [ctx.tip], f"docs: {lock.path} as changed during the run", ctx.time, AUTHOR)


def _dependencies(ctx: StepContext, warnings: list[str]) -> str:
    missing = []
    for needed in ctx.phase.brief.depends_on:
        here = ctx.state.phases.get(needed)
        if here is not None and here.status is PhaseStatus.COMPLETED and here.remediation.incomplete:
            warnings.append(f"phase {needed}, which this one depends on, is incomplete: see {confidence_path(needed)}")
        if (here is not None and here.status is PhaseStatus.COMPLETED) or needed in ctx.state.inputs.proven:
            continue
        if here is None and needed in ctx.state.inputs.ticked:
            warnings.append(
                f"phase {needed}, which this one depends on, is done by the planning files but was never proven"
            )
            continue
        missing.append(needed)
    are = "is" if len(missing) == 1 else "are"
    return f"it depends on {name_phases(missing)}, which {are} not completed" if missing else ""


def _room(ctx: StepContext) -> None:
    """A full disk is no failure of the phase: the run stops here, and the step is retried when there is space."""
    free = ctx.ports.workspaces.free_bytes()
    if free < MIN_FREE_BYTES:
        raise CapReached(
            f"only {free // 2**20} MB are free where workspaces are made",
            "free some space, or some files where `df -i` shows no inodes left, then run again",
        )


def _tools(ctx: StepContext) -> tuple[str, ...]:
    """A missing sandbox or agent is not the phase's failure either: the run pauses with the remedy."""
    if ctx.policy.confined:
        probe = ctx.ports.sandbox.probe()
        if not probe.usable:
            raise Unavailable(probe.detail, probe.remedy)
    return find_agents(ctx.policy, ctx.ports.agents).warnings


def _about_checkout(ctx: StepContext) -> list[str]:
    warnings = []
    if dirty := ctx.ports.checkout.dirty():
        remedy = "landing will wait until you commit or stash them"
        warnings.append(f"the checkout has uncommitted changes ({name_some(dirty)}): {remedy}")
    open_debug = [p for p in ctx.ports.checkout.list(".planning/debug") if "/resolved/" not in p and p.endswith(".md")]
    if open_debug:
        remedy = "move it to .planning/debug/resolved when it is over"
        warnings.append(f"an unresolved debug session: {open_debug[0]}; {remedy}")
    return warnings


def _about_context(ctx: StepContext) -> list[str]:
    """A quick check without an agent: the user should know that a phase says too little before it costs anything.

    Not where the user was asked already, in this run or before.
    """
    if ctx.state.inputs.intent.map or user_answers(ctx) or ctx.phase.parent:
        return []
    known = score_context(ctx)
    if known.score >= WORRYING:
        return []
    ask = f"`autopilot run --map {ctx.phase.id}` asks you about what is missing"
    return [f"phase {ctx.phase.id} is hardly described (context {known.score}/10): {known.reason}; {ask}"]
