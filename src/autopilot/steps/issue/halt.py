"""Halt: a rail tripped. It becomes a row of the audit log, the work stays on its branch, and the user is notified."""

from __future__ import annotations

from typing import assert_never

from autopilot.events.issue.happened import ConvergenceHalted
from autopilot.events.issue.rooms import Round
from autopilot.model.issue.issue import HaltReason, SeedFinding
from autopilot.model.run import StepStatus
from autopilot.planning.issue.audit_log import append_halt, count_lines, findings_digest, head_of, stamp
from autopilot.rails.issue.halt import find_halt
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.issue.issue_context import issue_of, log_path, round_of, whole_at


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    issue, now, vault = issue_of(ctx), round_of(ctx), ctx.ports.vault
    reason = find_halt(issue, ctx.task)
    assert reason is not None and reason.is_recorded, "only a rail that tripped brings us here"
    findings, path = _findings(now), log_path(ctx)
    log = whole_at(ctx, ctx.tip, path)
    log = append_halt(log, ctx.task, reason.value, findings_digest(findings), stamp(ctx.time))
    subject = f"chore(autopilot): halt record {ctx.task} {reason.value} (#{issue.brief.number})"
    commit = vault.commit(
        vault.edit_tree(ctx.tip, {path: log.encode("utf-8", "surrogateescape")}), [ctx.tip], subject, ctx.time, AUTHOR
    )
    branch = ctx.ports.checkout.offer(issue.brief.branch, commit)
    lines, head, detail = count_lines(log), head_of(log), _detail(reason, now)
    halted = ConvergenceHalted(ctx.phase.id, ctx.task, reason, findings, commit, lines, head, detail, branch)
    return Result(StepStatus.COMPLETED, (halted,), reason.value)


def _findings(now: Round) -> tuple[SeedFinding, ...]:
    """What is left to fix; never empty, so that the next cycle knows what to fix."""
    touched = [*(now.work.drift if now.work else ()), *(now.work.tampered if now.work else ())]
    findings = (
        SeedFinding(evidence_ref=path, detail="changed, and no agent may change it: leave it as it is")
        for path in touched
    )
    return (*findings, *now.findings) or (
        SeedFinding(evidence_ref=now.drift or now.broken or "the last iteration failed"),
    )


def _detail(reason: HaltReason, now: Round) -> str:
    match reason:
        case HaltReason.DRIFT:
            return f"{now.drift} changed after the approval"
        case HaltReason.INTEGRITY:
            return f"the audit log was changed: {now.broken}"
        case HaltReason.UNVERIFIABLE:
            return "green and covered, but the tests were never red without the work: review the tests yourself"
        case HaltReason.MAX_ITERATIONS:
            return f"the step does not hold after {now.iteration} iterations"
        case HaltReason.SAMENESS:
            return "two iterations failed in the same way"
        case HaltReason.STUCK:
            return "the iterations alternate between the same failures"
        case HaltReason.FREEZE | HaltReason.PIN | HaltReason.RECORD | HaltReason.RAILS:
            return reason.value  # never found by a rail: nothing had begun, or the record could not be written
        case _:
            assert_never(reason)
