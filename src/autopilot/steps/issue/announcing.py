"""Announcing: the work branch on the forge, and the message that goes with it. A failure here fails no step."""

from __future__ import annotations

from msgspec import Struct

from autopilot.model.errors import Unavailable
from autopilot.ports.forge import OURS, StatusState
from autopilot.steps.context import StepContext
from autopilot.steps.issue.issue_context import issue_of

STATUS = "autopilot/acceptance"


class Announcement(Struct, frozen=True):
    url: str = ""  # of the pull request, where there is one
    warnings: tuple[str, ...] = ()


def announce(ctx: StepContext, commit: str, body: str, *, comment: bool) -> Announcement:
    """The branch pushed, a draft with this text, and the text once more as a comment for those who follow it.

    A retry after a crash leaves the comment out: it may have been made already, and the draft, which is
    overwritten each time, holds the same text.
    """
    forge, brief, url = ctx.ports.forge, issue_of(ctx).brief, ""
    try:
        pushed = forge.push(commit, f"{OURS}{brief.branch}")
        if pushed:
            url = forge.draft(pushed, "", f"{brief.title} (#{brief.number})", body)
        if url and comment and not _is_tried_again(ctx):
            forge.comment(url, body)
    except Unavailable as error:
        return Announcement(url, (_warning(error),))
    return Announcement(url)


def label(ctx: StepContext, announcement: Announcement, name: str) -> Announcement | None:
    """None when it is done; without a draft there is nothing that could carry a label."""
    if not announcement.url:
        return announcement
    try:
        ctx.ports.forge.label(issue_of(ctx).brief.number, name)
    except Unavailable as error:
        return Announcement(announcement.url, (*announcement.warnings, _warning(error)))
    return None


def set_status(
    ctx: StepContext, announcement: Announcement, commit: str, state: StatusState, text: str
) -> Announcement:
    """What we saw of a commit, in a line beside it. Where no branch was published, there is nothing to stand beside."""
    if announcement.warnings:
        return announcement
    try:
        ctx.ports.forge.status(commit, state, STATUS, text, announcement.url)
    except Unavailable as error:
        return Announcement(announcement.url, (_warning(error),))
    return announcement


def keep_message(ctx: StepContext, path: str, text: str) -> str:
    """For the user as a file, for the record as a blob; without secrets. The digest of what was kept."""
    content = ctx.ports.blobs.clean(text).encode()
    ctx.ports.checkout.write_documents({path: content})
    return ctx.ports.blobs.keep(content)


def _is_tried_again(ctx: StepContext) -> bool:
    return ctx.phase.open is not None and ctx.phase.open.number > 1


def _warning(error: Unavailable) -> str:
    return f"Autopilot could not publish all of this on the forge: {error}" + (f"; {error.hint}" if error.hint else "")
