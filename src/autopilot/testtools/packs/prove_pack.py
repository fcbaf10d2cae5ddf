"""Perl's ``prove``, which runs whatever prints TAP, by the TAP of each test file, which it is made to keep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from autopilot.model.evidence.testing import Grade, TestReport, TestResult
from autopilot.testtools.commands.wrapping import ending_in, program, report_path, run, split_call, wrap
from autopilot.testtools.formats.results import numbered, shortened
from autopilot.testtools.formats.tap import doubt, read_tap, result_of
from autopilot.testtools.pack import Canary
from autopilot.text.commands.options import names, settings

_RUNS_NOTHING = names("-D --dry -h --help -? -V --version -H --man")
_SELECTS = names("-r --recurse --state -s --shuffle --reverse")
_WITH_WORD = names("-I -P -M -e --exec --ext --harness --formatter --source -a --archive -j --jobs --rc --statefile")
_EXEC = names("-e --exec")
_PERL = "use Test::More tests => 1;\nis(1 + 1, 3, 'autopilot canary');\n"
_SHELL = 'echo 1..1\nif [ "$((1 + 1))" -eq 3 ]; then echo ok 1; else echo "not ok 1 - autopilot canary"; exit 1; fi\n'


class Prove:
    name = "prove"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        _, call = split_call(arguments)
        return program(arguments) == "prove" and not _RUNS_NOTHING.intersection(call)

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """One copy for each test file, and a list of whose it is; a file with its full path is kept below the root."""
        kept, listing = report_path(name, "-"), report_path(name, ".files")
        copy = f'n=$((n+1)); cp "$d/$f" {kept}"$n".tap; [ -e "$f" ] || f=/$f; printf "%s\\n" "$f" >>{listing}'
        collect = (
            f'(cd "$d" && find . -type f) | sed "s,^\\./,," | sort | {{ n=0; while IFS= read -r f; do {copy}; done; }}'
        )
        setting = f'd=$(mktemp -d); : >{listing}; export PERL_TEST_HARNESS_DUMP_TAP="$d"'
        return wrap(arguments, f'{setting}; {run()}; {collect}; rm -r "$d"')

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:  # noqa: ARG002
        listing = ending_in(files, ".files")
        if listing is None:
            return TestReport(self.name, self.grade, problem="prove left no report")
        results, problems, loading = list[TestResult](), list[str](), list[str]()
        for file, content in _kept(listing, files):
            tap = read_tap(content.decode("utf-8", "replace").split("\n"))
            results += [result_of(point, file) for point in tap.points]
            if not tap.points and not tap.plans and not tap.bailed:
                loading.append(shortened(f"{file}: the file reported no test"))
            elif reason := doubt(tap) or ("" if tap.plans else "the file did not report how many tests it has"):
                problems.append(shortened(f"{file}: {reason}"))
        if not loading and not results and not problems and not listing.strip():
            problems = ["prove ran no test file"]
        return TestReport(self.name, self.grade, numbered(results), "; ".join(problems[:5]), tuple(loading[:20]))

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:
        """In the language the call runs its tests in; None for a language other than Perl and shell."""
        runner = _runner(split_call(arguments)[1])
        text = _PERL if runner == "perl" else _SHELL if runner in {"sh", "bash", "dash"} else ""
        if not text:
            return None
        folder = "t" if any(path.startswith("t/") for path in paths) else "tests"
        return Canary(f"{folder}/autopilot_canary.t", text, "autopilot canary")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        before, call = split_call(arguments)
        return [*before, call[0], *settings(call[1:], _WITH_WORD, _SELECTS), *paths]


def _kept(listing: bytes, files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """By number: the n-th line of the listing is the file whose TAP is in ``…-n.tap``."""
    by_number = {int(found[1]): files[name] for name in files if (found := re.search(r"-(\d{1,6})\.tap$", name))}
    for number, file in enumerate(listing.decode("utf-8", "replace").splitlines(), 1):
        yield file, by_number.get(number, b"")


def _runner(call: Sequence[str]) -> str:
    for place, word in enumerate(call):
        if word in _EXEC and call[place + 1 :]:
            return call[place + 1].split(" ")[0].rsplit("/", 1)[-1]
        if word.startswith("--exec="):
            return word.removeprefix("--exec=").split(" ")[0].rsplit("/", 1)[-1]
    return "perl"
