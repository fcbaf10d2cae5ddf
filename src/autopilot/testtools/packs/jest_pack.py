"""Jest, by its JSON."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Mapping, Sequence

from autopilot.model.evidence.testing import Grade, TestReport
from autopilot.testtools.commands.wrapping import ending_in
from autopilot.testtools.formats.jest_report import read_jest
from autopilot.testtools.pack import REPORTS, Canary
from autopilot.testtools.packs.node_arguments import beside_a_test, tool_at
from autopilot.text.commands.options import names, selection, settings

_NO_RUN = re.compile(
    r"--json(?:=.*)?|--outputFile(?:=.*)?|--watch(?:All)?|-h|--help|-v|--version|--listTests|--showConfig|--init|--clearCache"
)
_VALUED = names(
    "-t --testNamePattern -c --config -w --maxWorkers --testPathPattern --testPathPatterns --testTimeout --rootDir",
    "--env --reporters --coverageDirectory --coverageReporters --selectProjects --ignoreProjects --changedSince",
    "--seed --shard --testEnvironment --setupFilesAfterEnv --moduleNameMapper --roots --testMatch --testRegex",
    "--transform",
)
_SELECTS = names(
    "-t --testNamePattern --testPathPattern --testPathPatterns -o --onlyChanged --changedSince --findRelatedTests",
    "--shard --lastCommit -f --onlyFailures --runTestsByPath --testMatch --testRegex --testPathIgnorePatterns",
    "--passWithNoTests --coverage --collectCoverage",
)
_CANARY = """\
test("autopilot canary", () => {
  throw new Error("this test must fail");
});
"""


class Jest:
    name = "jest"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        place = tool_at(arguments, "jest")
        return place is not None and not any(_NO_RUN.fullmatch(word) for word in arguments[place + 1 :])

    def ask(self, arguments: Sequence[str], name: str) -> str:
        place = (tool_at(arguments, "jest") or 0) + 1
        spelled = [shlex.quote(word) for word in arguments]
        added = ["--json", f'--outputFile="${REPORTS}"/{name}.json']
        return " ".join([*spelled[:place], *added, *spelled[place:]])

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:  # noqa: ARG002
        return read_json_report(files, self.name)

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:
        place = (tool_at(arguments, "jest") or 0) + 1
        found = beside_a_test(paths, selection(arguments[place:], _VALUED))
        if found is None:
            return None
        return Canary(posixpath.join(found[0], f"autopilot-canary{found[1]}"), _CANARY, "autopilot canary")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        place = (tool_at(arguments, "jest") or 0) + 1
        return [*arguments[:place], *settings(arguments[place:], _VALUED, _SELECTS), "--runTestsByPath", *paths]


def read_json_report(files: Mapping[str, bytes], runner: str) -> TestReport:
    content = ending_in(files, ".json")
    if content is None:
        return TestReport(runner, Grade.REPORT, problem=f"{runner} left no report")
    return read_jest(content, runner)
