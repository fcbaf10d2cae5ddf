"""Debug: a task, or the phase as a whole, that did not hold is given to an agent once more, with what was seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from autopilot.events.criteria import texts_of
from autopilot.events.pieces import TaskState
from autopilot.events.recovery import PhaseMended
from autopilot.events.state import PhaseState
from autopilot.gates.commit import outside
from autopilot.model.agent import Role
from autopilot.model.claim import DebuggerClaim
from autopilot.model.evidence.objection import Objection, Weight
from autopilot.model.evidence.observation import Observation
from autopilot.model.evidence.verdict import Outcome, Verdict
from autopilot.model.run import StepStatus
from autopilot.steps.accepting import cut_off, public_commit, refuse_work, take_work
from autopilot.steps.asking.asking import Answer, Question, ask, no_answer
from autopilot.steps.asking.context_files import facts_for_work
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.authoring import AUTHOR, fix_subject
from autopilot.steps.context import Result, StepContext, StepRun


def perform(ctx: StepContext) -> StepRun:
    if not ctx.task:
        return (yield from _debug_phase(ctx))
    state = ctx.phase.tasks[ctx.task]
    findings = _task_findings(state)
    prompt = render_prompt(
        "debug",
        phase=ctx.phase.id,
        name=ctx.phase.brief.name,
        what=f"task {state.task.id}, {state.task.title}",
        findings=bullets(findings),
        scripts=f"`{ctx.phase.brief.folder}/tests/task-{state.task.id}.sh`",
    )
    question = Question(Role.DEBUGGER, prompt, "clone", facts_for_work(ctx, state.task, findings))
    answer = yield from ask(ctx, question, DebuggerClaim)
    return take_work(ctx, state.task, answer, claimed=answer.value is not None and answer.value.fixed)


def _debug_phase(ctx: StepContext) -> StepRun:
    findings = phase_findings(ctx.phase)
    prompt = render_prompt(
        "debug",
        phase=ctx.phase.id,
        name=ctx.phase.brief.name,
        what="the phase as a whole, after all its tasks",
        findings=bullets(findings),
        scripts=f"the scripts in `{ctx.phase.brief.folder}/tests/`",
    )
    question = Question(Role.DEBUGGER, prompt, "clone", facts_for_work(ctx, None, findings))
    answer = yield from ask(ctx, question, DebuggerClaim)
    reason = refuse_work(ctx, answer)
    if reason and cut_off(ctx, answer):
        return no_answer(answer)
    event = _make_event(ctx, answer, tuple(findings), reason)
    return Result(
        StepStatus.REFUSED if reason else StepStatus.COMPLETED, (event,), reason or f"{len(event.files)} files"
    )


def _make_event(ctx: StepContext, answer: Answer[DebuggerClaim], findings: tuple[str, ...], reason: str) -> PhaseMended:
    claim, number = answer.value, len(ctx.phase.retries.debug_rounds) + 1
    event = PhaseMended(
        phase=ctx.phase.id,
        attempt=number,
        findings=findings,
        changes=claim.changes if claim else (),
        remaining=claim.remaining_issues if claim else (),
        categories=tuple(f.category for f in claim.failure_categories) if claim else (),
        refusal=reason,
    )
    if reason:
        return event
    vault = ctx.ports.vault
    subject = fix_subject(ctx.phase.id, number)
    commit = vault.commit(vault.tree_of(answer.head), [ctx.tip], subject, ctx.time, AUTHOR)
    changes = vault.changes(ctx.tip, commit)
    named = [file for task in ctx.phase.tasks.values() for file in task.task.files]
    return replace(
        event,
        commit=commit,
        files=tuple(change.path for change in changes),
        outside=outside(changes, named),
        public=public_commit(ctx, commit, ctx.state.line.public_tip, subject),
    )


def phase_findings(phase: PhaseState) -> list[str]:
    """What stands against the phase: what we saw, what reviewers found, and what the last debugger left over."""
    findings = _describe_failures(phase.gate.verdicts, texts_of(phase), phase.observed.observations or ())
    findings += _noticed(phase.observed.objections) if findings else []
    if phase.reviews.verification is not None:
        findings += [f.failure for f in phase.reviews.verification.failures]
        readings = (r for r in phase.reviews.verification.criteria_results if r.status == "failed")
        findings += [f"{reading.criterion}: {reading.evidence}" for reading in readings]
    if phase.reviews.judgement is not None:
        findings += [*phase.reviews.judgement.missing_requirements, *phase.reviews.judgement.concerns]
        findings += [*phase.reviews.judgement.disagreements, *phase.reviews.judgement.verifier_missed]
    findings += phase.refusals
    if phase.retries.debug_rounds:
        findings += [f"left open by the last attempt: {issue}" for issue in phase.retries.debug_rounds[-1].remaining]
    return list(dict.fromkeys(findings)) or [phase.gate.reason]


def _task_findings(state: TaskState) -> list[str]:
    if state.refusal:
        return [state.refusal]
    return [*_describe_failures(state.verdicts, state.task.promises, state.observations), *_noticed(state.objections)]


def _noticed(objections: Sequence[Objection]) -> list[str]:
    """Flags refuse nothing; the debugger may know what they mean. Objections are among the verdicts."""
    return [f"noticed, {objection.subject}: {objection}" for objection in objections if objection.weight is Weight.FLAG]


def _describe_failures(
    verdicts: Sequence[Verdict], texts: Mapping[str, str], observations: Sequence[Observation]
) -> list[str]:
    """What does not hold, in the criterion's own words and with what its command printed."""
    seen = {observation.subject: observation for observation in observations}
    findings = []
    # What the sandbox could not run is nothing that an agent could fix.
    for verdict in (v for v in verdicts if v.outcome is not Outcome.PASS and not v.ours):
        observation = seen.get(verdict.about.without_layer)
        shown = f"; `{observation.command}` printed: {observation.excerpt.strip()}" if observation else ""
        named = verdict.about.without_layer
        findings.append(f"{texts.get(named, named)}: {verdict.because}{shown}")
    return findings
