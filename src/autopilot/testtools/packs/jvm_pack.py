"""Maven and Gradle: the JUnit XML that they leave below the project, taken along after the call.

Read from reports that were recorded once: the tests of this project run neither tool.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from autopilot.model.evidence.testing import Grade, TestReport, TestResult
from autopilot.testtools.commands.wrapping import ending_in, program, report_path, run, split_call, wrap
from autopilot.testtools.formats.collecting import ANY_XML, collect_newer, mark_beginning, read_all
from autopilot.testtools.formats.results import shortened
from autopilot.testtools.pack import Canary
from autopilot.text.lazy_regex import lazy_regex

_COMPILER = lazy_regex(
    r"^\[ERROR\] (?:COMPILATION ERROR.*|(\S+\.(?:java|kt|scala|groovy):\[\d.*))$"
    r"|^(\S+\.(?:java|groovy):\d+: error: .*|e: \S.*\.kts?:.*)$"
    r"|^> (Compilation (?:failed|error).*)$",
    re.MULTILINE,
)
_NO_TESTS = lazy_regex(r"No tests to run|:test NO-SOURCE")


class _Jvm:
    grade = Grade.REPORT
    name = ""
    _programs: frozenset[str] = frozenset()
    _goal = lazy_regex("")
    _skips = lazy_regex("")

    def knows(self, arguments: Sequence[str]) -> bool:
        _, call = split_call(arguments)
        skips = any(self._skips.fullmatch(word) for word in call[1:]) or "--dry-run" in call
        return program(arguments) in self._programs and not skips and any(map(self._goal.fullmatch, call[1:]))

    def ask(self, arguments: Sequence[str], name: str) -> str:
        listing = f"find . -path '*/src/*' -type f -name '*[Tt]est*.*' >{report_path(name, '.where')} 2>/dev/null"
        taken = collect_newer(name, ".", "TEST-*.xml")
        return wrap(arguments, f"{mark_beginning(name)}; {run()}; {taken}; {listing}")

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:
        """A compiler's error counts beside reports as well: of several modules, some may have been tested before it."""
        report, loading = read_all(files, self.name), _not_compiled(output)
        if not any(name.endswith(ANY_XML) for name in files):
            nothing = "" if loading or _NO_TESTS.search(output) else f"{self.name} left no report of its tests"
            return replace(report, loading=loading, problem=nothing)
        paths = (ending_in(files, ".where") or b"").decode("utf-8", "replace").splitlines()
        by_stem = {PurePosixPath(path).stem: path.removeprefix("./") for path in paths}
        return replace(report, results=tuple(_placed(r, by_stem) for r in report.results), loading=loading)

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:  # noqa: ARG002
        """None: which of the several JUnits a project uses cannot be told from its paths."""
        return None


class Maven(_Jvm):
    name = "Maven"
    _programs = frozenset({"mvn", "mvnw", "mvnd"})
    _goal = lazy_regex(r"test|verify|integration-test|surefire:test|failsafe:(?:integration-test|verify)")
    _skips = lazy_regex(r"-D(?:skipTests|maven\.test\.skip)(?:=true)?")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        kept = [word for word in arguments if not word.startswith(("-Dtest=", "-Dit.test="))]
        return [*kept, f"-Dtest={','.join(_classes(paths))}"]


class Gradle(_Jvm):
    name = "Gradle"
    _programs = frozenset({"gradle", "gradlew"})
    _goal = lazy_regex(r"(?:[\w:.-]*:)?(?:test|check|\w*Test)")
    _skips = lazy_regex(r"-m|-x|--exclude-task")  # most of the time it is the tests that are excluded

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        kept = list[str]()
        rest = iter(arguments)
        for word in rest:
            if word == "--tests":
                next(rest, "")
            elif not word.startswith("--tests="):
                kept.append(word)
        return [*kept, *(word for name in _classes(paths) for word in ("--tests", name))]


def _classes(paths: Sequence[str]) -> list[str]:
    return [PurePosixPath(path).stem for path in paths]


def _placed(result: TestResult, by_stem: Mapping[str, str]) -> TestResult:
    """``com.shop.CartTest$Inner::adds`` stands in the file that is called like its class."""
    name = result.id.partition("::")[0].rpartition(".")[2].partition("$")[0]
    return replace(result, file=by_stem.get(name, "")) if not result.file else result


def _not_compiled(output: str) -> tuple[str, ...]:
    found = [next(filter(None, match.groups()), match[0]) for match in _COMPILER.finditer(output)]
    return tuple(dict.fromkeys(map(shortened, found)))[:20]
