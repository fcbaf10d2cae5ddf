"""Land: the records commit, then the user's branch and checkout, if and only if nothing of the user's is in the way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from autopilot.events.happened import Landed, LandingDeferred, LandingStarted, RecordsCommitted, Warned
from autopilot.events.pieces import Landing
from autopilot.model.git import REPLACED, LandingState
from autopilot.model.intent import Purpose
from autopilot.model.planning.outline import Proven
from autopilot.model.run import LandingStage, StepStatus
from autopilot.model.secrecy.terminal import strip_controls
from autopilot.planning.formats.format import Format
from autopilot.planning.formats.marking import apply_edits
from autopilot.planning.formats.reading import readable
from autopilot.reports.documents.context_md import NAME as CONTEXT
from autopilot.reports.documents.context_md import join_context
from autopilot.reports.documents.documents import is_report, phase_documents
from autopilot.reports.documents.span_trace import render_traces
from autopilot.steps.asking.context_files import user_decisions
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.observing.listed import format_of, proven_tasks, read_listed, texts_at
from autopilot.steps.observing.reading import read_plan
from autopilot.steps.pipeline.ticking import tick, warn_of_more
from autopilot.text.naming import name_some

PLANNING = ".planning/"


def perform(ctx: StepContext) -> StepRun:
    tip = ctx.state.line.tip
    if not ctx.phase.ending.records_commit:
        event = _commit_records(ctx)
        tip = event.commit
        yield (event,)
    new = tip if ctx.policy.commit_docs else ctx.state.line.public_tip
    _must_be_verified(ctx, new)
    landing = ctx.phase.landing
    if landing.state != LandingStage.STARTED:
        if elsewhere := _elsewhere(ctx, new):
            return _deferred(ctx, new, elsewhere, LandingState.OTHER_BRANCH)
        old, new = _over_known_commits(ctx, new)
        landing = Landing(LandingStage.STARTED, new, old, ctx.state.line.branch, "", ctx.ports.checkout.snapshot())
        yield (LandingStarted(ctx.phase.id, landing.old, new, landing.branch, landing.snapshot),)
    warnings = (*_warn_of_unmarked(ctx), *warn_of_more(ctx, _roadmap_in(ctx, landing.commit)))
    if (
        not ctx.policy.commit_docs and ctx.phase.ending.records_commit != ctx.phase.observed.commit
    ):  # a version has no records
        warnings += _warn_of_unwritten(ctx, ctx.ports.checkout.write_documents(_plain_files(ctx)))
    return _land(ctx, landing, warnings)


def _warn_of_unwritten(ctx: StepContext, paths: tuple[str, ...]) -> tuple[Warned, ...]:
    """What is not written would be missed, and only the user can make room for it."""
    if not paths:
        return ()
    why = f"what stands there could not be kept in {REPLACED} first"
    remedy = f"free {REPLACED} of links and files that are in its way; the evidence is in `autopilot evidence`"
    text = f"phase {ctx.phase.id}: {', '.join(paths)} not written: {why}; {remedy}"
    return (Warned(text, ctx.phase.id),)


def _land(ctx: StepContext, landing: Landing, warnings: tuple[Warned, ...]) -> Result:
    outcome = ctx.ports.checkout.land(landing.old, landing.commit)
    if outcome.state is LandingState.LANDED:
        return Result(StepStatus.LANDED, (Landed(ctx.phase.id, landing.commit), *warnings))
    named = ", ".join(outcome.paths[:3]) + (", …" if len(outcome.paths) > 3 else "")
    because = f"{outcome.because}: {named}" if named else outcome.because
    return _deferred(ctx, landing.commit, because, outcome.state, outcome.paths)


def _deferred(
    ctx: StepContext, commit: str, because: str, obstacle: LandingState, paths: tuple[str, ...] = ()
) -> Result:
    branch = ctx.ports.checkout.offer(ctx.state.run, commit)
    return Result(
        StepStatus.WAITING, (LandingDeferred(ctx.phase.id, commit, because, branch, paths, obstacle),), because
    )


def _over_known_commits(ctx: StepContext, new: str) -> tuple[str, str]:
    """Where to land from and what.

    The user may have committed meanwhile what this run carries already (the roadmap it began with, a spec that
    changed): then nothing of the user's is lost by a merge that keeps our tree. In the roadmap this run only ticks what
    it proved: the user's is taken as it stands, and ticked. Anything else is left to the user.
    """
    vault, old, head = ctx.ports.vault, ctx.state.line.head, ctx.ports.checkout.head()
    if head == old:
        return old, new
    vault.adopt(head)
    if not vault.is_ancestor(old, head) or vault.is_ancestor(new, head):
        return old, new
    carried, edits = (ctx.state.line.base, new), dict[str, bytes | None]()
    for change in vault.changes(old, head):
        theirs = vault.read(head, change.path)
        if theirs is not None and _is_our_roadmap(ctx, change.path):
            edits[change.path] = tick(ctx, theirs)
        elif theirs not in [vault.read(commit, change.path) for commit in carried]:
            return old, new
    subject = f"Merge the work of {ctx.state.run}"
    return head, vault.commit(vault.edit_tree(new, edits), [head, new], subject, ctx.time, AUTHOR)


def _is_our_roadmap(ctx: StepContext, path: str) -> bool:
    return path == ctx.state.inputs.roadmap and ctx.policy.commit_docs and format_of(ctx) is None


def _roadmap_in(ctx: StepContext, commit: str) -> bytes:
    """As it stands after the landing; empty where the plan is another tool's, or there is none."""
    path = ctx.state.inputs.roadmap
    if not path or format_of(ctx) is not None:
        return b""
    read = partial(ctx.ports.vault.read, commit) if ctx.policy.commit_docs else ctx.ports.checkout.read
    return read(path) or b""


def _elsewhere(ctx: StepContext, new: str) -> str:
    """The run belongs to the branch it began on, even where another one stands at the same commit.

    A user who merged the work into another branch has landed it there: nothing is left to wait for.
    """
    now = ctx.ports.checkout.branch()
    if not now or now == ctx.state.line.branch:
        return ""  # a detached HEAD is refused by the landing itself, in its own words
    if _is_merged(ctx, new):
        return ""
    return f"the checkout is on {now}, the run began on {ctx.state.line.branch or 'no branch'}"


def _is_merged(ctx: StepContext, new: str) -> bool:
    vault, head = ctx.ports.vault, ctx.ports.checkout.head()
    if head == ctx.state.line.head:
        return False
    vault.adopt(head)
    return vault.is_ancestor(new, head)


def _commit_records(ctx: StepContext) -> RecordsCommitted:
    vault, tip = ctx.ports.vault, ctx.state.line.tip
    edits: dict[str, bytes | None] = {**_stale(ctx), **_documents(ctx)}
    tree = vault.edit_tree(tip, edits)
    subject = f"docs({ctx.phase.id}): records of phase {ctx.phase.id}, {ctx.phase.brief.name}"
    return RecordsCommitted(ctx.phase.id, vault.commit(tree, [tip], subject, ctx.time, AUTHOR), tuple(sorted(edits)))


def _stale(ctx: StepContext) -> dict[str, None]:
    """Reports of an earlier run that this one does not write again, as those of parts: they tell of another tree."""
    if ctx.phase.brief.purpose is Purpose.BUILD:
        return {}
    folder = ctx.phase.brief.folder
    names = ((path, path.removeprefix(f"{folder}/")) for path in ctx.ports.vault.list(ctx.state.line.tip, folder))
    return {path: None for path, name in names if is_report(name)}


def _documents(ctx: StepContext) -> dict[str, bytes]:
    documents = _reports(ctx) | _decisions(ctx, lambda path: ctx.ports.vault.read(ctx.state.line.tip, path))
    if (format := format_of(ctx)) is not None:
        return documents | _marked(ctx, format)
    roadmap = ctx.ports.vault.read(ctx.state.line.tip, ctx.state.inputs.roadmap)
    if roadmap is not None:
        documents[ctx.state.inputs.roadmap] = tick(ctx, roadmap)
    return documents


def _marked(ctx: StepContext, format: Format) -> dict[str, bytes]:
    """Progress in the form of the tool that the project is planned with: single spans of its own files."""
    texts = texts_at(ctx, ctx.state.line.tip)
    proven = Proven(ctx.phase.id, frozenset(_own_tasks(ctx, proven=True)), f"{ctx.time:%Y-%m-%d}")
    changed = apply_edits(texts, format.mark(readable(texts), proven))
    return {path: text.encode("utf-8", "surrogateescape") for path, text in changed.items()}


def _own_tasks(ctx: StepContext, *, proven: bool) -> list[str]:
    """Of the tasks that another tool lists and that were to be carried out, those with evidence of their own, or those
    without."""
    listed = read_listed(ctx, ctx.state.line.base)
    if listed is None:
        return []
    tasks = [state.task for state in ctx.phase.tasks.values()] or list(read_plan(ctx, ctx.state.line.tip).tasks)
    found = proven_tasks(ctx.phase, tasks)
    return [task.id for task in listed.to_do if (task.id in found) is proven]


def _warn_of_unmarked(ctx: StepContext) -> tuple[Warned, ...]:
    """The user's own tool will go on calling these open."""
    format = format_of(ctx)
    if format is None or ctx.phase.id not in ctx.state.phases:
        return ()
    if not ctx.policy.commit_docs:
        text = f"phase {ctx.phase.id} is proven, and {format.name} is not told: planning.commit_docs is false"
        return (Warned(text, ctx.phase.id),)
    if not (left := _own_tasks(ctx, proven=False)):
        return ()
    why = "nothing was run for them alone" if len(left) > 1 else "nothing was run for it alone"
    return (Warned(f"phase {ctx.phase.id}: {name_some(left, 4)} not marked in {format.name}: {why}", ctx.phase.id),)


def _plain_files(ctx: StepContext) -> dict[str, bytes]:
    """What no commit carries: reports, plan and research. The roadmap is ticked as it stands, with the user's edits."""
    files = {path: ctx.ports.blobs.get(digest) for path, digest in ctx.phase.plan.documents} | _reports(ctx)
    if ctx.phase.plan.research:
        files[f"{ctx.phase.brief.folder}/RESEARCH.md"] = ctx.ports.blobs.get(ctx.phase.plan.research)
    files |= _decisions(ctx, ctx.ports.checkout.read)
    roadmap = ctx.ports.checkout.read(ctx.state.inputs.roadmap)
    if roadmap is not None and ctx.state.inputs.roadmap.startswith(PLANNING):
        files[ctx.state.inputs.roadmap] = tick(ctx, roadmap)
    return files


def _reports(ctx: StepContext) -> dict[str, bytes]:
    folder = ctx.phase.brief.folder
    documents = dict(phase_documents(ctx.state, ctx.phase))
    traces = render_traces(ctx.ports.journal.read(ctx.state.run), ctx.phase.id)
    documents |= {name: strip_controls(text) for name, text in traces.items()}
    # Each text was redacted when it was recorded; side by side in a document, two of them may still form a secret.
    return {f"{folder}/{name}": ctx.ports.blobs.clean(text).encode() for name, text in documents.items()}


def _decisions(ctx: StepContext, read: Callable[[str], bytes | None]) -> dict[str, bytes]:
    """What came of the talk about this phase, below what its user wrote there; ``read`` says what that is."""
    new, path = user_decisions(ctx), f"{ctx.phase.brief.folder}/{CONTEXT}"
    if new is None:
        return {}
    before = (read(path) or b"").decode("utf-8", "surrogateescape")
    return {path: join_context(before, new.decode(), ctx.time).encode("utf-8", "surrogateescape")}


def _must_be_verified(ctx: StepContext, new: str) -> None:
    """What lands must be the tree that was verified, except for the planning folder and the user's own documents."""
    papers = ctx.state.inputs.papers
    changes = ctx.ports.vault.changes(ctx.phase.observed.commit, new)
    strayed = [c.path for c in changes if not c.path.startswith(PLANNING) and c.path not in papers]
    assert not strayed, f"phase {ctx.phase.id}: files that are about to land were not verified: {strayed[:3]}"
