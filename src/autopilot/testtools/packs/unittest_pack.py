"""unittest, which writes no report of its own: it is run with a result class that records every test as it ends."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from itertools import pairwise
from typing import Any

from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.testtools.commands.wrapping import ending_in
from autopilot.testtools.formats.json_report import read_lines, text_of
from autopilot.testtools.formats.results import merged, shortened
from autopilot.testtools.pack import REPORTS, Canary
from autopilot.testtools.packs.python_arguments import folder_for, is_python, module_at
from autopilot.text.commands.options import selection, settings

_NO_RUN = frozenset({"-h", "--help"})
_VALUED = frozenset({"-k", "-s", "--start-directory", "-p", "--pattern", "-t", "--top-level-directory", "--durations"})
_ENDS = {
    "pass": Ended.PASSED,
    "skip": Ended.SKIPPED,
    "xfail": Ended.XFAILED,
    "fail": Ended.FAILED,
    "error": Ended.FAILED,
}
_NOT_LOADED = frozenset({"ModuleNotFoundError", "ImportError", "SyntaxError", "IndentationError", "TabError"})
_CANARY = """\
import unittest


class AutopilotCanary(unittest.TestCase):
    def test_autopilot_canary(self):
        self.fail("this test must fail")
"""

# Runs in the project's own Python, 3.8 or newer, in the place of `-m unittest`: same loader, same runner, same status.
# Lines go out one by one, and the last says that it is the last: a process that ends before its time is seen.
RUNNER = """\
import json, os, sys, unittest
from unittest import runner
out = os.open(sys.argv.pop(1), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
sys.argv[0] = os.path.basename(sys.executable) + " -m unittest"
sys.path[:1] = [os.getcwd() if sys.path[0] == "" else sys.path[0]]
def say(**line):
    os.write(out, (json.dumps(line) + chr(10)).encode())
def note(test, ended, error=None, why=""):
    kind = error[0].__name__ if error else ""
    module = sys.modules.get(type(test).__module__)
    loaded = type(test).__name__ not in ("_FailedTest", "ModuleImportFailure")
    file = loaded and getattr(module, "__file__", None)
    name = test.id() if loaded else test.id().split("_FailedTest.")[-1]
    why = str(error[1]) if error else why
    why = why if len(why) <= 4000 else why[-4000:].partition(chr(10))[2]
    path = os.path.relpath(file) if file else ""
    say(id=name, ended=ended, kind=kind, why=why, file=path, loaded=loaded)
class Result(runner.TextTestResult):
    def addSuccess(self, test):
        super().addSuccess(test); note(test, "pass")
    def addFailure(self, test, err):
        super().addFailure(test, err); note(test, "fail", err)
    def addError(self, test, err):
        super().addError(test, err); note(test, "error", err)
    def addSkip(self, test, reason):
        super().addSkip(test, reason); note(test, "skip", why=str(reason))
    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err); note(test, "xfail", err)
    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test); note(test, "fail", why="unexpected success")
    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err: note(test, "fail" if issubclass(err[0], test.failureException) else "error", err)
    def stopTestRun(self):
        super().stopTestRun(); say(end=True)
runner.TextTestRunner.resultclass = Result
try:
    unittest.main(module=None)
except Exception as error:
    say(stopped=type(error).__name__ + ": " + str(error)); raise
"""


class Unittest:
    name = "unittest"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        place = module_at(arguments)
        called = (
            place is not None
            and is_python(arguments[0])
            and arguments[place] == "unittest"
            and arguments[place - 2] != "run"
        )
        return called and "coverage" not in arguments[:place] and not _NO_RUN.intersection(arguments[place:])

    def ask(self, arguments: Sequence[str], name: str) -> str:
        place = module_at(arguments) or 0
        before, behind = [*arguments[: place - 1], "-c"], arguments[place + 1 :]
        report = f'"${REPORTS}"/{name}.jsonl'
        return " ".join([*map(shlex.quote, before), shlex.quote(RUNNER), report, *map(shlex.quote, behind)])

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:  # noqa: ARG002
        content = ending_in(files, ".jsonl")
        if content is None:
            return TestReport(self.name, self.grade, problem="unittest left no report")
        return read_unittest(content)

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:
        """Where a search begins it finds the canary too, whether or not the folders below are packages."""
        behind = arguments[(module_at(arguments) or 0) + 1 :]
        folder = _search_start(behind)
        if folder is None:
            folder = folder_for(paths, [_as_path(name, paths) for name in selection(behind, _VALUED)])
        return Canary(
            posixpath.normpath(posixpath.join(folder, "test_autopilot_canary.py")), _CANARY, "AutopilotCanary"
        )

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        place = (module_at(arguments) or 0) + 1
        behind = arguments[place:]
        if _search_start(behind) is None:
            return [*arguments[:place], *settings(behind, _VALUED, frozenset({"-k"})), *paths]
        kept = settings(behind, _VALUED, frozenset({"-k", "-p", "--pattern", "-s", "--start-directory"}))
        start = ["-s", _search_start(behind) or "."]
        return [*arguments[:place], "discover", *kept, *start, "-p", _one_pattern(behind, paths)]


def _one_pattern(behind: Sequence[str], paths: Sequence[str]) -> str:
    """A search knows one pattern. Several are found by its own, if by any; else the last is run alone, the canary."""
    given = [after for word, after in pairwise(behind) if word in {"-p", "--pattern"}]
    given += [word.partition("=")[2] for word in behind if word.startswith("--pattern=")]
    pattern = given[-1] if given else "test*.py"
    names = [posixpath.basename(path) for path in paths]
    return pattern if len(names) > 1 and all(fnmatch(name, pattern) for name in names) else names[-1]


def read_unittest(content: bytes) -> TestReport:
    results, loading, ended = list[TestResult](), list[str](), False
    for line in read_lines(content):
        if "stopped" in line:
            loading.append(shortened(text_of(line, "stopped")))
        elif line.get("loaded") is False:
            loading.append(f"{text_of(line, 'id')}: {shortened(_last_line(text_of(line, 'why')))}")
        elif text_of(line, "ended") in _ENDS:
            results.append(_result(line))
        ended = ended or line.get("end") is True
    problem = "" if ended or loading else "the report is incomplete: unittest exited before its tests finished"
    return TestReport("unittest", Grade.REPORT, merged(results), problem, tuple(loading))


def _result(line: dict[str, Any]) -> TestResult:
    ended = text_of(line, "ended")
    by = None
    if _ENDS[ended] is Ended.FAILED:
        error = By.LOADING if text_of(line, "kind") in _NOT_LOADED else By.ERROR
        by = By.ASSERTION if ended == "fail" else error
    why = ": ".join(part for part in (text_of(line, "kind"), text_of(line, "why")) if part)
    file = text_of(line, "file")
    inside = "" if file.startswith(("..", "/")) else file  # what fails around a class is unittest's own
    return TestResult(text_of(line, "id"), _ENDS[ended], by, inside, shortened(why))


def _search_start(behind: Sequence[str]) -> str | None:
    """The folder a search begins in; None where tests are named. Nothing at all is a search of the whole."""
    chosen = selection(behind, _VALUED)
    if chosen[:1] != ["discover"]:
        return None if chosen else "."
    for index, word in enumerate(behind):
        if word in {"-s", "--start-directory"} and index + 1 < len(behind):
            return behind[index + 1]
        if word.startswith("--start-directory="):
            return word.partition("=")[2]
    return chosen[1] if len(chosen) > 1 else "."


def _as_path(name: str, paths: Sequence[str]) -> str:
    """``tests.test_a.Case.test_b`` as the file it is in."""
    parts = name.removesuffix(".py").replace("/", ".").split(".")
    candidates = ("/".join(parts[:size]) for size in range(len(parts), 0, -1))
    return next((f"{path}.py" for path in candidates if f"{path}.py" in paths), "/".join(parts))


def _last_line(text: str) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1] if lines else ""
