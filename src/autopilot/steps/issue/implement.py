"""Implement: one agent on the approved design, with nothing to fix but what was observed to fail."""

from __future__ import annotations

from autopilot.model.agent import Role
from autopilot.model.claim import ImplementerClaim
from autopilot.model.issue.issue import ATDD, FIXING, IMPL, REWORDING, STEADYING
from autopilot.model.run import StepStatus
from autopilot.steps.accepting import cut_off
from autopilot.steps.asking.asking import Question, ask, no_answer
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.issue.issue_context import issue_of, iteration_of, papers, seeds_of
from autopilot.steps.issue.issue_prompts import findings_words, render_issue_prompt
from autopilot.steps.issue.iteration_commits import take_issue_work

PROMPTS = {ATDD: "atdd", FIXING: "fix_bug", STEADYING: "steady", REWORDING: "reword"}


def perform(ctx: StepContext) -> StepRun:
    seeds = seeds_of(ctx)
    prompt = render_issue_prompt(ctx, PROMPTS.get(ctx.task, "atdd"), findings_words(seeds))
    answer = yield from ask(ctx, Question(Role.IMPLEMENTER, prompt, "clone", papers(ctx, seeds)), ImplementerClaim)
    if cut_off(ctx, answer):
        return no_answer(answer)
    # What an earlier cycle implemented may be all that is wanted; whether it is, the oracle says.
    issue = issue_of(ctx)
    may_be_none = (
        issue.cycle > 1 and iteration_of(ctx) == 1 and ctx.phase.id == IMPL and ctx.tip != issue.baseline.commit
    )
    work = take_issue_work(ctx, answer, may_be_none=may_be_none)
    return Result(
        StepStatus.COMPLETED if work.commit else StepStatus.REFUSED,
        (work,),
        _words(work.refusal, work.drift, work.tampered),
    )


def _words(refusal: str, drift: tuple[str, ...], tampered: tuple[str, ...]) -> str:
    touched = ", ".join((*drift, *tampered))
    return refusal or (f"the agent changed {touched}, which it may not change" if touched else "")
