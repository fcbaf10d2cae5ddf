"""The JSON of Jest, which Vitest writes too: files, and in each the tests as they ended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.testtools.formats.json_report import number_of, objects_of, read_object, text_of, texts_of
from autopilot.testtools.formats.results import numbered, shortened

_ENDS = {
    "passed": Ended.PASSED,
    "failed": Ended.FAILED,
    "pending": Ended.SKIPPED,
    "skipped": Ended.SKIPPED,
    "disabled": Ended.SKIPPED,
    "todo": Ended.SKIPPED,
}
_COLOURS = re.compile(r"\x1b\[[\d;]*m")
_ASSERTION = re.compile(
    r"(?:\w*Error: )?expect\(|AssertionError|\w*AssertionError\b|assert\b|(?:Error: )?expected ", re.I
)
_NOT_LOADED = re.compile(
    r"Cannot find (?:module|package)|Failed to (?:load|resolve)|Unexpected token|Jest failed to parse"
)


def read_jest(content: bytes, runner: str) -> TestReport:
    report = read_object(content)
    if report is None or not isinstance(report.get("testResults"), list):
        return TestReport(runner, Grade.REPORT, problem=f"the report of {runner} is not readable")
    results, loading = list[TestResult](), list[str]()
    for file in objects_of(report, "testResults"):
        tests = list(_tests(file))
        results += tests
        red = any(test.ended is Ended.FAILED for test in tests)
        if text_of(file, "status") == "failed" and not red:
            loading.append(f"{text_of(file, 'name')}: {_first_line(text_of(file, 'message'))}")
    return TestReport(runner, Grade.REPORT, numbered(results), "", tuple(loading))


def _tests(file: dict[str, Any]) -> Iterator[TestResult]:
    path = text_of(file, "name")
    for test in objects_of(file, "assertionResults"):
        ended = _ENDS.get(text_of(test, "status"))
        if ended is None:
            continue
        if ended is Ended.PASSED and test.get("failing") is True:
            ended = Ended.XFAILED
        name = " > ".join([path, *texts_of(test, "ancestorTitles"), text_of(test, "title")])
        message = _COLOURS.sub("", (texts_of(test, "failureMessages") or [""])[0])
        by = _by(test, message) if ended is Ended.FAILED else None
        excerpt = shortened(message.split("\n    at ")[0]) if ended is Ended.FAILED else ""
        yield TestResult(name, ended, by, path, excerpt, number_of(test, "duration") / 1000)


def _by(test: dict[str, Any], message: str) -> By:
    """A matcher that did not match tells so itself; for the rest the message's first words have to do."""
    if any("matcherResult" in detail for detail in objects_of(test, "failureDetails")) or _ASSERTION.match(message):
        return By.ASSERTION
    return By.LOADING if _NOT_LOADED.search(message.split("\n")[0]) else By.ERROR


def _first_line(message: str) -> str:
    lines = [line.strip() for line in _COLOURS.sub("", message).splitlines()]
    shown = [line for line in lines if line and not line.startswith("●")]
    return shortened(shown[0]) if shown else "could not be loaded"
