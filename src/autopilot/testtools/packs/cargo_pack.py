"""Cargo's test tool, by what it prints: its machine-readable report needs an unstable compiler."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from autopilot.model.evidence.testing import Grade, TestReport
from autopilot.testtools.commands.wrapping import ending_in, report_path, run, split_call, wrap
from autopilot.testtools.pack import Canary
from autopilot.testtools.packs.cargo_arguments import runs_tests, settings, split_arguments
from autopilot.testtools.packs.cargo_output import not_compiled, read_output
from autopilot.testtools.sources import list_sources, read_sources

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_QUIET = frozenset({"-q", "--quiet", "--format=terse"})
_CANARY = """\
#[test]
fn autopilot_canary() {
    assert_eq!(1 + 1, 3, "this test must fail");
}
"""


class CargoTest:
    name = "cargo test"
    grade = Grade.TEXT

    def knows(self, arguments: Sequence[str]) -> bool:
        return runs_tests(split_call(arguments)[1])

    def ask(self, arguments: Sequence[str], name: str) -> str:
        """Not quiet: a dot names no test. Results and messages go to files of their own, and are shown afterwards."""
        before, call = split_call(arguments)
        kept = [word for word in call if word not in _QUIET]
        out, errors = report_path(name, ".out"), report_path(name, ".err")
        sources = list_sources(name, "*.rs", "^ *\\(pub \\)\\{0,1\\}\\(async \\)\\{0,1\\}fn ")
        return wrap([*before, *kept], f"{run(f'>{out} 2>{errors}')}; {sources}; cat {errors} >&2; cat {out}")

    def read(self, files: Mapping[str, bytes], output: str) -> TestReport:  # noqa: ARG002
        out, errors = (ending_in(files, ending) for ending in (".out", ".err"))
        if out is None or errors is None:
            return TestReport(self.name, self.grade, problem="cargo test left no output")
        messages = _plain(errors)
        results, problem = read_output(_plain(out), messages, read_sources(files))
        loading = not_compiled(messages)
        if not problem and not results and not loading and not out.strip():
            problem = "cargo test printed no result"
        return TestReport(self.name, self.grade, results, problem, loading)

    def canary(self, paths: Sequence[str], arguments: Sequence[str]) -> Canary | None:
        """Beside the tests of a package: the one that the call names, or the one where it stands."""
        packages = split_arguments(split_call(arguments)[1]).packages
        folders = [PurePosixPath(path).parent for path in paths if PurePosixPath(path).name == "Cargo.toml"]
        matching = [
            folder for folder in folders if _has_code(folder, paths) and (not packages or folder.name in packages)
        ]
        chosen = matching or [folder for folder in folders if _has_code(folder, paths) and str(folder) == "."]
        if not chosen:
            return None
        nearest = min(chosen, key=lambda folder: (len(folder.parts), str(folder)))
        return Canary(str(nearest / "tests/autopilot_canary.rs"), _CANARY, "autopilot_canary")

    def only(self, arguments: Sequence[str], paths: Sequence[str]) -> list[str]:
        """Test programs are chosen by name; unit tests stand in the library's own."""
        before, call = split_call(arguments)
        tests = [path for path in map(PurePosixPath, paths) if path.parent.name == "tests"]
        chosen = [word for path in tests for word in ("--test", path.stem)]
        return [*before, *settings(call), *(["--lib"] if len(tests) < len(paths) else []), *chosen]


def _plain(text: bytes) -> str:
    return _COLOUR.sub("", text.decode("utf-8", "replace"))


def _has_code(folder: PurePosixPath, paths: Sequence[str]) -> bool:
    return any(PurePosixPath(path).is_relative_to(folder / "src") for path in paths)
