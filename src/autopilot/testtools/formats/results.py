"""Test results brought together: of one test, of one call, of one command."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from autopilot.model.evidence.testing import Ended, Grade, TestReport, TestResult
from autopilot.model.secrecy.cutting import cut_end
from autopilot.model.secrecy.terminal import strip_controls

LONGEST_MESSAGE = 200
_GRAVEST = (Ended.FAILED, Ended.XFAILED, Ended.SKIPPED, Ended.PASSED)
_WEAKEST = (Grade.EXIT, Grade.TEXT, Grade.REPORT)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


def joined(reports: Sequence[TestReport]) -> TestReport:
    """Several reports as one: as weak as the weakest, and with a problem where any of them has one."""
    return TestReport(
        ", ".join(dict.fromkeys(report.runner for report in reports)),
        min((report.grade for report in reports), key=_WEAKEST.index, default=Grade.EXIT),
        merged([result for report in reports for result in report.results]),
        "; ".join(dict.fromkeys(report.problem for report in reports if report.problem)),
        tuple(dict.fromkeys(line for report in reports for line in report.loading)),
    )


def merged(results: Iterable[TestResult]) -> tuple[TestResult, ...]:
    """One result for each id, the gravest of those it has: a test that passed and failed has failed."""
    found: dict[str, TestResult] = {}
    for result in results:
        known = found.get(result.id)
        if known is None or _GRAVEST.index(result.ended) < _GRAVEST.index(known.ended):
            found[result.id] = result
    return tuple(found.values())


def numbered(results: Iterable[TestResult]) -> tuple[TestResult, ...]:
    """For tools that let several tests have one name: the second is ``… (2)``, so that none is lost among them."""
    seen: Counter[str] = Counter()
    unique: list[TestResult] = []
    for result in results:
        seen[result.id] += 1
        count = seen[result.id]
        unique.append(result if count == 1 else replace(result, id=f"{result.id} ({count})"))
    return tuple(unique)


def shortened(text: str) -> str:
    """The first characters of a message, without those that no terminal and no JSON should get."""
    plain = _CONTROLS.sub("", strip_controls(cut_end(text.strip(), 4 * LONGEST_MESSAGE)))
    return cut_end(plain, LONGEST_MESSAGE).strip()
