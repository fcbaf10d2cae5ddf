"""What a run of tests came to, test by test, as the test tool itself wrote it down."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from autopilot.model.stored_text import StoredText


class Grade(StrEnum):
    """What a statement about single tests rests on."""

    REPORT = "report"  # a machine-readable report of the tool
    TEXT = "text"  # what the tool prints for people, read by rule: its words may change with its version
    EXIT = "exit"  # nothing but the exit status: no test is known by name


class Ended(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    XFAILED = "expected to fail"


class By(StrEnum):
    """Why a test, or a whole run, was red. Only an assertion speaks of behaviour that is wrong."""

    ASSERTION = "assertion"
    ERROR = "error"  # an exception inside the test, not from an assertion
    LOADING = "loading"  # import, syntax, collection, compile: no test was run at all
    ABSENT = "absent"  # what the command names is not there
    UNKNOWN = "unknown"  # no report tells


class TestResult(Struct, frozen=True):
    id: str  # as the tool names it, with its file where the tool says it: "tests/test_a.py::test_b[1]"
    ended: Ended
    by: By | None = None  # of a failed one
    file: str = ""  # relative to the project, where it is known
    message: str = ""  # the first 200 characters
    seconds: float = 0.0

    __test__ = False  # no test class, whatever pytest thinks of the name


class TestReport(Struct, frozen=True):
    """Every test that a command ran, by all the tools it called."""

    runner: str  # "pytest", "go test", "pytest, node:test"
    grade: Grade
    results: tuple[TestResult, ...] = ()
    problem: str = ""  # why the report cannot be used: missing, cut off, not readable
    loading: tuple[str, ...] = ()  # what could not be loaded, one line each

    __test__ = False

    def of(self, *ends: Ended) -> frozenset[str]:
        return frozenset(result.id for result in self.results if result.ended in ends)


class Tally(Struct, frozen=True):
    """A report in one line, for the record; the whole lies in a blob."""

    runner: str
    grade: Grade
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    xfailed: int = 0
    by: By | None = None  # of what was red, the word that says most: an assertion before all others
    report: StoredText = ""  # the whole TestReport
    problem: str = ""

    @property
    def ran(self) -> int:
        return self.passed + self.failed + self.xfailed

    @property
    def is_empty(self) -> bool:
        """Whether the tool itself says that it found no test to run."""
        return not self.ran and not self.problem and self.by is None and self.grade is not Grade.EXIT

    @property
    def in_words(self) -> str:
        rest = ((self.skipped, "skipped"), (self.xfailed, "expected to fail"))
        return ", ".join(
            (f"{self.passed} passed", f"{self.failed} failed", *(f"{count} {word}" for count, word in rest if count))
        )


def tally(report: TestReport, digest: str = "") -> Tally:
    count = {end: len(report.of(end)) for end in Ended}
    return Tally(
        report.runner,
        report.grade,
        count[Ended.PASSED],
        count[Ended.FAILED],
        count[Ended.SKIPPED],
        count[Ended.XFAILED],
        red_by(report),
        digest,
        report.problem,
    )


def red_by(report: TestReport) -> By | None:
    """None for what was not red."""
    reasons = {result.by or By.UNKNOWN for result in report.results if result.ended is Ended.FAILED}
    if report.loading:
        reasons.add(By.LOADING)
    return next((by for by in By if by in reasons), None)
