"""Targeted tasks: what a scorecard, a judge or a person found wanting, as work for an executor."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from autopilot.events.criteria import criteria_to_keep
from autopilot.events.state import PhaseState
from autopilot.model.planning.criterion import Criterion, identity, keep
from autopilot.model.planning.plan import REMEDIATION, Task
from autopilot.planning.plan.split import should_split_feedback

GOOD_ENOUGH = 9.5  # of one criterion: a lower score is worth a remediation


class Item(Struct, frozen=True):
    """One deficiency and the file it is in, "" when it is not known."""

    text: str
    file: str = ""
    criterion: str = ""


def plan_remediation(
    phase: PhaseState, cycle: int, *, by_person: bool = False, items: Sequence[Item] = ()
) -> tuple[Task, ...]:
    """One task for all of it, or one for each file when that is too much for one agent.

    What is found wanting is what is named, else what a person named, else what the last reviews say.
    """
    issues = phase.deferral.issues if phase.deferral and by_person else ()
    items = tuple(items) or tuple(Item(issue) for issue in issues) or find_deficiencies(phase)
    name = _new_name(phase, f"{phase.id.zfill(2) if phase.id.isdigit() else phase.id}-r{cycle}")
    if not should_split_feedback([(item.text, item.file) for item in items]):
        return (_task(phase, name, items),)
    files = dict.fromkeys(item.file for item in items)
    groups = [[item for item in items if item.file == file] for file in files]
    return tuple(_task(phase, f"{name}.{n}", group) for n, group in enumerate(groups, 1))


def _new_name(phase: PhaseState, name: str) -> str:
    """A task of the plan may be called so already: it must not be replaced, for its criteria would go with it."""
    while any(task == name or task.startswith(f"{name}.") for task in phase.tasks):
        name += "x"
    return name


def find_deficiencies(phase: PhaseState) -> tuple[Item, ...]:
    """What the scorecard took off and, when that does not say enough, what the judge is worried about."""
    lost = [d for d in phase.reviews.deductions if d.score < GOOD_ENOUGH] or list(phase.reviews.deductions)
    items = [Item(f"{d.criterion}: {d.why} (scored {d.score:.1f})", d.file, d.criterion) for d in lost]
    worries = (
        (*phase.reviews.judgement.concerns, *phase.reviews.judgement.verifier_missed) if phase.reviews.judgement else ()
    )
    items += [Item(worry) for worry in worries] if not items or len(items) < len(phase.reviews.deductions) else []
    return tuple(items) or (Item(phase.gate.reason),)


def _task(phase: PhaseState, name: str, items: Sequence[Item]) -> Task:
    files = tuple(dict.fromkeys(item.file for item in items if item.file))
    return Task(
        id=name,
        title=f"fix {len(items)} deficienc{'y' if len(items) == 1 else 'ies'} of phase {phase.id}",
        type=REMEDIATION,
        complexity="simple" if len(items) == 1 else "medium",
        files=files,
        action="\n".join(f"- {item.text}" for item in items),
        criteria=_to_keep(phase, name, {item.criterion for item in items}),
        done="every deficiency above is fixed and everything that held before still holds",
    )


def _to_keep(phase: PhaseState, name: str, meant: set[str]) -> tuple[Criterion, ...]:
    """A remediation promises nothing new: what the phase promised must hold after it, first of all what it touches."""
    promised = criteria_to_keep(phase)
    named = {identity(text) for text in meant}
    return keep([c for c in promised if c.identity in named] or promised, name)
