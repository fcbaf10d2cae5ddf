"""The one test an issue is about, in a run of tests: was it executed, and how did it end?"""

from __future__ import annotations

from collections.abc import Sequence

from autopilot.gates.evidence.test_id import file, settle, some
from autopilot.gates.issue.belonging import meets
from autopilot.gates.issue.coverage import is_executed
from autopilot.gates.issue.oracle import Ran
from autopilot.model.evidence.testing import Ended, TestReport, TestResult
from autopilot.model.issue.issue import SeedFinding


def results_of(test: str, report: TestReport | None) -> tuple[TestResult, ...]:
    """Its own result, or those of its cases. By its full name before all looser ways to name it."""
    if report is None or report.problem or not names_test(test):
        return ()
    exact = tuple(result for result in report.results if test in (result.id, settle(result.id)))
    return exact or tuple(result for result in report.results if meets(test, result, ""))


def names_test(test: str) -> bool:
    """A file is no test: any one in it could stand for another."""
    return bool(test.strip()) and file(test.strip()) != test.strip()


def how_ended(test: str, ran: Ran) -> Ended | None:
    """None: not known, for it was not executed, or not all of its cases were. One red case makes it red."""
    results = results_of(test, ran.report)
    if not results or not all(map(is_executed, results)):
        return None
    return Ended.FAILED if any(result.ended is Ended.FAILED for result in results) else Ended.PASSED


def is_in(test: str, report: TestReport | None, files: Sequence[str]) -> bool:
    """Whether it stands in one of these files, as far as its tool tells files."""
    known = {result.file or file(result.id) for result in results_of(test, report)} - {""}
    return known <= {path.removeprefix("./") for path in files}


def why_not_run(test: str, ran: Ran) -> SeedFinding:
    report = ran.report
    if report is None or report.problem:
        problem = report.problem if report else f"the command {ran.seen.seen.text} and reported no single test"
        return SeedFinding(test, f"it was not run: {problem}")
    skipped = [r for r in results_of(test, report) if r.ended in (Ended.SKIPPED, Ended.XFAILED)]
    if skipped:
        return SeedFinding(test, f"it was {skipped[0].ended.value}, not executed: make it run")
    if report.loading or results_of(test, report):
        reason = report.loading[0][:160] if report.loading else results_of(test, report)[0].message[:160]
        return SeedFinding(test, f"it could not be loaded ({reason}): import what is missing inside the test")
    ran_ids = some(result.id for result in report.results) or "no test"
    return SeedFinding(
        test, f"it was not run; use the name that the test tool reports, and make the command run it. It ran {ran_ids}"
    )
