"""Record: one row of the audit log for every iteration, committed before anything is decided."""

from __future__ import annotations

from autopilot.events.issue.happened import ConvergenceHalted, IterationRecorded
from autopilot.events.issue.rooms import Round
from autopilot.model.errors import RecordBroken
from autopilot.model.issue.issue import AuditRow, HaltReason, OracleState, RedRow, RowVerdict
from autopilot.model.run import StepStatus
from autopilot.planning.issue.audit_log import append_red, append_row, count_lines, head_of, parse_log, stamp
from autopilot.rails.issue.convergence import state_fingerprint
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.issue.issue_context import find_drift, issue_of, log_path, red_path, round_of, whole_at


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    issue, now = issue_of(ctx), round_of(ctx)
    path, number = log_path(ctx), issue.brief.number
    tip = _with_red(ctx, now.judged.red) if now.judged and now.judged.red else ctx.tip
    before = whole_at(ctx, tip, path)
    broken = ", ".join(now.work.tampered) if now.work else ""
    if not broken and (count_lines(before), head_of(before)) != (issue.audit.lines, issue.audit.head):
        broken = f"{path} holds {count_lines(before)} rows, and Autopilot wrote {issue.audit.lines}"
    drift = ", ".join(now.work.drift if now.work and now.work.drift else find_drift(ctx, ctx.tip))
    verdict, state = _verdict(now)
    log = append_row(before, now.iteration, ctx.task, verdict, state_fingerprint(state), stamp(ctx.time))
    try:
        row = parse_log(log)[-1]
    except RecordBroken as error:  # rows of before that nobody can read: nothing may be decided on top of them
        halted = ConvergenceHalted(ctx.phase.id, ctx.task, HaltReason.RECORD, detail=f"{path}: {error}")
        return Result(StepStatus.FAIL, (halted,), halted.detail)
    assert isinstance(row, AuditRow), "the last row is the one that was just written"
    subject = f"chore(autopilot): audit {ctx.task} iteration {now.iteration} (#{number})"
    commit = _commit(ctx, tip, {path: log.encode("utf-8", "surrogateescape")}, subject)
    event = IterationRecorded(ctx.phase.id, ctx.task, row, commit, count_lines(log), head_of(log), drift, broken)
    return Result(StepStatus.COMPLETED, (event,), f"iteration {now.iteration}: {verdict}")


def _verdict(now: Round) -> tuple[RowVerdict, OracleState]:
    """A step without an oracle of its own is done when its work could be taken; a person judges it at the gate."""
    work = now.work
    assert work is not None, "nothing is recorded of an iteration that did not happen"
    if now.judged is not None:
        return RowVerdict.PASS if now.judged.state.holds else RowVerdict.FAIL, now.judged.state
    if work.commit:
        return RowVerdict.PASS, OracleState(red_observed=True, at_green=True, coverage_ok=True)
    return RowVerdict.FAIL, OracleState(failing=(work.refusal or ", ".join((*work.drift, *work.tampered)),))


def _with_red(ctx: StepContext, row: RedRow) -> str:
    path = red_path(ctx)
    text = append_red(whole_at(ctx, ctx.tip, path), row)
    subject = f"chore(autopilot): red evidence (#{issue_of(ctx).brief.number})"
    return _commit(ctx, ctx.tip, {path: text.encode("utf-8", "surrogateescape")}, subject)


def _commit(ctx: StepContext, tip: str, edits: dict[str, bytes | None], subject: str) -> str:
    vault = ctx.ports.vault
    return vault.commit(vault.edit_tree(tip, edits), [tip], subject, ctx.time, AUTHOR)
