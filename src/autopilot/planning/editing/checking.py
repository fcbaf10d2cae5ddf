"""Proof that an edit of a roadmap is the intended one: it is read before and after, and only that may differ.

Roadmaps are written by people in many forms. Where one is not understood well enough to be edited, nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from autopilot.model.errors import UsageError
from autopilot.model.planning.roadmap import Phase, PhaseId
from autopilot.planning.editing.mentions import Mentions
from autopilot.planning.roadmap.roadmap import parse_roadmap

BY_HAND = "nothing was written; edit the roadmap by hand, then look with `autopilot phase show`"


class Facts(Struct, frozen=True):
    """What is read of one phase."""

    name: str
    goal: str
    depends_on: frozenset[PhaseId]
    requirements: tuple[str, ...]
    criteria: tuple[str, ...]
    stand: str


class Intended(Struct, frozen=True):
    mentions: Mentions
    added: frozenset[PhaseId] = frozenset()
    edited: Mapping[PhaseId, frozenset[str]] = {}  # fields that are meant to change, by the phase's new number


def check_edit(before: str, after: str, path: str, intended: Intended) -> None:
    """UsageError where anything else came out than what was asked for."""
    for difference in differences(before, after, path, intended):
        raise UsageError(f"{path} is written in a form that this edit would damage: {difference}", BY_HAND)


def differences(before: str, after: str, path: str, intended: Intended) -> Iterator[str]:
    old, new = parse_roadmap(before, path), parse_roadmap(after, path)
    expected = _expected(old.phases, intended.mentions)
    found = {phase.id: facts_of(phase) for phase in new.phases}
    if missing := [id for id in (*expected, *intended.added) if id not in found]:
        yield f"phase {missing[0]} would no longer be read"
    if extra := [id for id in found if id not in expected and id not in intended.added]:
        yield f"phase {extra[0]} would be read where none was meant"
    if new.archived != old.archived:
        yield "phases that are archived would be read otherwise"
    for id, wanted in expected.items():
        yield from _of_phase(id, wanted, found.get(id, wanted), intended)


def _of_phase(id: PhaseId, wanted: Facts, got: Facts, intended: Intended) -> Iterator[str]:
    meant = intended.edited.get(id, frozenset())
    for field in Facts.__struct_fields__:
        expected, found = getattr(wanted, field), getattr(got, field)
        if field == "depends_on":  # "all previous phases" rightly has a new one among them
            expected, found = expected - intended.added, found - intended.added
        if field not in meant and expected != found:
            yield f"the {field.replace('_', ' ')} of phase {id} would change"


def _expected(phases: tuple[Phase, ...], mentions: Mentions) -> dict[PhaseId, Facts]:
    renumbering = mentions.renumbering
    facts = {}
    for phase in phases:
        if phase.id not in renumbering.removed:
            old = facts_of(phase)
            facts[renumbering.of(phase.id)] = Facts(
                name=_rewrite(old.name, mentions),
                goal=_rewrite(old.goal, mentions),
                depends_on=frozenset(renumbering.of(id) for id in old.depends_on - renumbering.removed),
                requirements=old.requirements,
                criteria=tuple(_rewrite(text, mentions) for text in old.criteria),
                stand=old.stand,
            )
    return facts


def _rewrite(text: str, mentions: Mentions) -> str:
    return mentions.in_plan_list(text).text


def facts_of(phase: Phase) -> Facts:
    return Facts(
        phase.name,
        phase.goal,
        frozenset(phase.depends_on),
        phase.requirements,
        tuple(criterion.text for criterion in phase.criteria),
        phase.standing.stand.value,
    )
