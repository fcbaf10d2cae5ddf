"""Reports of test runs, spelled in one line: ``report("ok a", "red b", "err c", "skip d")``."""

from __future__ import annotations

from typing import Any

from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult

WORDS = {
    "ok": (Ended.PASSED, None),
    "red": (Ended.FAILED, By.ASSERTION),
    "err": (Ended.FAILED, By.ERROR),
    "load": (Ended.FAILED, By.LOADING),
    "huh": (Ended.FAILED, By.UNKNOWN),
    "skip": (Ended.SKIPPED, None),
    "xfail": (Ended.XFAILED, None),
}


def result(line: str) -> TestResult:
    """``word id``, with ``| message`` behind it where one is asked for."""
    word, _, rest = line.partition(" ")
    id, _, message = rest.partition(" | ")
    ended, by = WORDS[word]
    return TestResult(id, ended, by, message=message)


def report(*lines: str, **more: Any) -> TestReport:
    return TestReport("pytest", more.pop("grade", Grade.REPORT), tuple(result(line) for line in lines), **more)
