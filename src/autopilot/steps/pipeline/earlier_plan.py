"""What an earlier run planned for a phase that is made again: moved away, unless it was changed since."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from autopilot.model.intent import Purpose
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import StepContext


def is_ours_again(ctx: StepContext, paths: Iterable[str]) -> bool:
    """Whether every one of these plans is Autopilot's own. One that was edited since is the user's."""
    own = _own(ctx)
    return all(path in own for path in paths)


def put_away(ctx: StepContext) -> dict[str, bytes | None]:
    """The edits that take the earlier run's plan and its test scripts off the tree; none for any other purpose."""
    if ctx.phase.brief.purpose is not Purpose.REDO:
        return {}
    return dict.fromkeys(_own(ctx))


def start_without(ctx: StepContext, edits: dict[str, bytes | None]) -> str:
    """The commit a planner begins at: it is not to find the old plan and take it for its own. "" for the last one."""
    if not edits:
        return ""
    vault, tip = ctx.ports.vault, ctx.tip
    subject = f"docs({ctx.phase.id}): put the earlier plan away"
    return vault.commit(vault.edit_tree(tip, edits), [tip], subject, ctx.time, AUTHOR)


def _own(ctx: StepContext) -> tuple[str, ...]:
    earlier = ctx.phase.brief.earlier
    known = earlier.plans if earlier else ()
    found = ((path, digest, ctx.ports.vault.read(ctx.phase.line.base, path)) for path, digest in known)
    same = (path for path, digest, now in found if now is not None and hashlib.sha256(now).hexdigest() == digest)
    return tuple(dict.fromkeys(same))
