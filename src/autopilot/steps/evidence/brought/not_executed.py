"""New tests that ask nothing because nothing is made of what they say: skipped, or expected to fail (layer R)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autopilot.gates.evidence.test_id import file, partners, without_parameters
from autopilot.gates.evidence.test_run import NOT_EXECUTED
from autopilot.model.evidence.observation import Observation, Seen
from autopilot.model.evidence.testing import Ended, TestResult
from autopilot.steps.context import StepContext
from autopilot.steps.evidence.base import base_of
from autopilot.steps.observing.test_reports import report_of

Placed = tuple[str, str]  # a file, and the id of a test in it


def list_not_executed(ctx: StepContext, seen: Sequence[Observation]) -> Iterator[Placed]:
    """Of a test with parameters, where none of its cases ran and passed."""
    results = [*_results(ctx, seen)]
    passed = {_test(result) for result in results if result.ended is Ended.PASSED}
    yield from dict.fromkeys(_test(r) for r in results if r.ended in NOT_EXECUTED and _test(r) not in passed)


def list_expected_failures(ctx: StepContext, seen: Sequence[Observation]) -> Iterator[Placed]:
    """Those that the base did not have: they ran, and failed as they say."""
    results = [result for result in _results(ctx, seen) if result.ended is Ended.XFAILED]
    old = [report for run in base_of(ctx).values() if (report := report_of(ctx, run))] if results else []
    known = partners([r.id for r in results], [id for report in old for id in report.of(*Ended)])
    yield from dict.fromkeys(_test(result) for result in results if result.id not in known)


def _results(ctx: StepContext, seen: Sequence[Observation]) -> Iterator[TestResult]:
    reports = [report for run in seen if run.seen is Seen.PASSED and (report := report_of(ctx, run))]
    yield from (result for report in reports for result in report.results)


def _test(result: TestResult) -> Placed:
    id = without_parameters(result.id) if result.id.endswith("]") else result.id
    return (result.file or file(result.id)).removeprefix("./"), id
