"""Fix: an agent mends the cause in a clone; what it committed becomes a commit of ours, or is refused by facts."""

from __future__ import annotations

from autopilot.events.debugging.happened import FixTaken
from autopilot.model.agent import Role
from autopilot.model.claim import FixClaim
from autopilot.model.run import StepStatus
from autopilot.steps.accepting import cut_off, describe_nothing, public_commit, refuse_tree
from autopilot.steps.asking.asking import Answer, Question, ask, no_answer
from autopilot.steps.asking.prompt import bullets
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.debugging.session_context import is_ours, papers, render_session_prompt, session_in, without


def perform(ctx: StepContext) -> StepRun:
    prompt = render_session_prompt(ctx, "fix", findings=_findings(ctx))
    answer = yield from ask(ctx, Question(Role.DEBUGGER, prompt, "clone", papers(ctx)), FixClaim)
    if cut_off(ctx, answer):
        return no_answer(answer)
    event = _take(ctx, answer)
    return Result(
        StepStatus.COMPLETED if event.commit else StepStatus.REFUSED,
        (event,),
        event.refusal or f"{len(event.files)} files",
    )


def _findings(ctx: StepContext) -> str:
    session = session_in(ctx)
    if not session.fixes:
        return ""
    last, judged = session.fixes[-1], session.judged
    found = [last.refusal] if last.refusal else [*judged.findings] if judged else []
    return f"\nThe last fix did not hold:\n{bullets(found)}\n" if found else ""


def _take(ctx: StepContext, answer: Answer[FixClaim]) -> FixTaken:
    session, vault = session_in(ctx), ctx.ports.vault
    rule = " ".join(answer.value.prevention_rule.split()) if answer.value else ""
    bare = FixTaken(ctx.phase.id, len(session.fixes) + 1, rule=rule)
    if not answer.head or answer.head == ctx.tip:
        return _refused(bare, describe_nothing(answer))
    head, left_out = without(ctx, ctx.tip, answer.head, is_ours)
    if vault.tree_of(head) == vault.tree_of(ctx.tip):
        return _refused(bare, "the agent changed only the record of the session, which is ours", left_out)
    if reason := refuse_tree(ctx, head, made=answer.event.made or ()):
        return _refused(bare, reason, left_out)
    subject = f"fix: {_subject(ctx)}"
    commit = vault.commit(vault.tree_of(head), [ctx.tip], subject, ctx.time, AUTHOR)
    files = tuple(change.path for change in vault.changes(ctx.tip, commit))
    public = public_commit(ctx, commit, ctx.state.line.public_tip, subject)
    return FixTaken(bare.phase, bare.round, commit, files, rule=rule, left_out=left_out, public=public)


def _refused(bare: FixTaken, reason: str, left_out: tuple[str, ...] = ()) -> FixTaken:
    return FixTaken(bare.phase, bare.round, refusal=reason, rule=bare.rule, left_out=left_out)


def _subject(ctx: StepContext) -> str:
    text = " ".join(session_in(ctx).brief.text.split())
    return text if len(text) <= 65 else f"{text[:64].rstrip()}…"
