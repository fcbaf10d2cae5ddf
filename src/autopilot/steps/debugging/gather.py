"""Gather: an agent says what is wrong and how to see it; tests that show it may come along, and nothing else."""

from __future__ import annotations

from autopilot.events.debugging.happened import GatheringRefused, SymptomsGathered
from autopilot.gates.commit import CONTROL
from autopilot.model.agent import Role
from autopilot.model.claim import SymptomsClaim
from autopilot.model.debugging.session import Symptoms
from autopilot.model.run import StepStatus
from autopilot.steps.accepting import cut_off, refuse_tree
from autopilot.steps.asking.asking import Answer, Question, ask, no_answer
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import Result, StepContext, StepRun
from autopilot.steps.debugging.session_context import is_ours, papers, render_session_prompt, session_in, without
from autopilot.text.file_kind import is_test
from autopilot.text.shell import cannot_fail, normalise_command


def perform(ctx: StepContext) -> StepRun:
    session, start = session_in(ctx), ctx.state.line.base
    trouble = f"\nThe last try did not serve: {session.trouble}\n" if session.trouble else ""
    prompt = render_session_prompt(ctx, "gather", trouble=trouble)
    answer = yield from ask(ctx, Question(Role.DEBUGGER, prompt, "clone", papers(ctx), start=start), SymptomsClaim)
    if cut_off(ctx, answer, start) or answer.value is None:
        return no_answer(answer)
    symptoms = _read(answer.value)
    if why := _refuse_command(symptoms.reproduction):
        return _refused(ctx, why)
    head, left_out = without(ctx, start, answer.head or start, is_ours)
    added, reason = _take_tests(ctx, answer, start, head)
    if reason:
        return _refused(ctx, reason)
    event = SymptomsGathered(ctx.phase.id, symptoms, _commit(ctx, start, head, added), added, left_out)
    return Result(StepStatus.COMPLETED, (event,), symptoms.reproduction)


def _read(claim: SymptomsClaim) -> Symptoms:
    command = normalise_command(claim.reproduction)
    return Symptoms(claim.expected, claim.actual, claim.errors, command, claim.started)


def _refuse_command(command: str) -> str:
    if not command:
        return "a reproduction command is missing"
    why = cannot_fail(command)
    return f"the reproduction cannot fail: {why}" if why else ""


def _take_tests(ctx: StepContext, answer: Answer[SymptomsClaim], start: str, head: str) -> tuple[tuple[str, ...], str]:
    """New test files alone: a change of anything else could make the bug as well as show it."""
    changes = ctx.ports.vault.changes(start, head)
    if not changes:
        return (), ""
    others = [c.path for c in changes if c.status != "A" or not is_test(c.path) or c.path.startswith(CONTROL)]
    if others:
        return (), f"{', '.join(others[:3])}: a reproduction may only add test files"
    return tuple(c.path for c in changes), refuse_tree(ctx, head, start, made=answer.event.made or ())


def _commit(ctx: StepContext, start: str, head: str, added: tuple[str, ...]) -> str:
    if not added:
        return start
    vault, subject = ctx.ports.vault, f"test: reproduce {session_in(ctx).brief.slug}"
    return vault.commit(vault.tree_of(head), [start], subject, ctx.time, AUTHOR)


def _refused(ctx: StepContext, reason: str) -> Result:
    return Result(StepStatus.REFUSED, (GatheringRefused(ctx.phase.id, reason),), reason)
