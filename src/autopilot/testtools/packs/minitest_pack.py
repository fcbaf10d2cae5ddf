"""Minitest, by a plugin of ours that it finds on Ruby's search path and that writes down every result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

import msgspec
from msgspec import Struct

from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.testtools.commands.wrapping import program, run, split_call, wrap
from autopilot.testtools.formats.results import merged, shortened
from autopilot.testtools.pack import REPORTS, Canary

ENDING = ".minitest"
# One file for each process, one line for each result, and a last line: without it the run did not come to its end.
PLUGIN = """\
require "json"
module Minitest
  def self.plugin_lines_init(_options)
    reporter << LinesReport.new
  end
  class LinesReport < AbstractReporter
    def initialize
      super
      @file = File.open("$REPORT-#{Process.pid}.minitest", "w")
    end
    def record(result)
      file, = result.respond_to?(:source_location) ? result.source_location : result.method(result.name).source_location
      failure = result.failures.first
      tell(class: result.respond_to?(:klass) ? result.klass : result.class.name, name: result.name,
        file: File.expand_path(file.to_s).delete_prefix(Dir.pwd + "/"), seconds: result.time,
        word: result.result_code, kind: failure && failure.error.class.name, message: failure && failure.message)
    end
    def report
      tell(end: true)
    end
    private def tell(line)
      @file.puts(JSON.generate(line.transform_values { |v| v.is_a?(String) ? v.scrub : v }))
      @file.flush
    end
  end
end
"""
_TEST_FILE = re.compile(r"(?:test_.+|.+_test)\.rb")
_NOT_LOADED = re.compile(r"^.*\((?:LoadError|SyntaxError|NameError)\).*$|^.*: syntax error.*$", re.MULTILINE)
_PLACE = re.compile(r"\Atest_\d{4}_")  # of an example among its group's: it moves when one is put before it
_CANARY = """\
require "minitest/autorun"

class AutopilotCanaryTest < Minitest::Test
  def test_autopilot_canary
    assert_equal 3, 1 + 1, "this test must fail"
  end
end
"""


class _Line(Struct, frozen=True, rename={"group": "class"}):
    group: str = ""
    name: str = ""
    file: str = ""
    seconds: float | None = 0.0
    word: str = ""
    kind: str | None = ""
    message: str | None = ""
    end: bool = False


class Minitest:
    name = "minitest"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        _, call = split_call(arguments)
        tool = program(arguments)
        if tool in {"rake", "rails"}:
            return any(word == "test" or word.startswith("test:") for word in call[1:])
        return tool == "ruby" and any(_TEST_FILE.fullmatch(PurePosixPath(word).name) for word in call[1:])

    def ask(self, arguments: Sequence[str], name: str) -> str:
        text = PLUGIN.replace("$REPORT", f"${REPORTS}/{name}")
        plugin = f'mkdir "$d"/minitest; printf %s \'{text}\' >"$d"/minitest/lines_plugin.rb'
        environment = 'export RUBYLIB="$d${RUBYLIB:+:$RUBYLIB}"'
        return wrap(arguments, f'd=$(mktemp -d); {plugin}; {environment}; {run()}; rm -r "$d"')

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:
        reports = [list(_lines(files[name])) for name in sorted(files) if name.endswith(ENDING)]
        results = merged(_result(line) for lines in reports for line in lines if not line.end)
        if reports and all(lines and lines[-1].end for lines in reports):
            return TestReport(self.name, self.grade, results)
        loading = tuple(dict.fromkeys(shortened(found[0]) for found in _NOT_LOADED.finditer(output)))[:20]
        if not reports and loading:
            return TestReport(self.name, self.grade, loading=loading)
        problem = "minitest exited before its report was complete" if reports else "minitest left no report"
        return TestReport(self.name, self.grade, results, problem)

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:  # noqa: ARG002
        return Canary("test/autopilot_canary_test.rb", _CANARY, "test_autopilot_canary")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        """Ruby takes one file, so the others are required before it."""
        before, call = split_call(arguments)
        tool = program(arguments)
        if tool == "rails":
            return [*before, call[0], "test", *paths]
        if tool == "rake":
            return [*before, call[0], "test", f"TEST={{{','.join(paths)}}}" if paths[1:] else f"TEST={paths[0]}"]
        options = [word for word in call[1:] if word.startswith("-") and word not in {"-n", "--name"}]
        return [*before, call[0], *options, *(f"-r./{path}" for path in paths[:-1]), *paths[-1:]]


def _lines(content: bytes) -> Iterator[_Line]:
    decoder = msgspec.json.Decoder(_Line)
    for line in content.splitlines():
        try:
            yield decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return


def _result(line: _Line) -> TestResult:
    ended = {".": Ended.PASSED, "S": Ended.SKIPPED}.get(line.word, Ended.FAILED)
    by = None
    if ended is Ended.FAILED:
        by = By.ASSERTION if line.word == "F" else By.ERROR
    seconds = line.seconds if line.seconds and 0 < line.seconds < 1e9 else 0.0
    name = f"{line.file}::{line.group}#{_PLACE.sub('', line.name)}"
    return TestResult(name, ended, by, line.file, shortened(line.message or ""), seconds)
