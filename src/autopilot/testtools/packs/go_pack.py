"""Go's own test tool, by its ``-json`` stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from autopilot.model.evidence.testing import Grade, TestReport
from autopilot.testtools.commands.wrapping import ending_in, program, report_path, run, split_call, wrap
from autopilot.testtools.formats.results import merged
from autopilot.testtools.pack import Canary
from autopilot.testtools.packs.go_arguments import own_flags, settings
from autopilot.testtools.packs.go_events import decode_events, not_loaded, read_results
from autopilot.testtools.sources import list_sources, read_sources

_RUNS_NOTHING = frozenset({"c", "n", "list", "h", "help"})
_CANARY = """\
package autopilotcanary

import "testing"

func TestAutopilotCanary(t *testing.T) {
	if 1+1 != 3 {
		t.Fatal("this test must fail")
	}
}
"""


class GoTest:
    name = "go test"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        _, call = split_call(arguments)
        return program(arguments) == "go" and call[1:2] == ["test"] and not _RUNS_NOTHING.intersection(own_flags(call))

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """Never from the cache: a result that was kept from an earlier run is none of this one."""
        before, call = split_call(arguments)
        flags = own_flags(call)
        first = 4 if call[2:3] in (["-C"], ["--C"]) else 2  # which has to stay the first of all flags
        added = [flag for flag, given in (("-json", "json"), ("-count=1", "count")) if given not in flags]
        report, errors = report_path(name, ".json"), report_path(name, ".err")
        show = f"cat {report}" if "json" in flags else f"awk -v all={int('v' in flags)} '{RENDER}' {report}"
        sources = list_sources(name, "*_test.go", "^func [A-Z]")
        script = f"{run(f'>{report} 2>{errors}')}; {sources}; cat {errors} >&2; {show}"
        return wrap([*before, *call[:first], *added, *call[first:]], script)

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:  # noqa: ARG002
        stream = ending_in(files, ".json")
        if stream is None:
            return TestReport(self.name, self.grade, problem="go test left no report")
        events, rest = decode_events(stream)
        loading = tuple(not_loaded(events, rest, (ending_in(files, ".err") or b"").decode("utf-8", "replace")))
        if not events and not loading:
            return TestReport(self.name, self.grade, problem="go test left an empty report")
        return TestReport(self.name, self.grade, merged(read_results(events, read_sources(files))), loading=loading)

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:  # noqa: ARG002
        """In a package of its own: the name of any other cannot be told from its path."""
        return Canary("autopilotcanary/autopilotcanary_test.go", _CANARY, "TestAutopilotCanary")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        before, call = split_call(arguments)
        folders = dict.fromkeys(str(PurePosixPath(path).parent) for path in paths)
        packages = ["." if folder == "." else f"./{folder}" for folder in folders]
        return [*before, *call[:2], *settings(call), *packages]


# What ``go test`` would have printed, made again from its ``-json`` stream by a program for awk behind the tool:
# whatever stands behind the call in the user's command (``| grep ok``) must see what it was written for.
RENDER = r"""
function field(name) {
  if (!match($0, "\"" name "\":\"([^\"\\\\]|\\\\.)*\"")) return ""
  return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 5)
}
function plain(text) {
  gsub(/\\\\/, "\001", text); gsub(/\\n/, "\n", text); gsub(/\\t/, "\t", text); gsub(/\\r/, "\r", text)
  gsub(/\\"/, "\"", text); gsub(/\\u003c/, "<", text); gsub(/\\u003e/, ">", text); gsub(/\\u0026/, "\\&", text)
  gsub(/\\u0016/, "", text); gsub(/\001/, "\\\\", text)
  return text
}
!/^[{]/ { print; next }
{ action = field("Action"); package = field("Package"); test = field("Test") }
action ~ /output$/ {
  said = plain(field("Output"))
  if (all || package == "") printf "%s", said
  else if (said !~ /^(=== |PASS\n)/) { n = ++count[package]; line[package, n] = said; from[package, n] = test }
  next
}
test != "" { ended[package, test] = action; next }
!all && action ~ /^(pass|fail|skip)$/ {
  for (i = 1; i <= count[package]; i++)
    if (from[package, i] == "" || ended[package, from[package, i]] == "fail") printf "%s", line[package, i]
}
"""
