"""Tasks that another tool's files list for a phase: as they stand at a commit, and those of them that were proven."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from autopilot.events.state import PhaseState
from autopilot.model.evidence.deciding import seen_for
from autopilot.model.evidence.observation import Seen
from autopilot.model.planning.outline import Listed
from autopilot.model.planning.plan import Task
from autopilot.planning.formats.format import Format
from autopilot.planning.formats.reading import read_texts, readable
from autopilot.planning.formats.registry import format_named
from autopilot.steps.context import StepContext


def format_of(ctx: StepContext) -> Format | None:
    return format_named(ctx.state.inputs.planning.format)


def texts_at(ctx: StepContext, commit: str) -> dict[str, str]:
    """The planning files of another tool that the run was started on."""
    return read_texts(ctx.state.inputs.planning.paths, partial(ctx.ports.vault.read, commit))[0]


def read_listed(ctx: StepContext, commit: str) -> Listed | None:
    """None: no other tool lists this phase's tasks, so its plan is one of ours or lies in the phase's folder."""
    format = format_of(ctx)
    if format is None:
        return None
    outline = format.read(readable(texts_at(ctx, commit)), ctx.policy.commands)
    return outline.listed.get(ctx.phase.parent or ctx.phase.id)


def proven_tasks(phase: PhaseState, tasks: Sequence[Task]) -> frozenset[str]:
    """Those with evidence of their own: something was run for the task alone, and all of it held at the end."""
    seen = {task.id: seen_for(task, phase.observed.observations or ()) for task in tasks}
    return frozenset(id for id, results in seen.items() if results and all(seen is Seen.PASSED for seen in results))


def render_tasks(phase: str, tasks: Sequence[Task], path: str) -> str:
    """The tasks as a reviewer is given them: the file may hold those of many phases."""
    parts = [f"# Tasks of phase {phase}, as {path} lists them", ""]
    for task in tasks:
        parts += [f"## {task.id}: {task.title} (line {task.line})", "", task.action, ""]
    return "\n".join(parts)
