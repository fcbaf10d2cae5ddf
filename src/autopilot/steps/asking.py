"""Asking an agent: in its own clone, with what it may know, and never paying twice for one answer."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Generic, TypeVar

import msgspec
from msgspec.structs import replace

from autopilot.events.happened import AgentReplied
from autopilot.model.agent import AgentCall, AgentReply, Caps, Ending, Role, Usage
from autopilot.model.errors import Interrupted
from autopilot.ports.layers import Layer
from autopilot.ports.reply import Problem, read_reply, wire_schema
from autopilot.steps.context import Batch, Result, StepContext

Reply = TypeVar("Reply")


class Answer(msgspec.Struct, Generic[Reply], frozen=True):
    """A validated reply, or why there is none. ``head`` is the commit its clone ended at."""

    value: Reply | None
    problem: str
    event: AgentReplied

    @property
    def head(self) -> str:
        return self.event.head


# Ways to end that say nothing about the work: a cap of ours, a provider that is busy, a login that ran out.
BLAMELESS = (Ending.BUDGET, Ending.RATE_LIMITED, Ending.OVERLOADED, Ending.AUTH, Ending.NOT_FOUND)


class Question(msgspec.Struct, frozen=True):
    role: Role
    prompt: str
    place: str  # "clone": it may write and commit; "review": two commits, read what changed
    files: Mapping[str, bytes]  # what it finds at .autopilot/, read-only
    nth: int = 0  # which call of its step this is
    start: str = ""  # where its clone begins; the phase's last commit when not said
    before: str = ""  # what a reviewer compares with; the phase's base when not said
    spent: Usage = Usage()  # by earlier calls of this step: the state it began with does not know them


NOTICE = """

Your last report was refused: {notice}
Take this to heart; a second report with the same fault ends the phase.
"""


def ask(ctx: StepContext, question: Question, reply_type: type[Reply]) -> Generator[Batch, None, Answer[Reply]]:
    """Ask once. A reply recorded by an earlier, killed try of this step is taken as it is."""
    recorded = _recorded(ctx, question.nth)
    if recorded is None:
        if ctx.notice:
            question = replace(question, prompt=question.prompt + NOTICE.format(notice=ctx.notice))
        recorded = _call(ctx, question, reply_type)
    yield (recorded,)
    return _answer(ctx, recorded, reply_type)


def no_answer(answer: Answer[Reply], otherwise: str = "") -> Result:
    """The end of a step that could not get what it asked for. What is nobody's fault pauses the run."""
    status = "unproven" if answer.event.ending in BLAMELESS else "error"
    return Result(status, detail=answer.problem or otherwise)


def _recorded(ctx: StepContext, nth: int) -> AgentReplied | None:
    replies = ctx.phase.open.replies if ctx.phase.open else ()
    return replies[nth] if 0 <= nth < len(replies) else None


def _call(ctx: StepContext, question: Question, reply_type: type) -> AgentReplied:
    name = f"{ctx.label.replace('/', '-')}-{question.role.value}"
    agent = ctx.ports.agents.named(_agent_for(ctx, question.role))
    clone = _make_place(ctx, question, name)
    context = ctx.ports.workspaces.folder(f"{name}-context", question.files)
    reply = agent.call(
        AgentCall(
            role=question.role,
            phase=ctx.phase.id,
            prompt=question.prompt,
            workspace=PurePosixPath(clone),
            project=ctx.project,
            context=PurePosixPath(context),
            schema=wire_schema(reply_type),
            task=ctx.task,
            attempt=_attempt(ctx),
            nth=question.nth + 1,
            caps=_caps(ctx, Usage() if _recorded(ctx, question.nth - 1) else question.spent),
            label=ctx.label,
        )
    )
    if reply.ending is Ending.CANCELLED:
        if reason := ctx.ports.interrupts.reason():
            raise Interrupted(f"stopped while the {question.role.value} was at work", reason)
        reply = replace(reply, ending=Ending.CRASHED)  # nobody here asked for it
    event = _event(ctx, question, agent.name, reply, clone)
    ctx.ports.workspaces.remove(name)
    ctx.ports.workspaces.remove(f"{name}-context")
    return event


def _attempt(ctx: StepContext) -> int:
    """What a script or an agent calls the attempt: for a task, one more than its debug rounds so far."""
    task = ctx.phase.tasks.get(ctx.task)
    return task.debugs + len(task.handovers) + 1 if task else ctx.attempt


def _agent_for(ctx: StepContext, role: Role) -> str:
    return ctx.policy.agents.get(role.value) or ctx.policy.agents.get("default", "")


def _make_place(ctx: StepContext, question: Question, name: str) -> Path:
    if question.place == "clone":
        clone = ctx.ports.workspaces.clone(name, question.start or ctx.tip)
        _give_dependencies(ctx, question.role, clone)
        return clone
    folder = ctx.phase.brief.folder
    leave_out = [f"{folder}/{document}" for document in ("EXECUTION-LOG.md", "HANDOFF.md", "SUMMARY.md")]
    leave_out += [f"{folder}/{document}" for document in ("VERIFICATION.md", "JUDGE-REPORT.md", "SCORECARD.md")]
    before, after = question.before or ctx.phase.base, question.start or ctx.tip
    return ctx.ports.workspaces.review(name, before, after, leave_out)


def _give_dependencies(ctx: StepContext, role: Role, clone: Path) -> None:
    """Those who run the code get their own copy of what setup installed. A setup that fails shows when we look."""
    setup = ctx.policy.commands.setup
    if not setup or role not in (Role.EXECUTOR, Role.DEBUGGER):
        return
    backing = PurePosixPath(ctx.ports.workspaces.export(ctx.tip))
    layer = ctx.ports.layers.ensure(setup, backing, ctx.project, ctx.policy.timeouts.setup, ctx.label)
    if isinstance(layer, Layer):
        ctx.ports.layers.copy_into(layer, PurePosixPath(clone))


def _caps(ctx: StepContext, spent: Usage) -> Caps:
    """What is left of the budget is the most one call may use; parts at work side by side share it."""
    budget, used, timeouts, state = ctx.policy.budget, ctx.state.usage, ctx.policy.timeouts, ctx.state
    whole = state.phases[ctx.phase.parent] if ctx.phase.parent else ctx.phase
    parts = [state.parts[name] for name in whole.parts]
    in_phase = whole.attempt_usage.tokens + sum(part.attempt_usage.tokens for part in parts)
    left_s = budget.minutes * 60 - (state.now - state.active_since).total_seconds()
    begun = max(whole.started_at or state.now, state.active_since)
    left_s = min(left_s, budget.minutes_per_phase * 60 - (state.now - begun).total_seconds())
    tokens = min(budget.tokens - used.tokens, budget.tokens_per_phase - in_phase)
    at_work = [part.attempt_usage for part in parts if not part.settled] if ctx.phase.parent else []
    own = ctx.phase.attempt_usage
    return Caps(
        wall_s=max(1.0, min(timeouts.agent, left_s)),
        stall_s=timeouts.agent_stall,
        tokens=max(0, int(_share(tokens, [u.tokens for u in at_work], own.tokens)) - spent.tokens),
        usd=max(0.0, _share(budget.usd - used.usd, [u.usd for u in at_work], own.usd) - spent.usd),
    )


def _share(left: float, at_work: Sequence[float], own: float) -> float:
    """An equal share for each part at work, less what this one has used of it.

    A share of what is left would not do: while one part's agent is still at work with its share, another that calls
    again would be given a share of the very same tokens.
    """
    return (left + sum(at_work)) / len(at_work) - own if at_work else left


def _event(ctx: StepContext, question: Question, agent: str, reply: AgentReply, clone: Path) -> AgentReplied:
    head = ""
    if question.place == "clone":
        # By digest: a task may be called what no ref can.
        name = hashlib.sha256(f"{ctx.label}/{ctx.attempt}/{question.nth}".encode()).hexdigest()[:24]
        keep_as = f"refs/autopilot/claims/{ctx.state.run}/{name}"
        head = ctx.ports.vault.take(clone, keep_as) or ""
    said = {"text": reply.text, "value": reply.value, "transcript": reply.transcript}
    kept = msgspec.json.encode(_cleaned(ctx, said))
    return AgentReplied(
        phase=ctx.phase.id,
        step=ctx.step,
        role=question.role,
        agent=agent,
        ending=reply.ending,
        usage=reply.usage,
        duration_ms=reply.duration_ms,
        task=ctx.task,
        reply=ctx.ports.blobs.keep(kept),
        head=head,
        detail=ctx.ports.blobs.clean(reply.detail),
    )


def _cleaned(ctx: StepContext, value: Any) -> Any:
    """Every string of a reply without secrets. As a whole it could not be cleaned and stay JSON."""
    match value:
        case str():
            return ctx.ports.blobs.clean(value)
        case list():
            return [_cleaned(ctx, each) for each in value]
        case dict():
            return {str(key): _cleaned(ctx, each) for key, each in value.items()}
        case _:
            return value


def _answer(ctx: StepContext, event: AgentReplied, reply_type: type[Reply]) -> Answer[Reply]:
    if event.ending is not Ending.COMPLETED:
        words = f"the {event.role.value} ended as {event.ending.value}"
        return Answer(None, f"{words}: {event.detail}" if event.detail else words, event)
    said: dict[str, Any] = msgspec.json.decode(ctx.ports.blobs.get(event.reply))
    value = read_reply(said["value"] if said["value"] is not None else said["text"], reply_type)
    if isinstance(value, Problem):
        return Answer(None, f"the {event.role.value}'s reply does not fit: {value.because}", event)
    return Answer(value, "", event)
