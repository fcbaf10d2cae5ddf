"""Results that any command prints for each test: TAP, or lines of ``PASS: adds`` and ``FAIL: subtracts``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.testtools.formats.results import merged, numbered
from autopilot.testtools.formats.tap import LONGEST_LINE, Tap, doubt, read_tap, result_of

RUNNER = "printed lines"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_WORD = re.compile(r"[ \t]{0,20}(PASS|FAIL|SKIP|XFAIL)[ \t]*:[ \t]*+(?=.*[A-Za-z])(\S.*)")  # "FAIL: 0" counts
_ENDS = {
    "PASS": Ended.PASSED,
    "FAIL": Ended.FAILED,
    "SKIP": Ended.SKIPPED,
    "XFAIL": Ended.XFAILED,
}


def read_printed(output: str) -> TestReport | None:
    """None where it finds neither. A test that is printed as passed and as failed has failed."""
    lines = [line.rstrip() for line in _COLOUR.sub("", output).split("\n")]
    tap = _surely(read_tap(lines))
    worded = list(_worded(lines))
    points = numbered(result_of(point) for point in tap.points)
    has_results = any(result.ended in (Ended.PASSED, Ended.FAILED) for result in worded)
    if not points and not tap.plans and not tap.bailed and not has_results:
        return None
    return TestReport(RUNNER, Grade.TEXT, merged([*points, *worded]), doubt(tap))


def _surely(tap: Tap) -> Tap:
    """In the output of anything "ok then" is no result: it takes a number or a dash."""
    points = tuple(point for point in tap.points if point.number is not None or point.dashed)
    if not points:
        return Tap((), tap.plans if len(tap.plans) == 1 and tap.plans[0] == 0 else (), tap.bailed)
    return replace(tap, points=points)


def _worded(lines: Sequence[str]) -> Iterator[TestResult]:
    for line in lines:
        if found := _WORD.fullmatch(line[:LONGEST_LINE]):
            ended = _ENDS[found[1]]
            yield TestResult(found[2].strip(), ended, By.ASSERTION if ended is Ended.FAILED else None)
