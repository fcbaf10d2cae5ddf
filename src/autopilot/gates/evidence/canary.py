"""The canary: a test that must fail. A tool that lets it live says nothing by its green."""

from __future__ import annotations

from autopilot.model.evidence.objection import Layer, Objection, Weight
from autopilot.model.evidence.observation import Seen
from autopilot.model.evidence.testing import By, Ended, TestReport

SATISFY = "configure the test tool to run every test and to report every failure"


def judge_canary(
    subject: str, name: str, seen: Seen, exit_code: int | None, report: TestReport | None
) -> tuple[Objection, ...]:
    """``name`` is the part of a test id by which a report shows the canary."""
    if seen is Seen.NOTHING:
        return (Objection(Layer.RUN, subject, "the canary could not be run", name, weight=Weight.OURS),)
    results = [result for result in report.results if name in result.id] if report else []
    lived = next((result.ended.value for result in results if result.ended is not Ended.FAILED), "")
    if lived:
        return (Objection(Layer.RUN, subject, f"a test that must fail was reported as {lived}", name, SATISFY),)
    if seen is Seen.PASSED or exit_code == 0:
        return (Objection(Layer.RUN, subject, "a test that must fail left the run green", name, SATISFY),)
    if any(result.by not in (By.LOADING, By.ABSENT) for result in results):
        return ()
    why = "it timed out" if seen is Seen.TIMED_OUT else "the run failed without it"
    return (Objection(Layer.RUN, subject, f"the canary could not be placed: {why}", name, weight=Weight.FLAG),)
