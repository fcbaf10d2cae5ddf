"""Objections of a plan checker to a user's own plan: which have a rule or an observed fact behind them.

A plan of ours goes back to its planner for whatever its checker says. A user's plan is not rewritten, so what a checker
merely thinks of it is noted and stops nothing; what a rule or an observation says as well asks for a supplement.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from autopilot.model.assessment import PlanCheck, PlanIssue

BLOCKER = "blocker"


class Ground(Struct, frozen=True):
    """What a rule or an observation says of a task, a criterion or a promise of the roadmap."""

    about: str  # its id
    because: str


class Objections(Struct, frozen=True):
    founded: tuple[str, ...]
    opinions: tuple[str, ...]


def sort_objections(check: PlanCheck, minimum: float, grounds: Sequence[Ground]) -> Objections:
    """By what the checker says that it is about; an objection to the plan as a whole has nothing behind it."""
    founded, opinions = list[str](), list[str]()
    for issue in (issue for issue in check.issues if issue.severity == BLOCKER):
        ground = next((g for g in grounds if _belong_together(issue.about.strip(), g.about)), None)
        if ground is None:
            opinions.append(describe_issue(issue))
        else:
            founded.append(f"{describe_issue(issue)}; {ground.because}")
    if not founded and not opinions and (not check.passed or check.confidence < minimum):
        opinions.append(describe_doubt(check))
    return Objections(tuple(founded), tuple(opinions))


def describe_issue(issue: PlanIssue) -> str:
    return f"{issue.description} ({issue.fix_hint})"


def describe_doubt(check: PlanCheck) -> str:
    return f"the checker's confidence is {check.confidence:g}/10"


def _belong_together(first: str, second: str) -> bool:
    """The same, or a task and one of its criteria ("01-01", "01-01.c2")."""
    return bool(first) and (first == second or first.startswith(f"{second}.") or second.startswith(f"{first}."))
