"""Which plan of a phase waits for which, by ``depends_on``: circles, and plans that are not there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from autopilot.model.planning.complaint import Complaint, Severity
from autopilot.model.planning.plan import Plan
from autopilot.planning.plan.files import plan_number
from autopilot.planning.roadmap.graph import find_cycle
from autopilot.planning.roadmap.phase_id import ID, normalise

_NAME = re.compile(
    rf"(?:.*/)?(?:[A-Z]{{1,6}}-)?(?:({ID})-)?(?:PLAN-)?([0-9]{{1,6}}[A-Za-z]?)(?:-PLAN)?(?:-[A-Za-z].*+)?(?:\.md)?\Z"
)


def order_findings(plans: Sequence[Plan]) -> Iterator[Complaint]:
    """A plan of another phase is that phase's business; an unknown name is not judged."""
    waits = {plan.path: _waits_for(plan, plans) for plan in plans}
    by_path = {plan.path: plan for plan in plans}
    if cycle := _first_cycle(waits):
        names = " -> ".join(PurePosixPath(path).name for path in cycle)
        where = by_path[cycle[0]]
        yield Complaint(where.path, where.depends_line, f"plans depend on each other: {names}", Severity.BLOCKER)
    for plan in plans:
        for name in _unknown(plan, plans):
            yield Complaint(plan.path, plan.depends_line, f"depends on {name}, which is no plan of this phase")


def _waits_for(plan: Plan, plans: Sequence[Plan]) -> set[str]:
    return {other.path for name in plan.depends_on for other in plans if _names(name, other, plan)}


def _names(name: str, other: Plan, by: Plan) -> bool:
    """Whether ``depends_on: name`` in ``by`` means ``other``. A bare number that is one's own means a phase."""
    found, number = _NAME.match(name.strip()), plan_number(other.path)
    if not found or not number or _plain(found[2]) != _plain(number):
        return False
    if found[1] is None:
        return other.path != by.path
    return _phase(other) in (None, normalise(found[1]))


def _unknown(plan: Plan, plans: Sequence[Plan]) -> Iterator[str]:
    for name in plan.depends_on:
        found = _NAME.match(name.strip())
        same_phase = found and found[1] and _phase(plan) == normalise(found[1])
        if same_phase and not any(_names(name, other, plan) for other in plans):
            yield name


def _phase(plan: Plan) -> str | None:
    found = _NAME.match(PurePosixPath(plan.path).name)
    return normalise(found[1]) if found and found[1] else None


def _plain(number: str) -> str:
    return number.lstrip("0").lower() or "0"


def _first_cycle(waits: Mapping[str, set[str]]) -> list[str]:
    done: set[str] = set()
    left = list(waits)
    while left:
        ready = [path for path in left if waits[path] <= done]
        if not ready:
            return find_cycle(waits, left)
        done |= set(ready)
        left = [path for path in left if path not in done]
    return []
