"""Taking in an agent's work on an issue: its tests on the baseline first, then the whole, each a commit of ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from autopilot.events.issue.happened import WorkTaken
from autopilot.inspection.control.changes import control_kind
from autopilot.model.evidence.control import ControlKind
from autopilot.model.issue.issue import DESIGN, IMPL, TESTS_FILE, Route
from autopilot.steps.accepting import describe_nothing, refuse_tree
from autopilot.steps.asking.asking import Answer
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.work import Work, survey
from autopilot.steps.issue.issue_context import find_drift, issue_of, issue_task, iteration_of, log_path, red_path
from autopilot.text.file_kind import is_test


def take_issue_work(ctx: StepContext, answer: Answer[Any], *, may_be_none: bool = False) -> WorkTaken:
    """How the agent ended and what it says does not matter. What it must not touch is looked at before all else."""
    head, vault = answer.head, ctx.ports.vault
    bare = WorkTaken(ctx.phase.id, ctx.task, iteration_of(ctx))
    is_content = may_be_none and head == ctx.tip and answer.value is not None
    if is_content and ctx.phase.id == DESIGN:
        return replace(bare, commit=ctx.tip)
    if not head or (head == ctx.tip and not is_content):
        return _refused(bare, describe_nothing(answer))
    drift = find_drift(ctx, head)
    log = log_path(ctx)
    tampered = (log,) if vault.read(head, log) != vault.read(ctx.tip, log) else ()
    if drift or tampered:
        return WorkTaken(bare.phase, bare.step, bare.iteration, drift=drift, tampered=tampered)
    if not is_content and (reason := _refuse(ctx, head, answer.event.made or ())):
        return _refused(bare, reason)
    tree, dropped = _leave_out(ctx, head)
    if tree == vault.tree_of(ctx.tip) and not is_content:
        return _refused(bare, "the agent changed only files that Autopilot writes")
    red = _red_commit(ctx, head) if ctx.phase.id == IMPL else ""
    subject = f"{_KINDS.get(ctx.task, 'feat')}: {issue_of(ctx).brief.title} (#{issue_of(ctx).brief.number})"
    commit = vault.commit(tree, _parents(ctx, red), subject, ctx.time, AUTHOR)
    files = tuple(change.path for change in vault.changes(ctx.tip, commit))
    return WorkTaken(bare.phase, bare.step, bare.iteration, commit, red, files, dropped=dropped)


_KINDS = {
    **{"extracting-user-stories": "docs", "writing-plan-and-tests": "docs", "changing-documents": "docs"},
    **{"reproducing-bugs": "test", "measuring-flaky-tests": "test"},
    **{"fixing-bugs": "fix", "fixing-flaky-tests": "fix"},
}


def _refused(work: WorkTaken, reason: str) -> WorkTaken:
    return WorkTaken(work.phase, work.step, work.iteration, refusal=reason)


def _refuse(ctx: StepContext, head: str, made: Sequence[str]) -> str:
    return refuse_tree(ctx, head, drops_compiled=True, made=made) or _refuse_place(ctx, head)


def _refuse_place(ctx: StepContext, head: str) -> str:
    """Before the middle gate nothing is implemented: documents of the issue, and for a bug the tests that show it."""
    issue = issue_of(ctx)
    if ctx.phase.id != DESIGN or issue.is_express:
        return ""
    inside = [c.path for c in ctx.ports.vault.changes(ctx.tip, head) if not c.path.startswith(f"{issue.brief.folder}/")]
    if issue.route is not Route.FULL:
        inside = [path for path in inside if not is_test(path) and control_kind(path) is None]
    return f"{', '.join(inside[:3])}: code may not be changed before the design is approved" if inside else ""


def _leave_out(ctx: StepContext, head: str) -> tuple[str, tuple[str, ...]]:
    """Red evidence is what we saw, whatever an agent wrote there; and bytecode comes along with tests that it ran."""
    vault, red = ctx.ports.vault, red_path(ctx)
    paths = [change.path for change in vault.changes(ctx.tip, head)]
    stray = tuple(path for path in paths if path == red or control_kind(path) is ControlKind.BYTECODE)
    if not stray:
        return vault.tree_of(head), ()
    return vault.edit_tree(head, {path: vault.read(ctx.tip, path) for path in stray}), stray


def tests_of(ctx: StepContext, work: Work) -> Sequence[str]:
    """What judges the implementation: tests, what they read, and what can change their outcome."""
    named = issue_of(ctx).brief.path(TESTS_FILE)
    paths = [change.path for change in work.changes if control_kind(change.path) is not ControlKind.BYTECODE]
    return [path for path in paths if path == named or is_test(path) or work.is_evidence(path)]


def _red_commit(ctx: StepContext, head: str) -> str:
    """The tests of this work on the code before it. With the tests of the last iteration it is that very commit."""
    issue, vault = issue_of(ctx), ctx.ports.vault
    work = survey(ctx, "issue", issue.baseline.commit, head, (issue_task(ctx),))
    tree = vault.edit_tree(issue.baseline.commit, {path: vault.read(head, path) for path in tests_of(ctx, work)})
    if tree == vault.tree_of(issue.baseline.commit):
        return issue.baseline.commit
    last = issue.convergence.rounds[ctx.task].work if ctx.task in issue.convergence.rounds else None
    if last is not None and last.red_commit and vault.tree_of(last.red_commit) == tree:
        return last.red_commit
    subject = f"test: acceptance tests before the implementation (#{issue.brief.number})"
    return vault.commit(tree, [issue.baseline.commit], subject, ctx.time, AUTHOR)


def _parents(ctx: StepContext, red: str) -> list[str]:
    """The red commit is an ancestor of every implementation that it judges."""
    vault = ctx.ports.vault
    if not red or vault.is_ancestor(red, ctx.tip):
        return [ctx.tip]
    return [red] if issue_of(ctx).baseline.commit == ctx.tip else [ctx.tip, red]
