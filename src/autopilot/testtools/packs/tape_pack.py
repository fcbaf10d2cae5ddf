"""Tape, by the TAP that it prints: a test is what stands between its title and the next, however much it asserts."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from autopilot.model.evidence.testing import By, Ended, Grade, TestReport, TestResult
from autopilot.testtools.commands.wrapping import ending_in, report_path, run, wrap
from autopilot.testtools.formats.node_events import NOT_LOADED
from autopilot.testtools.formats.results import numbered, shortened
from autopilot.testtools.formats.tap import Point, Tap, directive, doubt, read_tap
from autopilot.testtools.pack import Canary
from autopilot.testtools.packs.node_arguments import beside_a_test, tool_at
from autopilot.text.commands.options import names, selection, settings

_NO_RUN = names("-h --help --version --")
_VALUED = names("-r --require -i --ignore --ignore-pattern")
_TITLE = re.compile(r"# (?!(?:tests|pass|fail|todo|skip)\s+\d+\s*$|ok\s*$)(?P<skip>SKIP )?(?P<name>\S.*)")
_COUNTED = re.compile(r"# (tests|pass|fail)\s+(\d{1,9})\s*")
_CANARY = """\
require("tape")("autopilot canary", function (t) {
  t.equal(1 + 1, 3);
  t.end();
});
"""


class Tape:
    name = "tape"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        place = tool_at(arguments, "tape")
        return place is not None and place + 1 < len(arguments) and not _NO_RUN.intersection(arguments[place + 1 :])

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """Its output is shown as soon as it ends: what is written down must be whole."""
        out, status = report_path(name, ".tap"), report_path(name, ".status")
        return wrap(arguments, f"{run(f'>{out}')}; cat {out}; echo $s >{status}")

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:
        content = ending_in(files, ".tap")
        if content is None:
            return TestReport(self.name, self.grade, problem="tape left no report")
        lines = content.decode("utf-8", "replace").split("\n")
        tap, groups = read_tap(lines), list(_groups(lines))
        is_red = (ending_in(files, ".status") or b"").strip() not in (b"", b"0")
        if is_red and not tap.plans:
            return self._read_broken(groups, output)
        results = numbered(result for group in groups if (result := group.result()))
        return TestReport(self.name, self.grade, results, _doubt(tap, lines))

    def _read_broken(self, groups: Sequence[_Group], output: str) -> TestReport:
        """An exception ends all: the test that was running failed by it, and those behind it were not run."""
        failed = next((line for line in output.splitlines() if NOT_LOADED.search(line)), "")
        if failed and not any(group.points for group in groups):
            return TestReport(self.name, self.grade, loading=(shortened(failed),))
        done = [result for group in groups[:-1] if (result := group.result())]
        broken = [TestResult(group.name, Ended.FAILED, By.ERROR, message="it threw") for group in groups[-1:]]
        problem = "" if groups else "tape ended before its first test"
        return TestReport(self.name, self.grade, numbered([*done, *broken]), problem)

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:
        place = (tool_at(arguments, "tape") or 0) + 1
        found = beside_a_test(paths, selection(arguments[place:], _VALUED))
        return Canary(posixpath.join(found[0] if found else "", "autopilot-canary.cjs"), _CANARY, "autopilot canary")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        place = (tool_at(arguments, "tape") or 0) + 1
        return [*arguments[:place], *settings(arguments[place:], _VALUED, frozenset()), *paths]


class _Group(Struct):
    name: str
    skipped: bool
    points: list[Point]

    def result(self) -> TestResult | None:
        """None for a comment: what has a title and asserts nothing shows nothing."""
        if self.skipped:
            return TestResult(self.name, Ended.SKIPPED)
        ends = [(point, directive(point.text)[1]) for point in self.points]
        failed = next((point for point, directed in ends if not point.ok and directed is None), None)
        if failed:
            return TestResult(self.name, Ended.FAILED, By.ASSERTION, message=shortened(failed.name))
        if any(directed is None for _, directed in ends):
            return TestResult(self.name, Ended.PASSED)
        return TestResult(self.name, ends[0][1] or Ended.SKIPPED) if ends else None


def _groups(lines: Sequence[str]) -> Iterator[_Group]:
    """Points before the first title belong to none: what a program prints while it is loaded is no test."""
    group: _Group | None = None
    for line in lines:
        if found := _TITLE.fullmatch(line.rstrip()[:2000]):
            if group:
                yield group
            group = _Group(found["name"].strip(), bool(found["skip"]), [])
        elif group:
            group.points += read_tap([line]).points
    if group:
        yield group


def _doubt(tap: Tap, lines: Sequence[str]) -> str:
    """Held against its plan, its numbers and its own count: a line that the product printed makes one too many."""
    counts = {found[1]: int(found[2]) for line in lines if (found := _COUNTED.fullmatch(line.rstrip()))}
    numbers = [point.number for point in tap.points]
    if not tap.plans:
        return "tape did not report how many assertions there are"
    if numbers != list(range(1, len(numbers) + 1)):
        return "lines that look like results are not numbered as tape numbers them"
    if counts.get("tests", len(numbers)) != len(numbers):
        return f"tape counts {counts['tests']} assertions and {len(numbers)} are printed"
    return doubt(tap)
