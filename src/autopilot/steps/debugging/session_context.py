"""What the steps of a debug session know, what its agents are shown, and how their work is taken in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from autopilot.events.debugging.fold import session_of
from autopilot.events.debugging.state import DebugState
from autopilot.model.debugging.session import FOLDER, REPRODUCTION
from autopilot.model.planning.criterion import Criterion, Expectation, Form, Strength
from autopilot.reports.debugging.session_file import render_session, trigger_of
from autopilot.reports.documents.learnings import render_learnings
from autopilot.steps.asking.prompt import placeholders, render_prompt
from autopilot.steps.authoring import AUTHOR
from autopilot.steps.context import StepContext
from autopilot.steps.observing.observing import Check

OURS = f"{FOLDER}/"


def session_in(ctx: StepContext) -> DebugState:
    return session_of(ctx.state)


def reproduction_check(ctx: StepContext) -> Check:
    symptoms = session_in(ctx).symptoms
    assert symptoms is not None, "there is nothing to reproduce before the symptoms are known"
    return Check(REPRODUCTION, symptoms.reproduction, Expectation(), Strength.COMMAND, ctx.policy.timeouts.test)


def reproduction_criterion(ctx: StepContext) -> Criterion:
    return Criterion(REPRODUCTION, "the reproduction passes", Form.COMMAND, reproduction_check(ctx).command)


def papers(ctx: StepContext) -> Mapping[str, bytes]:
    """What the agent finds at .autopilot/: the session as it stands. Its copy; ours is rendered from the journal."""
    session = session_in(ctx)
    facts = {
        "session": msgspec.to_builtins(session.brief),
        "symptoms": msgspec.to_builtins(session.symptoms),
        "eliminated": [msgspec.to_builtins(idea.hypothesis) for idea in session.eliminated],
        "cause": msgspec.to_builtins(session.cause),
        "remarks": session.remarks,
    }
    files = {"facts.json": msgspec.json.encode(facts), "session.md": render_session(session).encode()}
    if learnings := render_learnings(ctx.state):
        files["learnings.md"] = learnings.encode()
    return files


def render_session_prompt(ctx: StepContext, name: str, **more: str) -> str:
    session, path = session_in(ctx), f"debugging/{name}"
    symptoms, cause = session.symptoms, session.cause
    values = {
        "text": describe_bug(session),
        "remarks": "".join(f"\nThe user adds: {remark}" for remark in session.remarks),
        "reproduction": symptoms.reproduction if symptoms else "",
        "rate": session.repeats.text,
        "cause": cause.statement if cause else "",
        "language": ctx.policy.response_language,
        **more,
    }
    wanted = placeholders(path)
    return render_prompt(path, **{key: value for key, value in values.items() if key in wanted})


def describe_bug(session: DebugState) -> str:
    """What is wrong, in the user's words, with the phase it is about and the check that stayed red there."""
    origin = session.brief.origin
    red = f"; this check stayed red: `{origin.command}`" if origin and origin.command else ""
    return f"{trigger_of(session)}{red}"


def without(ctx: StepContext, start: str, head: str, drop: Callable[[str], bool]) -> tuple[str, tuple[str, ...]]:
    """The agent's commit with these paths as they were, and which they are; its own commit where there are none."""
    vault = ctx.ports.vault
    paths = tuple(change.path for change in vault.changes(start, head) if drop(change.path))
    if not paths:
        return head, ()
    tree = vault.edit_tree(head, {path: vault.read(start, path) for path in paths})
    return vault.commit(tree, [start], "work without the record of the session", ctx.time, AUTHOR), paths


def is_ours(path: str) -> bool:
    """The file of a session: rendered by us, whatever an agent writes there."""
    return path.startswith(OURS)
