"""Resolve: two branches conflict; an agent merges them, and code checks the result like any other work."""

from __future__ import annotations

from autopilot.events.criteria import promised_lines
from autopilot.events.pieces import Conflict
from autopilot.events.recovery import Resolved
from autopilot.events.state import PhaseState
from autopilot.model.agent import Role
from autopilot.model.claim import ExecutorClaim
from autopilot.model.planning.plan import Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import StepStatus
from autopilot.steps.accepting import cut_off, refuse_work
from autopilot.steps.asking.asking import Question, ask, no_answer
from autopilot.steps.asking.context_files import facts_for_work
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun

MARKERS = (b"<<<<<<< ", b">>>>>>> ")


def perform(ctx: StepContext) -> StepRun:
    conflict, line = ctx.phase.split.conflict, ctx.state.phase(PhaseId(ctx.task))
    assert conflict is not None, "only a conflict is resolved"
    start = conflict.resolved or conflict.commit
    task = Task(
        id=line.id, title=f"merge {line.brief.name} with the work that is there", type="resolve", files=conflict.paths
    )
    question = Question(
        Role.EXECUTOR,
        _prompt(ctx, conflict, line),
        "clone",
        facts_for_work(ctx, task, [conflict.because]),
        start=start,
    )
    answer = yield from ask(ctx, question, ExecutorClaim)
    reason = refuse_work(ctx, answer, start) or _markers(ctx, answer.head, conflict)
    if reason and cut_off(ctx, answer, start):
        return no_answer(answer)
    if reason:
        return Result(StepStatus.REFUSED, (Resolved(ctx.phase.id, line.id, refusal=reason),), reason)
    vault = ctx.ports.vault
    subject = f"Merge phase {line.id}: {line.brief.name}"
    commit = vault.commit(vault.tree_of(answer.head), [ctx.onto(line), line.line.tip], subject, ctx.time, AUTHOR)
    return Result(StepStatus.COMPLETED, (Resolved(ctx.phase.id, line.id, commit),))


def _markers(ctx: StepContext, head: str, conflict: Conflict) -> str:
    for path in conflict.paths:
        content = ctx.ports.vault.read(head, path) or b""
        if any(line.startswith(MARKERS) for line in content.splitlines()):
            return f"{path} still has conflict markers"
    return ""


def _prompt(ctx: StepContext, conflict: Conflict, line: PhaseState) -> str:
    together = [*(ctx.state.parts[name] for name in ctx.phase.split.integrated if name in ctx.state.parts), line]
    promised = [line for phase in together for line in promised_lines(phase)]
    return render_prompt(
        "resolve",
        phase=ctx.phase.id,
        name=line.brief.name,
        because=conflict.refusal or conflict.because,
        files=bullets(conflict.paths, "no conflicts in the text; checks fail on the merged tree"),
        criteria=bullets(promised),
    )
