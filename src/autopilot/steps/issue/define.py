"""Define: an agent drafts prd.md from the issue's text; only a person makes requirements of it."""

from __future__ import annotations

from typing import Any

from autopilot.events.issue.happened import Defined
from autopilot.model.agent import Role
from autopilot.model.claim import AnalystClaim
from autopilot.model.issue.issue import PRD
from autopilot.model.run import StepStatus
from autopilot.planning.issue.folder import is_approved
from autopilot.steps.accepting import cut_off, refuse_work
from autopilot.steps.asking.asking import Answer, Question, ask, no_answer
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.issue.issue_context import decisions_of, issue_of, papers, seeds_of
from autopilot.steps.issue.issue_prompts import findings_words, render_issue_prompt
from autopilot.steps.observing.texts import text_at
from autopilot.text.naming import plural


def perform(ctx: StepContext) -> StepRun:
    seeds = seeds_of(ctx)
    prompt = render_issue_prompt(ctx, "define", findings_words(seeds))
    answer = yield from ask(ctx, Question(Role.ANALYST, prompt, "clone", papers(ctx, seeds)), AnalystClaim)
    reason = _refuse(ctx, answer)
    if reason and cut_off(ctx, answer):
        return no_answer(answer)
    if reason:
        return Result(StepStatus.ERROR, detail=reason)
    commit = _commit(ctx, answer.head)
    branch = ctx.ports.checkout.offer(issue_of(ctx).brief.branch, commit)  # it is read there before it is approved
    claim = answer.value
    questions = tuple(text for question in claim.questions if (text := question.strip())) if claim else ()
    points = decisions_of(ctx, commit, claim.decisions) if claim else ()
    summary = f"{plural(len(questions), 'question')} for you" if questions else "a draft without open questions"
    return Result(StepStatus.COMPLETED, (Defined(ctx.phase.id, commit, questions, points, branch),), summary)


def _refuse(ctx: StepContext, answer: Answer[Any]) -> str:
    """Why there is no draft to show: of what an agent wrote only prd.md is taken, and nothing beside it."""
    if reason := refuse_work(ctx, answer):
        return reason
    path = issue_of(ctx).brief.path(PRD)
    others = [change.path for change in ctx.ports.vault.changes(ctx.tip, answer.head) if change.path != path]
    if others:
        return f"{', '.join(others[:3])}: only {path} may be written before the requirements are approved"
    text = text_at(ctx, answer.head)(path) or ""
    if is_approved(text):
        return f"{path} is marked as approved: only a person may approve it"
    return "" if text.strip() else f"{path} is missing or empty"


def _commit(ctx: StepContext, head: str) -> str:
    brief, vault = issue_of(ctx).brief, ctx.ports.vault
    return vault.commit(vault.tree_of(head), [ctx.tip], f"docs: requirements (#{brief.number})", ctx.time, AUTHOR)
