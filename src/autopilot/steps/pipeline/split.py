"""Split: too much for one agent. Code saw that; an agent proposes the cut, and code checks it."""

from __future__ import annotations

from msgspec.structs import replace

from autopilot.events.happened import Warned
from autopilot.events.recovery import SplitAgreed
from autopilot.model.agent import Role
from autopilot.model.assessment import SplitProposal
from autopilot.model.intent import Purpose
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseBrief, StepStatus, TaskStatus
from autopilot.planning.plan.split import check_proposal, should_split, should_split_feedback, sub_phase_id
from autopilot.steps.asking.asking import Question, ask, no_answer
from autopilot.steps.asking.context_files import facts
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.context import Result, StepContext, StepRun


def perform(ctx: StepContext) -> StepRun:
    pending = {n: t for n, t in ctx.phase.tasks.items() if t.status == TaskStatus.PENDING and t.task.is_automatic}
    tasks = [state.task for state in pending.values()]
    items = [(task.action, file) for task in tasks if task.is_extra for file in task.files]
    reason = (should_split_feedback(items) if items else "") or should_split(tasks)
    prompt = render_prompt(
        "split",
        phase=ctx.phase.id,
        name=ctx.phase.brief.name,
        reason=reason,
        tasks=bullets([f"{t.id} ({t.complexity or 'medium'}): {t.title} [{', '.join(t.files)}]" for t in tasks]),
    )
    files = facts(replace(ctx.phase, tasks=pending))  # what is done already cannot be cut
    answer = yield from ask(ctx, Question(Role.SPLITTER, prompt, "clone", files), SplitProposal)
    if answer.value is None:
        ended = no_answer(answer)
        return _uncut(ctx, ended.detail) if ended.status == StepStatus.ERROR else ended
    checked = check_proposal(answer.value, tasks)
    if checked.problems:
        return _uncut(ctx, f"the split was refused: {'; '.join(checked.problems[:3])}")
    event = SplitAgreed(ctx.phase.id, reason, _briefs(ctx, answer.value), _ids(answer.value, tasks))
    return Result(StepStatus.SPLIT, (event,), f"{len(event.parts)} parts")


def _uncut(ctx: StepContext, reason: str) -> Result:
    """Asked for once more; a phase without a usable split is done in one piece, which costs time and nothing else."""
    before = ctx.phase.step(ctx.step)
    if before is None or not before.errors:
        return Result(StepStatus.ERROR, detail=reason)
    return Result(StepStatus.UNCUT, (Warned(f"not split: {reason}", ctx.phase.id),), reason)


def _briefs(ctx: StepContext, proposal: SplitProposal) -> tuple[PhaseBrief, ...]:
    """A part is built, or made again, as its phase is; of a refinement's parts each is only a piece of work."""
    whole = ctx.phase.brief
    purpose = Purpose.REDO if whole.purpose is Purpose.REDO else Purpose.BUILD
    brief = PhaseBrief(whole.id, "", "", (), whole.requirements, whole.folder, purpose=purpose, spec=whole.spec)
    return tuple(
        replace(brief, id=PhaseId(sub_phase_id(whole.id, n)), name=part.name, goal=part.scope)
        for n, part in enumerate(proposal.sub_phases)
    )


def _ids(proposal: SplitProposal, tasks: list[Task]) -> tuple[tuple[str, ...], ...]:
    """Each part's tasks, in the order of the plan."""
    return tuple(tuple(t.id for t in tasks if t.id in part.tasks) for part in proposal.sub_phases)
