"""RSpec, by its JSON formatter."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

import msgspec
from msgspec import Struct, field

from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.testtools.commands.wrapping import ending_in, program, report_path, run, split_call, wrap
from autopilot.testtools.formats.results import numbered, shortened
from autopilot.testtools.pack import Canary
from autopilot.text.commands.options import settings

_RUNS_NOTHING = frozenset({"--dry-run", "--help", "-h", "--version", "-v", "--init", "--bisect"})
_FORMAT = re.compile(r"-f\w*|--format(?:=.*)?")
# fmt: off
_SELECTS = frozenset({
    "-e", "--example", "-E", "--example-matches", "-t", "--tag", "-P", "--pattern", "--exclude-pattern",
    "--only-failures", "--next-failure", "-n",
})
_WITH_WORD = _SELECTS - {"--only-failures", "--next-failure", "-n"} | {
    "-I", "-r", "--require", "-O", "--options", "-f", "--format", "-o", "--out", "--order", "--seed", "--default-path",
    "--failure-exit-code", "--error-exit-code", "--deprecation-out", "--drb-port",
}
# fmt: on
_ASSERTION = re.compile(r"Expectations?NotMetError|MockExpectationError|Assert|PendingExampleFixed")
_LOADING = re.compile(r"LoadError|SyntaxError")
_CANARY = """\
RSpec.describe "Autopilot canary" do
  it "must fail" do
    expect(1 + 1).to eq(3)
  end
end
"""


class _Exception(Struct, frozen=True):
    kind: str = field(default="", name="class")
    message: str | None = ""


class _Example(Struct, frozen=True):
    full_description: str = ""
    status: str | None = ""
    file_path: str = ""
    run_time: float | None = 0.0
    pending_message: str | None = ""
    exception: _Exception | None = None


class _Summary(Struct, frozen=True):
    errors_outside_of_examples_count: int = 0


class _Report(Struct, frozen=True):
    examples: tuple[_Example, ...]
    summary: _Summary
    messages: tuple[str, ...] = ()


class RSpec:
    name = "RSpec"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        _, call = split_call(arguments)
        is_task = program(arguments) == "rake" and "spec" in call[1:]
        return is_task or (program(arguments) == "rspec" and not _RUNS_NOTHING.intersection(call))

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """Another format has to be named with it, or nothing would be printed any more."""
        _, call = split_call(arguments)
        report = report_path(name, ".json")
        shown = "" if any(map(_FORMAT.fullmatch, call)) else "--format progress"
        if program(arguments) == "rake":
            options = f'"--format json --out "{report}" {shown} $SPEC_OPTS"'
            return wrap(arguments, f"export SPEC_OPTS={options}; {run()}")
        added = f'tool=$1; shift; set -- "$tool" --format json --out {report} {shown} "$@"'
        return wrap(arguments, f"{added}; {run()}")

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:  # noqa: ARG002
        content = ending_in(files, ".json")
        if not content:
            return TestReport(self.name, self.grade, problem="RSpec left no report")
        try:
            report = msgspec.json.decode(content, type=_Report)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return TestReport(self.name, self.grade, problem=f"the report is not readable: {shortened(str(error))}")
        results = numbered(_result(example) for example in report.examples)
        outside = report.summary.errors_outside_of_examples_count
        messages = [shortened(message) for message in report.messages if "error occurred" in message]
        loading = tuple(messages) or (("an error outside of any example",) if outside else ())
        return TestReport(self.name, self.grade, results, loading=loading[:20] if outside else ())

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:  # noqa: ARG002
        return Canary("spec/autopilot_canary_spec.rb", _CANARY, "Autopilot canary must fail")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        before, call = split_call(arguments)
        if program(arguments) == "rake":
            return [*before, "rspec", *paths]
        return [*before, call[0], *settings(call[1:], _WITH_WORD, _SELECTS), *paths]


def _result(example: _Example) -> TestResult:
    """One without a status was cut short, by ``exit`` mostly; the whole still ends as if nothing had been."""
    file = str(PurePosixPath(example.file_path))
    ended = {"passed": Ended.PASSED, "pending": Ended.SKIPPED}.get(example.status or "", Ended.FAILED)
    raised = example.exception or _Exception()
    by = _reason(raised.kind) if ended is Ended.FAILED else None
    message = (raised.message or "the example did not finish") if by else example.pending_message or ""
    seconds = example.run_time if example.run_time and 0 < example.run_time < 1e9 else 0.0
    return TestResult(f"{file}::{example.full_description}", ended, by, file, shortened(message), seconds)


def _reason(kind: str) -> By:
    if _LOADING.search(kind):
        return By.LOADING
    return By.ASSERTION if _ASSERTION.search(kind) else By.ERROR
