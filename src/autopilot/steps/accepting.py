"""Taking work in: what an agent committed becomes a commit of ours, or is refused by facts alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from autopilot.events.happened import Event, TaskCommitted, TaskRefused
from autopilot.events.recovery import HandedOver, TaskAlreadyThere
from autopilot.gates.already import held_before
from autopilot.gates.commit import CONTROL, NOTHING_COMMITTED, SYMLINK, outside, refuse_commit, refuse_compiled
from autopilot.gates.work_area import refuse_work_area
from autopilot.model.agent import Ending
from autopilot.model.evidence.deciding import seen_for
from autopilot.model.evidence.observation import Seen
from autopilot.model.git import Change
from autopilot.model.intent import Purpose
from autopilot.model.planning.plan import FIX, REMEDIATION, Task
from autopilot.model.run import StepStatus, TaskStatus
from autopilot.planning.config.config import parse_config
from autopilot.planning.formats.registry import rival_places, taken_over
from autopilot.steps.asking.asking import BLAMELESS, DEAD, POSTPONED, Answer, no_answer
from autopilot.steps.asking.work_areas import declared_files, work_areas_of
from autopilot.steps.authoring import AUTHOR, task_subject
from autopilot.steps.context import Result, StepContext
from autopilot.steps.observing.fulfilled import find_fulfilling
from autopilot.steps.observing.listed import format_of

CONFIG = ".planning/config.json"
# Of a larger file nobody can say whether it holds a secret; code hosts refuse it as well.
MOST_CHANGES = 100_000  # files of one commit
LARGEST_CHECKED = 100_000_000
MOST_CHECKED = 300_000_000  # bytes of one commit: a few kilobytes of objects can name one large file a thousand times


def take_work(
    ctx: StepContext, task: Task, answer: Answer[Any], claimed: bool, confidence: float | None = None
) -> Result:
    """Make the task's commit from what the agent committed. How the agent ended does not matter: the work does."""
    ending = answer.event.ending
    # An agent that a limit stopped in mid-work hands over what is committed; that does not count as an attempt.
    over: tuple[Event, ...] = ()
    if ending in (Ending.CONTEXT_EXHAUSTED, *POSTPONED):
        over = (HandedOver(ctx.phase.id, task.id, answer.problem, counted=ending not in POSTPONED),)
    reason = "" if _found_nothing_left(ctx, task, answer) else refuse_work(ctx, answer)
    if reason and cut_off(ctx, answer):
        return no_answer(answer)
    if reason and is_there_again(ctx, task, answer):
        return Result(StepStatus.COMPLETED, (TaskAlreadyThere(ctx.phase.id, task.id),), "all of it is there already")
    untouched = ending is Ending.COMPLETED and answer.head in ("", ctx.tip)
    if reason and untouched and (commit := find_fulfilling(ctx, task)):
        fulfilled = TaskAlreadyThere(ctx.phase.id, task.id, made_by=commit)
        return Result(StepStatus.COMPLETED, (fulfilled,), f"{commit[:12]}, of an earlier task, fulfils it")
    if reason and untouched and _is_left_alone(ctx, task):
        unshown = TaskAlreadyThere(ctx.phase.id, task.id, unshown=True)
        return Result(StepStatus.COMPLETED, (unshown,), "nothing was committed, once more")
    if reason and over:  # out of context
        return Result(StepStatus.HANDED_OVER, over, answer.problem)
    if reason:
        refused = TaskRefused(ctx.phase.id, task.id, reason, claimed, untouched, has_died(ctx, answer))
        return Result(StepStatus.REFUSED, (refused,), reason)
    tree = ctx.ports.vault.tree_of(answer.head or ctx.tip)
    event = commit_task(ctx, task, tree, _parents(ctx, task), claimed=claimed, confidence=confidence)
    return Result(StepStatus.HANDED_OVER if over else StepStatus.COMPLETED, (event, *over), f"{len(event.files)} files")


def _found_nothing_left(ctx: StepContext, task: Task, answer: Answer[Any]) -> bool:
    """An agent that takes over may find all of it done: the last reply of the one before was lost, not its work."""
    before = ctx.phase.tasks[task.id]
    is_taken_over = before.status == TaskStatus.HANDED_OVER and before.commit == ctx.tip
    return is_taken_over and answer.event.ending is Ending.COMPLETED and answer.head in ("", ctx.tip)


def _is_left_alone(ctx: StepContext, task: Task) -> bool:
    """An agent before this one changed nothing either, and nothing that the task promises is seen to be missing.

    It is not shown to be there: the phase waits for a person then, which no part of a phase can.
    """
    before, red = ctx.phase.tasks[task.id], ctx.phase.plan.red or ()
    if not before.untouched or before.commit or task.type in (REMEDIATION, FIX) or ctx.phase.parent:
        return False
    return all(seen is Seen.PASSED for seen in seen_for(task, red))


def is_there_again(ctx: StepContext, task: Task, answer: Answer[Any]) -> bool:
    """In a phase done again: an agent that changed nothing may have found all of it done, if the checks held before.

    At least one check must be more than a text search, and all that can be run must hold; reviewers judge the rest.
    """
    redone = ctx.phase.brief.purpose is Purpose.REDO and not ctx.phase.tasks[task.id].commit
    if not redone or answer.event.ending is not Ending.COMPLETED or answer.head not in ("", ctx.tip):
        return False
    return held_before(task, ctx.phase.plan.red or ())


def refuse_work(ctx: StepContext, answer: Answer[Any], start: str = "") -> str:
    """Why what an agent committed on top of ``start`` cannot be accepted, or "" when it can."""
    start, head = start or ctx.tip, answer.head
    if not head or head == start:
        return describe_nothing(answer)
    return refuse_tree(ctx, head, start, made=answer.event.made or ())


def describe_nothing(answer: Answer[Any]) -> str:
    """That nothing was committed where work is taken from, with what was seen besides."""
    problem = f"; {answer.problem}" if answer.problem else ""
    if not (elsewhere := answer.event.elsewhere):
        return NOTHING_COMMITTED + problem
    branches = ", ".join(elsewhere)
    return f"{NOTHING_COMMITTED} on the branch that it was given: its commits are on {branches}{problem}"


def refuse_tree(
    ctx: StepContext, head: str, start: str = "", *, drops_compiled: bool = False, made: Sequence[str] = ()
) -> str:
    """Why the tree of a commit must not become ours, or "". ``drops_compiled``: the caller leaves compiled code out.

    ``made``: what setup had put into the clone that the commit was made in.
    """
    vault, start = ctx.ports.vault, start or ctx.tip
    changes = vault.changes(start, head, most=MOST_CHANGES + 1)
    control = (*CONTROL, *(f"{path}/" for path in (*ctx.state.inputs.papers, *_plans_among(ctx, changes, start))))
    if len(changes) > MOST_CHANGES:
        return f"the commit of the agent changes over {MOST_CHANGES:,} files: too many to be checked"
    written = [change for change in changes if change.status != "D"]
    links = {change.path: _link_target(ctx, head, change.path) for change in written if change.new_mode == SYMLINK}
    reason = refuse_commit(changes, descends=vault.is_ancestor(start, head), control=control, links=links)
    if not reason and not drops_compiled:
        reason = refuse_compiled(changes, declared_files(ctx))
    reason = reason or refuse_work_area(changes, work_areas_of(ctx, start, made))
    return ctx.ports.blobs.clean(reason) or refuse_contents(ctx, head, [change.path for change in written])


def _plans_among(ctx: StepContext, changes: Sequence[Change], start: str) -> tuple[str, ...]:
    """Planning files of another tool: no agent changes what it is judged by, nor adds to it, nor has the next run
    planned by files that count before them."""
    format, known = format_of(ctx), ctx.state.inputs.planning.paths
    if format is None:
        return ()
    paths = frozenset(change.path for change in changes)
    own = (path for path in format.find((*known, *paths)) if path in paths)
    return (*own, *_rivals_among(ctx, format.name, paths, start))


def _rivals_among(ctx: StepContext, format: str, paths: Collection[str], start: str) -> tuple[str, ...]:
    places = rival_places(format)
    if not any(path == place or path.startswith(f"{place}/") for path in paths for place in places):
        return ()
    written = ctx.ports.vault.read(start, CONFIG) or b""
    if parse_config(written.decode("utf-8", "replace") or "{}", CONFIG).planning == format:
        return ()  # the user's own choice holds, whatever else is here
    before = ctx.ports.vault.list(start)
    return tuple(path for path in taken_over(format, before, (*before, *paths)) if path in paths)


def _link_target(ctx: StepContext, head: str, path: str) -> str:
    return (ctx.ports.vault.read_link(head, path) or b"").decode("utf-8", "surrogateescape")


def refuse_contents(ctx: StepContext, head: str, paths: Sequence[str], most: int = MOST_CHECKED) -> str:
    """Why what these paths hold at ``head`` cannot become part of a history, or "": a secret of this machine, or too
    much to be searched for one. An agent can read its own key, and what it is shown.

    The secret's name is not shown either: the reason goes back to the agent.
    """
    vault, blobs = ctx.ports.vault, ctx.ports.blobs
    size = 0
    for path in paths:
        if blobs.knows(path.encode("utf-8", "surrogateescape")):
            return f"the name of {blobs.clean(path)} holds a secret of this machine"
        content = vault.read(head, path) or vault.read_link(head, path) or b""
        size += len(content)
        if size > most:
            limit = most // 1_000_000
            return f"the commit writes over {limit} MB: too much to be checked for secrets of this machine"
        if len(content) > LARGEST_CHECKED:
            limit = LARGEST_CHECKED // 1_000_000
            return f"{path} is over {limit} MB: too large to be checked for secrets of this machine"
        if blobs.knows(content):
            return f"{blobs.clean(path)} holds a secret of this machine"
    return ""


def cut_off(ctx: StepContext, answer: Answer[Any], start: str = "") -> bool:
    """Whether an agent that left nothing that can be accepted on top of ``start`` is not to blame for it.

    An agent that a limit stopped was still working, whatever it left behind.
    """
    ending = answer.event.ending
    return ending in POSTPONED or (ending in BLAMELESS and answer.head in ("", start or ctx.tip))


def has_died(ctx: StepContext, answer: Answer[Any]) -> bool:
    """Whether it left nothing, not because of what it was asked: a debugger would find no work to fix."""
    return answer.event.ending in DEAD and answer.head in ("", ctx.tip)


def commit_task(
    ctx: StepContext,
    task: Task,
    tree: str,
    parents: tuple[str, str],
    *,
    claimed: bool,
    confidence: float | None = None,
) -> TaskCommitted:
    """The task's commit; of its two parents the second is the public one, where the planning folder is left out."""
    vault, (parent, public_parent) = ctx.ports.vault, parents
    subject = task_subject(ctx.phase.id, task)
    commit = vault.commit(tree, [parent], subject, ctx.time, AUTHOR)
    changes = vault.changes(parent, commit)
    return TaskCommitted(
        phase=ctx.phase.id,
        task=task.id,
        commit=commit,
        files=tuple(change.path for change in changes),
        outside=outside(changes, task.files),
        claimed=claimed,
        confidence=confidence,
        parent=parent,
        public=public_commit(ctx, commit, public_parent, subject),
        public_parent=public_parent,
    )


def _parents(ctx: StepContext, task: Task) -> tuple[str, str]:
    """A fixed task replaces its earlier commit: one task, one commit, and nothing false in the history.

    Only while it is the last one; with others on top of it the fix is a commit of its own.
    """
    before = ctx.phase.tasks[task.id]
    if before.commit and before.commit == ctx.tip:
        return before.parent, before.public_parent
    return ctx.tip, ctx.state.line.public_tip


def public_commit(ctx: StepContext, commit: str, parent: str, subject: str) -> str:
    """The same without the planning folder, where that folder is not to be committed."""
    if ctx.policy.commit_docs:
        return ""
    vault = ctx.ports.vault
    return vault.commit(vault.tree_without(commit, ".planning"), [parent], subject, ctx.time, AUTHOR)
