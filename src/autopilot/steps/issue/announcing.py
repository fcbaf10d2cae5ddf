"""Announcing: the work branch where other people look, and the message that goes with it. It fails nothing."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.errors import Unavailable
from autopilot.ports.forge import OURS
from autopilot.steps.context import StepContext
from autopilot.steps.issue.issue_context import issue_of


class Told(Struct, frozen=True):
    url: str = ""  # of the pull request, where there is one
    warnings: tuple[str, ...] = ()


def announce(ctx: StepContext, commit: str, body: str, *, comment: bool) -> Told:
    """The branch pushed, a draft with this text, and the text once more as a comment for those who follow it.

    Tried again after a crash, the comment is left out: nobody knows whether it was made, and the draft, which is
    written over and over, says the same.
    """
    forge, brief, url = ctx.ports.forge, issue_of(ctx).brief, ""
    try:
        pushed = forge.push(commit, f"{OURS}{brief.branch}")
        if pushed:
            url = forge.draft(pushed, "", f"{brief.title} (#{brief.number})", body)
        if url and comment and not _is_tried_again(ctx):
            forge.comment(url, body)
    except Unavailable as error:
        return Told(url, (_warning(error),))
    return Told(url)


def label(ctx: StepContext, told: Told, name: str) -> Told | None:
    """None when it is done; without a draft there is nothing that could carry a label."""
    if not told.url:
        return told
    try:
        ctx.ports.forge.label(issue_of(ctx).brief.number, name)
    except Unavailable as error:
        return Told(told.url, (*told.warnings, _warning(error)))
    return None


def keep_message(ctx: StepContext, path: str, text: str) -> str:
    """For the user as a file, for the record as a blob; without secrets. The digest of what was kept."""
    content = ctx.ports.blobs.clean(text).encode()
    ctx.ports.checkout.write_documents({path: content})
    return ctx.ports.blobs.keep(content)


def _is_tried_again(ctx: StepContext) -> bool:
    return ctx.phase.open is not None and ctx.phase.open.number > 1


def _warning(error: Unavailable) -> str:
    return f"Autopilot could not publish all of this on the forge: {error}" + (f"; {error.hint}" if error.hint else "")
