"""Asking an agent: in its own clone, with what it may know, and never paying twice for one answer."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from autopilot.events.fold_provision import GONE, LIMITED
from autopilot.events.happened import AgentReplied
from autopilot.events.provision import AgentCutOff
from autopilot.model.agent import Act, AgentCall, AgentReply, Ending, Role, Usage
from autopilot.model.errors import AgentMissing, CapReached, Interrupted
from autopilot.model.policy import Assignment
from autopilot.model.run import StepStatus
from autopilot.ports.layers import Layer
from autopilot.ports.reply import Problem, read_reply, wire_schema
from autopilot.rails.assignment import assigned_agent, find_assignment
from autopilot.reports.acts import MOST as MOST_ACTS
from autopilot.reports.acts import list_acts
from autopilot.reports.documents.documents import is_hidden_from_reviewers
from autopilot.steps.asking.allowance import allow
from autopilot.steps.asking.exchange import Exchange, exchange_messages
from autopilot.steps.asking.leaving_out import leave_out
from autopilot.steps.asking.work_areas import work_areas_of
from autopilot.steps.context import Batch, Result, StepContext
from autopilot.steps.observing.setups import spell_setup
from autopilot.steps.observing.surroundings import find_search_path

Reply = TypeVar("Reply")


class Answer(msgspec.Struct, Generic[Reply], frozen=True):
    """A validated reply, or why there is none. ``head`` is the commit its clone ended at."""

    value: Reply | None
    problem: str
    event: AgentReplied

    @property
    def head(self) -> str:
        return self.event.head


# No agent was available: the step is postponed until one is.
POSTPONED = (*LIMITED, *GONE)
# Ways to end that say nothing about the work.
BLAMELESS = (Ending.BUDGET, *POSTPONED)
# Ways to end in which an agent did not come to its end: another one may.
DEAD = (Ending.CRASHED, Ending.STALLED)
MOST_BRANCHES = 3  # of those that are named
DEEPEST = 100  # of a value within values: no reply we ask for comes near it
PICTURE = ".png"  # no text, and nothing in it can be cleaned
FULL_BYTES = 1_000_000  # less than this is no room to work in


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
Correct this; a second report with the same fault ends the phase.
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
    """The end of a step that got no usable answer. An outage or a limit is no failure of the work."""
    ending = answer.event.ending
    status = (
        StepStatus.POSTPONED
        if ending in POSTPONED
        else StepStatus.UNPROVEN
        if ending in BLAMELESS
        else StepStatus.ERROR
    )
    return Result(status, detail=answer.problem or otherwise, ending=ending)


def _recorded(ctx: StepContext, nth: int) -> AgentReplied | None:
    replies = ctx.phase.open.replies if ctx.phase.open else ()
    return replies[nth] if 0 <= nth < len(replies) else None


def _call(ctx: StepContext, question: Question, reply_type: type) -> AgentReplied:
    name = f"{ctx.label.replace('/', '-')}-{question.role.value}"
    assignment = _find_assignment(ctx, question.role)
    layer = _dependencies(ctx, question)
    clone = _make_place(ctx, question, name, layer)
    context = ctx.ports.workspaces.folder(f"{name}-context", _cleaned_files(ctx, question.files))
    call = AgentCall(
        role=question.role,
        phase=ctx.phase.id,
        prompt=ctx.ports.blobs.clean(question.prompt),
        workspace=PurePosixPath(clone),
        project=ctx.project,
        context=PurePosixPath(context),
        layers=_layers(ctx, name, layer),
        search=find_search_path(ctx.policy, layer),
        schema=wire_schema(reply_type),
        task=ctx.task,
        attempt=_attempt(ctx),
        nth=question.nth + 1,
        model=assignment.model,
        caps=allow(ctx, Usage() if _recorded(ctx, question.nth - 1) else question.spent),
        home=PurePosixPath(ctx.ports.workspaces.folder(f"{name}-home", {})),
        label=ctx.label,
    )
    try:
        event = _call_agent(ctx, question, assignment, call, reply_type, layer.made if layer else ())
        return replace(event, made=tuple(map(ctx.ports.blobs.clean, layer.made)) or UNSET) if layer else event
    finally:
        # However it ended: its home holds credentials, and its clone holds unchecked content.
        for place in (name, f"{name}-context", f"{name}-home"):
            ctx.ports.workspaces.remove(place)


def _call_agent(
    ctx: StepContext,
    question: Question,
    assignment: Assignment,
    call: AgentCall,
    reply_type: type,
    made: Sequence[str],
) -> AgentReplied:
    agent, remedy = ctx.ports.agents.named(assignment.agent), ""
    try:
        version = agent.version()  # before anything is paid: an agent that reports no version is missing
        exchange = exchange_messages(agent, call, reply_type, ctx.ports.blobs.clean)
    except AgentMissing as missing:
        # An agent that was stopped while it reported its version is not missing.
        ending = Ending.CANCELLED if ctx.ports.interrupts.reason() else Ending.NOT_FOUND
        version, exchange = "", Exchange(AgentReply(ending, detail=f"{missing}; {missing.hint}"))
        remedy = missing.hint
    if exchange.reply.ending is Ending.CANCELLED:
        if reason := ctx.ports.interrupts.reason():
            raise _interrupted(ctx, question, assignment.agent, exchange.reply, reason)
        exchange = replace(
            exchange, reply=replace(exchange.reply, ending=Ending.CRASHED)
        )  # Autopilot did not ask for it
    if exchange.reply.ending is Ending.CRASHED and ctx.ports.workspaces.free_bytes() < FULL_BYTES:
        raise _no_room(ctx, question, assignment.agent, exchange.reply)
    event = replace(_event(ctx, question, assignment, version, exchange), remedy=remedy or UNSET)
    return _with_work(ctx, question, event, Path(call.workspace), made) if question.place == "clone" else event


def _with_work(
    ctx: StepContext, question: Question, event: AgentReplied, clone: Path, made: Sequence[str]
) -> AgentReplied:
    """The commit of its clone, taken into the vault, without what builds made."""
    # By digest: a task may be called what no ref can.
    name = hashlib.sha256(f"{ctx.label}/{ctx.attempt}/{question.nth}".encode()).hexdigest()[:24]
    keep_as = f"refs/autopilot/claims/{ctx.state.run}/{name}"
    start, head = question.start or ctx.tip, ctx.ports.vault.take(clone, keep_as) or ""
    if head in ("", start):
        elsewhere = ctx.ports.vault.branches_of(clone, start)[:MOST_BRANCHES]
        return replace(event, head=head, elsewhere=tuple(map(ctx.ports.blobs.clean, elsewhere)) or UNSET)
    head, left_out = leave_out(ctx, start, head, keep_as, work_areas_of(ctx, start, made))
    return replace(event, head=head, left_out=tuple(map(ctx.ports.blobs.clean, left_out)) or UNSET)


def _find_assignment(ctx: StepContext, role: Role) -> Assignment:
    """A step starts only when an agent is available; one that was killed between two questions may find none.

    Then the role's last agent is called all the same, and ends as it ended for the others.
    """
    assignment = find_assignment(ctx.state, ctx.policy, role)
    return (
        assignment
        if isinstance(assignment, Assignment)
        else Assignment.parse(assigned_agent(ctx.state, ctx.policy, role))
    )


def _interrupted(ctx: StepContext, question: Question, agent: str, reply: AgentReply, reason: str) -> Interrupted:
    spent = _cut_off(ctx, question, agent, reply)
    return Interrupted(f"stopped while the {question.role.value} was working", reason, spent)


def _no_room(ctx: StepContext, question: Question, agent: str, reply: AgentReply) -> CapReached:
    """An agent that crashed on a full disk is not to blame: it could not have written a line."""
    full = CapReached(f"the disk is full, and the {question.role.value} failed", "free some space, then resume")
    full.spent = _cut_off(ctx, question, agent, reply)
    return full


def _cut_off(ctx: StepContext, question: Question, agent: str, reply: AgentReply) -> AgentCutOff:
    role = question.role
    return AgentCutOff(ctx.phase.id, ctx.step, role, agent, reply.usage, ctx.task, reply.transcript)


def _attempt(ctx: StepContext) -> int:
    """What a script or an agent calls the attempt: for a task, one more than the calls about it that are over."""
    task = ctx.phase.tasks.get(ctx.task)
    return task.calls_before + 1 if task else ctx.attempt


def _make_place(ctx: StepContext, question: Question, name: str, layer: Layer | None) -> Path:
    if question.place == "clone":
        start = question.start or ctx.tip
        areas = work_areas_of(ctx, start, layer.made if layer else ())
        return ctx.ports.workspaces.clone(name, start, areas.patterns, layered=ctx.policy.confined)
    before, after = question.before or ctx.phase.line.base, question.start or ctx.tip
    hidden = _hidden(ctx, question.role, before, after)
    return ctx.ports.workspaces.review(name, before, after, hidden, layered=ctx.policy.confined)


def _layers(ctx: StepContext, name: str, dependencies: Layer | None) -> tuple[PurePosixPath, ...]:
    """What is shown below the clone: the checkout, where the clone itself holds none, then what setup made."""
    below = ctx.ports.workspaces.below(name)
    return (*([PurePosixPath(below)] if below else []), *([dependencies.project] if dependencies else []))


def _folders(ctx: StepContext, role: Role) -> tuple[str, ...]:
    """Whose reports a reviewer must not read: those on the phase before it; an auditor has the whole run before it."""
    run = (*ctx.state.phases.values(), *ctx.state.completion.closing.values())
    phases = run if role is Role.AUDITOR else (ctx.phase,)
    return tuple(phase.brief.folder for phase in phases if phase.brief.folder)


def _hidden(ctx: StepContext, role: Role, *commits: str) -> list[str]:
    """The reports a reviewer must not read, of this run and of earlier ones, of split parts too."""
    places = [(commit, folder) for commit in commits for folder in _folders(ctx, role)]
    found = ((folder, path) for commit, folder in places for path in ctx.ports.vault.list(commit, folder))
    return sorted({path for folder, path in found if is_hidden_from_reviewers(path.removeprefix(f"{folder}/"))})


def _dependencies(ctx: StepContext, question: Question) -> Layer | None:
    """What setup installed, for those who run the code. A setup that fails is reported when the checks are run."""
    role = question.role
    runs_code = role in (Role.EXECUTOR, Role.DEBUGGER, Role.IMPLEMENTER) or _reproduces(ctx, role)
    if not ctx.policy.commands.setup or not runs_code or question.place != "clone":
        return None
    layer = ctx.ports.layers.ensure(spell_setup(ctx), PurePosixPath(ctx.ports.workspaces.export(ctx.tip)))
    return layer if isinstance(layer, Layer) else None


def _reproduces(ctx: StepContext, role: Role) -> bool:
    """A designer that searches for the cause of a bug runs the tests; one that writes stories and plans does not."""
    return role is Role.DESIGNER and ctx.state.issue is not None and ctx.state.issue.has_cause


def _event(
    ctx: StepContext, question: Question, assignment: Assignment, version: str, exchange: Exchange
) -> AgentReplied:
    reply = exchange.reply
    content = {
        "text": reply.text,
        "value": reply.value,
        "transcript": reply.transcript,
        "earlier": list(exchange.earlier),
    }
    kept = msgspec.json.encode(_cleaned(ctx, content))
    return AgentReplied(
        phase=ctx.phase.id,
        step=ctx.step,
        role=question.role,
        agent=assignment.agent,  # as its chain names it: by that name its limits are known
        ending=reply.ending,
        usage=reply.usage,
        duration_ms=reply.duration_ms,
        task=ctx.task,
        reply=ctx.ports.blobs.keep(kept),
        detail=ctx.ports.blobs.clean(reply.detail),
        version=version,
        model=assignment.model,
        asked=1 + len(exchange.earlier),
        resets_at=reply.resets_at,
        retry_after_s=reply.retry_after_s,
        refused_hosts=tuple(map(ctx.ports.blobs.clean, reply.refused_hosts)) or UNSET,
        acts=_acts(ctx, exchange) or UNSET,
    )


def _acts(ctx: StepContext, exchange: Exchange) -> tuple[Act, ...]:
    """By its transcripts, which were cleaned when they were stored."""
    digests = (*exchange.earlier, exchange.reply.transcript)
    texts = (ctx.ports.blobs.get(digest).decode("utf-8", "replace") for digest in digests if digest)
    acts = dict.fromkeys(act for text in texts for act in list_acts(text, str(ctx.project)))
    return tuple(acts)[:MOST_ACTS]


def _cleaned_files(ctx: StepContext, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """What an agent receives goes to its provider: no secret of this machine may be in it."""
    return {name: content if name.endswith(PICTURE) else _cleaned_text(ctx, content) for name, content in files.items()}


def _cleaned_text(ctx: StepContext, content: bytes) -> bytes:
    return ctx.ports.blobs.clean(content.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def _cleaned(ctx: StepContext, value: Any, depth: int = 0) -> Any:
    """Every string of a reply without secrets. As a whole it could not be cleaned and stay JSON."""
    match value:
        case str():
            return ctx.ports.blobs.clean(value)
        case list() | dict() if depth > DEEPEST:
            return None
        case list():
            return [_cleaned(ctx, item, depth + 1) for item in value]
        case dict():
            return {_cleaned(ctx, str(key)): _cleaned(ctx, item, depth + 1) for key, item in value.items()}
        case _:
            return value


def _answer(ctx: StepContext, event: AgentReplied, reply_type: type[Reply]) -> Answer[Reply]:
    if event.ending is not Ending.COMPLETED:
        message = f"the {event.role.value} {event.ending.in_words}"
        return Answer(None, f"{message}: {event.detail}" if event.detail else message, event)
    content: dict[str, Any] = msgspec.json.decode(ctx.ports.blobs.get(event.reply))
    value = read_reply(content["value"] if content["value"] is not None else content["text"], reply_type)
    if isinstance(value, Problem):
        return Answer(None, f"the {event.role.value}'s reply does not match the schema: {value.because}", event)
    return Answer(value, "", event)
