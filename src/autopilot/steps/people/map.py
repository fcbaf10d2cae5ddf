"""Map: how much is known of a phase, by code; where that is not enough an agent proposes what to ask its user."""

from __future__ import annotations

import msgspec

from autopilot.events.people import ContextMapped
from autopilot.model.agent import Role
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.planning.sufficiency import Sufficiency
from autopilot.model.proposal import ProposedQuestions
from autopilot.model.run import PhaseStatus, StepStatus
from autopilot.planning.people.questions import as_human_questions, check_questions
from autopilot.planning.people.sufficiency import ENOUGH, PAPERS, PROJECT, Sources, assess, rescore
from autopilot.steps.asking.asking import Question, ask, no_answer
from autopilot.steps.asking.context_files import facts, user_answers
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.context import Result, StepContext, StepRun


def perform(ctx: StepContext) -> StepRun:
    known = score_context(ctx)
    if known.score >= ENOUGH:
        return _mapped(ContextMapped(ctx.phase.id, known))
    answered = [answered_before.question for answered_before in user_answers(ctx)]
    files = {**facts(ctx.phase), "sufficiency.json": _as_file(known, answered)}
    question = Question(Role.QUESTIONER, _prompt(ctx, known), "clone", files)
    answer = yield from ask(ctx, question, ProposedQuestions)
    if answer.value is None:
        ended = no_answer(answer)
        return _unasked(ctx, known, ended.detail) if ended.status == StepStatus.ERROR else ended
    if problems := check_questions(answer.value, answered):
        return _unasked(ctx, known, f"the questions were refused: {'; '.join(problems[:3])}")
    return _mapped(ContextMapped(ctx.phase.id, known, as_human_questions(ctx.phase.id, answer.value)))


def score_context(ctx: StepContext) -> Sufficiency:
    """With what the user answered in earlier runs: no question is asked twice."""
    before = assess(ctx.phase.brief, _sources(ctx))
    return rescore(before, [answered_before.category for answered_before in user_answers(ctx)])


def _sources(ctx: StepContext) -> Sources:
    vault, folder, state = ctx.ports.vault, ctx.phase.brief.folder, ctx.state
    project = vault.read(ctx.tip, PROJECT)
    done = {p.id for p in state.phases.values() if p.status is PhaseStatus.COMPLETED}
    ticked = (phase for phase in state.inputs.ticked if phase not in state.phases)
    met = frozenset((*state.inputs.proven, *done, *ticked))
    known: frozenset[PhaseId] = frozenset(brief.id for brief in state.inputs.outline)
    return Sources(
        spec=(vault.read(ctx.tip, ctx.spec) or b"").decode("utf-8", "replace"),
        project=None if project is None else project.decode("utf-8", "replace"),
        own_documents=any(path.endswith(PAPERS) for path in vault.list(ctx.tip, folder)),
        met=met,
        ahead=known - met,
    )


def _prompt(ctx: StepContext, known: Sufficiency) -> str:
    brief = ctx.phase.brief
    return render_prompt(
        "map",
        phase=brief.id,
        name=brief.name,
        goal=brief.goal or "not given",
        requirements=bullets(brief.requirements, "none mapped"),
        criteria=bullets(brief.promises),
        score=str(known.score),
        for_criteria=f"{known.criteria:g}",
        for_requirements=f"{known.requirements:g}",
        for_docs=f"{known.docs:g}",
        for_dependencies=f"{known.dependencies:g}",
        reason=f"The reason: {known.reason}." if known.reason else "",
        answered=bullets(
            [f"{answered_before.question} -- {answered_before.answer}" for answered_before in user_answers(ctx)],
            "nothing yet",
        ),
        spec=ctx.spec,
        folder=brief.folder,
    )


def _as_file(known: Sufficiency, answered: list[str]) -> bytes:
    return msgspec.json.encode({**msgspec.to_builtins(known), "answered": answered})


def _unasked(ctx: StepContext, known: Sufficiency, reason: str) -> Result:
    """Asked for once more; then the phase stays as little known as it is, which is no failure of the run."""
    before = ctx.phase.step(ctx.step)
    if before is None or not before.errors:
        return Result(StepStatus.ERROR, detail=reason)
    return _mapped(ContextMapped(ctx.phase.id, known, problem=reason))


def _mapped(event: ContextMapped) -> Result:
    count = len(event.questions)
    asked = f", {count} questions" if count else ""
    return Result(StepStatus.MAPPED, (event,), f"{event.sufficiency.score}/10{asked}")
