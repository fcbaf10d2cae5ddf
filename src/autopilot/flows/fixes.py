"""Work from gaps: one task for each thing the audit found missing, with whatever can show that it is there."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from autopilot.events.criteria import criteria_to_keep
from autopilot.events.state import RunState
from autopilot.model.audit import Gap
from autopilot.model.evidence.observation import Observation
from autopilot.model.planning.criterion import Criterion, Form, criterion_id, keep
from autopilot.model.planning.plan import FIX, Task
from autopilot.model.planning.roadmap import PhaseId
from autopilot.model.run import PhaseBrief, PhaseStatus

COMPLEXITY = {"small": "simple", "large": "complex"}
LONGEST_TITLE = 60
FOLDER = ".planning/completion"


class Round(Struct, frozen=True):
    """One round of fixes. ``red`` is what was seen to fail before it."""

    brief: PhaseBrief
    tasks: tuple[Task, ...]
    red: tuple[Observation, ...]


def plan_round(state: RunState, number: int) -> Round | None:
    """None when there is nothing to do: a gap that is only not shown needs another audit, no work."""
    gaps = [gap for gap in state.completion.audit.gaps if not gap.not_shown or gap.check_is_red]
    if not gaps:
        return None
    id = PhaseId(f"fix-{number}")
    tasks = tuple(_task(state, f"{id}-{n}", gap) for n, gap in enumerate(gaps, 1))
    red = tuple(
        replace(gap.seen, subject=criterion_id(task.id, 1))
        for task, gap in zip(tasks, gaps, strict=True)
        if gap.check_is_red and gap.seen is not None
    )
    count = f"{len(gaps)} gap{'s' if len(gaps) > 1 else ''} of the audit"
    named = tuple(dict.fromkeys(gap.requirement for gap in gaps))
    brief = PhaseBrief(id, f"close {count}", "; ".join(gap.description for gap in gaps), (), named, f"{FOLDER}/{id}")
    return Round(brief, tasks, red)


def _task(state: RunState, name: str, gap: Gap) -> Task:
    return Task(
        id=name,
        title=f"close {gap.requirement} gap -- {_short(gap.description)}",
        type=FIX,
        complexity=COMPLEXITY.get(gap.complexity, "complex"),
        files=(gap.file,) if gap.file else (),
        action=_action(gap),
        criteria=(*_new(name, gap), *_to_keep(state, name, gap)),
        done="the gap is closed, and everything that held before still holds",
    )


def _action(gap: Gap) -> str:
    where = f" (phase {gap.phase})" if gap.phase else ""
    suggestion = f"\nSuggested: {gap.suggested_fix}" if gap.suggested_fix else ""
    return f"{gap.requirement}{where}: {gap.description}{suggestion}"


def _new(name: str, gap: Gap) -> tuple[Criterion, ...]:
    """Only a check that we saw fail can show anything by passing."""
    if not gap.check_is_red:
        return ()
    return (Criterion(criterion_id(name, 1), f"{gap.requirement} holds", Form.COMMAND, gap.check),)


def _to_keep(state: RunState, name: str, gap: Gap) -> tuple[Criterion, ...]:
    """What the phase concerned promised; where no one phase is, or it has nothing to run, what all of them did."""
    done = [phase for phase in state.phases.values() if phase.status is PhaseStatus.COMPLETED]
    own = [c for phase in done if phase.id == gap.phase for c in criteria_to_keep(phase)]
    found = own or [c for phase in done for c in criteria_to_keep(phase)]
    return keep({c.check: c for c in found if c.command != gap.check}.values(), name)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 1] + "…"
