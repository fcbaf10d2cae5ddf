"""Does the product do the same where its user is? What holds in these surroundings alone was written for them."""

from __future__ import annotations

from autopilot.gates.evidence.sabotage import Trial, is_usable, speaks_of_behaviour
from autopilot.gates.evidence.test_id import some
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import By, Ended, TestReport


def red_elsewhere(green: TestReport | None, trial: Trial) -> frozenset[str] | None:
    """The tests that fail there by what they assert, all of a command without a report being one test without a name;
    None where nothing follows: it passes, or could not be run there as it is run here."""
    if trial.seen is not Seen.FAILED:
        return None
    if green is None:
        return frozenset() if trial.report is None else None
    if not is_usable(green) or trial.report is None or not is_usable(trial.report):
        return None
    passed = green.of(Ended.PASSED)
    red = frozenset(r.id for r in trial.report.results if r.ended is Ended.FAILED and r.id in passed)
    asserted = [r for r in trial.report.results if r.id in red and (speaks_of_behaviour(r) or r.by is By.UNKNOWN)]
    return red if asserted else None


def judge_other_surroundings(
    subject: str, place: str, tests: frozenset[str], otherwise: str, *, certain: bool
) -> tuple[Objection, ...]:
    """``otherwise``: what was otherwise while ``tests`` failed, twice. ``place``: the new code that asks for it.

    ``certain``: neither the failing tests nor the user's words nor tests that were there rest on it as well.
    """
    named = f" these fail: {some(sorted(tests))}" if tests else " it fails"
    description = f"it holds in the surroundings of this check alone: with {otherwise}{named}"
    satisfy = "let the product do what its tests ask for wherever it runs, or say in the plan that this may matter"
    weight = Weight.REFUSE if certain else Weight.FLAG
    return (Objection(Layer.HELD_OUT, subject, description, place, satisfy, weight),)
