"""Freeze: pin what a person approved, or find it as it was pinned, before the first iteration of a phase."""

from __future__ import annotations

from autopilot.events.happened import Event
from autopilot.events.issue.happened import AnchorPinned, ConvergenceHalted
from autopilot.events.recovery import BaselineObserved
from autopilot.model.evidence.observation import Seen
from autopilot.model.issue.issue import CAUSE_FILE, IMPL, PINS, HaltReason
from autopilot.model.planning.criterion import Expectation, Strength
from autopilot.model.run import StepStatus
from autopilot.planning.issue.audit_log import count_lines, head_of, pin_text
from autopilot.rails.issue.convergence import fingerprint
from autopilot.reports.issue.cause import render_cause
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.issue.issue_context import AT, anchor_at, at_command, issue_of, log_path, whole_at
from autopilot.steps.observing.before_work import observe_before
from autopilot.steps.observing.observing import Check, list_configured_checks

FREEZE = "freeze"


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    issue, phase = issue_of(ctx), ctx.phase.id
    pin = issue.pinned.pins.get(PINS[phase])
    if pin is not None and not issue.pinned.repin:
        if reason := _drift(ctx):
            return _halt(ctx, HaltReason.PIN, reason)
        event = _frozen(ctx, pin.sha256, ctx.tip, pin.files, verified=True)
    else:
        written = _written(ctx)
        sha256 = anchor_at(ctx, written, phase)
        if sha256 is None:
            missing = [path for path in issue.anchors[phase] if ctx.ports.vault.read(written, path) is None]
            return _halt(ctx, HaltReason.FREEZE, f"{', '.join(missing)} does not exist and cannot be pinned")
        commit = _pin(ctx, written, sha256)
        event = _frozen(ctx, sha256, commit, issue.anchors[phase], verified=False)
    if phase != IMPL or ctx.phase.plan.baseline is not None:
        return Result(StepStatus.COMPLETED, (event,), _words(event))
    return _with_baseline(ctx, event)


def _with_baseline(ctx: StepContext, event: AnchorPinned) -> Result:
    """What is red before the work is not the work's doing; it is observed once, without any implementation."""
    baseline = issue_of(ctx).baseline.commit or event.commit
    command = at_command(ctx)
    if not command:
        return _halt(
            ctx,
            HaltReason.FREEZE,
            "Autopilot knows no command that runs the acceptance tests: pass --at-command COMMAND",
        )
    checks = [check for check in list_configured_checks(ctx) if check.command != command]
    checks.insert(0, Check(AT, command, Expectation(), Strength.COMMAND, ctx.policy.timeouts.test))
    seen = observe_before(ctx, baseline, issue_of(ctx).brief.folder, checks)
    if undone := next((observation for observation in seen if observation.seen is Seen.NOTHING), None):
        return Result(StepStatus.UNPROVEN, detail=f"{undone.subject} could not be run: {undone.reason}")
    events: tuple[Event, ...] = (event, BaselineObserved(ctx.phase.id, baseline, seen))
    return Result(StepStatus.COMPLETED, events, _words(event))


def _drift(ctx: StepContext) -> str:
    """The anchor as it stands on the work branch, and as the user's checkout has it."""
    issue, phase = issue_of(ctx), ctx.phase.id
    pin = issue.pinned.pins[PINS[phase]]
    if anchor_at(ctx, ctx.tip, phase) != pin.sha256:
        return f"{', '.join(pin.files)} changed after the approval"
    moved = [path for path in pin.files if path in issue.pinned.in_checkout]
    here = [path for path in moved if issue.pinned.in_checkout[path] != _fingerprint(ctx, path)]
    return (
        f"{', '.join(here)} in your checkout changed after the approval: a changed anchor is a new issue"
        if here
        else ""
    )


def _fingerprint(ctx: StepContext, path: str) -> str:
    return fingerprint((ctx.ports.vault.read(ctx.tip, path) or b"").decode("utf-8", "replace"))


def _written(ctx: StepContext) -> str:
    """With the agreed cause as a document beside the issue, where there is one."""
    issue, vault = issue_of(ctx), ctx.ports.vault
    if issue.cause.agreed is None or ctx.phase.id != IMPL:
        return ctx.tip
    path = issue.brief.path(CAUSE_FILE)
    content = ctx.ports.blobs.clean(render_cause(issue)).encode()
    if vault.read(ctx.tip, path) == content:
        return ctx.tip
    subject = f"docs: agreed cause (#{issue.brief.number})"
    return vault.commit(vault.edit_tree(ctx.tip, {path: content}), [ctx.tip], subject, ctx.time, AUTHOR)


def _pin(ctx: StepContext, commit: str, sha256: str) -> str:
    issue, vault = issue_of(ctx), ctx.ports.vault
    path = issue.brief.path(PINS[ctx.phase.id])
    tree = vault.edit_tree(commit, {path: pin_text(sha256).encode()})
    subject = f"chore(autopilot): pin {ctx.phase.id} anchor (#{issue.brief.number})"
    return vault.commit(tree, [commit], subject, ctx.time, AUTHOR)


def _frozen(ctx: StepContext, sha256: str, commit: str, files: tuple[str, ...], *, verified: bool) -> AnchorPinned:
    log = whole_at(ctx, commit, log_path(ctx))
    phase = ctx.phase.id
    return AnchorPinned(phase, PINS[phase], files, sha256, commit, count_lines(log), verified, head_of(log))


def _halt(ctx: StepContext, reason: HaltReason, detail: str) -> Result:
    return Result(StepStatus.FAIL, (ConvergenceHalted(ctx.phase.id, FREEZE, reason, detail=detail),), detail)


def _words(event: AnchorPinned) -> str:
    return f"{', '.join(event.files)} {'as approved' if event.verified else 'pinned'}"
