"""Present: the work branch and the message of the middle gate, where a person reads them."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.issue.happened import Presented
from autopilot.model.issue.hunk import Showing
from autopilot.model.run import StepStatus
from autopilot.planning.issue.presenting import READ, gather_showing, is_repeated
from autopilot.ports.forge import StatusState
from autopilot.reports.issue.gate import render_presentation
from autopilot.reports.status.files import presentation_path
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.issue.announcing import announce, keep_message, set_status
from autopilot.steps.issue.issue_context import issue_of
from autopilot.steps.observing.texts import text_at


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    issue = issue_of(ctx)
    number = issue.presentation.count + 1
    branch = ctx.ports.checkout.offer(issue.brief.branch, ctx.tip)
    showing = _describe_branch(ctx, branch)
    announcement = announce(ctx, ctx.tip, render_presentation(issue, ctx.state, showing), comment=number > 1)
    announcement = set_status(ctx, announcement, ctx.tip, StatusState.PENDING, "the design waits for your approval")
    showing = replace(showing, url=announcement.url, warnings=(*announcement.warnings, *showing.warnings))
    body = render_presentation(issue, ctx.state, showing)
    digest = keep_message(ctx, presentation_path(issue.brief.number, number), body)
    event = Presented(ctx.phase.id, number, branch, ctx.tip, digest, announcement.url)
    return Result(StepStatus.COMPLETED, (event,), f"presentation {number} on {branch}")


def _describe_branch(ctx: StepContext, branch: str) -> Showing:
    issue, vault = issue_of(ctx), ctx.ports.vault
    last = issue.presentation.last
    shown = last.commit if last is not None and is_repeated(issue) else ctx.state.line.base
    read = text_at(ctx, ctx.tip)
    paths = [issue.brief.path(name) for name in READ]
    texts = {path: text for path in paths if (text := read(path)) is not None}
    return gather_showing(issue, branch, ctx.tip, vault.patch(shown, ctx.tip), texts)
