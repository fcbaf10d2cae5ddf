"""Research: an agent reads the code and says what matters; we write it down as RESEARCH.md."""

from __future__ import annotations

from autopilot.events.happened import Researched
from autopilot.model.agent import Role
from autopilot.model.claim import ResearchClaim
from autopilot.reports.research import render_research
from autopilot.steps.asking import Question, ask, no_answer
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.knowing import facts
from autopilot.steps.prompt import bullets, render_prompt


def perform(ctx: StepContext) -> StepRun:
    brief = ctx.phase.brief
    prompt = render_prompt(
        "research",
        phase=brief.id,
        name=brief.name,
        goal=brief.goal or "not given: derive it from the roadmap",
        requirements=bullets(brief.requirements, "none mapped: derive them from the goal"),
        spec=ctx.state.spec.path,
    )
    question = Question(Role.RESEARCHER, prompt, "clone", facts(ctx.phase))
    answer = yield from ask(ctx, question, ResearchClaim)
    if answer.value is None:
        return no_answer(answer)
    document = ctx.ports.blobs.put(render_research(brief, answer.value).encode())
    return Result("completed", (Researched(ctx.phase.id, document, answer.value.recommended_approach),))
