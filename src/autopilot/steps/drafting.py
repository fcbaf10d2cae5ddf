"""Draft: a planner writes a roadmap in its clone; the one file is taken, judged by rule, and shown to its user."""

from __future__ import annotations

import msgspec

from autopilot.events.drafting.fold import draft_of
from autopilot.events.drafting.happened import Drafted
from autopilot.events.drafting.state import DraftState
from autopilot.gates.already import find_held
from autopilot.model.agent import Role
from autopilot.model.claim import DraftClaim
from autopilot.model.evidence.observation import Observation
from autopilot.model.planning.roadmap import Phase
from autopilot.model.run import StepStatus
from autopilot.planning.drafting import find_faults, new_phases
from autopilot.planning.roadmap.roadmap import parse_roadmap
from autopilot.steps.accepting import cut_off, describe_nothing
from autopilot.steps.asking.asking import Answer, Question, ask, no_answer
from autopilot.steps.asking.prompt import bullets, render_prompt
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.observing.observing import list_criterion_checks, observe

MOST_RUN = 20  # criteria that are run at the base
MOST_BYTES = 1_000_000
WANTED = "wanted.md"  # in the context folder


def perform(ctx: StepContext) -> StepRun:
    draft, base = draft_of(ctx.state), ctx.state.line.base
    start = draft.commit or base
    question = Question(Role.PLANNER, _prompt(ctx, draft), "clone", _files(draft), start=start)
    answer = yield from ask(ctx, question, DraftClaim)
    if cut_off(ctx, answer, start) or answer.value is None:
        return no_answer(answer)
    drafted = _take(ctx, draft, answer, start)
    detail = drafted.complaints[0] if drafted.complaints else "it waits for its user"
    return Result(StepStatus.REFUSED if drafted.complaints else StepStatus.COMPLETED, (drafted,), detail)


def _prompt(ctx: StepContext, draft: DraftState) -> str:
    commands = [f"{name}: `{command}`" for name, command in ctx.policy.commands.checks()]
    return render_prompt(
        "draft",
        path=draft.brief.path,
        further="It is there already: add phases to it." if draft.brief.further else "There is none yet: write it.",
        commands=bullets(commands),
        refused=bullets(draft.complaints),
        language=ctx.policy.response_language,
    )


def _files(draft: DraftState) -> dict[str, bytes]:
    facts = {"wanted": {"path": draft.brief.path, "further": draft.brief.further, "text": draft.brief.text}}
    return {WANTED: draft.brief.text.encode(), "facts.json": msgspec.json.encode(facts)}


def _take(ctx: StepContext, draft: DraftState, answer: Answer[DraftClaim], start: str) -> Drafted:
    vault, path, base = ctx.ports.vault, draft.brief.path, ctx.state.line.base
    concerns = tuple(answer.value.concerns) if answer.value else ()
    bare = Drafted(ctx.phase.id, len(draft.rounds) + 1, concerns=concerns)
    if not answer.head or answer.head == start:
        # What was wrong before is wrong still, and the planner has to see it again.
        missing = f"{describe_nothing(answer)}: commit {path}"
        return msgspec.structs.replace(bare, complaints=(missing, *(c for c in draft.complaints if c != missing)))
    content = vault.read(answer.head, path)
    if content is None or len(content) > MOST_BYTES:
        why = "is not there" if content is None else f"has over {MOST_BYTES:,} bytes"
        return msgspec.structs.replace(bare, complaints=(f"{path} {why} in the commit",))
    text = ctx.ports.blobs.clean(content.decode("utf-8", "replace"))
    before = (vault.read(base, path) or b"").decode("utf-8", "replace")
    commands = ctx.policy.commands
    faults = find_faults(before, text, path, commands)
    added = () if faults else new_phases(before, parse_roadmap(text, path, commands), commands)
    seen = _observe(ctx, base, added)
    commit = vault.commit(vault.edit_tree(base, {path: text.encode()}), [base], "docs: draft", ctx.time, AUTHOR)
    return Drafted(
        bare.phase,
        bare.round,
        commit,
        (*faults, *_holding(ctx, added, seen)),
        concerns,
        tuple(observation for found in seen for observation in found),
        tuple(change.path for change in vault.changes(start, answer.head) if change.path != path)[:MOST_RUN],
    )


def _observe(ctx: StepContext, base: str, phases: tuple[Phase, ...]) -> tuple[tuple[Observation, ...], ...]:
    """The criteria of each, run on the code as it is, where it is cheap: of a long draft the first ones."""
    left, found = MOST_RUN, []
    for phase in phases:
        asked = [criterion for criterion in phase.criteria if criterion.is_new and criterion.is_runnable][:left]
        left -= len(asked)
        checks = list_criterion_checks(ctx, asked)
        found.append(tuple(observe(ctx, base, checks, at_base=True)) if checks else ())
    return tuple(found)


def _holding(ctx: StepContext, phases: tuple[Phase, ...], seen: tuple[tuple[Observation, ...], ...]) -> tuple[str, ...]:
    checks = [command for _, command in ctx.policy.commands.checks()]
    held = (
        (phase, criterion)
        for phase, found in zip(phases, seen, strict=True)
        for criterion in find_held([c for c in phase.criteria if c.is_new and c.is_runnable], found, checks).criteria
    )
    way = "ask for what is not there yet, or begin it with [keep]"
    return tuple(f"phase {phase.id}: `{criterion.command[:80]}` holds already: {way}" for phase, criterion in held)
