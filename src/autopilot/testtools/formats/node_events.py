"""The events of Node's test runner as tests: which suites each stands in, and why it was red."""

from __future__ import annotations

import posixpath
import re
from typing import Any

from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.model.secrecy.cutting import cut_beginning
from autopilot.testtools.formats.json_report import number_of, read_lines, text_of
from autopilot.testtools.formats.results import numbered, shortened

RUNNER = "node:test"
NOT_LOADED = re.compile(
    r"SyntaxError|MODULE_NOT_FOUND|Cannot find (?:module|package)|ERR_UNKNOWN_FILE_EXTENSION|ERR_REQUIRE_ESM"
    r"|Could not find|does not provide an export"
)
_ASSERTION = re.compile(r"Assertion")
# Why older versions skip what the call does not select; newer ones do not speak of it.
_NOT_SELECTED = re.compile(r"test name (?:does not match|matches|matched) .*pattern|'only' option not set")


def read_node(content: bytes) -> TestReport:
    reading = _Reading()
    for event in read_lines(content):
        reading.take(event)
    problem = "" if reading.ended else "the report is incomplete: node exited before its tests finished"
    left_out = reading.not_selected if reading.selects else frozenset[int]()
    results = [result for place, result in enumerate(reading.results) if place not in left_out]
    return TestReport(RUNNER, Grade.REPORT, numbered(results), problem, tuple(reading.loading))


class _Reading:
    def __init__(self) -> None:
        self.results: list[TestResult] = []
        self.loading: list[str] = []
        self.ended = False
        self.selects = False  # the call chooses tests by their names
        self.not_selected: set[int] = set()  # places in the results
        self._open: dict[str, list[str]] = {}  # names from the outermost on, by file
        self._printed: dict[str, str] = {}  # what a file printed as errors

    def take(self, event: dict[str, Any]) -> None:
        kind, file = text_of(event, "type"), text_of(event, "file")
        if kind == "end":
            self.ended, self.selects = True, event.get("selects") is True
        elif kind == "stderr":
            self._printed[file] = cut_beginning(self._printed.get(file, "") + text_of(event, "message"), 4000)
        elif kind == "start":
            depth = _depth(event)
            self._open[file] = [*self._open.get(file, [])[:depth], text_of(event, "name")]
        elif kind in {"pass", "fail"}:
            self._end(event, file, kind == "pass")

    def _end(self, event: dict[str, Any], file: str, passed: bool) -> None:
        name = text_of(event, "name")
        by_children = text_of(event, "failure") == "subtestsFailed"
        if event.get("suite") is True and (passed or by_children):
            return  # its tests speak for themselves
        is_file = _depth(event) == 0 and _is_file(name, file)
        if is_file and not passed and NOT_LOADED.search(self._printed.get(file, "")):
            self.loading.append(f"{file}: {_loading_error(self._printed[file])}")
            return
        around = self._open.get(file, [])[: _depth(event)]
        path = file if is_file else " > ".join([file, *around, name])
        ended = _ended(event, passed)
        by = self._by(event, file, is_file) if ended is Ended.FAILED else None
        message = shortened(text_of(event, "message")) if not passed else ""
        if ended is Ended.SKIPPED and _NOT_SELECTED.fullmatch(text_of(event, "skip")):
            self.not_selected.add(len(self.results))
        self.results.append(TestResult(path, ended, by, file, message, number_of(event, "ms") / 1000))

    def _by(self, event: dict[str, Any], file: str, is_file: bool) -> By:
        if text_of(event, "failure") == "subtestsFailed":
            return By.UNKNOWN
        cause = f"{text_of(event, 'kind')} {text_of(event, 'code')}"
        if is_file:
            cause = self._printed.get(file, "")
        if _ASSERTION.search(cause) or "ERR_ASSERTION" in cause:
            return By.ASSERTION
        # A parser of the project's own may throw a SyntaxError: inside a test that is an error like any other.
        return By.LOADING if NOT_LOADED.search(text_of(event, "code")) else By.ERROR


def _ended(event: dict[str, Any], passed: bool) -> Ended:
    """What is yet to do may fail without harm, and passes without having a body."""
    if event.get("todo") not in (None, False):
        return Ended.SKIPPED if passed else Ended.XFAILED
    if event.get("skip") not in (None, False):
        return Ended.SKIPPED
    return Ended.PASSED if passed else Ended.FAILED


def _depth(event: dict[str, Any]) -> int:
    return min(int(number_of(event, "nesting")), 1000)


def _is_file(name: str, file: str) -> bool:
    """A file that is a test by itself, because it has none inside or ended before they did."""
    return bool(file) and (name == file or file.endswith(f"/{posixpath.normpath(name)}"))


def _loading_error(printed: str) -> str:
    lines = [line.strip() for line in printed.splitlines()]
    return shortened(next((line for line in lines if NOT_LOADED.search(line)), "could not be loaded"))
