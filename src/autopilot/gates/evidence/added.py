"""Tests were added to a file that no task lists: what was there must hold without them."""

from __future__ import annotations

from autopilot.gates.evidence.sabotage import Trial, is_usable
from autopilot.gates.evidence.test_id import partners, some
from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import Ended, TestReport

SATISFY = "make the code pass these tests with nothing added to their files"


def judge_added(subject: str, now: TestReport, without: Trial) -> tuple[Objection, ...]:
    """``now``: the run with what was added. ``without``: the same with these files as the plan knew them.

    An addition that repairs the product, in its own body or by what it imports, is seen here whatever it does.
    """
    if without.seen is Seen.NOTHING:
        description = f"with {without.change} it could not be run"
        return (Objection(Layer.RUN, subject, description, without.change, weight=Weight.OURS),)
    if without.seen is Seen.PASSED:
        return ()
    if without.report is None or not is_usable(without.report):
        description = f"with {without.change} the command fails"
        return (Objection(Layer.RUN, subject, description, satisfy=SATISFY),)
    passed = now.of(Ended.PASSED) - now.of(Ended.FAILED)
    red = {*partners(sorted(passed), sorted(without.report.of(Ended.FAILED)))}
    red |= {*without.report.loading} - {*now.loading}
    if not red:
        return ()
    description = f"red without the tests that were added to their files: {some(red)}"
    return (Objection(Layer.RUN, subject, description, min(red), SATISFY),)
