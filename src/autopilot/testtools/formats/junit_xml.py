"""JUnit XML, as many test tools write it, read case by case; what cannot be read is a problem, never an exception."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.parsers import expat

from msgspec import Struct

from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.testtools.formats.results import merged, shortened

LONGEST_TEXT = 4000
# Exceptions by which test tools say that an expectation was not met; every other one is an error inside the test.
_ASSERTION = re.compile(
    r"Assert|Expectation|ComparisonFailure|MultipleFailures|Minitest::Assertion|Failed\Z|ConditionNotSatisfied"
)
# Whether it stops a file or a test: what is missing is code, and no behaviour was looked at.
_LOADING = re.compile(
    r"ModuleNotFoundError|ImportError|SyntaxError|IndentationError|NoClassDefFoundError|ClassNotFoundException|LoadError"
    r"|ParseError\Z"
)
_ILLEGAL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")  # tools copy what a test printed; XML has no way to write it
_REASONS = ("failure", "error", "skipped", "rerunFailure", "flakyFailure")


class Case(Struct, frozen=True):
    """One ``<testcase>`` as it stands there."""

    name: str
    classname: str = ""
    file: str = ""
    suites: tuple[str, ...] = ()  # the names of the suites around it, outermost first
    reason: str = ""  # "failure", "error", "skipped"; "" for a passed one
    kind: str = ""  # the reason's ``type``: the name of an exception, mostly
    message: str = ""
    text: str = ""  # what stands inside the reason: a traceback, mostly
    seconds: float = 0.0

    @property
    def ended(self) -> Ended:
        if self.reason == "skipped":
            return Ended.XFAILED if "xfail" in self.kind else Ended.SKIPPED
        return Ended.FAILED if self.reason in {"failure", "error"} else Ended.PASSED


class Cases(Struct, frozen=True):
    cases: tuple[Case, ...] = ()
    problem: str = ""


def plain_id(case: Case) -> str:
    """``<file or class>::<name>``, as far as the report tells them."""
    return "::".join(part for part in (case.classname or case.file or " > ".join(case.suites), case.name) if part)


def by_kind(case: Case) -> By:
    """By the exception's name where there is one: not every tool keeps ``<failure>`` for assertions."""
    if _LOADING.search(case.kind):
        return By.LOADING
    if case.kind:
        return By.ASSERTION if _ASSERTION.search(case.kind) else By.ERROR
    return By.ASSERTION if case.reason == "failure" else By.ERROR


def read_junit(
    content: bytes,
    runner: str,
    *,
    id_of: Callable[[Case], str] = plain_id,
    by_of: Callable[[Case], By] = by_kind,
) -> TestReport:
    """The whole file as a report. Cases with the same id are one test, which ended as the worst of them."""
    read = read_cases(content)
    results = [
        TestResult(
            id_of(case),
            case.ended,
            by_of(case) if case.ended is Ended.FAILED else None,
            case.file,
            shortened(case.message or case.text),
            case.seconds,
        )
        for case in read.cases
    ]
    return TestReport(runner, Grade.REPORT, merged(results), read.problem)


def read_cases(content: bytes) -> Cases:
    """Every case of the file. A document type or an entity is refused: no test tool writes one."""
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.characters
    parser.StartDoctypeDeclHandler = reader.refuse
    parser.EntityDeclHandler = reader.refuse
    wide = content[:2] in {b"\xff\xfe", b"\xfe\xff"} or b"\x00" in content[:4]
    try:
        parser.Parse(content if wide else _ILLEGAL.sub(b"?", content), True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        return Cases(problem=f"the report is not readable: {shortened(str(error))}")
    return Cases(tuple(reader.cases))


class _Reader:
    """Handlers of the parser: it keeps cases, and of the rest only where it stands."""

    def __init__(self) -> None:
        self.cases: list[Case] = []
        self._open: list[str] = []
        self._suites: list[str] = []
        self._case: dict[str, str] | None = None
        self._reasons: list[tuple[str, dict[str, str], list[str]]] = []
        self._in_reason = False

    def refuse(self, *_: Any) -> None:
        raise ValueError("it declares a document type")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._open and name not in {"testsuites", "testsuite"}:
            raise ValueError(f"it starts with <{name}>, not with <testsuites>")
        self._open.append(name)
        if name == "testsuite":
            self._suites.append(attributes.get("name", ""))
        elif name == "testcase":
            self._case, self._reasons = attributes, []
        elif self._case is not None and name in _REASONS:
            self._reasons.append((name, attributes, []))
            self._in_reason = True

    def characters(self, text: str) -> None:
        if self._in_reason:
            self._reasons[-1][2].append(text)

    def end(self, name: str) -> None:
        self._open.pop()
        if name == "testsuite":
            self._suites.pop()
        elif name in _REASONS:
            self._in_reason = False
        elif name == "testcase" and self._case is not None:
            self.cases.append(self._finished(self._case))
            self._case = None

    def _finished(self, case: dict[str, str]) -> Case:
        """The gravest of several reasons counts: a test may fail and then fail in its teardown too."""
        gravest = sorted(self._reasons, key=lambda reason: _REASONS.index(reason[0]))[:1]
        name, attributes, texts = gravest[0] if gravest else ("", {}, [])
        return Case(
            case.get("name", ""),
            case.get("classname", "") or case.get("class", ""),
            case.get("file", ""),
            tuple(suite for suite in self._suites if suite),
            name if name in _REASONS[:3] else "",
            attributes.get("type", ""),
            attributes.get("message", ""),
            "".join(texts)[:LONGEST_TEXT],
            _number(case.get("time", "")),
        )


def _number(text: str) -> float:
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return 0.0
    return value if 0 <= value < 1e9 else 0.0  # neither infinite nor no number: both would not be JSON
