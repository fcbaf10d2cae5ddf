"""Archive: the file of the resolved session, committed on top of the fix, in the planning folder alone."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.debugging.happened import SessionClosed
from autopilot.events.debugging.state import Ending
from autopilot.events.happened import RecordsCommitted
from autopilot.model.debugging.session import Status
from autopilot.model.run import StepStatus
from autopilot.reports.debugging.session_file import render_session
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.debugging.session_context import session_in


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    session, vault, tip = session_in(ctx), ctx.ports.vault, ctx.state.line.tip
    closed = SessionClosed(ctx.phase.id, Status.RESOLVED, "the fix is proven")
    path, commit = session.brief.archived_path, tip
    if ctx.policy.commit_docs:
        ended = replace(session, ending=Ending(closed, ctx.time), updated_at=ctx.time)
        text = ctx.ports.blobs.clean(render_session(ended))
        tree = vault.edit_tree(tip, {path: text.encode()})
        commit = vault.commit(tree, [tip], f"docs: debug session {session.brief.slug} is resolved", ctx.time, AUTHOR)
    return Result(StepStatus.COMPLETED, (RecordsCommitted(ctx.phase.id, commit, (path,)), closed), path)
