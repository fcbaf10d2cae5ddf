"""Mocha, by a reporter of ours that writes its events down and lets the project's own reporter show them."""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from autopilot.model.evidence.testing import Grade, TestReport
from autopilot.testtools.commands.wrapping import ending_in
from autopilot.testtools.formats.node_events import NOT_LOADED, read_node
from autopilot.testtools.formats.results import shortened
from autopilot.testtools.pack import REPORTS, Canary
from autopilot.testtools.packs.node_arguments import beside_a_test, tool_at
from autopilot.text.commands.options import names, selection, settings

_NO_RUN = names("-h --help -V --version -w --watch --list-files --dry-run --init init --reporters --interfaces --")
_REPORTER_OPTIONS = names("-R --reporter")
_VALUED = names(
    "-r --require --import --loader --file --config --opts --package -R --reporter -O --reporter-option",
    "--reporter-options -t --timeout --timeouts -s --slow -u --ui -g --grep -f --fgrep --ignore --exclude -j --jobs",
    "--extension --retries --spec -n --node-option --compilers --watch-files --watch-ignore --globals",
)
_SELECTS = names("-g --grep -f --fgrep -i --invert --spec --forbid-only --forbid-pending --fail-zero -R --reporter")
_ABSENT = re.compile(r"No test files found|cannot resolve path \(or pattern\)", re.IGNORECASE)
# Its destination is its own name with another ending. What it delegates to has no say in what it writes.
_REPORTER = """\
"use strict";
const fs = require("fs"), path = require("path");
const kept = __filename.replace(/reporter\\.cjs$/, "jsonl");
const write = (event) => fs.appendFileSync(kept, JSON.stringify(event) + "\\n");
const around = (test) => (test && test.parent ? [...around(test.parent), test.title].filter(Boolean) : []);
const fileOf = (test) => (test ? test.file || fileOf(test.parent) : "");
function shown(name) {
  try {
    const from = [path.dirname(fs.realpathSync(process.argv[1])), process.cwd()];
    const known = require(require.resolve("mocha", { paths: from })).reporters;
    const found = Object.keys(known).find((key) => key.toLowerCase() === name.toLowerCase());
    return found ? known[found] : known.Spec;
  } catch (error) {
    return null;
  }
}
module.exports = function (runner, options) {
  const told = (type, test, more) =>
    write({ type, name: around(test).join(" > "), nesting: 0, file: fileOf(test), ms: test.duration || 0, ...more });
  runner.on("pass", (test) => told("pass", test));
  runner.on("pending", (test) => told("pass", test, { skip: true }));
  runner.on("fail", (test, error) => {
    const e = error || {};
    told("fail", test, { kind: String(e.name || ""), code: String(e.code || ""), message: String(e.message || e) });
  });
  runner.on("end", () => write({ type: "end" }));
  const Shown = shown(SHOWN);
  if (Shown) return new Shown(runner, options);
};
"""
_CANARY = """\
const autopilotTest = typeof it === "function" ? it : test;
autopilotTest("autopilot canary", function () {
  throw new Error("this test must fail");
});
"""


class Mocha:
    name = "mocha"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        place = _tool_at(arguments)
        return place is not None and not _NO_RUN.intersection(arguments[place + 1 :])

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """The reporter is put beside the report while the call's words are spelled out."""
        place = (_tool_at(arguments) or 0) + 1
        rest, chosen = _split_reporter(arguments[place:])
        source = _REPORTER.replace("SHOWN", json.dumps(chosen or "spec"))
        file = f'"${REPORTS}"/{name}.reporter.cjs'
        ours = f'--reporter {file}"$(printf %s {shlex.quote(source)} >{file})"'
        return " ".join([*map(shlex.quote, arguments[:place]), ours, *map(shlex.quote, rest)])

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:
        content = ending_in(files, ".jsonl")
        if content is not None:
            return replace(read_node(content), runner=self.name)
        # What cannot be loaded stops it before any reporter is asked.
        failed = next((line for line in output.splitlines() if NOT_LOADED.search(line)), "")
        known = failed or _ABSENT.search(output)
        problem = "" if known else "mocha left no report"
        return TestReport(self.name, self.grade, (), problem, (shortened(failed),) if failed else ())

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:
        place = (_tool_at(arguments) or 0) + 1
        found = beside_a_test(paths, selection(arguments[place:], _VALUED))
        if found is None:
            return None
        return Canary(posixpath.join(found[0], f"autopilot-canary{found[1]}"), _CANARY, "autopilot canary")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        place = (_tool_at(arguments) or 0) + 1
        return [*arguments[:place], *settings(arguments[place:], _VALUED, _SELECTS), *paths]


def _tool_at(arguments: Sequence[str]) -> int | None:
    found = tool_at(arguments, "mocha")
    return tool_at(arguments, "_mocha") if found is None else found


def _split_reporter(arguments: Sequence[str]) -> tuple[list[str], str]:
    """The call without the choice of a reporter, and the last that it chose."""
    kept, chosen, place = list[str](), "", 0
    while place < len(arguments):
        option, _, value = arguments[place].partition("=")
        if option not in _REPORTER_OPTIONS:
            kept.append(arguments[place])
        elif value:
            chosen = value
        elif place + 1 < len(arguments):
            place += 1
            chosen = arguments[place]
        place += 1
    return kept, chosen
