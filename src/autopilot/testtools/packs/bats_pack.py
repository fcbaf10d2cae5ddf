"""Bats, by the stream that it hands to its formatters: TAP with the file and the beginning of every test."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from autopilot.model.evidence.testing import By, Grade, TestReport, TestResult
from autopilot.testtools.commands.wrapping import ending_in, program, report_path, run, split_call, wrap
from autopilot.testtools.formats.results import merged, numbered, shortened
from autopilot.testtools.formats.tap import LONGEST_LINE, Point, Tap, directive, doubt, read_tap, result_of
from autopilot.testtools.pack import Canary
from autopilot.text.commands.options import names, settings

_RUNS_NOTHING = names("-c --count -h --help -v --version")
_SHOWS = names("-t --tap -p --pretty")
_FORMATS = names("-F --formatter")
_SELECTS = names("-f --filter --filter-status --filter-tags --negative-filter -r --recursive")
_WITH_WORD = names(
    "-f --filter --filter-status --filter-tags --negative-filter -F --formatter --report-formatter -o --output",
    "-j --jobs --code-quote-style --gather-test-outputs-in --line-reference-format --parallel-binary-name",
)
_BEGIN = re.compile(r"begin (\d{1,9}) (.*)")
_TIME = re.compile(r" in \d+(?:ms|s)?(?= #|\Z)")
_BEHIND = re.compile(r"(?: in \d+(?:ms|s)?)?(?: *#.*)?")  # a test's name
_AROUND = re.compile(r"(setup|teardown)_(file|suite) failed")
_NOT_LOADED = re.compile(r"bats_load_\w{1,80}: Could not find|^bats: .* does not exist|syntax error", re.MULTILINE)
_NO_ASSERTION = re.compile(r"failed with status 12[67]\b|\(from function `(?:setup|teardown)\w*'", re.MULTILINE)
_CANARY = '@test "autopilot canary" {\n  [ "$((1 + 1))" -eq 3 ]\n}\n'


class Bats:
    name = "bats"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        """One whose output another program is to read (``-F junit``) is left as it is."""
        _, call = split_call(arguments)
        formats = [after for word, after in pairwise(call) if word in _FORMATS]
        plain = {"tap", "tap13", "pretty"}.issuperset(formats)
        return program(arguments) == "bats" and len(call) > 1 and plain and not _RUNS_NOTHING.intersection(call)

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """Its own report files are still being written when it ends, so its output is taken.

        The stream of versions before 1.3 names no file. What is only meant for formatters is not shown.
        """
        before, call = split_call(arguments)
        kept, out = _without_format(call), report_path(name, ".tap")
        choose = '"$1" --help 2>&1 | grep -q "absolute path" && o="--formatter cat" || o=--tap'
        shown = f"sed -e '/^begin [0-9]/d' -e '/^suite /d' {out}"
        return wrap([*before, *kept], f'{choose}; t=$1; shift; set -- "$t" $o "$@"; {run(f">{out}")}; {shown}')

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:
        content = ending_in(files, ".tap")
        if not content:
            missing = re.search(r"^.*(?:does not exist|Duplicate test name).*$", output, re.MULTILINE)
            loading = (shortened(missing[0]),) if missing else ()
            return TestReport(self.name, self.grade, (), "" if missing else "bats printed no result", loading)
        return _read_stream(content.decode("utf-8", "replace").split("\n"))

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:
        """Beside the first test file of those that the call names, or of all."""
        found = sorted(path for path in paths if path.endswith(".bats"))
        named = [path for path in found if path in arguments or any(path.startswith(f"{word}/") for word in arguments)]
        if not found:
            return None
        folder = PurePosixPath((named or found)[0]).parent
        return Canary(str(folder / "autopilot_canary.bats"), _CANARY, "autopilot canary")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        before, call = split_call(arguments)
        return [*before, call[0], *settings(call[1:], _WITH_WORD, _SELECTS), *paths]


class _Begun(Struct, frozen=True):
    name: str
    file: str


def _read_stream(lines: Sequence[str]) -> TestReport:
    begun = dict[int, _Begun]()
    suites: list[tuple[str, list[str]]] = [("", [])]  # each with its file
    for line in lines:
        if line.startswith("suite /"):
            suites.append((line.removeprefix("suite "), []))
        elif found := _BEGIN.fullmatch(line[:LONGEST_LINE]):
            begun.setdefault(int(found[1]), _Begun(found[2].strip(), suites[-1][0]))
        else:
            suites[-1][1].append(line)
    taps = [(file, read_tap(part)) for file, part in suites]
    results, loading, strange = list[TestResult](), list[str](), 0
    for file, point in ((file, point) for file, tap in taps for point in tap.points):
        around = None if point.ok else _AROUND.match(point.text)
        test = begun.get(point.number or 0)
        if around and around[1] == "setup":
            loading.append(shortened(f"{file}: {point.text}: {' '.join(point.notes)}"))
        elif around:
            results.append(_result(point, file, around[0]))
        elif test and point.text.startswith(test.name) and _BEHIND.fullmatch(point.text[len(test.name) :]):
            results.append(_result(point, test.file, test.name))
        elif begun:
            strange += 1
        else:
            results.append(_result(point, "", directive(_TIME.sub("", point.text))[0]))
    problem = _doubt([tap for _, tap in taps], loading, strange)
    found_all = merged(results) if begun else numbered(results)
    return TestReport(Bats.name, Bats.grade, found_all, problem, tuple(loading[:20]))


def _result(point: Point, file: str, name: str) -> TestResult:
    """What stands behind the name alone is a directive: the name itself may be about one."""
    behind = point.text[len(name) :] if point.text.startswith(name) else point.text
    result = result_of(replace(point, text=behind), by=_reason(point))
    return replace(result, id=f"{file}::{name}" if file else name, file=file)


def _reason(point: Point) -> By:
    notes = "\n".join(point.notes)
    if _NOT_LOADED.search(notes):
        return By.LOADING
    return By.ERROR if _NO_ASSERTION.search(notes) else By.ASSERTION


def _doubt(taps: Sequence[Tap], loading: Sequence[str], strange: int) -> str:
    """A file that was not set up ran none of its tests. A line of a test's own that looks like a result may be one."""
    plans = [plan for tap in taps for plan in tap.plans]
    if strange:
        return f"{strange} lines look like results of tests that had not started"
    if not plans:
        return "bats did not report how many tests there are"
    own = tuple(point for tap in taps for point in tap.points if point.ok or not _AROUND.match(point.text))
    fewer = loading and len(own) <= sum(plans)
    bailed = next((tap.bailed for tap in taps if tap.bailed), "")
    return doubt(Tap(own, () if fewer else tuple(plans), bailed))


def _without_format(call: Sequence[str]) -> list[str]:
    kept, place = list[str](), 0
    while place < len(call):
        if call[place] in _FORMATS:
            place += 2
            continue
        kept += [] if call[place] in _SHOWS else [call[place]]
        place += 1
    return kept
