"""Vitest, by its JSON reporter beside those that were asked for anyway."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Mapping, Sequence

from autopilot.model.evidence.testing import Grade, TestReport
from autopilot.testtools.pack import REPORTS, Canary
from autopilot.testtools.packs.jest_pack import read_json_report
from autopilot.testtools.packs.node_arguments import beside_a_test, reporters, tool_at
from autopilot.text.commands.options import names, selection, settings

_NO_RUN = re.compile(r"--outputFile(?:[.=].*)?|-w|--watch|-h|--help|-v|--version|--ui|--mergeReports|--standalone")
_OTHER = frozenset({"watch", "dev", "bench", "list", "init", "typecheck", "related"})
_VALUED = names(
    "-r --root -c --config -t --testNamePattern --dir --reporter --project --pool --environment --mode --retry --bail",
    "--maxWorkers --minWorkers --testTimeout --hookTimeout --shard --exclude --changed",
)
_SELECTS = names(
    "-t --testNamePattern --shard --exclude --changed --dir --passWithNoTests --coverage",
)
_CANARY = """\
import { test } from "vitest";

test("autopilot canary", () => {
  throw new Error("this test must fail");
});
"""


class Vitest:
    name = "vitest"
    grade = Grade.REPORT

    def knows(self, arguments: Sequence[str]) -> bool:
        place = tool_at(arguments, "vitest")
        if place is None or any(_NO_RUN.fullmatch(word) for word in arguments[place + 1 :]):
            return False
        return not _OTHER.intersection(arguments[place + 1 : place + 2]) and "json" not in reporters(
            arguments, "--reporter"
        )

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """Behind all other words: `run` has to stay the first, and `--` is not among them."""
        shown = [] if reporters(arguments, "--reporter") else ["--reporter=default"]
        added = [*shown, "--reporter=json", f'--outputFile.json="${REPORTS}"/{name}.json']
        behind = arguments.index("--") if "--" in arguments else len(arguments)
        spelled = [shlex.quote(word) for word in arguments]
        return " ".join([*spelled[:behind], *added, *spelled[behind:]])

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:  # noqa: ARG002
        return read_json_report(files, self.name)

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:
        found = beside_a_test(paths, self._selected(arguments))
        if found is None:
            return None
        return Canary(posixpath.join(found[0], f"autopilot-canary{found[1]}"), _CANARY, "autopilot canary")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        place = (tool_at(arguments, "vitest") or 0) + 1
        return [*arguments[:place], "run", *settings(arguments[place:], _VALUED, _SELECTS), *paths]

    def _selected(self, arguments: Sequence[str]) -> list[str]:
        place = (tool_at(arguments, "vitest") or 0) + 1
        return [word for word in selection(arguments[place:], _VALUED) if word != "run"]
