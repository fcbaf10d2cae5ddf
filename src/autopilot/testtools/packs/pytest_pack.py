"""pytest, by the JUnit XML it writes."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Mapping, Sequence

from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.testtools.commands.wrapping import ending_in
from autopilot.testtools.formats.junit_xml import Case, read_cases
from autopilot.testtools.formats.results import merged, shortened
from autopilot.testtools.pack import REPORTS, Canary
from autopilot.testtools.packs.python_arguments import folder_for, module_at
from autopilot.text.commands.options import names, selection, settings
from autopilot.text.commands.wrappers import program
from autopilot.text.lazy_regex import lazy_regex

_TOOL = lazy_regex(r"pytest(?:-?3)?|py\.test")
_NO_RUN = lazy_regex(
    r"-h|--help|-V|--version|--co|--collect-only|--collectonly|--fixtures(?:-per-test)?|--funcargs|--markers|--setup-plan"
    r"|--junit-?xml(?:=.*)?|--junit-?prefix(?:=.*)?|--trace-config|--cache-show(?:=.*)?|--pdb|--trace"
)
_VALUED = names(
    "-k -m -o -p -c -W -n -r --tb --rootdir --confcutdir --ignore --ignore-glob --deselect --maxfail --durations",
    "--durations-min --basetemp --import-mode --log-level --log-cli-level --log-file --capture --color --override-ini",
    "--config-file --numprocesses --dist --maxprocesses --timeout --timeout-method --cov-config --cov-report",
    "--cov-fail-under --ds --dc --reruns --reruns-delay --count --randomly-seed --asyncio-mode --verbosity --rsyncdir",
    "--lfnf --last-failed-no-failures --sw-skip --show-capture --code-highlight --pythonwarnings",
)
_SELECTS = names(
    "-k -m --ignore --ignore-glob --deselect --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise",
    "--sw-skip --stepwise-skip --lfnf --last-failed-no-failures --pyargs --keep-duplicates --count",
)
_EXCEPTION = lazy_regex(r"([A-Za-z_][\w.]*)(?::|\Z)")
_IN_FIXTURE = lazy_regex(r'failed on (?:setup|teardown) with "(.*)', re.DOTALL)
_NOT_LOADED = lazy_regex(r"(?:\w+\.)*(?:ModuleNotFoundError|ImportError|SyntaxError|IndentationError|TabError)\Z")
_NO_CONFTEST = lazy_regex(r"^ImportError while loading conftest '([^'\n]+)'", re.MULTILINE)
_CANARY = """\
import unittest


class AutopilotCanary(unittest.TestCase):
    def test_autopilot_canary(self):
        self.fail("this test must fail")
"""


class Pytest:
    name = "pytest"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        place = _tool_at(arguments)
        return place is not None and not any(_NO_RUN.fullmatch(word) for word in arguments[place + 1 :])

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """The older family of reports, which names each test's file. The cache is left as the project has it:
        without it, a project that asks for `--ff` in its settings could not be run at all."""
        place = (_tool_at(arguments) or 0) + 1
        spelled = [shlex.quote(word) for word in arguments]
        added = [f'--junitxml="${REPORTS}"/{name}.xml', "-o", "junit_family=xunit1"]
        return " ".join([*spelled[:place], *added, *spelled[place:]])

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:
        content = ending_in(files, ".xml")
        if content is None:
            # What its own support files cannot load stops pytest before it has any report to write.
            stopped = tuple(f"{found[1]}: could not be loaded" for found in _NO_CONFTEST.finditer(output))
            return TestReport(
                self.name, self.grade, problem="" if stopped else "pytest left no report", loading=stopped
            )
        return read_pytest(content)

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:
        """A ``TestCase``: settings for names of files, classes and functions do not keep it from being found."""
        place = (_tool_at(arguments) or 0) + 1
        path = posixpath.join(folder_for(paths, selection(arguments[place:], _VALUED)), "test_autopilot_canary.py")
        return Canary(path, _CANARY, "test_autopilot_canary")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        place = (_tool_at(arguments) or 0) + 1
        return [*arguments[:place], *settings(arguments[place:], _VALUED, _SELECTS), *paths]


def read_pytest(content: bytes) -> TestReport:
    read = read_cases(content)
    results, loading, problem = list[TestResult](), list[str](), read.problem
    for case in read.cases:
        if case.message == "collection failure" or (case.reason == "error" and not case.classname):
            loading.append(f"{_file(case)}: {_last_line(case)}")
        elif (case.classname, case.name) == ("pytest", "internal"):
            problem = f"pytest reports an error of its own: {shortened(case.text)}"
        else:
            by = _by(case) if case.ended is Ended.FAILED else None
            results.append(TestResult(_id(case), case.ended, by, _file(case), shortened(_message(case)), case.seconds))
    return TestReport("pytest", Grade.REPORT, merged(results), problem, tuple(loading))


def _tool_at(arguments: Sequence[str]) -> int | None:
    if arguments and _TOOL.fullmatch(program(arguments[0])):
        return 0
    place = module_at(arguments)
    return place if place is not None and arguments[place] in {"pytest", "py.test"} else None


def _file(case: Case) -> str:
    """A report of the newer family has only the dotted name; classes are written with a capital letter."""
    if case.file:
        return case.file
    parts = (case.classname or case.name).split(".")
    size = next((index for index, part in enumerate(parts) if part[:1].isupper()), len(parts))
    return f"{'/'.join(parts[:size])}.py" if size else ""


def _id(case: Case) -> str:
    file = _file(case)
    module = file.removesuffix(".py").replace("/", ".")
    dotted = case.classname or (module if not case.name.endswith(module) else "")
    if not dotted:
        return file  # a file that was left out as a whole
    classes = dotted.removeprefix(module).removeprefix(".").split(".") if dotted.startswith(module) else [dotted]
    return "::".join(part for part in (file, *classes, case.name) if part)


def _by(case: Case) -> By:
    """pytest names the exception in the message's first word; its own assertions begin with `assert`."""
    message = _message(case)
    in_fixture = message != case.message
    found = _EXCEPTION.match(message)
    name = found[1] if found else ""
    if _NOT_LOADED.match(name) or (in_fixture and re.search(r"^E\s+fixture '.*' not found", case.text, re.MULTILINE)):
        return By.LOADING
    if case.reason == "error":
        return By.ERROR
    if name.endswith(("AssertionError", "Failed")) or message.startswith(("assert ", "[XPASS", "Unexpected success")):
        return By.ASSERTION
    return By.ERROR if name else By.ASSERTION


def _message(case: Case) -> str:
    found = _IN_FIXTURE.match(case.message)
    return found[1].rstrip('"') if found else case.message or case.text


def _last_line(case: Case) -> str:
    lines = [line[1:].strip() for line in case.text.splitlines() if line.startswith("E ")]
    return shortened(lines[-1] if lines else case.text.strip().split("\n")[-1] or case.message)
