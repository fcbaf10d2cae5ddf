"""Debug: a task that did not hold is given to an agent once more, with what was seen."""

from __future__ import annotations

from autopilot.events.state import TaskState
from autopilot.model.agent import Role
from autopilot.model.claim import DebuggerClaim
from autopilot.model.verdict import Outcome
from autopilot.steps.asking import Question, ask
from autopilot.steps.context import StepContext, StepRun
from autopilot.steps.execute import take_work
from autopilot.steps.knowing import facts_with_findings
from autopilot.steps.prompt import bullets, render_prompt


def perform(ctx: StepContext) -> StepRun:
    state = ctx.phase.tasks[ctx.task]
    findings = _findings(state)
    prompt = render_prompt(
        "debug",
        phase=ctx.phase.id,
        name=ctx.phase.brief.name,
        task=state.task.id,
        title=state.task.title,
        findings=bullets(findings),
        folder=ctx.phase.brief.folder,
    )
    question = Question(Role.DEBUGGER, prompt, "clone", facts_with_findings(ctx.phase, state.task, findings))
    answer = yield from ask(ctx, question, DebuggerClaim)
    return take_work(ctx, state.task, answer, claimed=answer.value is not None and answer.value.fixed)


def _findings(state: TaskState) -> list[str]:
    if state.refusal:
        return [state.refusal]
    texts = {c.id: c.text for c in state.task.criteria}
    seen = {o.subject: o for o in state.observations}
    findings = []
    for verdict in state.verdicts:
        if verdict.outcome is Outcome.PASS:
            continue
        observation = seen.get(verdict.subject)
        shown = f"; `{observation.command}` printed: {observation.excerpt.strip()}" if observation else ""
        findings.append(f"{texts.get(verdict.subject, verdict.subject)}: {verdict.because}{shown}")
    return findings
