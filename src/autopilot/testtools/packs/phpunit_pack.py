"""PHPUnit, by its JUnit log."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from autopilot.model.evidence.testing import Ended, Grade, TestReport, TestResult
from autopilot.testtools.commands.wrapping import ending_in, report_path, run, split_call, wrap
from autopilot.testtools.formats.junit_xml import plain_id, read_cases, read_junit
from autopilot.testtools.formats.results import shortened
from autopilot.testtools.pack import Canary
from autopilot.text.commands.options import settings
from autopilot.text.commands.wrappers import program

_PROGRAMS = frozenset({"phpunit", "phpunit.phar", "simple-phpunit", "paratest"})
_RUNS_NOTHING = re.compile(r"--(?:list-\S+|help|version|check-version|\w+-configuration)|-h")
_FATAL = re.compile(
    r"(?:Parse|Fatal) error: .{1,400}|Cannot open file .{1,400}|(?:Test file|Class) .{1,400} not (?:be )?found"
)
_RISKY = "RiskyTestError"
# fmt: off
_SELECTS = frozenset({
    "--filter", "--group", "--exclude-group", "--testsuite", "--exclude-testsuite", "--covers", "--uses",
    "--test-suffix",
})
_WITH_WORD = _SELECTS | {
    "-c", "--configuration", "--bootstrap", "-d", "--cache-result-file", "--cache-directory", "--columns", "--printer",
    "--include-path", "--order-by", "--random-order-seed", "--log-junit", "--log-teamcity", "--testdox-text",
    "--testdox-html", "--testdox-xml", "--coverage-clover", "--coverage-cobertura", "--coverage-html", "--coverage-php",
    "--coverage-xml", "--coverage-crap4j", "--coverage-filter", "--extension",
}
# fmt: on
_CANARY = """\
<?php

final class AutopilotCanaryTest extends \\PHPUnit\\Framework\\TestCase
{
    public function testAutopilotCanary(): void
    {
        $this->assertSame(3, 1 + 1, 'this test must fail');
    }
}
"""


class PhpUnit:
    name = "PHPUnit"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        _, call = split_call(arguments)
        return _tool_at(call) >= 0 and not any(map(_RUNS_NOTHING.fullmatch, call))

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """It keeps one log only: where the call asks for one, that one is copied."""
        report = report_path(name, ".xml")
        own = shlex.quote(_own_log(split_call(arguments)[1]))
        if own == "''":
            return wrap(arguments, f'set -- "$@" --log-junit {report}; {run()}')
        return wrap(arguments, f"rm -f -- {own}; {run()}; cp -- {own} {report} 2>/dev/null")

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:
        content = ending_in(files, ".xml")
        if not content:  # it makes the file when it begins and fills it when it ends
            loading = tuple(dict.fromkeys(shortened(found[0]) for found in _FATAL.finditer(output)))[:20]
            problem = "" if loading else "PHPUnit left no report, or exited before it wrote one"
            return TestReport(self.name, self.grade, problem=problem, loading=loading)
        report = read_junit(content, self.name)
        risky = {plain_id(case) for case in read_cases(content).cases if _RISKY in case.kind}
        return replace(report, results=tuple(_unproven(r) if r.id in risky else r for r in report.results))

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:
        """In the folder of a test that is there, nearest to what the call names."""
        folders = [PurePosixPath(path).parent for path in paths if path.endswith("Test.php")]
        named = [folder for folder in folders if any(folder.is_relative_to(word) for word in arguments)]
        folder = min(named or folders, key=lambda place: (len(place.parts), str(place)), default=PurePosixPath("tests"))
        return Canary(str(folder / "AutopilotCanaryTest.php"), _CANARY, "testAutopilotCanary")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        """It takes one path before version 10: the last."""
        before, call = split_call(arguments)
        tool = _tool_at(call)
        return [*before, *call[: tool + 1], *settings(call[tool + 1 :], _WITH_WORD, _SELECTS), *paths[-1:]]


def _tool_at(call: Sequence[str]) -> int:
    """``vendor/bin/phpunit``, or the same file given to ``php``; -1 where it is none."""
    arguments = call if call and program(call[0]) == "php" else call[:1]
    return next((place for place, word in enumerate(arguments) if program(word) in _PROGRAMS), -1)


def _own_log(call: Sequence[str]) -> str:
    for place, word in enumerate(call):
        if word == "--log-junit":
            return call[place + 1] if call[place + 1 :] else ""
        if word.startswith("--log-junit="):
            return word.partition("=")[2]
    return ""


def _unproven(result: TestResult) -> TestResult:
    """A risky test checked nothing. Version 9 calls that an error in its log and exits 0 all the same."""
    return replace(result, ended=Ended.SKIPPED, by=None, message=shortened(f"risky: {result.message}"))
