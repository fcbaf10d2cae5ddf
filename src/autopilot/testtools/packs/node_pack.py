"""Node's own test runner, by a reporter of ours that writes its events down, one line each."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from autopilot.model.evidence.testing import Grade, TestReport
from autopilot.testtools.commands.wrapping import ending_in
from autopilot.testtools.formats.node_events import read_node
from autopilot.testtools.pack import REPORTS, Canary
from autopilot.testtools.packs.node_arguments import beside_a_test, reporters
from autopilot.text.commands.options import names, selection, settings
from autopilot.text.commands.wrappers import program

_TOOLS = frozenset({"node", "nodejs", "tsx"})
_NO_RUN = frozenset({"--watch", "-h", "--help", "-v", "--version", "-e", "--eval", "-p", "--print", "-c", "--check"})
_VALUED = names(
    "-r --require --import --loader --experimental-loader -C --conditions --test-name-pattern --test-reporter",
    "--test-reporter-destination --test-skip-pattern --env-file --test-concurrency --test-shard --test-timeout",
)
_SELECTS = names(
    "--test-name-pattern --test-skip-pattern --test-only --test-shard --test-reporter --test-reporter-destination",
)
_REPORTER = """\
export default async function* (source) {
  for await (const { type, data } of source) {
    if (!["test:start", "test:pass", "test:fail", "test:stderr"].includes(type)) continue;
    const d = data.details || {}, e = d.error || {}, c = e.cause || {};
    yield JSON.stringify({
      type: type.slice(5), name: data.name, nesting: data.nesting, file: data.file, skip: data.skip, todo: data.todo,
      ms: d.duration_ms, suite: d.type === "suite", failure: e.failureType, kind: c.name, code: c.code,
      message: String(c.message || e.message || data.message || "").slice(0, 2000)
    }) + String.fromCharCode(10);
  }
  const selects = process.execArgv.some((word) => /^--test-(name-pattern|skip-pattern|only)/.test(word));
  yield JSON.stringify({ type: "end", selects }) + String.fromCharCode(10);
}
"""
_SHOWN = " \"!$&'()*+,-./:;<=>@[]^_`{|}~"  # what a data URL may have as it is
_ABSENT = re.compile(r"^Could not find '", re.MULTILINE)
# What Node itself would have chosen where its output is no terminal; it changed with version 23.
_DEFAULT = "process.versions.node.split('.')[0] < 23 ? 'tap' : 'spec'"
_CANARY = """\
import test from "node:test";

test("autopilot canary", () => {
  throw new Error("this test must fail");
});
"""


class NodeTest:
    name = "node:test"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        if not arguments or program(arguments[0]) not in _TOOLS:
            return False
        options = _options(arguments)
        shown, places = reporters(options, "--test-reporter"), reporters(options, "--test-reporter-destination")
        paired = len(shown) == len(places) or (len(shown), len(places)) == (1, 0)
        return "--test" in options and paired and not _NO_RUN.intersection(options)

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """Each reporter needs a destination as soon as there are two; they belong together by their order."""
        options = _options(arguments)
        shown, places = reporters(options, "--test-reporter"), reporters(options, "--test-reporter-destination")
        source = quote(" ".join(_REPORTER.split()), safe=_SHOWN)
        ours = shlex.quote(f"--test-reporter=data:text/javascript,{source}")
        added = [ours, f'--test-reporter-destination="${REPORTS}"/{name}.jsonl']
        if not shown:
            added.append(f'--test-reporter="$(node -p {shlex.quote(_DEFAULT)})"')
        if not places:
            added.append("--test-reporter-destination=stdout")
        return " ".join([shlex.quote(arguments[0]), *added, *map(shlex.quote, arguments[1:])])

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:
        content = ending_in(files, ".jsonl")
        if content is None:
            # A file that is not there stops it before anything is reported: nothing ran, and that is all.
            problem = "" if _ABSENT.search(output) else "node:test left no report"
            return TestReport(self.name, self.grade, problem=problem)
        return read_node(content)

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:
        """Named in full, so its name matters little; as a module by its ending, whatever the project's files are."""
        found = beside_a_test(paths, selection(arguments[1:], _VALUED))
        path = posixpath.join(found[0] if found else "", "autopilot-canary.test.mjs")
        return Canary(path, _CANARY, "autopilot canary")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        return [arguments[0], *settings(_options(arguments), _VALUED, _SELECTS), *paths]


def _options(arguments: Sequence[str]) -> list[str]:
    """Node's own: those before the first word that is none. What comes behind it is a file to Node, dashes or not."""
    place = 1
    while place < len(arguments) and arguments[place].startswith("-") and arguments[place] != "--":
        place += 2 if arguments[place] in _VALUED else 1
    return list(arguments[1:place])
