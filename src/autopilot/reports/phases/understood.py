"""What was understood of planning files that another tool wrote, for a user who sees them read for the first time."""

from __future__ import annotations

from collections.abc import Iterator

from autopilot.model.planning.complaint import Severity
from autopilot.model.planning.outline import Outline
from autopilot.model.planning.roadmap import Phase
from autopilot.text.naming import plural

MOST_SHOWN = 8


def describe_outline(outline: Outline, title: str, choice: str) -> Iterator[str]:
    """``choice``: why this format, where several are here."""
    phases = outline.roadmap.phases
    known = f"planned with {title}: {plural(len(phases), 'phase')} in {outline.roadmap.path}"
    yield f"{known}; no roadmap is needed" if phases else f"{known}; a run needs at least one"
    if choice:
        yield f"  {choice}"
    yield f"  {_states(phases)}; {_tasks(outline)}; {_criteria(phases)}"
    waits = [f"{phase.id} after {', '.join(phase.depends_on)}" for phase in phases if phase.depends_on]
    if waits:
        yield f"  dependencies: {'; '.join(waits[:MOST_SHOWN])}{_more(len(waits))}"
    yield f"  the spec, frozen while a run works: {outline.spec or 'none'}"
    yield from _listed("to be settled by you before it is run", [str(question) for question in outline.questions])
    unread = [str(c) for c in outline.roadmap.complaints if c.severity is not Severity.INFO]
    yield from _listed("not understood", unread)


def _states(phases: tuple[Phase, ...]) -> str:
    held = sum(phase.held for phase in phases)
    done = sum(phase.ticked for phase in phases)
    given_up = sum(phase.dropped for phase in phases) - held
    open_ = len(phases) - held - done - given_up
    counts = [(open_, "open"), (done, "done, unproven"), (held, "waiting for you"), (given_up, "not to be run")]
    return ", ".join(f"{count} {name}" for count, name in counts if count or name == "open")


def _tasks(outline: Outline) -> str:
    listed = outline.listed.values()
    total, done = sum(len(own.plan.tasks) for own in listed), sum(len(own.done) for own in listed)
    return f"{plural(total, 'task')}, {done} of them done by the files"


def _criteria(phases: tuple[Phase, ...]) -> str:
    criteria = [criterion for phase in phases for criterion in phase.criteria]
    runnable = sum(criterion.is_runnable for criterion in criteria)
    return f"criteria: {len(criteria)}, of them {runnable} with a command"


def _listed(title: str, texts: list[str]) -> Iterator[str]:
    if texts:
        yield f"  {title}:"
        yield from (f"    {text}" for text in texts[:MOST_SHOWN])
        if _more(len(texts)):
            yield f"    {_more(len(texts)).strip()}"


def _more(count: int) -> str:
    return f" … and {count - MOST_SHOWN} more" if count > MOST_SHOWN else ""
