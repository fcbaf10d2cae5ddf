"""Research: an agent reads the code and says what matters; we write it down as RESEARCH.md."""

from __future__ import annotations

from autopilot.events.happened import Researched
from autopilot.model.agent import Role
from autopilot.model.claim import ResearchClaim
from autopilot.model.run import PhaseStatus, StepStatus
from autopilot.reports.documents.research import render_research
from autopilot.steps.asking.asking import Question, ask, no_answer
from autopilot.steps.asking.context_files import ANSWERS, facts_for_work, user_answers, user_decisions
from autopilot.steps.asking.map_excerpt import map_of_phase
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.context import Result, StepContext, StepRun


def perform(ctx: StepContext) -> StepRun:
    brief = ctx.phase.brief
    code_map = yield from map_of_phase(ctx)
    prompt = render_prompt(
        "research",
        phase=brief.id,
        name=brief.name,
        goal=brief.goal or "not given: derive it from the roadmap",
        requirements=bullets(brief.requirements, "none mapped: derive them from the goal"),
        spec=ctx.spec,
        finished=bullets([p.brief.folder for p in ctx.state.phases.values() if p.status is PhaseStatus.COMPLETED]),
        before=_before(ctx),
        map=code_map,
        context=_context(ctx),
    )
    question = Question(Role.RESEARCHER, prompt, "clone", facts_for_work(ctx))
    answer = yield from ask(ctx, question, ResearchClaim)
    if answer.value is None:
        return no_answer(answer)
    document = ctx.ports.blobs.put(render_research(brief, answer.value).encode())
    return Result(StepStatus.COMPLETED, (Researched(ctx.phase.id, document, answer.value.recommended_approach),))


def _before(ctx: StepContext) -> str:
    """Whether this phase was tried already, and what came of it."""
    phase, log = ctx.phase, f"{ctx.phase.brief.folder}/EXECUTION-LOG.md"
    if phase.retries.replans:
        return bullets(
            [f"The last attempt scored {phase.retries.replan_score}/10. Focus on:", *phase.retries.replan_issues]
        )
    if phase.totals.attempt > 1 or ctx.ports.vault.read(ctx.tip, log) is not None:
        return "It was executed before: see what exists."
    return "It was not executed before."


def _context(ctx: StepContext) -> str:
    """What the user said of this phase; it wins over every assumption. The first of two that differ counts."""
    folder = ctx.phase.brief.folder
    named = [".autopilot/CONTEXT.md"] if user_decisions(ctx) else []
    named += [path for path in ctx.ports.vault.list(ctx.tip, folder) if path.endswith("CONTEXT.md")]
    if user_answers(ctx):
        named.append(f".autopilot/{ANSWERS}" + (", where nothing above says otherwise" if named else ""))
    return bullets(named, "none")
