"""Where a test's file lies in the project, whatever place the tool names it from."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from autopilot.model.evidence.testing import TestReport, TestResult

Exists = Callable[[str], bool]  # whether the project has a file of this path


def placed(report: TestReport, stands: str, folder: str, exists: Exists | None = None) -> TestReport:
    """``stands`` is the folder the call was made in, with its full path; ``folder`` the same from the project."""
    root = stands.removesuffix(f"/{folder}") if folder else stands
    known: dict[str, str] = {}

    def place(result: TestResult) -> TestResult:
        if result.file not in known:
            known[result.file] = _in_project(result.file, root, folder, exists)
        file = known[result.file]
        if result.file and result.id.startswith(result.file):
            return replace(result, file=file, id=file + result.id[len(result.file) :])
        return replace(result, file=file, id=f"{folder}/{result.id}" if folder else result.id)

    results = tuple(place(result) for result in report.results)
    loading = tuple(line.replace(f"{root}/", "") for line in report.loading)
    return replace(report, results=results, loading=loading)


def _in_project(file: str, root: str, folder: str, exists: Exists | None) -> str:
    if not file:
        return ""
    if file.startswith("/"):
        return file.removeprefix(f"{root}/") if len(root) > 1 else file
    places = list(_candidates(posixpath.normpath(file), folder))
    return next((place for place in places if exists is not None and exists(place)), places[0])


def _candidates(file: str, folder: str) -> Iterator[str]:
    """From where the call stood, unless the name begins with that folder; then from every folder around it."""
    if folder and file.startswith(f"{folder}/"):
        yield file
    while folder:
        yield posixpath.normpath(f"{folder}/{file}")
        folder = posixpath.dirname(folder)
    yield file
