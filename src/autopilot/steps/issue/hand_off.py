"""Hand-off: what was judged, and nothing else, goes to a person on its branch. Merging is theirs."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.issue.happened import HandedOff
from autopilot.model.issue.hunk import Handing
from autopilot.model.issue.issue import TESTS_FILE
from autopilot.model.run import StepStatus
from autopilot.planning.issue.acceptance import mark_tests, parse_tests
from autopilot.planning.issue.hunks import parse_hunks
from autopilot.planning.issue.presenting import find_key_hunks
from autopilot.ports.forge import StatusState
from autopilot.reports.issue.evidence import judged_of
from autopilot.reports.issue.issue_handoff import render_hand_off
from autopilot.reports.issue.wording import oracle_words
from autopilot.reports.status.files import hand_off_path
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.issue.announcing import announce, keep_message, label, set_status
from autopilot.steps.issue.issue_context import issue_of, tests_text

MERGE_READY = "merge-ready"
GREEN, KEPT = "green", "regression"


def perform(ctx: StepContext) -> StepRun:
    yield from ()
    issue = issue_of(ctx)
    if reason := refuse_unjudged(ctx):
        return Result(StepStatus.ERROR, detail=reason)
    commit = _mark_green(ctx)
    branch = ctx.ports.checkout.offer(issue.brief.branch, commit)
    handing = _render_hand_off(ctx, branch, commit)
    announcement = announce(ctx, commit, render_hand_off(issue, ctx.state, ctx.phase, handing), comment=True)
    judged = judged_of(issue)
    evidence = f"{oracle_words(judged.state)}, at {judged.commit[:12]}" if judged else "judged"
    announcement = set_status(ctx, announcement, commit, StatusState.SUCCESS, evidence)
    failed = label(ctx, announcement, MERGE_READY) if issue.options.hand_off else announcement
    handing = replace(handing, url=announcement.url, warnings=(failed or announcement).warnings)
    body = render_hand_off(issue, ctx.state, ctx.phase, handing)
    digest = keep_message(ctx, hand_off_path(issue.brief.number), body)
    event = HandedOff(ctx.phase.id, branch, commit, digest, announcement.url, labelled=failed is None)
    return Result(StepStatus.COMPLETED, (event,), f"{branch} at {commit[:12]}")


def refuse_unjudged(ctx: StepContext) -> str:
    """Every change after the oracle's last run must be among the issue's own documents; any other was never judged."""
    judged = ctx.phase.observed.commit
    if not judged:
        return "no commit was judged, so there is nothing to hand off"
    folder = f"{issue_of(ctx).brief.folder}/"
    changed = [change.path for change in ctx.ports.vault.changes(judged, ctx.tip) if not change.path.startswith(folder)]
    return f"{', '.join(changed[:5])} changed after it was judged at {judged[:12]}" if changed else ""


def _mark_green(ctx: StepContext) -> str:
    """A commit that ticks what was seen green; the tip as it is where there is nothing to tick."""
    issue, vault, text = issue_of(ctx), ctx.ports.vault, tests_text(ctx, ctx.tip)
    judged = judged_of(issue)
    seen = {link.acceptance_test for link in judged.links if not link.problem} if judged else set()
    states = {test.id: GREEN for test in parse_tests(text) if test.id in seen and test.state != KEPT}
    marked = mark_tests(text, states)
    if marked == text:
        return ctx.tip
    tree = vault.edit_tree(ctx.tip, {issue.brief.path(TESTS_FILE): marked.encode()})
    subject = f"docs: acceptance tests are green (#{issue.brief.number})"
    return vault.commit(tree, [ctx.tip], subject, ctx.time, AUTHOR)


def _render_hand_off(ctx: StepContext, branch: str, commit: str) -> Handing:
    """Against the user's own branch: that is what a merge would change."""
    old, vault = ctx.state.line.head, ctx.ports.vault
    hunks = parse_hunks(vault.patch(old, commit))
    return Handing(
        branch,
        commit,
        tuple(change.path for change in vault.changes(old, commit)),
        hunks,
        find_key_hunks(issue_of(ctx), hunks),
        vault.diff_stat(old, commit),
    )
