"""Does the product do the same in its other builds? Tests that hold in the plain one alone were written around it."""

from __future__ import annotations

from autopilot.gates.evidence.sabotage import Trial, is_usable, speaks_of_behaviour
from autopilot.gates.evidence.test_id import some
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import By, Ended, TestReport


def judge_other_build(subject: str, green: TestReport, trial: Trial, *, certain: bool) -> tuple[Objection, ...]:
    """``trial``: the same command in that build. What does not build there, or needs what is not here, says nothing.

    ``certain``: the build is one of the same product, in which the same tests have to hold.
    """
    if trial.seen is not Seen.FAILED or trial.report is None or not is_usable(trial.report):
        return ()
    passed, known = green.of(Ended.PASSED), green.of(*Ended)
    failed = [result for result in trial.report.results if result.ended is Ended.FAILED]
    otherwise = sorted(r.id for r in failed if r.id in passed and speaks_of_behaviour(r))
    unrun = sorted(r.id for r in failed if r.id not in known and r.by is By.ASSERTION)
    if not otherwise and not unrun:
        return ()
    build = trial.change
    description = f"it holds in the plain build alone: with the {build} these fail: {some(otherwise)}"
    if not otherwise:
        description = f"no command runs these tests, and with the {build}, which they need, they fail: {some(unrun)}"
    satisfy = f"let the product do the same with the {build}, and run the tests that need it"
    weight = Weight.REFUSE if certain else Weight.FLAG
    return (Objection(Layer.HELD_OUT, subject, description, (otherwise or unrun)[0], satisfy, weight),)
